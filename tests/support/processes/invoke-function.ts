// A process that calls a function's handler once, as Lambda does, and returns the outcome.

import { lambdaContext } from '../events/lambda-events.ts';

export type Invocation = { entryPoint: string; event: unknown; timeoutMilliseconds: number };
export type Outcome = { result: unknown } | { error: string };

process.once('message', async ({ entryPoint, event, timeoutMilliseconds }: Invocation) => {
  const { handler } = await import(entryPoint);
  const outcome: Outcome = await handler(event, lambdaContext(timeoutMilliseconds)).then(
    (result: unknown) => ({ result }),
    (error: Error) => ({ error: error.message }),
  );
  process.send?.(outcome);
});
