import { Validations } from 'aws-cdk-lib';
import { Bucket } from 'aws-cdk-lib/aws-s3';
import { AwsSolutionsChecks, ServerlessChecks } from 'cdk-nag';
import { describe, expect, test } from 'vitest';
import type { StageApp } from '#infra/aws/stage-app.ts';
import { deployedStages } from '#infra/stages.ts';
import { fullStage, stageNamed, withStageApp } from '../../../support/harnesses/stage-app.ts';

const stages = [...deployedStages, fullStage()].map((stage) => [stage.name, stage] as const);

/** What cdk-nag finds, as `rule path`. */
const findingsIn = ({ app }: StageApp): string[] =>
  [new AwsSolutionsChecks(app), new ServerlessChecks(app)].flatMap((pack) =>
    pack
      .validateScope(app)
      .violations.flatMap(({ ruleName, violatingResources }) =>
        violatingResources.map(({ constructPath }) => `${ruleName} ${constructPath}`),
      ),
  );

/** What is acknowledged, as `rule path`, with the reason. */
const acknowledgementsIn = ({ app }: StageApp): [string, string][] =>
  app.node
    .findAll()
    .flatMap((construct) =>
      construct.node.metadata
        .filter(({ type }) => type === Validations.ACKNOWLEDGED_RULES_METADATA_KEY)
        .flatMap(({ data }) =>
          Object.entries<string>(data).map(([rule, reason]): [string, string] => [
            `${rule.replace(/^annotation::/i, '')} ${construct.node.path}`,
            reason,
          ]),
        ),
    );

describe('cdk-nag', () => {
  test.each(stages)('finds nothing in %s', (_, stage) => {
    expect(withStageApp(stage, findingsIn)).toEqual([]);
  });

  test('finds what nobody acknowledged', () => {
    const findings = withStageApp(stageNamed('development'), (made) => {
      new Bucket(made.data, 'careless');
      return findingsIn(made);
    });
    expect(findings).toContain('AwsSolutions-S1 ledger-development-data/careless/Resource');
  });

  test.each(stages)('would find everything that is acknowledged in %s', (_, stage) => {
    const { needed, acknowledged } = withStageApp(stage, (made) => {
      const given = acknowledgementsIn(made);
      // Nothing can be taken back through CDK itself.
      for (const { node } of made.app.node.findAll()) Object.assign(node, { _metadata: [] });
      return { acknowledged: given, needed: findingsIn(made) };
    });
    expect(acknowledged.length).toBeGreaterThan(0);
    const idle = acknowledged.filter(([entry]) => {
      const [rule, path] = entry.split(/ (?=[^ ]+$)/);
      return !needed.some((it) => it.startsWith(`${rule} ${path}`));
    });
    expect(idle).toEqual([]);
  });

  test.each(stages)('is told a reason for each acknowledgement in %s', (_, stage) => {
    for (const [, reason] of withStageApp(stage, acknowledgementsIn)) {
      expect(reason).toMatch(/^[A-Z].{20,}\.$/);
    }
  });
});
