// A deployment over a deployed service: the permissions of both, and how new versions start.

import { describe, expect, test } from 'vitest';
import { openDeployedService } from '#infra/aws/deployed-service.ts';
import { type FunctionName, functions, functionsOfKind } from '#infra/manifest/manifest.ts';
import type { DeployedStage } from '#infra/manifest/stages.ts';
import {
  findingsIn,
  stageNamed,
  synthesize,
  synthesizeOver,
  withStageApp,
} from '../../support/harnesses/stage-app.ts';

const production = stageNamed('production');
const { text } = synthesize(production).service;
const awaited = (['api', 'authorizer', 'url'] as const).flatMap((kind) => functionsOfKind(kind));

const restored: DeployedStage = {
  ...production,
  deployment: {
    ...production.deployment,
    restoredTable: {
      name: 'ledger-production-restored',
      streamLabel: '2026-03-24T09:00:00.000',
    },
  },
};

type Templates = ReturnType<typeof synthesize>;

const policiesOf = ({ service }: Templates, name: FunctionName): string[] => {
  const role = service.byId(`${name.replaceAll('-', '')}role`);
  const policies: { PolicyName: string }[] = role?.Properties.Policies;
  return policies.map(({ PolicyName }) => PolicyName);
};

/** The tables that the role of a function may use. */
const tablesOf = ({ service }: Templates, name: FunctionName): string[] => {
  const role = JSON.stringify(service.byId(`${name.replaceAll('-', '')}role`));
  return [/table\.Arn/, /ledger-production-restored/].flatMap((it) => it.exec(role)?.[0] ?? []);
};

/** The template if it had been deployed with other code: each version has another id. */
const withOtherCode = (template: string): string =>
  template.replaceAll(/(CurrentVersion\w{39})\w/g, '$1x');

const gradual = ({ service }: Templates) =>
  service.all('AWS::Lambda::Alias').filter(({ UpdatePolicy }) => UpdatePolicy !== undefined);

const names = Object.keys(functions) as FunctionName[];
const onTable = names.filter((name) => functions[name].table.length > 0);

describe('a deployment over the same service', () => {
  const again = synthesizeOver(production, text);

  test('changes nothing', () => {
    expect(again.service.text).toBe(text);
    expect(gradual(again)).toHaveLength(awaited.length);
  });
});

describe('a deployment with a restored table', () => {
  const bound = synthesizeOver(restored, text);
  const again = synthesizeOver(restored, bound.service.text);
  const next = synthesizeOver(restored, withOtherCode(bound.service.text));

  test('starts all versions with all calls', () => {
    expect(gradual(bound)).toEqual([]);
    expect(bound.service.all('AWS::CodeDeploy::DeploymentGroup')).toHaveLength(awaited.length);
  });

  test.each(onTable)('lets the old and the new version of %s use their tables', (name) => {
    expect(tablesOf(bound, name)).toEqual(['table.Arn', 'ledger-production-restored']);
    expect(policiesOf(bound, name)).toEqual(['grants', 'earlier-grants']);
  });

  test('can be repeated, and then changes nothing that a roll-back needs', () => {
    for (const name of onTable) {
      expect([name, tablesOf(again, name)]).toEqual([name, tablesOf(bound, name)]);
    }
  });

  test('that stopped between two stacks goes on with all calls', () => {
    const after = JSON.parse(bound.service.text).Resources;
    const events = synthesize(production).service.text;
    const { Resources } = JSON.parse(events);
    const moved = Object.keys(Resources).filter((it) => it.startsWith('listevents'));
    for (const id of moved) Resources[id] = after[id];
    const halfway = JSON.stringify({ Resources });
    expect(gradual(synthesizeOver(restored, halfway))).toEqual([]);
    expect(gradual(synthesizeOver(production, halfway))).toEqual([]);
  });

  test.each(onTable)(
    'is followed by one with other code that takes the old table from %s',
    (name) => {
      expect(tablesOf(next, name)).toEqual(['ledger-production-restored']);
      expect(policiesOf(next, name)).toEqual(['grants']);
    },
  );

  test('has nothing that cdk-nag finds', () => {
    expect(withStageApp(restored, findingsIn, openDeployedService(text))).toEqual([]);
  });

  test('can be undone in the same way', () => {
    const back = synthesizeOver(production, bound.service.text);
    expect(gradual(back)).toEqual([]);
    expect(tablesOf(back, 'create-journal-entry')).toEqual([
      'table.Arn',
      'ledger-production-restored',
    ]);
  });
});

describe('a deployment that narrows one role', () => {
  const [name, actions] = ['get-journal-entry', '["dynamodb:BatchGetItem","dynamodb:Query"]'];
  // Before this deployment, the function could also delete the items that it reads.
  const wider = text.replaceAll(actions, actions.replace('["', '["dynamodb:DeleteItem","'));

  test('keeps the wider permission for the deployed version, until the next one', () => {
    expect(wider).not.toBe(text);
    const narrowed = synthesizeOver(production, withOtherCode(wider));
    const [, earlier] = narrowed.service.byId('getjournalentryrole')?.Properties.Policies ?? [];
    expect(earlier.PolicyDocument.Statement).toMatchObject([
      { Action: ['dynamodb:DeleteItem', 'dynamodb:BatchGetItem', 'dynamodb:Query'] },
    ]);
    expect(policiesOf(narrowed, 'authorizer')).toEqual(['grants']);
    const again = synthesizeOver(production, narrowed.service.text);
    expect(again.service.text).toBe(narrowed.service.text);
    const next = synthesizeOver(production, withOtherCode(narrowed.service.text));
    expect(next.service.text).toBe(text);
    expect(policiesOf(next, name as FunctionName)).toEqual(['grants']);
  });

  test('drops permissions on resources that it removes', () => {
    const removed = text.replaceAll('importtenantdatalive', 'removedfunctionlive');
    const over = synthesizeOver(production, removed);
    expect(policiesOf(over, 'start-imports')).toEqual(['grants']);
  });
});

test('the operator can start all versions with all calls', () => {
  expect(gradual(synthesizeOver(production, text, { allAtOnce: true }))).toEqual([]);
});

test('replaced versions stay for a roll-back, and those of a failed deployment go', () => {
  const versions = synthesize(production).service.all('AWS::Lambda::Version');
  expect(versions).toHaveLength(names.length);
  expect(new Set(versions.map(({ DeletionPolicy }) => DeletionPolicy))).toEqual(
    new Set(['RetainExceptOnCreate']),
  );
});

describe('the alarms on new versions', () => {
  const { service } = synthesize(production);
  const alarms = service.properties('AWS::CloudWatch::Alarm');
  type Metric = { MetricName: string; Dimensions: { Name: string; Value: string }[] };
  type Query = { Id: string; Expression?: string; MetricStat?: { Metric: Metric; Period: number } };

  test('watch each synchronous function once, and send nothing', () => {
    const names = alarms.flatMap(({ AlarmDescription }) =>
      AlarmDescription.replace(/^.*: |\.$/g, '').split(', '),
    );
    expect(names.toSorted()).toEqual(awaited.map(({ name }) => name).toSorted());
    expect(alarms.filter(({ AlarmActions }) => AlarmActions !== undefined)).toEqual([]);
  });

  test('are new in each deployment: a red alarm would stop the fix', () => {
    for (const { AlarmName, Metrics } of alarms) {
      const dimensions = (Metrics as Query[]).flatMap(
        (it) => it.MetricStat?.Metric.Dimensions ?? [],
      );
      const versions = dimensions.filter(({ Name }) => Name === 'ExecutedVersion');
      expect(versions.length).toBeGreaterThan(0);
      expect(versions.filter(({ Value }) => !AlarmName.includes(Value))).toEqual([]);
    }
  });

  test('count only the calls of the new version', () => {
    const [alarm] = alarms.filter(({ AlarmDescription }) =>
      / create-journal-entry[,.]/.test(AlarmDescription),
    );
    const queries: Query[] = alarm?.Metrics;
    const watched = queries.flatMap(({ Id, MetricStat }) =>
      MetricStat && Id.endsWith('_create_journal_entry')
        ? [
            [
              MetricStat.Metric.MetricName,
              MetricStat.Period,
              ...MetricStat.Metric.Dimensions.map(({ Value }) =>
                Value.startsWith('createjournalentryfunctionCurrentVersion') ? 'version' : Value,
              ),
            ],
          ]
        : [],
    );
    const deployed = 'ledger-production-create-journal-entry';
    expect(watched).toEqual([
      ['ServerErrors', 300, 'create-journal-entry', 'version'],
      ['Errors', 300, 'version', deployed, `${deployed}:live`],
      ['Invocations', 300, 'version', deployed, `${deployed}:live`],
    ]);
    const failed =
      '(FILL(answered_create_journal_entry, 0) + FILL(crashed_create_journal_entry, 0))';
    expect(queries.map(({ Expression }) => Expression).join()).toContain(
      `IF((${failed} >= 6) AND (100 * ${failed} >= 2 * FILL(calls_create_journal_entry, 0)), 1, 0)`,
    );
  });
});
