import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { charging, type FunctionRow, isCharged } from '#infra/manifest/function-row.ts';
import {
  type FunctionName,
  functions,
  functionsInvokedBy,
  functionsOfKind,
} from '#infra/manifest/manifest.ts';
import { platformSettings } from '#shared/platforms/registry.ts';
import { dueIndex } from '#shared/table/due-keys.ts';
import { type PartitionKind, partitionPatterns } from '#shared/table/partitions.ts';
import { fullStage, stageNamed, synthesize } from '../../../support/harnesses/stage-app.ts';
import { importsOf } from '../../../support/readers/source-files.ts';

const stage = stageNamed('production');
const { service } = synthesize(stage);
const full = fullStage();
const { service: fullService } = synthesize(full);
const { service: development } = synthesize(stageNamed('development'));
const rows = Object.entries(functions) as [FunctionName, FunctionRow][];

type Statement = {
  Action: string | string[];
  Resource: string | string[];
  Condition?: {
    StringEquals?: { 'kms:ViaService': string };
    'ForAllValues:StringLike'?: { 'dynamodb:LeadingKeys': string[] };
  };
};

const lambdaOf = (name: FunctionName) => {
  const found = service
    .properties('AWS::Lambda::Function')
    .find(({ FunctionName }) => FunctionName === `ledger-${stage.name}-${name}`);
  if (found === undefined) throw new Error(`there is no function ${name}`);
  return found;
};

const resourceOf = (name: string): string => name.replaceAll('-', '');

/** The alias of a function. Triggers may call only the alias. */
const liveOf = (name: string): string => `${resourceOf(name)}live`;

/** The permissions of a function's role: actions by resource and by service. */
const permissionsOf = (name: FunctionName): Record<string, string[]> => {
  const role = service.byId(lambdaOf(name).Role.replace(/\.Arn$/, ''));
  const permissions: Record<string, string[]> = {};
  const policies: { PolicyDocument: { Statement: Statement[] } }[] = role?.Properties.Policies;
  for (const { Action, Resource, Condition } of policies.flatMap(
    ({ PolicyDocument }) => PolicyDocument.Statement,
  )) {
    const via = Condition?.StringEquals?.['kms:ViaService'].replace(/\.AWS::Region.*$/, '');
    const within = Condition?.['ForAllValues:StringLike']?.['dynamodb:LeadingKeys'];
    for (const resource of [Resource].flat()) {
      const by = via ? ` by ${via}` : '';
      const place = `${resource}${by}${within ? ` within ${[within].flat()}` : ''}`;
      permissions[place] = [...(permissions[place] ?? []), ...[Action].flat()].sort();
    }
  }
  return permissions;
};

describe('a role', () => {
  const reading = ['kms:Decrypt', 'kms:DescribeKey'];
  const writing = ['kms:Encrypt', 'kms:GenerateDataKey', 'kms:ReEncryptFrom', 'kms:ReEncryptTo'];
  const isWriting = (action: string): boolean => /^(Delete|Put|Update)Item$/.test(action);
  const ofStream = {
    'table.StreamArn': ['DescribeStream', 'GetRecords', 'GetShardIterator', 'ListStreams'].map(
      (action) => `dynamodb:${action}`,
    ),
  };
  const ofFailures = {
    'failedrecords.Arn': ['sqs:GetQueueAttributes', 'sqs:GetQueueUrl', 'sqs:SendMessage'],
  };

  const patternOf = (kind: PartitionKind): string => partitionPatterns[kind];

  /** Reads and writes of the same partitions are one statement in the template. */
  const partitionPermissions = ({ table, reads, writes }: FunctionRow) => {
    const permissions: Record<string, string[]> = {};
    for (const action of table) {
      const kinds = isWriting(action) ? writes : reads;
      const place = `table.Arn within ${kinds.map(patternOf)}`;
      permissions[place] = [...(permissions[place] ?? []), `dynamodb:${action}`].sort();
    }
    return permissions;
  };

  test.each(rows)('of %s allows only the actions of its row', (name, row) => {
    const { kind } = row.trigger;
    const invoked = functionsInvokedBy(name).map((it) => [liveOf(it), ['lambda:InvokeFunction']]);
    const ofSecrets = row.secrets.map((it) => [resourceOf(it), ['secretsmanager:GetSecretValue']]);
    const toCharge = isCharged(row) ? partitionPermissions({ ...row, ...charging, reads: [] }) : {};
    const writes = isCharged(row) || row.table.some(isWriting);
    expect(permissionsOf(name)).toEqual({
      ...partitionPermissions(row),
      ...toCharge,
      ...(row.queriesDue && {
        [`table.Arn/index/${dueIndex} within ${row.queriesDue.map(patternOf)}`]: ['dynamodb:Query'],
      }),
      'key.Arn by dynamodb': [...reading, ...(writes ? writing : [])],
      ...Object.fromEntries(ofSecrets),
      ...(row.secrets.length > 0 && { 'key.Arn by secretsmanager': ['kms:Decrypt'] }),
      ...Object.fromEntries(invoked),
      ...(kind === 'stream' && ofStream),
      ...((kind === 'stream' || kind === 'invocation') && ofFailures),
      [`${resourceOf(name)}log.Arn`]: ['logs:CreateLogStream', 'logs:PutLogEvents'],
    });
  });

  test('belongs to one function and has no separate policy', () => {
    const roles = rows.map(([name]) => lambdaOf(name).Role);
    expect(new Set(roles).size).toBe(rows.length);
    expect(service.all('AWS::IAM::Policy')).toEqual([]);
  });
});

/** The text of an entry point and of the containers that it imports. */
const withContainers = (path: string): string => {
  const text = readFileSync(path, 'utf8');
  const containers = importsOf({ path, text }).flatMap(({ target }) =>
    target?.endsWith('.container.ts') ? [withContainers(target)] : [],
  );
  return [text, ...containers].join('\n');
};

describe('a function', () => {
  test.each(rows)(
    '%s runs on Node 24 on arm64, logged, with the limits of its row',
    (name, row) => {
      expect(lambdaOf(name)).toMatchObject({
        Runtime: 'nodejs24.x',
        Architectures: ['arm64'],
        Handler: 'index.handler',
        Timeout: row.timeoutSeconds,
        MemorySize: row.memoryMegabytes,
        Description: row.purpose,
        // Lambda itself logs only calls that did not end well.
        LoggingConfig: { LogFormat: 'JSON', SystemLogLevel: 'WARN' },
      });
      expect(service.properties('AWS::Logs::LogGroup')).toContainEqual(
        expect.objectContaining({
          LogGroupName: `/aws/lambda/ledger-production-${name}`,
          RetentionInDays: stage.deployment.logRetentionDays,
        }),
      );
    },
  );

  test.each(rows)('%s finds every setting that its entry point reads', (name, { secrets }) => {
    const sources = withContainers(`functions/${name}/index.ts`);
    const reads = [
      // Lambda sets the variables that start with AWS_.
      ...[...sources.matchAll(/\b(?!AWS_)([A-Z_]{2,}):/g)].map(([, it]) => it),
      ...(sources.includes('platformSettings') ? Object.keys(platformSettings) : []),
    ];
    const { Variables } = lambdaOf(name).Environment;
    expect(reads).not.toEqual([]);
    expect(Object.keys(Variables)).toEqual(expect.arrayContaining(reads));
    const secretIds = Object.keys(Variables).filter((it) => it.endsWith('_SECRET'));
    expect(secretIds).toHaveLength(secrets.length);
    expect(reads.filter((it) => it?.endsWith('_SECRET')).sort()).toEqual(secretIds.sort());
  });

  test('has the reserved concurrency of the stage, and the others share the rest', () => {
    for (const [made, template] of [
      [stage, service],
      [full, fullService],
    ] as const) {
      const reserved = template
        .properties('AWS::Lambda::Function')
        .filter((it) => 'ReservedConcurrentExecutions' in it)
        .map((it) => [it.FunctionName, it.ReservedConcurrentExecutions]);
      const expected = Object.entries(made.settings.reservedConcurrency ?? {});
      expect(Object.fromEntries(reserved)).toEqual(
        Object.fromEntries(expected.map(([name, it]) => [`ledger-${made.name}-${name}`, it])),
      );
    }
  });
});

describe('the callback', () => {
  test('has a URL without signatures, and is the only function that anyone can invoke', () => {
    const [callback] = functionsOfKind('url');
    const name = callback?.name ?? '';
    const target = liveOf(name);
    expect(service.one('AWS::Lambda::Url')).toMatchObject({
      AuthType: 'NONE',
      TargetFunctionArn: `${resourceOf(name)}function.Arn`,
      Qualifier: 'live',
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

  test('keeps the address that platforms know: its URL and function keep their names', () => {
    const { Resources } = JSON.parse(service.text);
    const urls = Object.entries<{ Type: string; Properties: { TargetFunctionArn: object } }>(
      Resources,
    ).filter(([, { Type }]) => Type === 'AWS::Lambda::Url');
    expect(urls.map(([id]) => id)).toEqual(['oauthcallbackliveFunctionUrl1323EFAB']);
    const target = JSON.stringify(urls[0]?.[1].Properties.TargetFunctionArn);
    expect(target).toContain('"oauthcallbackfunction');
    expect(lambdaOf('oauth-callback').FunctionName).toBe('ledger-production-oauth-callback');
  });

  test('is behind the gateway and its firewall if the stage says so, without a key', () => {
    const open = fullService
      .properties('AWS::ApiGateway::Method')
      .filter(({ AuthorizationType }) => AuthorizationType === 'NONE')
      .map(({ HttpMethod, ApiKeyRequired, Integration }) => [
        HttpMethod,
        ApiKeyRequired ?? false,
        /functions\/(\w+)\/invocations$/.exec(Integration.Uri)?.[1],
      ]);
    const callback = 'oauthcallbacklive';
    expect(open).toEqual([
      ['GET', false, callback],
      ['POST', false, callback],
    ]);
    expect(fullService.outputs.CallbackUrl).toBe('https://api.ledger.example');
    expect(fullService.one('AWS::ApiGateway::Stage').MethodSettings).toContainEqual(
      expect.objectContaining({
        ResourcePath: '/~1oauth~1{platform}~1callback',
        HttpMethod: 'GET',
        ThrottlingRateLimit: 20,
        ThrottlingBurstLimit: 40,
      }),
    );
    expect(fullService.one('AWS::Lambda::Url').AuthType).toBe('NONE');
  });

  test('is where initiate-oauth sends browsers', () => {
    const { CALLBACK_BASE_URL } = lambdaOf('initiate-oauth').Environment.Variables;
    // The host of `https://<host>/`, to append paths.
    const url = 'oauthcallbackliveFunctionUrl.FunctionUrl';
    expect(CALLBACK_BASE_URL).toBe(`https://part 2 of ${url} split at /`);
    expect(service.outputs.CallbackUrl).toBe(CALLBACK_BASE_URL);
  });
});

test('a schedule runs each function at its interval and passes the event unchanged', () => {
  const rules = service
    .properties('AWS::Events::Rule')
    .map(({ ScheduleExpression, State, Targets }) => [ScheduleExpression, State, Targets]);
  const rule = (name: FunctionName, interval: string, minutes: number) => {
    const retry = { RetryPolicy: { MaximumEventAgeInSeconds: minutes * 60 } };
    const target = { Id: 'Target0', Arn: liveOf(name), ...retry };
    return [`rate(${interval})`, 'ENABLED', [target]];
  };
  expect(rules).toEqual([
    rule('resume-deliveries', '1 minute', 1),
    rule('post-scheduled-entries', '15 minutes', 15),
    rule('resume-imports', '1 minute', 1),
    rule('renew-connections', '10 minutes', 10),
    rule('carry-totals', '1 hour', 60),
    rule('verify-books', '1 hour', 60),
    rule('refresh-exchange-rates', '3 hours', 180),
  ]);
  expect(functionsOfKind('schedule').map((it) => it.name)).toHaveLength(rules.length);
});

test.each(functionsOfKind('stream'))(
  'the stream delivers records to $name, and sends failed ones to the queue',
  ({ name, trigger }) => {
    const mappings = service
      .properties('AWS::Lambda::EventSourceMapping')
      .filter(({ FunctionName }) => FunctionName === `part 6 of ${liveOf(name)} split at ::live`);
    const [{ Tags, FilterCriteria, ...mapping } = expect.fail()] = mappings;
    const { maximumRetries } = trigger;
    expect(mapping).toEqual({
      FunctionName: expect.any(String),
      EventSourceArn: 'table.StreamArn',
      StartingPosition: 'TRIM_HORIZON',
      BatchSize: trigger.batchSize,
      ...(maximumRetries !== 'until_expired' && { MaximumRetryAttempts: maximumRetries }),
      BisectBatchOnFunctionError: true,
      FunctionResponseTypes: ['ReportBatchItemFailures'],
      DestinationConfig: { OnFailure: { Destination: 'failedrecords.Arn' } },
    });
    const patterns = FilterCriteria.Filters.map(
      ({ Pattern }: { Pattern: string }) => JSON.parse(Pattern).dynamodb.NewImage,
    );
    expect(patterns).toHaveLength(trigger.filters.length);
    expect(patterns[0]).toEqual(
      name === 'start-imports'
        ? { kind: { S: ['import'] }, status: { S: ['requested'] } }
        : { kind: { S: ['entry'] }, createdWithKey: { S: [{ exists: true }] } },
    );
    // Without a request for more, a mapping has at most five filters.
    expect(patterns.length).toBeLessThanOrEqual(5);
  },
);

test.each(functionsOfKind('invocation'))(
  "invocations of $name have the manifest's retries and go to the queue after",
  (invoked) => {
    const { name, trigger } = invoked;
    const configured = service
      .properties('AWS::Lambda::EventInvokeConfig')
      .filter(({ FunctionName }) => FunctionName === `${resourceOf(name)}function`);
    expect(configured).toEqual([
      {
        FunctionName: `${resourceOf(name)}function`,
        Qualifier: `part 7 of ${liveOf(name)} split at :`,
        MaximumRetryAttempts: trigger.maximumRetries,
        MaximumEventAgeInSeconds: trigger.maximumAgeSeconds,
        DestinationConfig: { OnFailure: { Destination: 'failedrecords.Arn' } },
      },
    ]);
    for (const invoker of trigger.by) {
      const { Variables } = lambdaOf(invoker as FunctionName).Environment;
      const variable = `${name.replaceAll('-', '_').toUpperCase()}_FUNCTION`;
      expect(Variables[variable]).toBe(`${lambdaOf(name).FunctionName}:live`);
    }
  },
);

test('every trigger can call only the live version of a function', () => {
  const targets = service.properties('AWS::Lambda::Permission').map((it) => it.FunctionName);
  expect(targets.length).toBeGreaterThan(0);
  const live = new Set(rows.map(([name]) => liveOf(name)));
  expect(targets.filter((target) => !live.has(target))).toEqual([]);
});

describe('a new version', () => {
  const aliasOf = (name: FunctionName) => service.byId(liveOf(name));
  const isAwaited = ({ trigger }: FunctionRow): boolean =>
    ['api', 'authorizer', 'url'].includes(trigger.kind);

  test.each(rows.filter(([, row]) => isAwaited(row)))(
    'of %s gets traffic gradually, and is taken back if it fails',
    (name) => {
      const group = `rollout${resourceOf(name)}`;
      expect(aliasOf(name)?.UpdatePolicy).toMatchObject({
        CodeDeployLambdaAliasUpdate: { DeploymentGroupName: group },
      });
      expect(service.byId(group)?.Properties).toMatchObject({
        DeploymentConfigName: 'CodeDeployDefault.LambdaCanary10Percent10Minutes',
        AlarmConfiguration: {
          Alarms: [{ Name: expect.stringMatching(/^rolloutnew(event)?versions\d+$/) }],
          Enabled: true,
        },
        AutoRollbackConfiguration: {
          Enabled: true,
          Events: ['DEPLOYMENT_FAILURE', 'DEPLOYMENT_STOP_ON_ALARM'],
        },
      });
    },
  );

  test('of a background function gets all traffic at once, as do all in development', () => {
    const ofBackground = rows.filter(([, row]) => !isAwaited(row)).map(([name]) => aliasOf(name));
    const aliases = [...ofBackground, ...development.all('AWS::Lambda::Alias')];
    expect(aliases.map((it) => it?.UpdatePolicy)).toEqual(aliases.map(() => undefined));
    expect(development.all('AWS::CodeDeploy::DeploymentGroup')).toEqual([]);
  });
});
