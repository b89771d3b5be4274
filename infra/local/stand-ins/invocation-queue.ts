// Lambda's queue of asynchronous invocations on this machine. The oldest runs first, up to the
// function's reserved executions. A file stores the queue over restarts.

import { randomUUID } from 'node:crypto';
import { appendFile, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod/mini';
import { type FunctionName, functionsOfKind } from '../../manifest/manifest.ts';
import { functionNameOf } from '../../manifest/names.ts';
import type { ReservedConcurrency } from '../../manifest/stages.ts';
import { writeWhole } from '../data-folder.ts';
import type { Invoke } from './lambda.ts';

/** Lambda waits one minute before the first retry. The local service is faster. */
const firstRetryMilliseconds = 1_000;

const triggers = new Map(functionsOfKind('invocation').map(({ name, trigger }) => [name, trigger]));

const Invocation = z.object({
  id: z.string(),
  name: z.enum([...triggers.keys()]),
  payload: z.unknown(),
  tries: z.int(),
});
type Invocation = z.infer<typeof Invocation>;

/** The unfinished invocations before the last stop. An unreadable file counts as empty. */
const readInvocations = async (file: string): Promise<Invocation[]> => {
  try {
    return z.array(Invocation).parse(JSON.parse(await readFile(file, 'utf8')));
  } catch {
    return [];
  }
};

/**
 * The message of a failed invocation (AWS Lambda Developer Guide, "Capturing records of Lambda
 * asynchronous invocations").
 */
const failureRecordOf = ({ id, name, payload, tries }: Invocation, fault: unknown): string =>
  JSON.stringify({
    version: '1.0',
    timestamp: new Date().toISOString(),
    requestContext: {
      requestId: id,
      functionArn: `arn:aws:lambda:local:000000000000:function:${functionNameOf('local', name)}`,
      condition: 'RetriesExhausted',
      approximateInvokeCount: tries,
    },
    requestPayload: payload,
    responseContext: { statusCode: 200, executedVersion: '$LATEST', functionError: 'Unhandled' },
    responsePayload: { errorMessage: fault instanceof Error ? fault.message : String(fault) },
  });

export type InvocationQueue = Awaited<ReturnType<typeof openInvocationQueue>>;

export const openInvocationQueue = async ({
  dataFolder,
  concurrency,
}: {
  dataFolder: string;
  /** The maximum concurrent runs of a function. Other functions have no maximum. */
  concurrency: ReservedConcurrency;
}) => {
  const file = join(dataFolder, 'invocations.json');
  /** All unfinished invocations by id, oldest first. `waiting` has the queued ones in order. */
  const open = new Map((await readInvocations(file)).map((it) => [it.id, it]));
  const waiting = [...open.values()];
  const running = new Map<Invocation, Promise<void>>();
  const retryTimers = new Set<NodeJS.Timeout>();
  let start: (() => void) | undefined;

  let saved: Promise<unknown> = Promise.resolve();
  /** Writes are sequential. A failed write does not prevent the next one. */
  const save = (): Promise<unknown> => {
    const written = saved.then(() => writeWhole(file, JSON.stringify([...open.values()])));
    saved = written.catch(() => {});
    return written;
  };

  const enqueue = (invocation: Invocation): void => {
    waiting.push(invocation);
    start?.();
  };

  const end = async (invocation: Invocation): Promise<void> => {
    open.delete(invocation.id);
    await save();
  };

  const retryLater = (invocation: Invocation): void => {
    if (start === undefined) return;
    const timer = setTimeout(
      () => {
        retryTimers.delete(timer);
        enqueue(invocation);
      },
      firstRetryMilliseconds * 2 ** (invocation.tries - 1),
    );
    retryTimers.add(timer);
  };

  /** The first invocation whose function has a free execution. */
  const takeNext = (): Invocation | undefined => {
    const place = waiting.findIndex(({ name }) => {
      const underWay = [...running.keys()].filter((it) => it.name === name).length;
      return underWay < (concurrency[name] ?? Infinity);
    });
    return place === -1 ? undefined : waiting.splice(place, 1)[0];
  };

  return {
    /** Stores and queues an invocation. */
    add: async (name: FunctionName, payload: unknown): Promise<void> => {
      const invocation = Invocation.parse({ id: randomUUID(), name, payload, tries: 0 });
      open.set(invocation.id, invocation);
      await save();
      enqueue(invocation);
    },

    /** Starts to run the queue. */
    run: (invoke: Invoke, report: (text: string, fault: unknown) => void): void => {
      const call = async (invocation: Invocation): Promise<void> => {
        const { name, payload } = invocation;
        invocation.tries += 1;
        const fault = await invoke(name, payload).then(
          () => undefined,
          (error: unknown) => error ?? 'no reason',
        );
        if (fault === undefined) return end(invocation);
        report(`${name} failed (try ${invocation.tries})`, fault);
        const { maximumRetries = 0 } = triggers.get(name) ?? {};
        if (invocation.tries <= maximumRetries) return retryLater(invocation);
        const line = `${failureRecordOf(invocation, fault)}\n`;
        await appendFile(join(dataFolder, 'failed-records.jsonl'), line);
        await end(invocation);
      };
      start = () => {
        for (let next = takeNext(); next !== undefined; next = takeNext()) {
          const invocation = next;
          const ended = call(invocation)
            .catch((error: unknown) => report('an invocation could not be stored', error))
            .then(() => {
              running.delete(invocation);
              start?.();
            });
          running.set(invocation, ended);
        }
      };
      start();
    },

    /** Waits for the running invocations. The queued ones run after the next start. */
    stop: async (): Promise<void> => {
      start = undefined;
      for (const timer of retryTimers) clearTimeout(timer);
      await Promise.all(running.values());
      await saved;
    },
  };
};
