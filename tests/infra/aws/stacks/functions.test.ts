import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import {
  type FunctionName,
  type FunctionRow,
  functions,
  functionsOfKind,
} from '#infra/manifest.ts';
import { dueIndex } from '#shared/store/keys.ts';
import { fullStage, stageNamed, synthesize } from '../../../support/harnesses/stage-app.ts';

const stage = stageNamed('production');
const { service } = synthesize(stage);
const rows = Object.entries(functions) as [FunctionName, FunctionRow][];

type Statement = { Action: string | string[]; Resource: string | string[]; Condition?: unknown };

const lambdaOf = (name: FunctionName) => {
  const found = service
    .properties('AWS::Lambda::Function')
    .find(({ FunctionName }) => FunctionName === `ledger-${stage.name}-${name}`);
  if (found === undefined) throw new Error(`there is no function ${name}`);
  return found;
};

/** What a function's role may do: its statements with their actions and resources as lists. */
const statementsOf = (name: FunctionName) => {
  const role = lambdaOf(name).Role.replace(/\.Arn$/, '');
  return service
    .properties('AWS::IAM::Policy')
    .filter(({ Roles }) => Roles.includes(role))
    .flatMap(({ PolicyDocument }) => PolicyDocument.Statement as Statement[])
    .map(({ Action, Resource, Condition }) => ({
      actions: [Action].flat(),
      resources: [Resource].flat(),
      condition: Condition,
    }));
};

const actionsOn = (name: FunctionName, resource: string): string[] =>
  statementsOf(name)
    .filter(({ resources }) => resources.includes(resource))
    .flatMap(({ actions }) => actions)
    .sort();

describe('a role', () => {
  test.each(rows)('of %s does to the table what its row says', (name, { table }) => {
    expect(actionsOn(name, 'table.Arn')).toEqual(table.map((it) => `dynamodb:${it}`).sort());
  });

  test.each(rows)(
    'of %s queries the index where its row says so',
    (name, { dueIndex: queries }) => {
      expect(actionsOn(name, `table.Arn/index/${dueIndex}`)).toEqual(
        queries ? ['dynamodb:Query'] : [],
      );
    },
  );

  test.each(rows)('of %s reads the secrets of its row', (name, { secrets }) => {
    const readable = statementsOf(name)
      .filter(({ actions }) => actions.includes('secretsmanager:GetSecretValue'))
      .flatMap(({ resources }) => resources);
    expect(readable.sort()).toEqual(secrets.map((it) => it.replaceAll('-', '')).sort());
  });

  test.each(rows)('of %s uses the key through those services only', (name, { secrets }) => {
    const services = statementsOf(name)
      .filter(({ resources }) => resources.includes('key.Arn'))
      .map(({ condition }) => condition);
    expect(services).toEqual(
      ['dynamodb', ...(secrets.length > 0 ? ['secretsmanager'] : [])].map((it) => ({
        StringEquals: { 'kms:ViaService': `${it}.AWS::Region.amazonaws.com` },
      })),
    );
  });

  test.each(rows)('of %s may do nothing else but log and be traced', (name, { trigger }) => {
    const known = /^(table|key|apikeypepper|tokensealingkeys|platformclients)(\.|$)/;
    const others = statementsOf(name)
      .filter(({ resources }) => !resources.some((it) => known.test(it)))
      .map(({ actions, resources }) => [resources.join(), actions]);
    const log = `${name.replaceAll('-', '')}log.Arn`;
    expect(Object.fromEntries(others)).toEqual({
      [log]: ['logs:CreateLogStream', 'logs:PutLogEvents'],
      '*': ['xray:PutTelemetryRecords', 'xray:PutTraceSegments'],
      ...(trigger.kind === 'stream' && {
        'failedrecords.Arn': ['sqs:GetQueueAttributes', 'sqs:GetQueueUrl', 'sqs:SendMessage'],
      }),
    });
  });

  test('has no wildcard in its actions', () => {
    const granted = rows.flatMap(([name]) => statementsOf(name).flatMap(({ actions }) => actions));
    expect(granted.length).toBeGreaterThan(rows.length);
    expect(granted.filter((action) => action.includes('*'))).toEqual([]);
  });

  test('is of one function', () => {
    const roles = rows.map(([name]) => lambdaOf(name).Role);
    expect(new Set(roles).size).toBe(rows.length);
  });
});

describe('a function', () => {
  test.each(rows)(
    '%s runs on Node 24 on arm64, traced, with the limits of its row',
    (name, row) => {
      expect(lambdaOf(name)).toMatchObject({
        Runtime: 'nodejs24.x',
        Architectures: ['arm64'],
        Handler: 'index.handler',
        TracingConfig: { Mode: 'Active' },
        Timeout: row.timeoutSeconds,
        MemorySize: row.memoryMegabytes,
        Description: row.purpose,
      });
    },
  );

  test.each(rows)('%s finds every setting that its entry point reads', (name, { secrets }) => {
    const entryPoint = readFileSync(`functions/${name}/index.ts`, 'utf8');
    const reads = [...entryPoint.matchAll(/\b([A-Z_]{2,}):/g)].map(([, it]) => it);
    const { Variables } = lambdaOf(name).Environment;
    expect(reads).toContain('TABLE_NAME');
    expect(Object.keys(Variables)).toEqual(expect.arrayContaining(reads));
    const secretIds = Object.keys(Variables).filter((it) => it.endsWith('_SECRET'));
    expect(secretIds).toHaveLength(secrets.length);
    expect(reads.filter((it) => it?.endsWith('_SECRET')).sort()).toEqual(secretIds.sort());
  });

  test.each(rows)('%s keeps its log as long as the stage says', (name) => {
    const logs = service.properties('AWS::Logs::LogGroup');
    expect(logs).toContainEqual(
      expect.objectContaining({
        LogGroupName: `/aws/lambda/ledger-production-${name}`,
        RetentionInDays: stage.deployment.logRetentionDays,
      }),
    );
  });

  test('has the concurrency that the stage sets aside, and the others share the rest', () => {
    for (const settings of [stage, fullStage()]) {
      const reserved = synthesize(settings)
        .service.properties('AWS::Lambda::Function')
        .filter((it) => 'ReservedConcurrentExecutions' in it)
        .map((it) => [it.FunctionName, it.ReservedConcurrentExecutions]);
      const expected = Object.entries(settings.deployment.reservedConcurrency ?? {});
      expect(Object.fromEntries(reserved)).toEqual(
        Object.fromEntries(expected.map(([name, it]) => [`ledger-${settings.name}-${name}`, it])),
      );
    }
  });
});

describe('the callback', () => {
  test('has a URL that needs no signature, and is the only function that anyone may invoke', () => {
    const [callback] = functionsOfKind('url');
    const target = `${callback?.name.replaceAll('-', '')}function.Arn`;
    expect(service.one('AWS::Lambda::Url')).toMatchObject({
      AuthType: 'NONE',
      TargetFunctionArn: target,
    });
    const open = service
      .properties('AWS::Lambda::Permission')
      .filter(({ Principal }) => Principal === '*')
      .map(({ Action, FunctionName, FunctionUrlAuthType, InvokedViaFunctionUrl }) => [
        Action,
        FunctionName,
        FunctionUrlAuthType ?? InvokedViaFunctionUrl,
      ]);
    expect(open).toEqual([
      ['lambda:InvokeFunctionUrl', target, 'NONE'],
      ['lambda:InvokeFunction', target, true],
    ]);
  });

  test('is where initiate-oauth sends browsers', () => {
    const { CALLBACK_BASE_URL } = lambdaOf('initiate-oauth').Environment.Variables;
    // The host of `https://<host>/`, so that paths can be put behind it.
    const url = 'oauthcallbackfunctionFunctionUrl.FunctionUrl';
    expect(CALLBACK_BASE_URL).toBe(`https://part 2 of ${url} split at /`);
    expect(service.outputs.CallbackUrl).toBe(CALLBACK_BASE_URL);
  });
});

describe('a schedule', () => {
  test('runs each function at its interval, and passes the event as it is', () => {
    const rules = service
      .properties('AWS::Events::Rule')
      .map(({ ScheduleExpression, State, Targets }) => [ScheduleExpression, State, Targets]);
    const target = (name: FunctionName, everyMinutes: number) => ({
      Id: 'Target0',
      Arn: `${name.replaceAll('-', '')}function.Arn`,
      RetryPolicy: { MaximumEventAgeInSeconds: everyMinutes * 60 },
    });
    expect(rules).toEqual([
      ['rate(15 minutes)', 'ENABLED', [target('post-scheduled-entries', 15)]],
      ['rate(2 minutes)', 'ENABLED', [target('resume-imports', 2)]],
      ['rate(10 minutes)', 'ENABLED', [target('renew-connections', 10)]],
      ['rate(3 hours)', 'ENABLED', [target('refresh-exchange-rates', 180)]],
    ]);
    expect(functionsOfKind('schedule').map((it) => [it.name, it.trigger.everyMinutes])).toEqual([
      ['post-scheduled-entries', 15],
      ['resume-imports', 2],
      ['renew-connections', 10],
      ['refresh-exchange-rates', 180],
    ]);
  });
});

describe('the stream', () => {
  test('brings the records that the manifest asks for, and keeps what fails', () => {
    const [{ name, trigger } = expect.fail()] = functionsOfKind('stream');
    const { Tags, ...mapping } = service.one('AWS::Lambda::EventSourceMapping');
    expect(mapping).toEqual({
      FunctionName: `${name.replaceAll('-', '')}function`,
      EventSourceArn: 'table.StreamArn',
      StartingPosition: 'TRIM_HORIZON',
      BatchSize: trigger.batchSize,
      ParallelizationFactor: 10,
      MaximumRetryAttempts: trigger.maximumRetries,
      BisectBatchOnFunctionError: true,
      FunctionResponseTypes: ['ReportBatchItemFailures'],
      DestinationConfig: { OnFailure: { Destination: 'failedrecords.Arn' } },
      FilterCriteria: { Filters: [{ Pattern: expect.any(String) }] },
    });
    expect(JSON.parse(mapping.FilterCriteria.Filters[0].Pattern)).toEqual({
      dynamodb: { NewImage: { kind: { S: ['import'] }, status: { S: ['requested'] } } },
    });
  });

  test('may be read by that function only', () => {
    const readers = rows.filter(([name]) => actionsOn(name, 'table.StreamArn').length > 0);
    expect(readers.map(([name]) => name)).toEqual(functionsOfKind('stream').map((it) => it.name));
    expect(actionsOn('import-tenant-data', 'table.StreamArn')).toEqual([
      'dynamodb:DescribeStream',
      'dynamodb:GetRecords',
      'dynamodb:GetShardIterator',
      'dynamodb:ListStreams',
    ]);
  });
});
