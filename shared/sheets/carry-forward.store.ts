// Carries the totals of a tenant's accounts forward, from one date to the next. It can be killed
// after any call and run again, and reports and posts go on at the same time.
//
// A date is carried in these steps:
// 1. The dates up to it are closed: sheets that are created from then on begin with late rows.
// 2. The sheets since the last carried date begin their late rows too. Their other rows are
//    complete.
// 3. The late rows of earlier sheets are marked as carried on this date.
// 4. The totals are stored: those of the last carried date, the sheets and the marked rows.
// 5. The date joins the carried dates. Until then, no report uses its totals.

import { type ChainHead, monthHashesOf } from '../entries/entry-hash.ts';
import { ApiError } from '../errors.ts';
import { addDays, dateOf, earlierOf, isWithin } from '../money/dates.ts';
import { batchesOf } from '../table/batches.ts';
import {
  carriedKey,
  carriedTotalsKey,
  carriedTotalsPrefix,
  chainsKey,
  lateSheetKey,
} from '../table/carried-keys.ts';
import { dueCarryKey } from '../table/due-keys.ts';
import { type Fields, type FieldUpdate, updateAction } from '../table/field-updates.ts';
import { type Key, readSheetKey, type TenantName, tenantKey } from '../table/keys.ts';
import { retryOnContention } from '../table/retry.ts';
import { prefixRange } from '../table/sort-ranges.ts';
import { type Action, type Table, transactionOf } from '../table/table.ts';
import { isMonthEnd, lastDateToCarry, monthEndOf, monthOf, monthsOf } from './carried-dates.ts';
import {
  type CarriedState,
  carriedStateOf,
  formatChains,
  formatHashes,
  type LateSheet,
  openCarriedTotals,
  withChainsOf,
} from './carried-totals.store.ts';
import { isLateFor, sumOfRows } from './carried-totals.ts';
import type { LateRows, NamedSheet } from './day-sheet.ts';
import { openDaySheets, sheetActions, sheetRange } from './day-sheets.store.ts';
import { formatRowTexts, rowTextsOf } from './row-text.ts';

/** Longer than any report takes. A report that began before a restart uses the earlier totals. */
const restartMilliseconds = 60_000;

/** Each report reads the names of all sheets with late rows. More of them are not worth it. */
const maximumLateSheets = 100;

/** A part of the totals has room below the maximum of an item, 400 KB. */
const maximumPartBytes = 300_000;

/** Divides rows into parts that fit into an item. Returns at least one part. */
const partsOf = (rows: string): string[] => {
  if (Buffer.byteLength(rows) <= maximumPartBytes) return [rows];
  const texts = rowTextsOf(rows);
  const half = Math.ceil(texts.length / 2);
  return [texts.slice(0, half), texts.slice(half)].flatMap((it) => partsOf(formatRowTexts(it)));
};

/** The rows with the pending ones marked; `undefined` if none are pending. */
const lateCarriedOn = (date: string, late: readonly LateRows[]): LateRows[] | undefined => {
  if (late.every(({ carriedOn }) => carriedOn !== undefined)) return undefined;
  const isOfDate = ({ carriedOn = date }: LateRows): boolean => carriedOn === date;
  const rows = sumOfRows(late.filter(isOfDate).map((it) => it.rows));
  return [...late.filter((it) => !isOfDate(it)), { rows, carriedOn: date }];
};

/** An attempt to carry a date. A later attempt of another run stops it. */
type Attempt = { name: TenantName; date: string; attempt: number };

export type CarryForward = ReturnType<typeof openCarryForward>;

export const openCarryForward = (table: Table) => {
  const daySheets = openDaySheets(table);
  const carriedTotals = openCarriedTotals(table);

  /**
   * Replaces the late rows of a sheet, and the item that names it, until no other write comes in
   * between.
   * @param lateFrom returns the new late rows; `undefined` to leave the sheet as it is
   * @returns the sheet after the change
   * @throws ApiError `contention` if another run carries the tenant's totals
   */
  const replaceLate = (
    { name, attempt }: Attempt,
    found: NamedSheet,
    lateFrom: (late: readonly LateRows[] | undefined) => LateRows[] | undefined,
  ): Promise<NamedSheet> => {
    let sheet: NamedSheet | undefined = found;
    return retryOnContention(async () => {
      sheet ??= (await daySheets.findMany(name, [found]))[0];
      if (sheet === undefined) throw new Error(`the sheet of ${found.date} has gone`);
      const late = lateFrom(sheet.late);
      if (late === undefined) return sheet;
      const { revision } = sheet;
      const carriedOn = late.map((it) => it.carriedOn ?? '').sort();
      const actions: Action[] = [
        ...sheetActions(name, found, { before: sheet, after: { ...sheet, late } }),
        late.length === 0
          ? { delete: lateSheetKey(name, found) }
          : { put: { ...lateSheetKey(name, found), carriedOn: carriedOn.at(-1) } },
        {
          check: carriedKey(name),
          condition: 'attempt = :attempt',
          values: { ':attempt': attempt },
        },
      ];
      const outcome = await table.tryTransact(transactionOf(actions));
      if (outcome?.committed) return { ...sheet, late, revision: revision + 1 };
      if (outcome?.failed.has(actions.length - 1)) {
        throw new ApiError('contention', { retryAfterSeconds: 1 });
      }
      sheet = undefined;
      return undefined;
    });
  };

  /** @throws ApiError `contention` if the condition fails */
  const update = async (key: Key, change: FieldUpdate): Promise<void> => {
    if (await table.update(updateAction(key, change))) return;
    throw new ApiError('contention', { retryAfterSeconds: 1 });
  };

  /**
   * Stores an item, unless a later attempt has stored it.
   * @throws ApiError `contention`
   */
  const store = async (attempt: number, key: Key, fields: Fields): Promise<void> => {
    const isStored = await table.put({
      put: { ...key, ...fields, attempt },
      condition: 'attribute_not_exists(attempt) OR attempt <= :attempt',
      values: { ':attempt': attempt },
    });
    if (!isStored) throw new ApiError('contention', { retryAfterSeconds: 1 });
  };

  const removeTotals = async (name: TenantName, date: string): Promise<void> => {
    const range = prefixRange(tenantKey(name).pk, carriedTotalsPrefix(date));
    for (const batch of batchesOf(await table.query(range), 100)) {
      await table.transact(batch.map(({ pk, sk }) => ({ delete: { pk, sk } as Key })));
    }
  };

  /** Stores the totals and the chains of the attempt's date. Returns the hashes of all months. */
  const storeTotals = async (
    carrying: Attempt,
    { dates, hashes }: CarriedState,
    late: readonly LateSheet[],
  ): Promise<Map<string, string>> => {
    const { name, date, attempt } = carrying;
    const last = dates.at(-1);
    const sheets: NamedSheet[] = [];
    for (const sheet of await daySheets.list(name, { after: last, to: date })) {
      const lateFrom = (late: readonly LateRows[] = [{ rows: '' }]) =>
        late.length === 0 ? undefined : [];
      sheets.push(await replaceLate(carrying, sheet, lateFrom));
    }
    const marked: NamedSheet[] = [];
    const lacked = late.filter((it) => it.date <= (last ?? '') && isLateFor(last ?? '', it));
    for (const found of await daySheets.findMany(name, lacked)) {
      const lateFrom = (late: readonly LateRows[] = []) => lateCarriedOn(date, late);
      marked.push(await replaceLate(carrying, found, lateFrom));
    }
    const markedRows = marked.flatMap(({ late = [] }) =>
      late.filter(({ carriedOn }) => carriedOn === date).map(({ rows }) => rows),
    );
    const before = last === undefined ? [] : await carriedTotals.getRows(name, last);
    const rows = sumOfRows([...before, ...sheets.map((it) => it.rows), ...markedRows]);
    const months = monthsOf([...marked, ...sheets]);
    const stored = await carriedTotals.findChains(name, months);
    const chains = withChainsOf(stored, [...marked, ...sheets]);
    for (const month of months) {
      const isOfMonth = (chain: ChainHead): boolean => monthOf(chain.date) === month;
      const text = formatChains(chains.filter(isOfMonth));
      await store(attempt, chainsKey(name, month), { chains: text });
    }
    const parts = partsOf(rows);
    for (const [index, part] of parts.entries()) {
      const count = index === 0 ? { parts: parts.length } : {};
      await store(attempt, carriedTotalsKey(name, date, index + 1), { rows: part, ...count });
    }
    return new Map([...hashes, ...monthHashesOf(chains)]);
  };

  /** Makes the next steps carry all dates from this one on again. */
  const restart = async (name: TenantName, now: Date, from = ''): Promise<void> => {
    const { dates, hashes } = carriedStateOf(await table.get(carriedKey(name)));
    const kept = dates.filter((date) => date < from);
    const isKept = ([month]: readonly [string, string]): boolean =>
      month <= monthOf(kept.at(-1) ?? '');
    const newest = dates.at(-1);
    const isDropped = newest !== undefined && newest !== kept.at(-1) && !isMonthEnd(newest);
    await table.update(
      updateAction(carriedKey(name), {
        set: {
          ...dueCarryKey(name, now.toISOString()),
          dates: kept,
          hashes: formatHashes(new Map([...hashes].filter(isKept))),
          ...(isDropped && { superseded: newest }),
          restartedAt: now.getTime(),
        },
        increment: ['attempt'],
      }),
    );
  };

  /** The first sheet after a date; `undefined` if there is none. */
  const findFirstSheet = async (name: TenantName, after: string | undefined) => {
    const page = await table.queryPage({ ...sheetRange(name, { after }), Limit: 1 });
    return page.items[0] && readSheetKey({ sk: String(page.items[0].sk) });
  };

  return {
    /**
     * Carries the totals of the tenant's next date, if there is one.
     * @returns `later` while reports may still use totals that are to be replaced
     * @throws ApiError `contention` if another run carries the tenant's totals
     */
    carryNext: async (name: TenantName, now: Date): Promise<'carried' | 'done' | 'later'> => {
      const state = carriedStateOf(await table.get(carriedKey(name)));
      const { dates, restartedAt, superseded } = state;
      if (isWithin(restartMilliseconds, { since: restartedAt, now: now.getTime() })) return 'later';
      const late = await carriedTotals.listLate(name);
      const last = dates.at(-1);
      if (late.length > maximumLateSheets && late.some((it) => it.date <= (last ?? ''))) {
        await restart(name, now, late[0]?.date);
        return 'later';
      }
      const latest = lastDateToCarry(dateOf(now));
      const first = await findFirstSheet(name, last);
      if (first === undefined || first.date > latest) return 'done';
      const date = earlierOf(latest, monthEndOf(first.date));
      const attempt = state.attempt + 1;
      const closed = [state.closed ?? '', date].sort().at(-1);
      await update(carriedKey(name), {
        set: { attempt, closed },
        expected: { attempt: state.attempt === 0 ? undefined : state.attempt },
      });
      if (superseded !== undefined) await removeTotals(name, superseded);
      const hashes = await storeTotals({ name, date, attempt }, state, late);
      const isReplaced = last !== undefined && !isMonthEnd(last);
      const set = {
        dates: [...(isReplaced ? dates.slice(0, -1) : dates), date],
        hashes: formatHashes(hashes),
        superseded: isReplaced ? last : undefined,
      };
      await update(carriedKey(name), { set, expected: { attempt } });
      return 'carried';
    },

    /** Makes the tenant due again on the next day. */
    sleep: async (name: TenantName, now: Date): Promise<void> => {
      const { due_sk } = dueCarryKey(name, addDays(dateOf(now), 1));
      await table.update(updateAction(carriedKey(name), { set: { due_sk, stuck: undefined } }));
    },

    /** Makes the next runs carry all totals again. Reports use the sheets until then. */
    restart,
  };
};
