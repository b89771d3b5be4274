// Optimistic writes: decide on a snapshot, write the decision in one transaction, and decide again
// if another request changed an item of the snapshot.

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

/** The actions of a write, and its result. Without actions nothing is written. */
export type Decision<Result> = { result: Result; actions?: readonly Action[] };

/** The item that actions put at a key. */
export const itemPutBy = (actions: readonly Action[], key: Key): Item | undefined =>
  actions
    .flatMap((action): Item[] => ('put' in action ? [action.put] : []))
    .find((item) => item.pk === key.pk && item.sk === key.sk);

/**
 * Writes the decision on a snapshot. If conditions fail, their items enter the snapshot, the keys
 * of `reread` are read again, and `decide` runs again.
 *
 * @param options.reread the keys that other requests change often, for example day sheets
 * @throws ApiError `contention` if the budget is used up and nothing was written;
 *   `temporarily_unavailable` if an attempt may have been committed
 * @throws BooksDiffer if a condition fails although the snapshot fulfils it
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
    // After contention alone, the same transaction is sent again. DynamoDB recognizes its token if
    // an earlier attempt was committed and its reply was lost.
    if (outcome === undefined) return undefined;
    isOutdated = true;
    const failed = [...outcome.failed].map(([place, item]) => {
      const action = transaction.actions[place];
      if (action === undefined) throw new Error(`the transaction has no action ${place}`);
      return [keyText(keyOfAction(action)), item] as const;
    });
    for (const [text, item] of failed) current.set(text, item);
    // The `reread` keys are read after the pause. To read them now would be too early: if many
    // writers wait, each of them would need twice as many attempts.
    if (failed.every(([text]) => rereadTexts.has(text))) return undefined;
    const next = await decide(current);
    if (next.actions === undefined) return next.result;
    // The items of another transaction can become visible one by one. A later attempt sees all.
    if (!outcome.contended && isDeepStrictEqual(next.actions, transaction.actions)) {
      const sorts = failed.map(([text]) => text.split('\n')[1]);
      throw new BooksDiffer(`a condition on ${sorts} failed, but the snapshot fulfils it`);
    }
    return undefined;
  };

  return retryOnContention(attempt, budget);
};
