// Queues of the requests of one process that write the same item, which would otherwise retry
// against each other. In Lambda a process has one request at a time, and nobody waits here.

import { ApiError } from '../errors.ts';

/** What a waiting member is told: to write, or what became of it in the write of another. */
type News<Result> = 'write' | { result: Result } | { error: unknown };

type Waiting<Member, Result> = { member: Member; tell: (news: News<Result>) => void };
type Queue<Member, Result> = Waiting<Member, Result>[];

type WriteOptions<Member, Result> = {
  /** When a member that still waits gives up, by `performance.now()`. */
  endsAt: number;
  /** Writes the members. Returns a result for each of them. */
  write: (members: readonly Member[]) => Promise<Result[]>;
};

const waitIn = <Member, Result>(
  queue: Queue<Member, Result>,
  { member, endsAt }: { member: Member; endsAt: number },
): Promise<News<Result>> => {
  const { promise, resolve } = Promise.withResolvers<News<Result>>();
  const waiting = { member, tell: resolve };
  const giveUp = (): void => {
    const place = queue.indexOf(waiting);
    // Otherwise a write has begun that includes it.
    if (place < 0) return;
    queue.splice(place, 1);
    resolve({ error: new ApiError('contention', { retryAfterSeconds: 1 }) });
  };
  queue.push(waiting);
  const timer = setTimeout(giveUp, Math.max(0, endsAt - performance.now()));
  return promise.finally(() => clearTimeout(timer));
};

/**
 * @param chooseCompanions those of the waiting members that are written together with a member
 */
export const openWriteQueues = <Member, Result>(
  chooseCompanions: (member: Member, waiting: readonly Member[]) => ReadonlySet<Member>,
) => {
  /** The queues by name. Without a write under way, there is none. */
  const queues = new Map<string, Queue<Member, Result>>();

  const writeWithCompanions = async (
    queue: Queue<Member, Result>,
    member: Member,
    write: WriteOptions<Member, Result>['write'],
  ): Promise<Result> => {
    const waiting = queue.splice(0);
    const chosen = chooseCompanions(
      member,
      waiting.map((it) => it.member),
    );
    const companions = waiting.filter((it) => chosen.has(it.member));
    queue.push(...waiting.filter((it) => !chosen.has(it.member)));
    try {
      const results = await write([member, ...companions.map((it) => it.member)]);
      for (const [place, { tell }] of companions.entries()) {
        tell({ result: results[place + 1] as Result });
      }
      return results[0] as Result;
    } catch (error) {
      if (error instanceof ApiError && error.code === 'contention') queue.unshift(...companions);
      else for (const { tell } of companions) tell({ error });
      throw error;
    }
  };

  /**
   * Waits in a queue and writes, in the order of arrival. The write of another can include the
   * member. If that fails with `contention`, the member waits again.
   * @throws ApiError `contention` for a member that gave up, or what the write throws
   */
  return async (
    name: string,
    member: Member,
    { endsAt, write }: WriteOptions<Member, Result>,
  ): Promise<Result> => {
    const queue = queues.get(name) ?? [];
    if (queues.has(name)) {
      const news = await waitIn(queue, { member, endsAt });
      if (news !== 'write') {
        if ('error' in news) throw news.error;
        return news.result;
      }
    }
    queues.set(name, queue);
    try {
      return await writeWithCompanions(queue, member, write);
    } finally {
      const next = queue.shift();
      if (next === undefined) queues.delete(name);
      else next.tell('write');
    }
  };
};
