// Verifies the books of a tenant, sheet by sheet, some of them at a time.

import type { Account } from '#shared/domain/accounts.ts';
import type { SheetName } from '#shared/store/day-sheets.ts';
import type { KeptBooks } from '#shared/store/kept-books.ts';
import type { TenantName } from '#shared/store/keys.ts';
import { type Difference, lasting, sorted } from './differences.ts';
import type { AccountFinder } from './entry-differences.ts';
import { isRow } from './sheet-rows.ts';
import { verifyAccountCount } from './verify-account-count.ts';
import { verifyDueDates, verifyMarkers } from './verify-markers.ts';
import { type SheetToVerify, type VerifiedSheet, verifySheet } from './verify-sheet.ts';

/** Sheets verified at the same time: the table answers while others are computed. */
const concurrency = 8;

/** How often what differs is read again, and the pause before that. */
const maximumReadings = 5;
const pauseMilliseconds = 500;

/** Stands for the sheets of a tenant that has none, so that its entries, if any, are found. */
const noSheet: SheetName = { date: '0001-01-01', series: 'IJ' };

export type VerifiedTenant = {
  entries: number;
  differences: Difference[];
  /** The rows that were written anew, and the dates that are due again: no differences any more. */
  repaired: Difference[];
};

type Verification = {
  books: KeptBooks;
  sleep: (milliseconds: number) => Promise<unknown>;
  /**
   * Whether sheets' rows are written anew if the entries are sound, the count of accounts is put
   * right, and dates with scheduled entries are listed as due.
   */
  repair: boolean;
  isStopped: () => boolean;
  onEntry: () => void;
};

const sheetsToVerify = (name: TenantName, names: readonly SheetName[]): SheetToVerify[] => {
  const all = names.length > 0 ? names : [noSheet];
  return all.map((of, index) => ({
    name,
    of,
    range: { from: index === 0 ? undefined : of, to: all[index + 1] },
  }));
};

/** Finds accounts of a chart that is read once, and one that is newer than that by itself. */
const openAccountFinder = async (books: KeptBooks, name: TenantName): Promise<AccountFinder> => {
  const accounts = new Map<string, Account>();
  for await (const account of books.accounts(name)) accounts.set(account.code, account);
  return async (code) => accounts.get(code) ?? books.findAccount(name, code);
};

export const verifyTenant = async (
  name: TenantName,
  { books, sleep, repair, isStopped, onEntry }: Verification,
): Promise<VerifiedTenant> => {
  const findAccount = await openAccountFinder(books, name);
  const pause = () => sleep(pauseMilliseconds);
  const total: VerifiedTenant = { entries: 0, differences: [], repaired: [] };

  /**
   * Reads a sheet that differs again until nobody changes it meanwhile. What is there every time is
   * a difference; entries of a transaction that was just committed show up one by one.
   */
  const confirm = async (asked: SheetToVerify, first: VerifiedSheet): Promise<VerifiedSheet> => {
    let latest = first;
    for (let reading = 1; reading <= maximumReadings; reading += 1) {
      await pause();
      const again = await verifySheet(asked, { books, findAccount });
      latest = { ...again, differences: lasting(latest.differences, again.differences) };
      if (latest.differences.length === 0 || again.isUnchanged) break;
    }
    return latest;
  };

  /**
   * Writes the rows of a sheet anew. Its entries must be sound, and end in the head that the sheet
   * has: this vouches for them, and is evidence of what happened where it differs.
   */
  const tryRepair = async ({ of }: SheetToVerify, found: VerifiedSheet): Promise<boolean> => {
    const { sheet: before, rows, differences } = found;
    const mayRepair = repair && differences.every(isRow);
    if (!mayRepair || before === undefined || rows === undefined) return false;
    return books.rewriteRows(name, of, { before, rows });
  };

  const verify = async (asked: SheetToVerify): Promise<void> => {
    let found = await verifySheet(asked, { books, findAccount, onEntry });
    total.entries += found.entries;
    if (found.differences.length > 0) found = await confirm(asked, found);
    if (found.differences.length === 0) return;
    const isRepaired = await tryRepair(asked, found);
    total[isRepaired ? 'repaired' : 'differences'].push(...found.differences);
  };

  const waiting = sheetsToVerify(name, await books.listSheetNames(name)).values();
  const work = async (): Promise<void> => {
    for (const asked of waiting) {
      if (isStopped()) return;
      await verify(asked);
    }
  };
  await Promise.all(Array.from({ length: concurrency }, work));
  if (!isStopped()) {
    const count = await verifyAccountCount(name, { books, pause, repair });
    const dates = await verifyDueDates(name, { books, pause, repair });
    total.repaired.push(...count.repaired, ...dates.repaired);
    total.differences.push(
      ...count.differences,
      ...(await verifyMarkers(name, { books, pause })),
      ...dates.differences,
    );
  }
  const { entries, differences, repaired } = total;
  return { entries, differences: sorted(differences), repaired: sorted(repaired) };
};
