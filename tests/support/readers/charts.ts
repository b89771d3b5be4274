// A tenant's chart of accounts as the table has it, and what in it contradicts itself.

import * as z from 'zod/mini';
import { PlatformAccountEntry } from '#shared/accounts/account-batch.store.ts';
import { Account, type PlatformAccount } from '#shared/accounts/accounts.ts';
import { lineClassOf } from '#shared/accounts/line-classes.ts';
import { accountKey, platformAccountKey, type TenantName } from '#shared/table/keys.ts';
import type { Table } from '#shared/table/table.ts';

/** An account of a platform with a unique name. */
export const chartAccount = (
  accountId: string,
  code: string | null,
  more: Partial<PlatformAccount> = {},
): PlatformAccount => ({
  accountId,
  code,
  name: `Account ${accountId}`,
  type: 'asset',
  subtype: null,
  cashFlow: 'operating',
  status: 'active',
  ...more,
});

const Pointer = z.extend(PlatformAccountEntry, { sk: z.string() });

const itemsFrom = (table: Table, { pk, sk }: { pk: string; sk: string }) =>
  table.query({
    KeyConditionExpression: 'pk = :pk AND begins_with(sk, :sk)',
    ExpressionAttributeValues: { ':pk': pk, ':sk': sk },
  });

/** Every account in the order of the codes, and where each of the platform's ids points. */
export const readChart = async (table: Table, name: TenantName) => {
  const accounts = (await itemsFrom(table, accountKey(name, ''))).map((it) => Account.parse(it));
  const prefix = platformAccountKey(name, '');
  const pointers = (await itemsFrom(table, prefix)).map((item) => {
    const { sk, ...entry } = Pointer.parse(item);
    return { accountId: sk.slice(prefix.sk.length), ...entry };
  });
  return { accounts, pointers };
};
type Chart = Awaited<ReturnType<typeof readChart>>;

/** Ids and accounts that do not agree, and accounts beside an id's own that can be posted to. */
export const contradictionsOf = ({ accounts, pointers }: Chart): string[] => [
  ...pointers.flatMap(({ accountId, code, ...entry }) => {
    const account = accounts.find((it) => it.code === code);
    const agrees =
      account?.platformAccountId === accountId &&
      account.name === entry.name &&
      lineClassOf(account) === entry.lineClass;
    return agrees ? [] : [`${accountId} points to ${code}, which is ${JSON.stringify(account)}`];
  }),
  ...accounts.flatMap(({ code, status, platformAccountId }) => {
    const pointer = pointers.find(({ accountId }) => accountId === platformAccountId);
    if (pointer === undefined) return [`nothing points to ${code}`];
    const isLeftOver = pointer.code !== code && status === 'active';
    return isLeftOver ? [`${code} is active beside ${pointer.code}`] : [];
  }),
];
