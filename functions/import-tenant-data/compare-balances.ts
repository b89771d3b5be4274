// The last stage of an import: brings the books to the platform's trial balances at the ends of
// months and on the last day. Each day is compared and posted before the import continues. A day
// that is compared again only gets what it still lacks.

import { createHash } from 'node:crypto';
import { lineClassOf } from '#shared/accounts/line-classes.ts';
import { classifiedOn } from '#shared/accounts/reclassification.ts';
import {
  type ComparedDay,
  isKept,
  monthEndsAt,
  monthEndsToRead,
} from '#shared/balances/balance-days.ts';
import {
  type Difference,
  divided,
  makePlatformBalance,
} from '#shared/balances/platform-balance.ts';
import type { PlatformBalances, Posting } from '#shared/balances/platform-balances.store.ts';
import { differencesBetween, RetainedEarningsMissing } from '#shared/balances/platform-books.ts';
import type { TrialBalance } from '#shared/balances/trial-balance.ts';
import type { BalancesCheckpoint, ImportCheckpoint } from '#shared/imports/import-checkpoint.ts';
import { dateOf } from '#shared/money/dates.ts';
import { type ImportedBooks, openImportedBooks } from './imported-books.ts';
import { type Read, type ReportContext, readReport } from './read-report.ts';
import { Superseded } from './run-outcome.ts';

export type BalancesContext = ReportContext & {
  balances: PlatformBalances;
  runId: string;
  pause: (milliseconds: number) => Promise<unknown>;
  /** Saves the checkpoint. @throws Superseded if another run or import has replaced this one */
  save: (checkpoint: ImportCheckpoint) => Promise<void>;
};

/** How often the books of the platform may move while they are read. */
const maximumRounds = 3;

/** The pause before books that have moved are read again. */
const pauseMilliseconds = 30_000;

/** The number of the last days that are read again then. */
const recentDays = 3;

/** A new account of a report can be added while the books are compared. */
const maximumAttempts = 5;

const hashOf = ({ rows }: TrialBalance): string =>
  createHash('sha256')
    .update(
      rows
        .map(({ accountId, balance }) => `${accountId}\t${balance}`)
        .sort()
        .join('\n'),
    )
    .digest('base64url');

/**
 * Adds the accounts of a report that the chart lacks, archived: the platform no longer lists them,
 * or computes them. Returns false if the chart has no room for them.
 */
const addMissingAccounts = async (
  { rows }: TrialBalance,
  { accounts: { find } }: ImportedBooks,
  { name, accounts }: BalancesContext,
): Promise<'none' | 'added' | 'account_quota_reached'> => {
  const missing = rows.filter((row) => !row.balance.eq(0) && !find(row.accountId));
  if (missing.length === 0) return 'none';
  const { omitted } = await accounts.record(
    name,
    missing.map(({ accountId, name: accountName, type, balance }) => ({
      accountId,
      code: null,
      name: accountName || accountId,
      type: type ?? (balance.gt(0) ? 'asset' : 'liability'),
      status: 'archived',
      subtype: null,
      cashFlow: 'operating',
    })),
  );
  return omitted.length > 0 ? 'account_quota_reached' : 'added';
};

/** Posts what the books of a day lack. Returns the reason if they still differ. */
const postDifferences = async (
  date: string,
  { report, fetchedAt }: Extract<Read, { report: TrialBalance }>,
  { books, isOpening, ...context }: BalancesContext & { books: ImportedBooks; isOpening: boolean },
): Promise<Exclude<Posting, 'posted'> | null> => {
  const { name, balances, clock, tenantCurrency: currency, runId } = context;
  const platform = new Map(report.rows.map(({ accountId, balance }) => [accountId, balance]));
  const lacking = differencesBetween(platform, books.balancesAt(date, report));
  const differences = [...lacking].map(([accountId, amount]): Difference => {
    const account = books.accounts.find(accountId);
    if (account === undefined) throw new Error(`the chart has no account ${accountId}`);
    const lineClass = lineClassOf(classifiedOn(account, date));
    return { accountId, account: { ...account, lineClass }, amount };
  });
  const ordered = differences.toSorted((a, b) => (a.account.code < b.account.code ? -1 : 1));
  for (const part of ordered.length === 0 ? [] : divided(ordered)) {
    const createdAt = clock().toISOString();
    const origin = { fetchedAt, total: report.total };
    const entry = makePlatformBalance(part, { date, currency, createdAt, origin, isOpening });
    const posting = await balances.post(name, entry, {
      runId,
      revision: books.revisionAt(date),
    });
    if (posting !== 'posted') return posting;
    books.addPosted(date, part);
  }
  return null;
};

/** The books of a run, which are read again if they are not those that were compared. */
type OpenedBooks = { current: ImportedBooks | undefined };

/** Compares a day and posts what it lacks. */
const compareDay = async (
  date: string,
  read: Read,
  { opened, plan, ...context }: BalancesContext & { opened: OpenedBooks; plan: BalancesCheckpoint },
): Promise<ComparedDay> => {
  if ('reason' in read) return { date, reason: read.reason };
  const { report: trialBalance, fetchedAt } = read;
  await context.balances.saveReport(context.name, { date, fetchedAt, trialBalance });
  for (let attempt = 1; attempt <= maximumAttempts; attempt += 1) {
    opened.current ??= await openImportedBooks(plan, context);
    const books = opened.current;
    const added = await addMissingAccounts(trialBalance, books, context);
    if (added === 'account_quota_reached') return { date, reason: added };
    if (added === 'none') {
      const isOpening = date === plan.opening;
      try {
        const reason = await postDifferences(date, read, { ...context, books, isOpening });
        if (reason === 'superseded') throw new Superseded();
        if (reason !== 'books_moved') return { date, reason };
      } catch (error) {
        if (!(error instanceof RetainedEarningsMissing)) throw error;
        return { date, reason: 'retained_earnings_not_found' };
      }
    }
    opened.current = undefined;
  }
  return { date, reason: 'books_moved' };
};

/** Whether the platform gives no more reports. Then no further day is compared. */
const hasNoReports = (read: Read): read is { reason: string } =>
  'reason' in read && ['reports_unavailable', 'reports_not_permitted'].includes(read.reason);

/** Ends the stage with what was compared, and the reason if nothing could be. */
const finish = async (
  checkpoint: ImportCheckpoint,
  {
    reason,
    plan,
    ...context
  }: BalancesContext & { reason: string | null; plan: BalancesCheckpoint },
): Promise<void> => {
  const { name, balances, clock, save } = context;
  const before = await balances.findComparison(name);
  const compared = new Set(plan.days.map(({ date }) => date));
  const days = [...before.days.filter(({ date }) => !compared.has(date)), ...plan.days]
    .filter((day) => isKept(day, reason === null ? plan.today : (before.lastDay ?? '')))
    .toSorted((one, other) => (one.date < other.date ? -1 : 1));
  const now = clock().toISOString();
  await balances.saveComparison(name, {
    checkedAt: reason === null ? now : before.checkedAt,
    completeAt: plan.isComplete && reason === null ? now : before.completeAt,
    reason,
    yearEnd: plan.yearEnd,
    lastDay: reason === null ? plan.today : before.lastDay,
    days,
  });
  await save({ ...checkpoint, balances: null, balancesReason: reason, stage: 'done' });
};

/** Reads the report of today, before any other, and decides which days are compared. */
const begin = async (checkpoint: ImportCheckpoint, context: BalancesContext): Promise<void> => {
  const { name, balances, clock, isComplete, save } = context;
  const now = clock();
  const before = await balances.findComparison(name);
  const { changedFrom } = checkpoint;
  const remaining = monthEndsToRead(now, before, { changedFrom, isComplete });
  const plan: BalancesCheckpoint = {
    today: dateOf(now),
    yearEnd: checkpoint.yearEnd ?? before.yearEnd,
    opening: before.days[0]?.date ?? remaining[0] ?? '',
    isComplete: remaining.length === monthEndsAt(now).length,
    remaining,
    days: [],
    hash: null,
    round: 1,
  };
  const read = await readReport(plan.today, { ...context, yearEnd: plan.yearEnd });
  if ('reason' in read) return finish(checkpoint, { ...context, plan, reason: read.reason });
  await save({ ...checkpoint, balances: { ...plan, hash: hashOf(read.report) } });
};

/**
 * Compares today, if its report is as it was before the others were read. Otherwise the books of
 * the platform have moved, and the last months are read again.
 */
const compareToday = async (
  checkpoint: ImportCheckpoint,
  { opened, plan, ...context }: BalancesContext & { opened: OpenedBooks; plan: BalancesCheckpoint },
): Promise<void> => {
  const { today, yearEnd, hash, round, days } = plan;
  const read = await readReport(today, { ...context, yearEnd });
  if (hasNoReports(read)) return finish(checkpoint, { ...context, plan, reason: read.reason });
  const hasMoved = 'report' in read && hashOf(read.report) !== hash;
  if (hasMoved && round < maximumRounds) {
    await context.pause(pauseMilliseconds);
    const remaining = days.slice(-recentDays).map(({ date }) => date);
    const next = { ...plan, hash: hashOf(read.report), round: round + 1, remaining };
    return context.save({ ...checkpoint, balances: next });
  }
  const day = hasMoved
    ? { date: today, reason: 'books_moved' }
    : await compareDay(today, read, { ...context, opened, plan });
  const compared = { ...plan, days: [...days.filter(({ date }) => date !== today), day] };
  return finish(checkpoint, { ...context, plan: compared, reason: null });
};

/** Compares the days in order, and continues after the last one that is saved. */
export const compareBalances = async (
  checkpoint: ImportCheckpoint,
  context: BalancesContext,
): Promise<void> => {
  if (checkpoint.balances === null) return begin(checkpoint, context);
  const opened: OpenedBooks = { current: undefined };
  let plan = checkpoint.balances;
  for (const date of plan.remaining) {
    const read = await readReport(date, { ...context, yearEnd: plan.yearEnd });
    if (hasNoReports(read)) {
      const { reason } = read;
      return finish({ ...checkpoint, balances: plan }, { ...context, plan, reason });
    }
    const day = await compareDay(date, read, { ...context, opened, plan });
    const days = [...plan.days.filter((it) => it.date !== date), day];
    plan = { ...plan, remaining: plan.remaining.slice(1), days };
    await context.save({ ...checkpoint, balances: plan });
  }
  await compareToday({ ...checkpoint, balances: plan }, { ...context, opened, plan });
};
