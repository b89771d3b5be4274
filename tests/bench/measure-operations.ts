// Measures each operation's handler, alternating with its bare calls, in one process.

import { meterUsage } from '#shared/table/metering.ts';
import { costOf } from '../support/dynamodb/costs.ts';
import { type BareClient, openBareClient, recordCommands, repetitionOf } from './bare-calls.ts';
import type { BenchEnvironment } from './environment.ts';
import { type Call, dataOf, openApplication } from './functions.ts';
import { type Operation, openOperations } from './operations.ts';
import { ratioOfMedians, spreadOf, timeWithin } from './statistics.ts';

/** Times of an operation in milliseconds: handler, handler without table calls, and bare calls. */
export type OperationResult = Awaited<ReturnType<typeof measureOperation>>;

type Amounts = { samples: number; slowSamples: number; warmUp: number };

/** Times in milliseconds. `own` excludes the calls to the table. */
export type Times = { handler: number[]; own: number[] };

/** Calls a handler and adds its times. */
export const timeCall = async (call: Call, event: object, times: Times): Promise<void> => {
  const startedAt = performance.now();
  const { result, usage } = await meterUsage(() => call(event));
  const milliseconds = performance.now() - startedAt;
  dataOf(result);
  times.handler.push(milliseconds);
  times.own.push(milliseconds - timeWithin(usage.calls));
};

const measureOperation = async (
  { title, call, event, renewal }: Operation,
  { bare, samples, warmUp }: { bare: BareClient; samples: number; warmUp: number },
) => {
  let place = 0;
  const next = () => {
    place += 1;
    return event(place);
  };
  // The first call fills the caches of the process.
  await call(next());
  const commandsOfCall = await recordCommands(async () => dataOf(await call(next())));
  const cost = await costOf(() => call(next()));
  const times: Times = { handler: [], own: [] };
  const bareTimes: number[] = [];
  for (let pair = 1; pair <= warmUp + samples; pair += 1) {
    const commands = repetitionOf(commandsOfCall, renewal(pair));
    const measureBare = async () => {
      const startedAt = performance.now();
      await bare.send(commands);
      bareTimes.push(performance.now() - startedAt);
    };
    // The order alternates, so that neither always runs after the other.
    if (pair % 2) await measureBare();
    await timeCall(call, next(), times);
    if (pair % 2 === 0) await measureBare();
  }
  const [handler, own, bareSamples] = [times.handler, times.own, bareTimes].map((all) =>
    all.slice(warmUp),
  ) as [number[], number[], number[]];
  return {
    title,
    sequentialCalls: cost.sequentialCalls,
    readUnits: cost.units.read,
    writeUnits: cost.units.write,
    handler: spreadOf(handler),
    own: spreadOf(own),
    bare: spreadOf(bareSamples),
    overBare: ratioOfMedians(handler, bareSamples),
  };
};

export const measureOperations = async (
  { applicationId, apiKey }: BenchEnvironment,
  { samples, slowSamples, warmUp }: Amounts,
  report: (line: string) => void,
): Promise<OperationResult[]> => {
  const bare = openBareClient();
  const results: OperationResult[] = [];
  for (const operation of await openOperations(openApplication(applicationId), apiKey)) {
    const amounts = operation.slow
      ? { samples: slowSamples, warmUp: Math.ceil(warmUp / 5) }
      : { samples, warmUp };
    const result = await measureOperation(operation, { bare, ...amounts });
    results.push(result);
    const { handler, bare: floor, own } = result;
    report(
      `${operation.title}: ${handler.p50.toFixed(2)} ms, own ${own.p50.toFixed(2)} ms, ` +
        `bare ${floor.p50.toFixed(2)} ms`,
    );
  }
  bare.close();
  return results;
};
