// Gives numbers to the accounts of versions that did not number them.

import { chartStateOf, numberAccountsAction } from '../applications/quota-counts.store.ts';
import { batchesOf } from '../table/batches.ts';
import { updateAction } from '../table/field-updates.ts';
import {
  accountCountKey,
  accountPrefix,
  type Key,
  type TenantName,
  tenantNameOf,
} from '../table/keys.ts';
import type { Conversion, MigrationStep } from '../table/migration-step.ts';
import { maximumTransactionActions } from '../table/table.ts';
import { Account } from './accounts.ts';

/** A chart's last number, and its accounts without a number. */
type Chart = { name: TenantName; numbered: number; accounts: { key: Key; code: string }[] };

/** One transaction also counts the numbers, so two accounts never get the same one. */
const conversionsOf = ({ name, numbered: last, accounts }: Chart): Conversion[] => {
  let numbered = last;
  return batchesOf(accounts, maximumTransactionActions - 1).map((batch) => {
    const counting = numberAccountsAction(name, { added: batch.length, numbered });
    const actions = batch.map(({ key, code }, index) =>
      updateAction(key, {
        set: { number: numbered + index + 1 },
        expected: { code, number: undefined },
      }),
    );
    numbered += batch.length;
    return [...actions, counting];
  });
};

/** Rows of earlier dates keep the codes of these accounts; later rows have their numbers. */
export const numberAccounts: MigrationStep = {
  name: 'account numbers',
  start: () => {
    const charts = new Map<string, Chart>();
    const chartOf = (name: TenantName, pk: string): Chart => {
      const chart = charts.get(pk) ?? { name, numbered: 0, accounts: [] };
      charts.set(pk, chart);
      return chart;
    };
    return {
      convert: (item) => {
        const { pk, sk } = item as Key;
        const name = tenantNameOf({ pk });
        if (name === undefined) return [];
        if (sk === accountCountKey(name).sk) {
          chartOf(name, pk).numbered = chartStateOf(item).numbered;
        }
        if (sk.startsWith(accountPrefix)) {
          const { code, number } = Account.parse(item);
          if (number === undefined) chartOf(name, pk).accounts.push({ key: { pk, sk }, code });
        }
        return [];
      },
      finish: () => [...charts.values()].flatMap(conversionsOf),
    };
  },
};
