// The functions bundled as they are deployed, each called in a process that has nothing but its
// environment, with a table, secrets, a platform and a source of exchange rates.

import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { bundleAll } from '#infra/aws/bundles.ts';
import { type FunctionName, functions, functionsInvokedBy } from '#infra/manifest/manifest.ts';
import { keepReply } from '../events/lambda-events.ts';
import { startFunctionEnvironment } from '../harnesses/function-environment.ts';
import { secrets } from '../recorders/secrets-collector.ts';
import type { Invocation, Outcome } from './invoke-function.ts';
import { collectOutput } from './service.ts';

const invoker = new URL('./invoke-function.ts', import.meta.url);

export const deployFunctions = async (options: { ratesFile: string }) => {
  const environment = await startFunctionEnvironment(options);
  const bundles = await bundleAll(join(environment.folder.path, 'bundles'));

  /** What Lambda sets, and the stage's settings with the secrets that the function may read. */
  const environmentFor = (name: FunctionName): Record<string, string> => ({
    AWS_REGION: 'eu-west-1',
    AWS_ACCESS_KEY_ID: 'local',
    AWS_SECRET_ACCESS_KEY: 'local',
    ...environment.variables({
      secrets: functions[name].secrets,
      invokes: functionsInvokedBy(name),
    }),
  });

  /** Starts the function cold and calls it once. `output` is its log. */
  const invoke = async (
    name: FunctionName,
    event: unknown,
  ): Promise<Outcome & { output: string }> => {
    const child = fork(invoker, { env: environmentFor(name), execArgv: [], silent: true });
    const output = collectOutput(child);
    const closed = once(child, 'close');
    const invocation: Invocation = {
      entryPoint: bundles[name].entryPoint,
      event,
      timeoutMilliseconds: functions[name].timeoutSeconds * 1000,
    };
    child.send(invocation);
    const answer = await Promise.race([once(child, 'message'), closed.then(() => undefined)]);
    if (answer === undefined) throw new Error(`${name} ended without an answer:\n${output()}`);
    child.kill();
    await closed;
    secrets.keep(`the log of ${name}`, output());
    const outcome = answer[0] as Outcome;
    if ('result' in outcome) keepReply((outcome.result ?? {}) as object);
    return { ...outcome, output: output() };
  };

  return { ...environment, bundles, invoke };
};
