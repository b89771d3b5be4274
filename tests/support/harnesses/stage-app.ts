// The stacks of a stage, for tests that read their templates. The bundles are stand-ins.

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Stack } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { AwsSolutionsChecks, ServerlessChecks } from 'cdk-nag';
import { type DeployedService, openDeployedService } from '#infra/aws/deployed-service.ts';
import type { BundleFolders } from '#infra/aws/stacks/events-stack.ts';
import { createStageApp, type StageApp } from '#infra/aws/stage-app.ts';
import { type FunctionName, functions } from '#infra/manifest/manifest.ts';
import { type DeployedStage, deployedStages } from '#infra/manifest/stages.ts';

/** A resource of a template, as CloudFormation takes it. */
export type Resource = {
  Type: string;
  // biome-ignore lint/suspicious/noExplicitAny: each type of resource has properties of its own.
  Properties: Record<string, any>;
  DeletionPolicy?: string;
  UpdatePolicy?: object;
};

export const stageNamed = (name: string): DeployedStage => {
  const stage = deployedStages.find((it) => it.name === name);
  if (stage === undefined) throw new Error(`there is no stage ${name}`);
  return stage;
};

const accounts = { account: '222222222222', fromAccount: '111111111111' };

/** Production with everything that a stage may have. */
export const fullStage = (): DeployedStage => {
  const production = stageNamed('production');
  return {
    ...production,
    name: 'full',
    settings: {
      ...production.settings,
      reservedConcurrency: { authorizer: 50, 'oauth-callback': 20 },
    },
    deployment: {
      ...production.deployment,
      customDomain: {
        name: 'api.ledger.example',
        zoneName: 'ledger.example',
        hostedZoneId: 'Z0123456789ABCDEFGHIJ',
      },
      callbackBehindGateway: true,
      alarmEmail: 'operator@ledger.example',
      pagerUrl: 'https://pager.example/ledger',
      backups: { copyTo: { region: 'eu-west-1', ...accounts } },
    },
  };
};

/**
 * Creates the stacks of a stage for `use`, and then removes the files. Their synthesis applies no
 * rules, which takes seconds: `npm run synth` applies those of CDK and cdk-nag, and has its own
 * test. `findingsIn` applies those of cdk-nag.
 */
export const withStageApp = <Result>(
  stage: DeployedStage,
  use: (made: StageApp) => Result,
  deployed?: DeployedService,
): Result => {
  const folder = mkdtempSync(join(tmpdir(), 'ledger-stage-'));
  try {
    const code = join(folder, 'code');
    mkdirSync(code);
    writeFileSync(join(code, 'index.cjs'), 'exports.handler = async () => {};\n');
    const names = Object.keys(functions) as FunctionName[];
    const bundles = Object.fromEntries(names.map((name) => [name, { code }])) as BundleFolders;
    return use(
      createStageApp(stage, {
        bundles,
        deployed,
        isChecked: false,
        builtinCloudFormationValidation: false,
        stackTraces: false,
        treeMetadata: false,
        outdir: join(folder, 'out'),
      }),
    );
  } finally {
    rmSync(folder, { recursive: true });
  }
};

/** What cdk-nag finds, as `rule path`. */
export const findingsIn = ({ app }: StageApp): string[] =>
  [new AwsSolutionsChecks(app), new ServerlessChecks(app)].flatMap((pack) =>
    pack
      .validateScope(app)
      .violations.flatMap(({ ruleName, violatingResources }) =>
        violatingResources.map(({ constructPath }) => `${ruleName} ${constructPath}`),
      ),
  );

// biome-ignore lint/suspicious/noExplicitAny: each intrinsic function has arguments of its own.
type Argument = any;

/** A logical id without the eight digits that CDK puts behind it. */
const withoutDigits = (logicalId: string): string => logicalId.replace(/[0-9A-F]{8}$/, '');

/**
 * A template's value in plain text: `{"Fn::GetAtt":["key1234ABCD","Arn"]}` is `key.Arn`. An
 * imported value is the other stack's output.
 */
const plain = (value: unknown, imported: Record<string, unknown>): unknown => {
  if (Array.isArray(value)) return value.map((it) => plain(it, imported));
  if (typeof value !== 'object' || value === null) return value;
  const parts = Object.entries(value).map(
    ([name, part]) => [name, plain(part, imported)] as [string, Argument],
  );
  const [[name, argument] = ['', undefined]] = parts;
  if (name === 'Ref') return withoutDigits(argument);
  if (name === 'Fn::GetAtt') return `${withoutDigits(argument[0])}.${argument[1]}`;
  if (name === 'Fn::Join') return argument[1].join(argument[0]);
  if (name === 'Fn::Split') return `${argument[1]} split at ${argument[0]}`;
  if (name === 'Fn::Select') return `part ${argument[0]} of ${argument[1]}`;
  if (name === 'Fn::ImportValue') return imported[argument];
  return Object.fromEntries(parts);
};

type Output = { Value: unknown; Export?: { Name: string } };

const readTemplate = (stacks: readonly Stack[], imported: Record<string, unknown> = {}) => {
  const parts = stacks.map((stack) => Template.fromStack(stack).toJSON());
  const Resources = Object.assign({}, ...parts.map((it) => it.Resources));
  const Outputs = Object.assign({}, ...parts.map((it) => it.Outputs));
  const resources = Object.entries(plain(Resources, imported) as Record<string, Resource>);
  const outputs = Object.entries(Outputs as Record<string, Output>);
  const all = (type: string): Resource[] =>
    resources.flatMap(([, resource]) => (resource.Type === type ? [resource] : []));
  /** The properties of every resource of a type. */
  const properties = (type: string) => all(type).map(({ Properties }) => Properties);
  return {
    outputs: Object.fromEntries(
      outputs.map(([name, { Value }]): [string, unknown] => [name, plain(Value, imported)]),
    ),
    /** The unchanged resources. */
    text: JSON.stringify({ Resources }),
    /** What other stacks may import, by the names of the exports. */
    exports: Object.fromEntries(
      outputs.flatMap(([, { Value, Export }]) =>
        Export ? [[Export.Name, plain(Value, imported)] as const] : [],
      ),
    ),
    all,
    properties,
    /** The resource that others refer to by this id. */
    byId: (id: string): Resource | undefined =>
      resources.find(([logicalId]) => withoutDigits(logicalId) === id)?.[1],
    /** The properties of the only resource of a type. @throws if there is none, or several */
    one: (type: string): Resource['Properties'] => {
      const [found, ...more] = properties(type);
      if (found === undefined || more.length > 0) throw new Error(`not exactly one ${type}`);
      return found;
    },
  };
};

const readTemplates = (stage: DeployedStage, deployed?: DeployedService) =>
  withStageApp(
    stage,
    (made) => {
      const data = readTemplate([made.data]);
      const events = readTemplate([made.events], data.exports);
      const imported = { ...data.exports, ...events.exports };
      const service = readTemplate([made.events, made.service], imported);
      const alarms = readTemplate([made.alarms], data.exports);
      const copies = made.copies && readTemplate([made.copies]);
      return { data, events, service, alarms, copies };
    },
    deployed,
  );

/** A synthesis takes about a second, and the test files of a worker share it. */
const templates = new Map<string, ReturnType<typeof readTemplates>>();

/** The templates of a stage for a deployment over a service with this template. */
export const synthesizeOver = (
  stage: DeployedStage,
  template: string,
  options?: { allAtOnce: boolean },
): ReturnType<typeof readTemplates> => readTemplates(stage, openDeployedService(template, options));

/** The templates of a stage, with finders of their resources. `service` has those of events. */
export const synthesize = (stage: DeployedStage): ReturnType<typeof readTemplates> => {
  const key = JSON.stringify(stage);
  const synthesized = templates.get(key) ?? readTemplates(stage);
  templates.set(key, synthesized);
  return synthesized;
};
