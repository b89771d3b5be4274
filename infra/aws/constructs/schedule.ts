// The `schedule` trigger: a rule of EventBridge, whose event says which moment a run is for.

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
  // An event that came too late has been overtaken by the next one.
  rule.addTarget(
    new targets.LambdaFunction(scheduled.live, { maxEventAge: Duration.minutes(everyMinutes) }),
  );
  // Nor is a run that failed tried again by itself: the next one does its work as well.
  scheduled.live.configureAsyncInvoke({
    retryAttempts: 0,
    maxEventAge: Duration.minutes(everyMinutes),
  });
  acknowledge(
    scheduled.live,
    'Serverless-LambdaAsyncFailureDestination',
    'A run that failed rings its alarm, and the next one does its work as well.',
  );
  acknowledge(
    rule,
    'Serverless-EventBusDLQ',
    'A run that was lost is made up for by the next one: there is nothing to keep of it.',
  );
};
