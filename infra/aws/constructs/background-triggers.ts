// The triggers that no caller waits for: schedules, the table's stream and invocations.

import { type FunctionName, functionsOfKind } from '../../manifest/manifest.ts';
import { addInvocation } from './invocation.ts';
import type { LedgerFunction } from './ledger-function.ts';
import { addSchedule } from './schedule.ts';
import type { StageData } from './stage-data.ts';
import { addStream } from './stream.ts';

/** @param byName the functions of a stack. They invoke only each other. */
export const addBackgroundTriggers = (
  byName: Partial<Record<FunctionName, LedgerFunction>>,
  data: StageData,
): void => {
  for (const { name, trigger } of functionsOfKind('schedule')) {
    if (byName[name]) addSchedule(byName[name], trigger);
  }
  for (const { name, trigger } of functionsOfKind('stream')) {
    if (byName[name]) addStream(byName[name], trigger, data);
  }
  for (const { name, trigger } of functionsOfKind('invocation')) {
    if (byName[name] === undefined) continue;
    const invokers = trigger.by.flatMap((it) => byName[it as FunctionName] ?? []);
    addInvocation(byName[name], trigger, { invokers, failureQueue: data.failureQueue });
  }
};
