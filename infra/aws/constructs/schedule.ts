// The `schedule` trigger: a rule of EventBridge. Its event has the scheduled time.

import { Duration } from 'aws-cdk-lib';
import * as events from 'aws-cdk-lib/aws-events';
import * as targets from 'aws-cdk-lib/aws-events-targets';
import type { Trigger } from '../../manifest/triggers.ts';
import { acknowledge } from './acknowledge.ts';
import type { LedgerFunction } from './ledger-function.ts';

export const addSchedule = (
  scheduled: LedgerFunction,
  { everyMinutes }: Extract<Trigger, { kind: 'schedule' }>,
): void => {
  const rule = new events.Rule(scheduled, 'schedule', {
    description: `Runs ${scheduled.name} every ${Duration.minutes(everyMinutes).toHumanString()}`,
    schedule: events.Schedule.rate(Duration.minutes(everyMinutes)),
  });
  // The next event replaces a late one.
  rule.addTarget(
    new targets.LambdaFunction(scheduled.live, { maxEventAge: Duration.minutes(everyMinutes) }),
  );
  // The next run also does the work of a failed run, so retries are unnecessary.
  scheduled.live.configureAsyncInvoke({
    retryAttempts: 0,
    maxEventAge: Duration.minutes(everyMinutes),
  });
  acknowledge(
    scheduled.live,
    'Serverless-LambdaAsyncFailureDestination',
    'A failed run raises an alarm, and the next run also does its work.',
  );
  acknowledge(rule, 'Serverless-EventBusDLQ', 'The next run also does the work of a lost run.');
};
