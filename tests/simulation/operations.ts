// The operations of a simulation. They start one by one, are repeated if the reply was lost, and
// are checked against the model when they end.

import type { Random } from '../support/builders/random.ts';
import { canonicalText } from '../support/readers/entry-hashes.ts';
import type { Model } from './model/model.ts';
import type { PlatformData } from './platform-data.ts';
import type { SimulatedPlatforms } from './platforms.ts';
import { send } from './request-sender.ts';
import type { Operation, Request } from './requests.ts';
import type { Scheduler } from './scheduler.ts';

/** The operation that showed it, and everything that is wrong. */
export type Problem = { step: number; operation: string; differences: string[] };

/** How often something happened, by its name. */
type Counts = Record<string, number>;

const count = (counts: Counts, name: string): void => {
  counts[name] = (counts[name] ?? 0) + 1;
};

/** The engine returns the fields of a map in any order. The digest needs one order. */
const asText = (value: unknown): string =>
  canonicalText(
    JSON.parse(JSON.stringify(value ?? null, (_, it) => (typeof it === 'bigint' ? `${it}` : it))),
  );

/** Whether a request can be repeated safely after its reply was lost. */
const isIdempotent = (request: Request): boolean => {
  if (request.kind === 'tenant') return request.idempotencyKey !== undefined;
  if (request.kind === 'entry') return request.isDryRun || request.asked.externalId !== null;
  if (request.kind === 'batch') {
    return request.isDryRun || request.asked.every(({ externalId }) => externalId !== null);
  }
  return request.kind !== 'callback';
};

export const openOperations = (options: {
  random: Random;
  model: Model;
  scheduler: Scheduler;
  platforms: SimulatedPlatforms;
  platformData: PlatformData;
  clock: () => Date;
  choose: (now: number) => Request;
  note: (line: string) => void;
}) => {
  const { random, model, scheduler, platforms, platformData, clock, choose, note } = options;
  const counts = { operations: {} as Counts, outcomes: {} as Counts, faults: {} as Counts };
  const again: Request[] = [];
  const latest = new Map<Request['kind'], Request>();
  const open = new Set<Operation>();
  let begun = 0;
  let moment = 0;

  const begin = async (request: Request, now: Date): Promise<void> => {
    moment += 1;
    const operation: Operation = {
      number: begun,
      request,
      now,
      startedAt: moment,
      endedAt: Number.POSITIVE_INFINITY,
      drawn: new Set(),
      faults: [],
      callsUnderWay: 0,
      answer: undefined,
    };
    begun += 1;
    count(counts.operations, request.kind);
    latest.set(request.kind, request);
    note(`${operation.number} at ${now.toISOString()} ${asText(request)}`);
    open.add(operation);
    if ('company' in request && request.company) platformData.grow(request.company, moment);
    model.begin(operation);
    await scheduler.start(operation, (handlers) => send(request, { ...handlers, platforms, now }));
  };

  const check = (operation: Operation): Problem | undefined => {
    const { answer, request, number, now, drawn, faults } = operation;
    operation.endedAt = moment;
    open.delete(operation);
    note(`${number} ended ${asText(answer)}`);
    for (const fault of faults) count(counts.faults, fault);
    const isCrash = answer === 'crashed' || answer === undefined;
    count(counts.outcomes, `${request.kind} ${isCrash ? 'crashed' : answer.status}`);
    if (isCrash ? isIdempotent(request) : answer.retryable) again.push(request);
    const differences = model.check(operation);
    const told = { request, now, drawn: [...drawn], faults, answer };
    return differences.length === 0
      ? undefined
      : { step: number, operation: asText(told), differences };
  };

  return {
    counts,
    begun: (): number => begun,
    /** The current moment. Every start and every check has its own. */
    moment: (): number => moment,
    /** The latest request of each kind. */
    latestRequests: (): Request[] => [...latest.values()],
    hasAgain: (): boolean => again.length > 0,

    /** The problems of the operations that ended since the last check. */
    checkEnded: (): Problem | undefined => {
      moment += 1;
      const ended = [...open].filter(({ answer }) => answer !== undefined);
      return ended.map(check).find((problem) => problem !== undefined);
    },

    beginNew: (): Promise<void> => {
      const now = clock();
      return begin(choose(now.getTime()), now);
    },

    /** Begins what somebody else has chosen for this moment. */
    beginChosen: (chosen: (now: Date) => Request): Promise<void> => {
      const now = clock();
      return begin(chosen(now), now);
    },

    /** Sends a request again that may or may not have been carried out. */
    beginAgain: (): Promise<void> => {
      const request = random.pick(again);
      again.splice(again.indexOf(request), 1);
      return begin(request, clock());
    },
  };
};
