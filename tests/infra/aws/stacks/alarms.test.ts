import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { measured } from '#infra/manifest/costs.ts';
import {
  type FunctionName,
  functions,
  functionsOfKind,
  isOfEvents,
} from '#infra/manifest/manifest.ts';
import { fullStage, stageNamed, synthesize } from '../../../support/harnesses/stage-app.ts';
import { anchorsOf } from '../../../support/readers/markdown.ts';

const stage = stageNamed('production');
const { alarms: stack } = synthesize(stage);
const { alarms: full } = synthesize(fullStage());
const names = Object.keys(functions) as FunctionName[];
const awaited = (['api', 'authorizer', 'url'] as const).flatMap((kind) => functionsOfKind(kind));
const alarms = stack.properties('AWS::CloudWatch::Alarm');

type Dimension = { Name: string; Value: string };
type Metric = { Namespace: string; MetricName: string; Dimensions?: Dimension[] };
type Query = { Expression?: string; MetricStat?: { Metric: Metric; Stat: string; Period: number } };

/** The metrics of an alarm, alone or in a sum, as `namespace name dimensions`. */
const watchedBy = ({ Metrics, ...alarm }: (typeof alarms)[number]): string[] => {
  const Stat = alarm.Statistic ?? alarm.ExtendedStatistic;
  const single = { Metric: alarm as Metric, Stat, Period: alarm.Period };
  const queries: Query[] = Metrics ?? [{ MetricStat: single }];
  return queries.flatMap(({ MetricStat, Expression = '' }) => {
    if (MetricStat === undefined) return Expression.startsWith('SELECT') ? [Expression] : [];
    const { Namespace, MetricName, Dimensions = [] } = MetricStat.Metric;
    const dimensions = Dimensions.map(({ Name, Value }) => `${Name}=${Value}`);
    const how = `${MetricStat.Stat} of ${MetricStat.Period / 60} minutes`;
    return [`${Namespace} ${MetricName} of ${dimensions.join('/')}, ${how}`];
  });
};

const [sum, maximum, slowest] = ['Sum', 'Maximum', 'p99'].map((it) => `${it} of 5 minutes`);
const hourly = 'Sum of 60 minutes';
const gateway = 'ApiName=ledger-production/Stage=production';
const own = (metric: string, name: FunctionName, how = sum) =>
  `Ledger/production ${metric} of service=${name}, ${how}`;
const ofLambda = (metric: string, name: FunctionName, how = sum) =>
  `AWS/Lambda ${metric} of FunctionName=ledger-production-${name}, ${how}`;

type Expected = [alarm: string, watched: string[], threshold: string, missing?: 'breaching'];

/** The metrics of each alarm, its threshold, and the meaning of a missing value. */
const expected: Expected[] = [
  ...names.map(
    (name): Expected => [
      `${name}-errors`,
      // Lambda counts every refused key as an error of the authorizer; this metric does not.
      [own('ServerErrors', name), ...(name === 'authorizer' ? [] : [ofLambda('Errors', name)])],
      '>= 1 in 1 of 3',
    ],
  ),
  ['imports-failed', [own('ImportsFailed', 'import-tenant-data')], '>= 1 in 1 of 3'],
  ['events-late', [ofLambda('IteratorAge', 'record-events', maximum)], '>= 900000 in 1 of 3'],
  [
    'events-about-to-be-lost',
    [ofLambda('IteratorAge', 'record-events', maximum)],
    '>= 21600000 in 1 of 3',
  ],
  ['events-not-recorded', [own('EventsNotRecorded', 'record-events')], '>= 1 in 1 of 1'],
  [
    'deliveries-late',
    [ofLambda('AsyncEventAge', 'deliver-events', maximum)],
    '>= 300000 in 1 of 3',
  ],
  ['stream-lag', [ofLambda('IteratorAge', 'start-imports', maximum)], '>= 900000 in 1 of 3'],
  [
    'imports-waiting',
    [ofLambda('AsyncEventAge', 'import-tenant-data', maximum)],
    '>= 900000 in 1 of 3',
  ],
  [
    'failure-queue',
    [
      'AWS/SQS ApproximateNumberOfMessagesVisible of ' +
        `QueueName=ledger-production-failed-records, ${maximum}`,
    ],
    '>= 1 in 1 of 1',
  ],
  [
    'imports-wait-for-turns',
    [own('ImportTurnWaitMinutes', 'resume-imports', maximum)],
    '>= 30 in 1 of 3',
  ],
  // These imports are found and requested again every ten minutes, so the alarm stays on.
  [
    'imports-not-started',
    [own('ImportsNotStarted', 'resume-imports', 'Sum of 15 minutes')],
    '>= 1 in 1 of 2',
  ],
  ...(
    [
      ['imports-not-resumed', 'resume-imports'],
      ['deliveries-not-resumed', 'resume-deliveries'],
      ['due-entries-not-run', 'post-scheduled-entries'],
    ] as const
  ).map(([alarm, name]): Expected => {
    return [alarm, [ofLambda('Invocations', name, hourly)], '<= 0 in 1 of 1', 'breaching'];
  }),
  // A day before entries are refused, and also if no run reports the age.
  [
    'stale-rates',
    [own('RateAgeDays', 'refresh-exchange-rates', 'Minimum of 360 minutes')],
    '>= 6 in 1 of 1',
    'breaching',
  ],
  [
    'stale-nbp-rates',
    [own('NbpRateAgeDays', 'refresh-exchange-rates', 'Minimum of 360 minutes')],
    '>= 11 in 1 of 1',
  ],
  [
    'refused-rates',
    [own('RateDaysRefused', 'refresh-exchange-rates', 'Sum of 360 minutes')],
    '>= 1 in 1 of 1',
  ],
  [
    'background-work-stuck',
    (
      [
        ...(['post-scheduled-entries', 'resume-imports', 'renew-connections'] as const),
        ...(['carry-totals', 'verify-books'] as const),
      ] as const
    ).map((it) => own('BackgroundWorkStuck', it)),
    '>= 1 in 1 of 1',
  ],
  [
    'large-sheets',
    (
      [
        'create-journal-entry',
        'create-journal-entries',
        'reverse-journal-entry',
        'post-revaluation',
        'post-scheduled-entries',
        'import-tenant-data',
      ] as const
    ).map((it) => own('LargeSheets', it)),
    '>= 1 in 1 of 3',
  ],
  ['books-differ', [`Ledger/production BooksDiffer of , ${sum}`], '>= 1 in 1 of 3'],
  ['gateway-5xx', [`AWS/ApiGateway 5XXError of ${gateway}, ${sum}`], '>= 5 in 1 of 3'],
  [
    'gateway-4xx',
    ['4XXError', 'Count'].map((it) => `AWS/ApiGateway ${it} of ${gateway}, ${sum}`),
    '>= 50 in 3 of 3',
  ],
  ['authorizer-dead', [`Ledger/production AuthorizerFailures of , ${sum}`], '>= 1 in 1 of 3'],
  ['keys-not-in-plan', [`Ledger/production KeysNotInPlan of , ${sum}`], '>= 1 in 1 of 3'],
  ...(
    [
      ['backups-failed', 'NumberOfBackupJobsFailed'],
      ['backups-expired', 'NumberOfBackupJobsExpired'],
      ['copies-failed', 'NumberOfCopyJobsFailed'],
    ] as const
  ).map(
    ([name, metric]): Expected => [
      name,
      [`SELECT SUM(${metric}) FROM "AWS/Backup"`],
      '>= 1 in 1 of 3',
    ],
  ),
  // All functions of the account, without the normal wait in Lambda's queue.
  [
    'throttles',
    [
      `AWS/Lambda Throttles of , ${sum}`,
      ofLambda('Throttles', 'deliver-events'),
      ofLambda('Throttles', 'import-tenant-data'),
    ],
    '>= 1 in 1 of 3',
  ],
  [
    'table-throttles',
    ['Read', 'Write'].map(
      (it) => `AWS/DynamoDB ${it}ThrottleEvents of TableName=ledger-production, ${sum}`,
    ),
    '>= 1 in 1 of 3',
  ],
];

/** The value at which an alarm goes off, and the number of breaching periods. */
const thresholdOf = (alarm: (typeof alarms)[number]): string => {
  const compared = alarm.ComparisonOperator.startsWith('Greater') ? '>=' : '<=';
  const periods = `in ${alarm.DatapointsToAlarm ?? 1} of ${alarm.EvaluationPeriods}`;
  return `${compared} ${alarm.Threshold} ${periods}`;
};

/** The alarms on the latency or the errors of several functions. */
const ofObjectives = (kind: 'slow' | 'budget') =>
  alarms.filter(({ AlarmName }) => AlarmName.startsWith(`ledger-production-${kind}-`));

/** The conditions of an alarm that counts functions, one for each function. */
const conditionsOf = ({ Metrics }: (typeof alarms)[number]): string[] => {
  const { Expression = '' } = Metrics.find((it: { Expression?: string }) => it.Expression);
  return Expression.split(' + ').map((part: string) => /^IF\((.+), 1, 0\)$/.exec(part)?.[1]);
};

/** The alarms that cannot wait for the next working hours. */
const paging = new RegExp(
  '^ledger-production-(' +
    'budget-.*|authorizer-dead|keys-not-in-plan|gateway-[45]xx|throttles|books-differ|' +
    'due-entries-not-run|events-about-to-be-lost)$',
);

describe('an alarm', () => {
  test.each(expected)('%s watches the right metric', (name, watched, threshold, missing) => {
    const alarm = alarms.find(({ AlarmName }) => AlarmName === `ledger-production-${name}`) ?? {};
    expect([watchedBy(alarm), thresholdOf(alarm)]).toEqual([watched, threshold]);
    expect(alarm.TreatMissingData).toBe(missing ?? 'notBreaching');
  });

  test.each(awaited)(
    'goes off if $name is too slow, and names its functions',
    ({ name, row: { latencyObjectiveSeconds = expect.fail() } }) => {
      const metric = ofLambda('Duration', name, slowest);
      const [alarm = expect.fail(), ...others] = ofObjectives('slow').filter((it) =>
        watchedBy(it).includes(metric),
      );
      expect([others, thresholdOf(alarm)]).toEqual([[], '>= 1 in 3 of 3']);
      expect(conditionsOf(alarm)[watchedBy(alarm).indexOf(metric)]).toBe(
        `FILL(${name.replaceAll('-', '_')}, 0) >= ${latencyObjectiveSeconds * 1_000}`,
      );
      expect(alarm.AlarmDescription).toMatch(new RegExp(`\\b${name}\\b`));
    },
  );

  test.each(awaited.filter(({ trigger }) => trigger.kind !== 'authorizer'))(
    'goes off if $name fails too often, and names its functions',
    ({ name }) => {
      const metrics = [own('ServerErrors', name, hourly), own('Requests', name, hourly)];
      const [alarm = expect.fail(), ...others] = ofObjectives('budget').filter((it) =>
        watchedBy(it).includes(metrics[0] ?? ''),
      );
      expect([others, thresholdOf(alarm)]).toEqual([[], '>= 1 in 1 of 1']);
      const place = watchedBy(alarm).indexOf(metrics[0] ?? '');
      expect(watchedBy(alarm).slice(place, place + 2)).toEqual(metrics);
      const id = name.replaceAll('-', '_');
      expect(conditionsOf(alarm)[place / 2]).toBe(
        `(FILL(failed_${id}, 0) >= 5) AND ` +
          `(100 * FILL(failed_${id}, 0) >= 1.44 * FILL(requests_${id}, 0))`,
      );
      expect(alarm.AlarmDescription).toMatch(new RegExp(`\\b${name}\\b`));
    },
  );

  test('has no more metrics than CloudWatch allows in a sum', () => {
    const ofMany = alarms.filter((it) => watchedBy(it).length > 10);
    expect(ofMany.map(({ AlarmName }) => AlarmName)).toEqual([]);
  });

  test.each(alarms.map((alarm) => [alarm.AlarmName, alarm]))(
    '%s has a description, a link that works, and the topic',
    (name, { AlarmDescription, AlarmActions, OKActions }) => {
      const aboutMany = [...ofObjectives('slow'), ...ofObjectives('budget')];
      expect([
        ...expected.map(([it]) => `ledger-production-${it}`),
        ...aboutMany.map(({ AlarmName }) => AlarmName),
      ]).toContain(name);
      const [, impact = '', file = '', anchor = ''] =
        /^([A-Z].*\.) Runbook: ([^#]+)#([a-z0-9-]+)$/.exec(AlarmDescription) ?? [];
      expect(impact.length).toBeGreaterThan(20);
      expect(anchorsOf(readFileSync(file, 'utf8'))).toContain(anchor);
      const ofErrors = names.find((it) => name === `ledger-production-${it}-errors`);
      if (ofErrors) expect([impact, anchor]).toEqual([functions[ofErrors].errorImpact, ofErrors]);
      const topic = paging.test(name) ? 'alarmspage' : 'alarmsticket';
      expect([AlarmActions, OKActions]).toEqual([[topic], [topic]]);
    },
  );
});

test("the gateway's log has details that its metrics lack", () => {
  const filters = stack.properties('AWS::Logs::MetricFilter');
  expect(filters.map((it) => [it.LogGroupName, it.FilterPattern])).toEqual([
    [
      '/aws/apigateway/ledger-production',
      '{ ($.gateway_error = "AUTHORIZER_FAILURE") || ' +
        '($.gateway_error = "AUTHORIZER_CONFIGURATION_ERROR") }',
    ],
    ['/aws/apigateway/ledger-production', '{ $.gateway_error = "INVALID_API_KEY" }'],
  ]);
});

describe('the budget', () => {
  test('is monthly, and sends an email to the address of the stage before it is spent', () => {
    const { Budget, NotificationsWithSubscribers } = full.one('AWS::Budgets::Budget');
    expect(Budget).toMatchObject({
      BudgetName: 'ledger-full',
      TimeUnit: 'MONTHLY',
      BudgetLimit: { Amount: 500, Unit: 'USD' },
    });
    const told = NotificationsWithSubscribers as Record<string, Record<string, unknown>>[];
    expect(
      told.map(({ Notification: it, Subscribers }) => [
        `${it?.NotificationType} ${it?.Threshold}`,
        Subscribers,
      ]),
    ).toEqual(
      ['ACTUAL 80', 'FORECASTED 100'].map((it) => [
        it,
        [{ SubscriptionType: 'EMAIL', Address: 'operator@ledger.example' }],
      ]),
    );
  });

  test('does not exist if the stage has no address', () => {
    expect(stack.all('AWS::Budgets::Budget')).toEqual([]);
  });
});

test('operations.md has the cost of the alarms', () => {
  const metrics = alarms.flatMap(watchedBy).length;
  const operations = readFileSync('infra/operations.md', 'utf8').replace(/\s+/g, ' ');
  // Three of each function with a gradual deployment. The authorizer's crashes do not count.
  const gradual = (['api', 'authorizer', 'url'] as const).flatMap((kind) => functionsOfKind(kind));
  const ofNewVersions = 3 * gradual.length - 1;
  const ofEvents = gradual.filter(({ name }) => isOfEvents(name)).length;
  const onNewVersions = Math.ceil(ofEvents / 3) + Math.ceil((gradual.length - ofEvents) / 3);
  expect(operations).toContain(
    `the ${metrics} metrics of ${alarms.length} alarms, and ${ofNewVersions} of the ` +
      `${onNewVersions} alarms on new versions`,
  );
  expect(measured.alarmMetrics).toBe(metrics + ofNewVersions);
});

describe('a topic', () => {
  test.each(['page', 'ticket'])('for %s is encrypted and lets CloudWatch publish', (severity) => {
    const topic = stack.byId(`alarms${severity}`)?.Properties;
    expect(topic).toMatchObject({
      TopicName: `ledger-production-${severity}`,
      KmsMasterKeyId: 'alarmskey.Arn',
    });
    const policy = stack
      .properties('AWS::SNS::TopicPolicy')
      .find(({ Topics }) => Topics[0] === `alarms${severity}`);
    expect(policy?.PolicyDocument.Statement).toEqual([
      expect.objectContaining({
        Effect: 'Deny',
        Action: 'sns:Publish',
        Condition: { Bool: { 'aws:SecureTransport': 'false' } },
      }),
      // This policy replaces the default policy, which lets the account publish.
      expect.objectContaining({
        Effect: 'Allow',
        Action: 'sns:Publish',
        Principal: { Service: 'cloudwatch.amazonaws.com' },
        Condition: { StringEquals: { 'aws:SourceAccount': 'AWS::AccountId' } },
      }),
    ]);
  });

  test('has no subscriber if the stage names none', () => {
    expect(stack.all('AWS::SNS::Subscription')).toEqual([]);
  });

  test('sends emails to the address of the stage, and pages to its pager', () => {
    const subscriptions = full
      .properties('AWS::SNS::Subscription')
      .map(({ TopicArn, Protocol, Endpoint }) => [TopicArn, Protocol, Endpoint]);
    expect(subscriptions.sort()).toEqual([
      ['alarmspage', 'email', 'operator@ledger.example'],
      ['alarmspage', 'https', 'https://pager.example/ledger'],
      ['alarmsticket', 'email', 'operator@ledger.example'],
    ]);
  });
});

describe('the dashboard', () => {
  test('shows every alarm and every function', () => {
    const { DashboardName, DashboardBody } = stack.one('AWS::CloudWatch::Dashboard');
    expect(DashboardName).toBe('ledger-production');
    const { widgets } = JSON.parse(DashboardBody);
    expect(widgets[0].properties.alarms).toHaveLength(alarms.length);
    for (const name of names) expect(DashboardBody).toContain(`"${name} failures"`);
  });

  test('shows failures of platforms, contention and the costs of each application', () => {
    const { widgets } = JSON.parse(stack.one('AWS::CloudWatch::Dashboard').DashboardBody);
    type Widget = { properties: { title: string; query?: string } };
    const shown = new Map(
      (widgets as Widget[]).map(({ properties }) => [properties.title, JSON.stringify(properties)]),
    );
    expect(shown.get('Failures of platforms')).toContain('"create-tenant PlatformErrors"');
    const contention = shown.get('Requests refused for contention');
    expect(contention).toContain('"create-journal-entry ContentionRefusals"');
    const costs = shown.get('Costs of the table by application');
    for (const name of ['create-journal-entry', 'import-tenant-data', 'deliver-events']) {
      expect(costs).toContain(`SOURCE '/aws/lambda/ledger-production-${name}'`);
    }
    expect(costs).toContain('sum(write_units) * 0.625) / 1000000 as dollars');
    // A query reads at most 50 logs (CloudWatch Logs API Reference, "StartQuery").
    expect(costs?.match(/SOURCE/g)?.length).toBeLessThanOrEqual(50);
  });
});
