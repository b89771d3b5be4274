// A step of the measurement in a process of its own, whose standard output nobody reads: there the
// functions write their logs and metrics, as they do when deployed.

import { fork } from 'node:child_process';
import { once } from 'node:events';
import type { BenchEnvironment } from './environment.ts';

type StepName = 'operations' | 'growth' | 'reports' | 'throughput';
export type StepRequest = { name: StepName; quick: boolean; benchEnvironment: BenchEnvironment };
export type StepMessage = { progress: string } | { result: unknown };

/** Runs the step, reports its progress and returns its result. */
export const runStep = async <Result>(
  request: StepRequest,
  report: (line: string) => void,
): Promise<Result> => {
  const child = fork(new URL('./step-process.ts', import.meta.url), {
    env: request.benchEnvironment.environment,
    execArgv: [],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const ended = once(child, 'exit');
  let result: { value: Result } | undefined;
  child.on('message', (message: StepMessage) => {
    if ('progress' in message) report(message.progress);
    else result = { value: message.result as Result };
  });
  child.send(request);
  await ended;
  if (result === undefined) throw new Error(`the step ${request.name} ended without a result`);
  return result.value;
};
