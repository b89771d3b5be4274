// Stores what the platforms of connected tenants report, and posts the differences to the books.

import { randomBytes } from 'node:crypto';
import Big from 'big.js';
import * as z from 'zod/mini';
import { type AccountsByCode, byCode } from '../accounts/chart-reader.store.ts';
import { entryIdRandomBytes } from '../entries/entry-ids.ts';
import { recordingOf, sheetKeysOf, withBlocks } from '../entries/entry-recording.store.ts';
import type { PlatformBalance, UnnumberedEntry } from '../entries/journal-entry.ts';
import { ApiError } from '../errors.ts';
import { declaredEvents } from '../events/event-types.ts';
import { isMonthEnd } from '../sheets/carried-dates.ts';
import type { NamedSheet } from '../sheets/day-sheet.ts';
import { openDaySheets } from '../sheets/day-sheets.store.ts';
import { type RowName, rowTextsOf } from '../sheets/row-text.ts';
import {
  accountPrefix,
  comparisonKey,
  importKey,
  keyText,
  reportKey,
  reportPrefix,
  sheetKey,
  type TenantName,
  tenantKey,
} from '../table/keys.ts';
import {
  type Decision,
  itemIn,
  readSnapshot,
  type Snapshot,
  writeOptimistically,
} from '../table/optimistic-write.ts';
import { prefixRange } from '../table/sort-ranges.ts';
import type { Action, Item, Table } from '../table/table.ts';
import { isLocked, Locked } from '../tenants/period-lock.ts';
import { Tenant } from '../tenants/tenants.ts';
import { type Comparison, comparisonOf } from './coverage.ts';
import type { TrialBalance } from './trial-balance.ts';

const series = 'PB';

/** A stored trial balance. */
export type StoredReport = {
  date: string;
  fetchedAt: string;
  profitSince: TrialBalance['profitSince'];
  total: Big;
  /** Balances by the platform's account id, positive for a debit. */
  balances: ReadonlyMap<string, Big>;
};

/** The place of a report: each end of a month has its own, and the last day has one. */
const placeOf = (date: string): string => (isMonthEnd(date) ? date : 'LAST');

/** A report is divided into items well below DynamoDB's maximum of 400 KB. */
const maximumPartBytes = 300 * 1024;

const StoredPart = z.object({
  date: z.string(),
  fetchedAt: z.string(),
  profitSince: z.enum(['fiscal_year', 'start_of_books']),
  total: z.string(),
  rows: z.string(),
  parts: z.int(),
});

const partsOf = (lines: readonly string[]): string[] => {
  const parts: string[] = [''];
  for (const line of lines) {
    const last = parts.at(-1) ?? '';
    if (last.length + line.length + 1 > maximumPartBytes) parts.push(line);
    else parts[parts.length - 1] = last === '' ? line : `${last}\n${line}`;
  }
  return parts;
};

/** The posting of a platform balance. `books_moved`: the books are not those that were compared. */
export type Posting = 'posted' | 'period_locked' | 'books_moved' | 'superseded';

const Revised = z.object({ revision: z.int() });
const revisionOf = (item: Item | undefined): number => (item ? Revised.parse(item).revision : 0);

export type PlatformBalances = ReturnType<typeof openPlatformBalances>;

/** @param newRandom returns random bytes for entry ids */
export const openPlatformBalances = (
  table: Table,
  newRandom: (size: number) => Uint8Array = randomBytes,
) => ({
  /**
   * A connected tenant with its last comparison.
   * @throws ApiError `tenant_not_found` or `tenant_not_connected`
   */
  findTenant: async (name: TenantName) => {
    const keys = [tenantKey(name), importKey(name), comparisonKey(name)] as const;
    const items = await table.getMany(keys);
    const [tenant, lastImport, comparison] = keys.map((key) => items.get(keyText(key)));
    if (tenant === undefined) throw new ApiError('tenant_not_found');
    // Every tenant that was ever connected has an import.
    if (lastImport === undefined) throw new ApiError('tenant_not_connected');
    return { tenant: Tenant.parse(tenant), comparison: comparisonOf(comparison) };
  },

  /** The last comparison, also if there was none yet. */
  findComparison: async (name: TenantName): Promise<Comparison> =>
    comparisonOf(await table.get(comparisonKey(name))),

  saveComparison: (name: TenantName, comparison: Comparison): Promise<unknown> => {
    const events = comparison.reason === null ? (['balances.checked'] as const) : [];
    const put = { ...comparisonKey(name), ...comparison, ...declaredEvents(...events) };
    return table.transact([{ put }]);
  },

  /** The whole chart, which maps accounts to those of the platform. */
  readChart: async (name: TenantName): Promise<AccountsByCode> =>
    byCode(await table.query(prefixRange(tenantKey(name).pk, accountPrefix))),

  /** All sheets up to a date, in order. */
  listSheets: (name: TenantName, to: string): Promise<NamedSheet[]> =>
    openDaySheets(table).list(name, { to }),

  /** Stores a report instead of the last one of its place. */
  saveReport: async (
    name: TenantName,
    report: { date: string; fetchedAt: string; trialBalance: TrialBalance },
  ): Promise<void> => {
    const { trialBalance, ...header } = report;
    const lines = trialBalance.rows.map(({ accountId, balance }) =>
      [accountId, balance.toFixed()].join('\t'),
    );
    const parts = partsOf(lines);
    for (const [part, rows] of parts.entries()) {
      const { profitSince, total } = trialBalance;
      const fields = { ...header, profitSince, total: total.toFixed(), rows, parts: parts.length };
      const key = reportKey(name, placeOf(report.date), part);
      await table.transact([{ put: { ...key, ...fields } }]);
    }
  },

  /** The stored report of a date. */
  findReport: async (name: TenantName, date: string): Promise<StoredReport | undefined> => {
    const items = await table.query(prefixRange(tenantKey(name).pk, reportPrefix(placeOf(date))));
    const [first, ...others] = items.map((item) => StoredPart.parse(item));
    if (first?.date !== date) return undefined;
    const parts = [first, ...others].slice(0, first.parts);
    const { fetchedAt, profitSince, total } = first;
    const balances = new Map(
      parts
        .flatMap(({ rows }) => (rows === '' ? [] : rows.split('\n')))
        .map((line): [string, Big] => {
          const [accountId = '', balance = '0'] = line.split('\t');
          return [accountId, new Big(balance)];
        }),
    );
    return { date, fetchedAt, profitSince, total: new Big(total), balances };
  },

  /**
   * Posts a platform balance under the next number of its date, unless the date is locked. The
   * transaction requires the run that compared, and the sheet that it compared: a run that lost its
   * lease writes nothing, and an entry whose reply was lost is not written again.
   * @param options.revision the revision of the date's sheet when it was compared; 0 without one
   */
  post: async (
    name: TenantName,
    entry: UnnumberedEntry<PlatformBalance>,
    { runId, revision }: { runId: string; revision: number },
  ): Promise<Posting> => {
    const sheet = sheetKey(name, { series, date: entry.date });
    const reread = [
      tenantKey(name),
      importKey(name),
      ...sheetKeysOf(name, { series, entries: [entry] }),
    ];
    const random = newRandom(entryIdRandomBytes);
    const decide = (snapshot: Snapshot): Decision<Posting> => {
      if (itemIn(snapshot, importKey(name))?.runId !== runId) return { result: 'superseded' };
      const tenant = Locked.parse(itemIn(snapshot, tenantKey(name)) ?? {});
      if (isLocked(entry.postingDate, tenant)) return { result: 'period_locked' };
      if (revisionOf(itemIn(snapshot, sheet)) !== revision) return { result: 'books_moved' };
      const entries = [{ entry, random }];
      const { actions, blocks } = recordingOf(name, { series, entries }, snapshot);
      const isCurrentRun: Action = {
        check: importKey(name),
        condition: 'runId = :runId',
        values: { ':runId': runId },
      };
      return { result: 'posted', actions: withBlocks([...actions, isCurrentRun], blocks) };
    };
    return writeOptimistically(table, await readSnapshot(table, reread), { decide, reread });
  },
});

/** The book amounts of a sheet's rows by the names of accounts, positive for a debit. */
export const amountsOfRows = (rows: string): [name: RowName, amount: Big][] =>
  rowTextsOf(rows)
    .filter(([, currency]) => currency === '')
    .map(([name, , debit, credit]) => [name, new Big(debit || 0).minus(credit || 0)]);
