// Verifies a tenant's books, several day sheets in parallel.

import type { Account } from '../accounts/accounts.ts';
import { firstDate } from '../money/dates.ts';
import type { RecordedBooks } from '../operator/recorded-books.store.ts';
import type { RecordedTotalsStore } from '../operator/recorded-totals.store.ts';
import type { SheetName } from '../sheets/day-sheet.ts';
import {
  entryPrefix,
  type Key,
  readSheetKey,
  sheetKey,
  sheetPrefix,
  type TenantName,
} from '../table/keys.ts';
import type { Checking } from './checking.service.ts';
import {
  type Checked,
  checkedAs,
  type Difference,
  inBothReadings,
  sortDifferences,
} from './differences.ts';
import type { AccountFinder } from './entry-differences.service.ts';
import { isRow } from './sheet-rows.ts';
import { verifyGuards } from './verify-guards.service.ts';
import { verifyHistory } from './verify-history.service.ts';
import { verifyDueDates, verifyMarkers } from './verify-markers.service.ts';
import { type SheetToVerify, type VerifiedSheet, verifySheet } from './verify-sheet.service.ts';

/** Some sheets wait for the table while others are computed. */
const maximumConcurrency = 8;

/** A sheet that differs is read again up to this many times, with a pause before each. */
const maximumReadings = 5;
const pauseMilliseconds = 500;

/** For a tenant without sheets: its range covers all entries, so any that exist are found. */
const noSheet: SheetName = { date: firstDate, series: 'IJ' };

type VerifiedTenant = Checked & { entries: number };

type Verification = {
  books: RecordedBooks;
  recordedTotals: () => Promise<RecordedTotalsStore>;
  sleep: (milliseconds: number) => Promise<unknown>;
  /**
   * Rewrites the rows of sheets if their entries are sound, completes rows of earlier versions,
   * corrects the account count, and restores missing dates in the due index.
   */
  repair: boolean;
  isStopped: () => boolean;
  onEntry?: () => void;
};

const sheetsToVerify = (name: TenantName, names: readonly SheetName[]): SheetToVerify[] => {
  const all = names.length > 0 ? names : [noSheet];
  return all.map((of, index) => ({
    name,
    of,
    range: { from: index === 0 ? undefined : of, to: all[index + 1] },
  }));
};

/** Reads the chart once. Looks up an account that was added since. */
const openAccountFinder = async (
  books: RecordedBooks,
  name: TenantName,
): Promise<{ accounts: ReadonlyMap<string, Account>; findAccount: AccountFinder }> => {
  const accounts = new Map<string, Account>();
  for await (const account of books.accounts(name)) accounts.set(account.code, account);
  const findAccount = async (code: string): Promise<Account | undefined> => {
    const account = accounts.get(code) ?? (await books.findAccount(name, code));
    if (account !== undefined) accounts.set(code, account);
    return account;
  };
  return { accounts, findAccount };
};

const maximumCounts = 3;

/**
 * Counts the accounts. Requests can add accounts meanwhile, so a count that differs is read again.
 * A tenant older than the quota has no stored count until an account is added.
 */
const verifyAccountCount = async (
  name: TenantName,
  { books, pause, repair }: Checking,
): Promise<Checked> => {
  for (let reading = 1; ; reading += 1) {
    const [stored, actual] = [await books.findAccountCount(name), await books.countAccounts(name)];
    if (stored === undefined || stored === actual) return checkedAs([], false);
    if (reading < maximumCounts) {
      await pause();
      continue;
    }
    const difference = {
      date: null,
      series: null,
      what: 'accounts that count for the quota',
      expected: String(actual),
      found: String(stored),
    };
    const isRepaired = repair && (await books.correctAccountCount(name, { stored, actual }));
    return checkedAs([difference], isRepaired);
  }
};

const isBefore = (one: SheetName, other: SheetName): boolean =>
  `${one.date} ${one.series}` < `${other.date} ${other.series}`;

const datedPrefixes = [entryPrefix, sheetPrefix];

/** An item that is not as the ledger wrote it. */
const alteredDifference = ({ sk }: Key, fault: string): Difference => {
  const isDated = datedPrefixes.some((prefix) => sk.startsWith(prefix));
  const { date, series } = isDated ? readSheetKey({ sk }) : { date: null, series: null };
  return { date, series, what: `authenticator of ${sk}`, expected: 'a valid one', found: fault };
};

export type TenantVerification = Awaited<ReturnType<typeof openTenantVerification>>;

/** Verifies a tenant part by part, so that the work can stop and continue later. */
export const openTenantVerification = async (
  name: TenantName,
  { books, recordedTotals, sleep, repair, onEntry = () => {} }: Omit<Verification, 'isStopped'>,
) => {
  const { accounts, findAccount } = await openAccountFinder(books, name);
  const sources = { books, findAccount, accounts, isComplete: repair };
  const pause = () => sleep(pauseMilliseconds);
  const checking = { books, pause, repair };
  const repairedSheets = new Set<string>();
  let total: VerifiedTenant = { entries: 0, differences: [], repaired: [] };

  /**
   * Reads a sheet that differs again, until a reading during which it did not change. Only
   * differences that every reading shows are real: the items of a transaction that has just
   * committed become visible one by one.
   */
  const confirm = async (target: SheetToVerify, first: VerifiedSheet): Promise<VerifiedSheet> => {
    let latest = first;
    for (let reading = 1; reading <= maximumReadings; reading += 1) {
      await pause();
      const next = await verifySheet(target, sources);
      latest = { ...next, differences: inBothReadings(latest.differences, next.differences) };
      if (latest.differences.length === 0 || next.isUnchanged) break;
    }
    return latest;
  };

  /**
   * Rewrites the rows of a sheet if only rows differ. A sheet whose head differs is not repaired:
   * the head proves that the entries are sound, and a wrong one is evidence of tampering or a bug.
   */
  const tryRepair = async ({ of }: SheetToVerify, result: VerifiedSheet): Promise<boolean> => {
    const { sheet: before, rows, differences } = result;
    const canRepair = repair && differences.every(isRow);
    if (!canRepair || before === undefined || rows === undefined) return false;
    return books.rewriteRows(name, of, { before, rows });
  };

  const verify = async (target: SheetToVerify): Promise<void> => {
    let result = await verifySheet(target, { ...sources, onEntry });
    total.entries += result.entries;
    if (result.differences.length > 0) result = await confirm(target, result);
    if (result.differences.length === 0) return;
    const isRepaired = await tryRepair(target, result);
    if (isRepaired) repairedSheets.add(sheetKey(name, target.of).sk);
    total[isRepaired ? 'repaired' : 'differences'].push(...result.differences);
  };

  const check = async (checked: Promise<Checked>): Promise<void> => {
    const { differences, repaired } = await checked;
    total.repaired.push(...repaired);
    total.differences.push(...differences);
  };

  return {
    /**
     * Verifies the sheets until `isStopped`.
     * @param options.from the sheet to begin with; by default the first one
     * @param options.concurrency how many sheets are verified at the same time
     * @returns the sheet to continue with; `undefined` after the last one
     */
    verifySheets: async ({
      from,
      concurrency = maximumConcurrency,
      isStopped,
    }: {
      from?: SheetName | undefined;
      concurrency?: number;
      isStopped: () => boolean;
    }): Promise<SheetName | undefined> => {
      const sheets = sheetsToVerify(name, await books.listSheetNames(name));
      const first = sheets.findIndex(({ of }) => from === undefined || !isBefore(of, from));
      const waiting = first < 0 ? [] : sheets.slice(first);
      const work = async (): Promise<void> => {
        while (waiting.length > 0 && !isStopped()) {
          const target = waiting.shift();
          if (target) await verify(target);
        }
      };
      await Promise.all(Array.from({ length: concurrency }, work));
      return waiting[0]?.of;
    },

    /** What is verified after the sheets, one by one. */
    checks: [
      () => check(verifyAccountCount(name, checking)),
      () => check(verifyDueDates(name, checking)),
      () => check(verifyMarkers(name, checking)),
      () => check(verifyGuards(name, checking)),
      () => check(verifyHistory(name, checking)),
      async () => {
        const { verifyTotals } = await import('./verify-totals.service.ts');
        await check(verifyTotals(name, { ...checking, totals: await recordedTotals() }));
      },
    ],

    /** Returns the differences since the last call. */
    take: (): VerifiedTenant => {
      for (const { key, fault } of books.takeAltered(name)) {
        const isRepaired = repairedSheets.has(key.sk);
        total[isRepaired ? 'repaired' : 'differences'].push(alteredDifference(key, fault));
      }
      const { entries, differences, repaired } = total;
      total = { entries: 0, differences: [], repaired: [] };
      return {
        entries,
        differences: sortDifferences(differences),
        repaired: sortDifferences(repaired),
      };
    },
  };
};

export const verifyTenant = async (
  name: TenantName,
  { isStopped, ...options }: Verification,
): Promise<VerifiedTenant> => {
  const verification = await openTenantVerification(name, options);
  await verification.verifySheets({ isStopped });
  for (const check of isStopped() ? [] : verification.checks) await check();
  return verification.take();
};
