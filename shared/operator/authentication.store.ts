// Gives authenticators to the items of a table that has none, for example of an earlier version, or
// that has them under earlier keys.

import { type AuthenticatorKeys, macField, renewalOf } from '../authentication/authenticators.ts';
import { updateAction } from '../table/field-updates.ts';
import { type Key, keyOfItem } from '../table/keys.ts';
import type { Item, Table } from '../table/table.ts';
import type { TableScan } from '../table/table-scan.ts';

/** Low, because the service runs meanwhile. */
const concurrency = 8;

/** The report names at most this many altered items. */
const maximumNamed = 100;

type Authentication = {
  itemsRead: number;
  authenticated: number;
  altered: number;
  firstAltered: Key[];
};

/**
 * Scans the table once. Items that somebody has altered since they got an authenticator stay as
 * they are. Items without one get one as they are, until authenticators are required.
 */
export const authenticateItems = async (
  keys: AuthenticatorKeys,
  { table, scan }: { table: Pick<Table, 'update'>; scan: Pick<TableScan, 'pages'> },
): Promise<Authentication> => {
  const report: Authentication = { itemsRead: 0, authenticated: 0, altered: 0, firstAltered: [] };
  const authenticate = async (item: Item): Promise<void> => {
    report.itemsRead += 1;
    const renewal = renewalOf(item, keys);
    if (renewal === undefined) return;
    const key = keyOfItem(item);
    if (renewal === 'altered') {
      report.altered += 1;
      if (report.altered <= maximumNamed) report.firstAltered.push(key);
      return;
    }
    // A change at the same moment gives the item its authenticator.
    const [set, expected] = [{ [macField]: renewal.after }, { [macField]: renewal.before }];
    if (await table.update(updateAction(key, { set, expected }))) report.authenticated += 1;
  };
  for await (const page of scan.pages()) {
    const waiting = page.values();
    const work = async (): Promise<void> => {
      for (const item of waiting) await authenticate(item);
    };
    await Promise.all(Array.from({ length: concurrency }, work));
  }
  return report;
};
