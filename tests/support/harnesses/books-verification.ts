// Damages books item by item and verifies them with the operator's tool.

import type { Dependencies } from '#infra/ops/command.ts';
import { verifyBooks } from '#infra/ops/commands/books.ts';
import type { Key } from '#shared/table/keys.ts';
import type { RawItem } from '../readers/item-kinds.ts';
import type { useOperator } from './operator.ts';

export type Change = (item: RawItem) => RawItem;
export const put =
  (changes: RawItem): Change =>
  (item) => ({ ...item, ...changes });
export const lineOf =
  (changes: RawItem): Change =>
  (item) => {
    const [first = {}, ...others] = item.lines as RawItem[];
    return { ...item, lines: [{ ...first, ...changes }, ...others] };
  };
export const rowsOf =
  (change: (rows: string) => string): Change =>
  (item) => ({ ...item, rows: change(String(item.rows)) });
export const without =
  (...names: string[]): Change =>
  (item) =>
    Object.fromEntries(Object.entries(item).filter(([name]) => !names.includes(name)));

export const openVerification = (operator: ReturnType<typeof useOperator>) => {
  const verify = (
    options: Parameters<typeof verifyBooks.run>[1],
    changes: Partial<Dependencies> = {},
  ) => verifyBooks.run({ ...operator.dependencies, sleep: async () => {}, ...changes }, options);
  const verifyTenant = (tenant: string, more: { repair?: boolean } = {}) =>
    verify({ tenant, application: 'Bookings', ...more });

  /** Changes or removes an item. Returns a function that restores it. */
  const harm = async (key: Key, change: Change | 'removed') => {
    const { table, seed } = operator.database;
    const item = await table.get(key);
    if (item === undefined) throw new Error(`there is no item ${key.sk}`);
    if (change === 'removed') await table.consume(key, { condition: 'attribute_exists(pk)' });
    else await seed(change(item));
    return () => seed(item);
  };

  /** The differences while an item is changed or removed, sorted. */
  const differencesWith = async (tenant: string, key: Key, change: Change | 'removed') => {
    const undo = await harm(key, change);
    const { differences } = await verifyTenant(tenant);
    await undo();
    return (differences as unknown as RawItem[]).map(({ what }) => String(what)).sort();
  };

  return { verify, verifyTenant, harm, differencesWith };
};
