import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { type FunctionName, functions } from '#infra/manifest.ts';
import { metricsNamespaceOf } from '#infra/names.ts';
import { fullStage, stageNamed, synthesize } from '../../../support/harnesses/stage-app.ts';

const stage = stageNamed('production');
const { service } = synthesize(stage);
const names = Object.keys(functions) as FunctionName[];
const alarms = service.properties('AWS::CloudWatch::Alarm');

const alarmNamed = (name: string) => {
  const found = alarms.find(({ AlarmName }) => AlarmName === `ledger-production-${name}`);
  if (found === undefined) throw new Error(`there is no alarm ${name}`);
  return found;
};

type Metric = { Namespace: string; MetricName: string; Dimensions?: object[] };

/** The metrics that an alarm watches, by themselves or in a sum. */
const watchedBy = (alarm: (typeof alarms)[number]) => {
  const queries: { MetricStat?: { Metric: Metric } }[] = alarm.Metrics ?? [
    { MetricStat: { Metric: alarm } },
  ];
  return queries.flatMap(({ MetricStat }) => {
    if (MetricStat === undefined) return [];
    const { Namespace: namespace, MetricName: name, Dimensions = [] } = MetricStat.Metric;
    const dimensions = Dimensions as { Name: string; Value: string }[];
    const named = dimensions.map(({ Name, Value }) => [Name, Value]);
    return [{ namespace, name, dimensions: Object.fromEntries(named) }];
  });
};

/** The anchors of a Markdown file, as its headings have them. */
const anchorsOf = (file: string): string[] =>
  [...readFileSync(file, 'utf8').matchAll(/^#+ +(.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\w\s-]/g, '')
      .trim()
      .replaceAll(' ', '-'),
  );

describe('an alarm', () => {
  test('watches the errors and the throttles of each function, and what they share', () => {
    expect(alarms.map(({ AlarmName }) => AlarmName).sort()).toEqual(
      [
        ...names.flatMap((name) => [`${name}-errors`, `${name}-throttles`]),
        ...['stream-lag', 'failure-queue'],
        ...['imports-failed', 'imports-not-started', 'imports-not-resumed'],
        'stale-rates',
        ...['due-entries-failed', 'due-entries-not-run', 'gateway-5xx', 'table-throttles'],
      ]
        .map((name) => `ledger-production-${name}`)
        .sort(),
    );
  });

  test.each(alarms.map((alarm) => [alarm.AlarmName, alarm]))(
    '%s says what it means, and links to an article that exists',
    (_, { AlarmDescription }) => {
      const [, impact, file = '', anchor] =
        /^([A-Z].*\.) Runbook: ([^#]+)#([a-z0-9-]+)$/.exec(AlarmDescription) ?? [];
      expect(impact?.length).toBeGreaterThan(20);
      expect(anchorsOf(file)).toContain(anchor);
    },
  );

  test.each(names)('of the errors of %s sees what it answered and what Lambda saw', (name) => {
    const alarm = alarmNamed(`${name}-errors`);
    const { errorImpact } = functions[name];
    expect(alarm.AlarmDescription).toBe(`${errorImpact} Runbook: infra/runbook.md#${name}`);
    const lambda = `${name.replaceAll('-', '')}function`;
    expect(watchedBy(alarm)).toEqual([
      {
        namespace: metricsNamespaceOf('production'),
        name: 'ServerErrors',
        dimensions: { service: name },
      },
      // Every refused key is an error of the authorizer to Lambda, and none to us.
      ...(name === 'authorizer'
        ? []
        : [{ namespace: 'AWS/Lambda', name: 'Errors', dimensions: { FunctionName: lambda } }]),
    ]);
  });

  test('tells the topic when it goes off and when it is over', () => {
    for (const { AlarmActions, OKActions } of alarms) {
      expect([AlarmActions, OKActions]).toEqual([['alarmstopic'], ['alarmstopic']]);
    }
  });

  test('watches these of the metrics that the functions emit, under their namespace', () => {
    const own = alarms.flatMap(watchedBy).filter(({ namespace }) => !namespace.startsWith('AWS/'));
    expect([...new Set(own.map(({ name }) => name))].sort()).toEqual(
      'DueEntriesFailed ImportsFailed ImportsNotStarted RateAgeDays ServerErrors'.split(' '),
    );
    for (const { namespace, dimensions } of own) {
      expect(namespace).toBe('Ledger/production');
      expect(names).toContain(dimensions.service);
    }
  });

  test('of stale rates goes off a day before entries are refused, and when nobody looks', () => {
    expect(alarmNamed('stale-rates')).toMatchObject({
      Threshold: 6,
      ComparisonOperator: 'GreaterThanOrEqualToThreshold',
      Metrics: [{ MetricStat: { Stat: 'Minimum', Period: 6 * 60 * 60 } }],
      TreatMissingData: 'breaching',
    });
  });

  test('of imports that the stream does not start stays on for as long as it does not', () => {
    const alarm = alarmNamed('imports-not-started');
    expect(alarm).toMatchObject({
      Threshold: 1,
      ComparisonOperator: 'GreaterThanOrEqualToThreshold',
      // They are found and asked for again every ten minutes.
      Metrics: [{ MetricStat: { Stat: 'Sum', Period: 15 * 60 } }],
    });
    expect(watchedBy(alarm)).toMatchObject([
      { name: 'ImportsNotStarted', dimensions: { service: 'resume-imports' } },
    ]);
  });

  test.each([
    ['due-entries-not-run', 'post-scheduled-entries'],
    ['imports-not-resumed', 'resume-imports'],
  ] as const)('%s goes off within the hour, where the schedule does not run', (alarm, name) => {
    expect(alarmNamed(alarm)).toMatchObject({
      MetricName: 'Invocations',
      Dimensions: [{ Name: 'FunctionName', Value: `${name.replaceAll('-', '')}function` }],
      Threshold: 0,
      ComparisonOperator: 'LessThanOrEqualToThreshold',
      Period: 60 * 60,
      TreatMissingData: 'breaching',
    });
  });

  test('of the others does not go off for want of traffic', () => {
    const absence = /(stale-rates|due-entries-not-run|imports-not-resumed)$/;
    const others = alarms.filter(({ AlarmName }) => !absence.test(AlarmName));
    expect(new Set(others.map(({ TreatMissingData }) => TreatMissingData))).toEqual(
      new Set(['notBreaching']),
    );
  });
});

describe('the topic', () => {
  test('is encrypted, lets CloudWatch publish over TLS, and mails nobody by itself', () => {
    expect(service.one('AWS::SNS::Topic').KmsMasterKeyId).toBe('key.Arn');
    const { Statement } = service.one('AWS::SNS::TopicPolicy').PolicyDocument;
    expect(Statement).toEqual([
      expect.objectContaining({
        Effect: 'Deny',
        Action: 'sns:Publish',
        Condition: { Bool: { 'aws:SecureTransport': 'false' } },
      }),
      // This policy takes the place of the default one, which lets the account publish.
      expect.objectContaining({
        Effect: 'Allow',
        Action: 'sns:Publish',
        Principal: { Service: 'cloudwatch.amazonaws.com' },
        Condition: { StringEquals: { 'aws:SourceAccount': 'AWS::AccountId' } },
      }),
    ]);
    expect(service.all('AWS::SNS::Subscription')).toEqual([]);
  });

  test('mails the address that the stage names', () => {
    expect(synthesize(fullStage()).service.properties('AWS::SNS::Subscription')).toMatchObject([
      { Protocol: 'email', Endpoint: 'operator@ledger.example', TopicArn: 'alarmstopic' },
    ]);
  });
});

describe('the dashboard', () => {
  test('shows every alarm and every function', () => {
    const { DashboardName, DashboardBody } = service.one('AWS::CloudWatch::Dashboard');
    expect(DashboardName).toBe('ledger-production');
    const { widgets } = JSON.parse(DashboardBody);
    expect(widgets[0].properties.alarms).toHaveLength(alarms.length);
    for (const name of names) expect(DashboardBody).toContain(`"${name} failures"`);
  });
});
