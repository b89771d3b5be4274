// Optimistic writes: decide on what was read, write it in one transaction, and decide again if
// another request changed any of it in between.

import { isDeepStrictEqual } from 'node:util';
import { BooksDiffer } from '../entries/entry-checks.ts';
import { type Key, keyText } from './keys.ts';
import { type ContentionBudget, retryOnContention } from './retry.ts';
import { type Action, type Item, keyOfAction, type Table, transactionOf } from './table.ts';

/**
 * Items by the text of their keys. An `undefined` item is known not to exist. A key that was never
 * read is not in the map.
 */
export type Snapshot = ReadonlyMap<string, Item | undefined>;

/** Reads the items of these keys. */
export const readSnapshot = async (
  table: Pick<Table, 'getMany'>,
  keys: readonly Key[],
): Promise<Snapshot> => {
  const items = await table.getMany(keys);
  return new Map(keys.map(keyText).map((text) => [text, items.get(text)]));
};

export const itemIn = (snapshot: Snapshot, key: Key): Item | undefined =>
  snapshot.get(keyText(key));

/** Whether the item of this key is known not to exist. */
export const isMissingIn = (snapshot: Snapshot, key: Key): boolean =>
  snapshot.has(keyText(key)) && itemIn(snapshot, key) === undefined;

/** What a write is to do, and the result once it is done. Without actions nothing is written. */
export type Decision<Result> = { result: Result; actions?: readonly Action[] };

/**
 * Writes what `decide` makes of a snapshot. If a condition fails, the item that made it fail enters
 * the snapshot, the keys of `reread` are read again, and `decide` runs again.
 *
 * @param options.reread the keys that other requests change often, such as day sheets
 * @throws ApiError `contention` if the budget is used up and nothing was written;
 *   `temporarily_unavailable` if a try may have been carried out
 * @throws BooksDiffer if a condition fails that the snapshot says holds
 */
export const writeOptimistically = async <Result>(
  table: Pick<Table, 'getMany' | 'tryTransact'>,
  snapshot: Snapshot,
  {
    decide,
    reread,
    budget = {},
  }: {
    decide: (snapshot: Snapshot) => Decision<Result> | Promise<Decision<Result>>;
    reread: readonly Key[];
    budget?: ContentionBudget;
  },
): Promise<Result> => {
  const current = new Map(snapshot);
  const rereadTexts = new Set(reread.map(keyText));
  let decision = await decide(current);
  let transaction = transactionOf(decision.actions ?? []);
  let isOutdated = false;

  const decideAgain = async (): Promise<void> => {
    for (const [text, item] of await readSnapshot(table, reread)) current.set(text, item);
    decision = await decide(current);
    transaction = transactionOf(decision.actions ?? []);
    isOutdated = false;
  };

  const attempt = async (): Promise<Result | undefined> => {
    if (isOutdated) await decideAgain();
    if (decision.actions === undefined) return decision.result;
    const outcome = await table.tryTransact(transaction);
    if (outcome?.committed) return decision.result;
    // After contention alone, the same transaction is sent again: the table recognizes its token if
    // an earlier try was carried out and only the reply was lost.
    if (outcome === undefined) return undefined;
    isOutdated = true;
    const failed = [...outcome.failed].map(([place, item]) => {
      const action = transaction.actions[place];
      if (action === undefined) throw new Error(`the transaction has no action ${place}`);
      return [keyText(keyOfAction(action)), item] as const;
    });
    for (const [text, item] of failed) current.set(text, item);
    // The others are read again after a pause. To read them now would cost every other writer more:
    // if many wait, each entry would take twice as many tries.
    if (failed.every(([text]) => rereadTexts.has(text))) return undefined;
    const next = await decide(current);
    if (next.actions === undefined) return next.result;
    // Another transaction's items may become visible one by one; a later try sees all of them.
    if (!outcome.contended && isDeepStrictEqual(next.actions, transaction.actions)) {
      const sorts = failed.map(([text]) => text.split('\n')[1]);
      throw new BooksDiffer(
        `a condition on ${sorts} failed, but all that was read allows the write`,
      );
    }
    return undefined;
  };

  return retryOnContention(attempt, {
    ...budget,
    mayBeDone: () => transaction.mayBeDone === true,
  });
};
