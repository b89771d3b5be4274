// Runs a step of the benchmark in its own process. Functions write logs and metrics to its standard
// output, as when deployed; the output is discarded.

import { fork } from 'node:child_process';
import { once } from 'node:events';
import type { BenchEnvironment } from './environment.ts';

type StepName = 'operations' | 'growth' | 'reports' | 'throughput';
export type StepRequest = { name: StepName; quick: boolean; benchEnvironment: BenchEnvironment };
export type StepMessage = { progress: string } | { result: unknown };

/** Reports the step's progress and returns its result. */
export const runStep = async <Result>(
  request: StepRequest,
  report: (line: string) => void,
): Promise<Result> => {
  const child = fork(new URL('./step-process.ts', import.meta.url), {
    env: request.benchEnvironment.environment,
    execArgv: [],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const exit = once(child, 'exit');
  let result: { value: Result } | undefined;
  child.on('message', (message: StepMessage) => {
    if ('progress' in message) report(message.progress);
    else result = { value: message.result as Result };
  });
  child.send(request);
  await exit;
  if (result === undefined) throw new Error(`the step ${request.name} ended without a result`);
  return result.value;
};
