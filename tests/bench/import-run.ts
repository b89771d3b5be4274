// One run of the import in a process of its own, as Lambda gives it one: calls the function's
// handler for one record of the stream, and says how much memory that took at most.

import { lambdaContext } from '../support/events/lambda-events.ts';

export type ImportRun = { event: unknown; timeoutMilliseconds: number };
export type ImportRunResult = { result: unknown; maximumResidentKilobytes: number };

process.once('message', async ({ event, timeoutMilliseconds }: ImportRun) => {
  const { handler } = await import('#functions/import-tenant-data/index.ts');
  const result = await handler(event as never, lambdaContext(timeoutMilliseconds));
  const { maxRSS: maximumResidentKilobytes } = process.resourceUsage();
  process.send?.({ result, maximumResidentKilobytes } satisfies ImportRunResult);
});
