// Carries the totals of a tenant's accounts forward, month by month. It can be killed after any
// call and run again, and reports and posts go on at the same time.
//
// A month is carried in these steps:
// 1. Its chains are stored, so a post that creates a sheet of the month makes its rows late.
// 2. Each sheet of the month begins its late rows. From then on its other rows do not change.
// 3. The late rows of earlier sheets are marked as carried from this month on.
// 4. The totals are stored: those of the month before, the sheets and the marked rows.
// 5. The month joins the carried months. Until then, no report uses its totals.

import * as z from 'zod/mini';
import { type ChainHead, monthHashesOf } from '../entries/entry-hash.ts';
import { dateOf, isWithin } from '../money/dates.ts';
import { dueCarryKey } from '../table/due-keys.ts';
import { updateAction } from '../table/field-updates.ts';
import {
  carriedMonthsKey,
  carriedTotalsKey,
  chainsKey,
  type Key,
  lateSheetKey,
  readSheetKey,
  sheetKey,
  sheetPrefix,
  type TenantName,
  tenantKey,
  tenantNameOf,
  tenantSort,
} from '../table/keys.ts';
import type { MigrationStep } from '../table/migration-step.ts';
import { retryOnContention } from '../table/retry.ts';
import { sortRange } from '../table/sort-ranges.ts';
import { type Action, type Table, transactionOf } from '../table/table.ts';
import {
  carriedMonthsOf,
  formatChains,
  monthsOf,
  noTotals,
  openCarriedTotals,
  withChainsOf,
} from './carried-totals.store.ts';
import {
  carryDateOf,
  isLateFor,
  lastMonthToCarry,
  monthAfter,
  monthOf,
  sumOfRows,
} from './carried-totals.ts';
import type { DatedSheetText, LateRows } from './day-sheet.ts';
import { openDaySheets, type SheetName } from './day-sheets.store.ts';

const nextCarryDate = (now: Date): string => carryDateOf(monthAfter(lastMonthToCarry(dateOf(now))));

/** The item that makes a new tenant's totals be carried, from its second month on. */
export const carryAction = (name: TenantName, now: Date): Action => ({
  put: { ...carriedMonthsKey(name), ...dueCarryKey(name, nextCarryDate(now)), months: [] },
});

/** Before all other dates: the tenant is due at once. */
const firstCarryDate = '0001-01-01';

/** Enrols the tenants of the stored format 4, whose totals were not carried. */
export const enrolTenants: MigrationStep = {
  name: 'totals carried forward',
  start: () => {
    const tenants = new Map<string, TenantName>();
    const enrolled = new Set<string>();
    return {
      convert: (item) => {
        const { pk, sk } = item as Key;
        const name = tenantNameOf({ pk });
        if (name !== undefined && sk === tenantSort) tenants.set(pk, name);
        if (name !== undefined && sk === carriedMonthsKey(name).sk) enrolled.add(pk);
        return [];
      },
      finish: () =>
        [...tenants]
          .filter(([pk]) => !enrolled.has(pk))
          .map(([, name]) => {
            const { due_pk, due_sk } = dueCarryKey(name, firstCarryDate);
            return [updateAction(carriedMonthsKey(name), { initial: { due_pk, due_sk } })];
          }),
    };
  },
};

/** The last month that is done, and when all months were to be carried again. */
const StoredProgress = z.object({ done: z.optional(z.string()), restartedAt: z.optional(z.int()) });

/** Longer than any report takes. A report that began before a restart uses the earlier totals. */
const restartMilliseconds = 60_000;

/** A part of the totals has room below the maximum of an item, 400 KB. */
const maximumPartBytes = 300_000;

/** Divides rows into parts that fit into an item. Returns at least one part. */
const partsOf = (rows: string): string[] => {
  const parts: string[] = [''];
  for (const line of rows === '' ? [] : rows.split('\n')) {
    const last = parts.at(-1) ?? '';
    const longer = last === '' ? line : `${last}\n${line}`;
    if (Buffer.byteLength(longer) <= maximumPartBytes || last === '')
      parts[parts.length - 1] = longer;
    else parts.push(line);
  }
  return parts;
};

export type CarryForward = ReturnType<typeof openCarryForward>;

export const openCarryForward = (table: Table) => {
  const daySheets = openDaySheets(table);
  const carriedTotals = openCarriedTotals(table);

  /**
   * Replaces the late rows of a sheet and the item that names it, until no other write comes in
   * between.
   * @param lateFrom returns the new late rows; `undefined` to leave the sheet as it is
   * @returns the sheet after the change
   */
  const replaceLate = (
    name: TenantName,
    of: SheetName,
    {
      found,
      lateFrom,
    }: { found: DatedSheetText; lateFrom: (sheet: DatedSheetText) => LateRows[] | undefined },
  ): Promise<DatedSheetText> => {
    let sheet: DatedSheetText | undefined = found;
    return retryOnContention(async () => {
      sheet ??= (await daySheets.findTexts(name, [of]))[0];
      if (sheet === undefined) throw new Error(`the sheet of ${of.date} has gone`);
      const late = lateFrom(sheet);
      if (late === undefined) return sheet;
      const { revision } = sheet;
      const actions: Action[] = [
        updateAction(sheetKey(name, of), {
          set: { late },
          increment: ['revision'],
          expected: { revision },
        }),
        late.length === 0
          ? { delete: lateSheetKey(name, of) }
          : { put: { ...lateSheetKey(name, of), carriedFrom: newestOf(late) } },
      ];
      const outcome = await table.tryTransact(transactionOf(actions));
      if (outcome?.committed) return { ...sheet, late, revision: revision + 1 };
      sheet = undefined;
      return undefined;
    });
  };

  /** Makes all rows of the month's sheets part of its totals. Later rows are late. */
  const beginLate = async (name: TenantName, month: string): Promise<DatedSheetText[]> => {
    const sheets = await daySheets.listTexts(name, { from: `${month}-01`, to: `${month}-31` });
    const changed: DatedSheetText[] = [];
    for (const sheet of sheets) {
      const lateFrom = ({ late }: DatedSheetText) => (late?.length === 0 ? undefined : []);
      changed.push(await replaceLate(name, sheet, { found: sheet, lateFrom }));
    }
    return changed;
  };

  /** Marks the late rows of earlier months as carried from this month on. */
  const markLate = async (name: TenantName, month: string, previous: string) => {
    const late = await carriedTotals.listLate(name);
    const names = late.filter((it) => monthOf(it.date) < month && isLateFor(previous, it));
    const marked: DatedSheetText[] = [];
    for (const found of await daySheets.findTexts(name, names)) {
      const lateFrom = ({ late = [] }: DatedSheetText) => lateCarriedFrom(month, late);
      marked.push(await replaceLate(name, found, { found, lateFrom }));
    }
    return marked;
  };

  const storeChains = async (
    name: TenantName,
    month: string,
    chains: readonly ChainHead[],
  ): Promise<void> => {
    await table.update(
      updateAction(chainsKey(name, month), { set: { chains: formatChains(chains) } }),
    );
  };

  const carryMonth = async (
    name: TenantName,
    month: string,
    months: readonly string[],
  ): Promise<'carried' | 'empty'> => {
    await table.update(updateAction(chainsKey(name, month), { initial: { chains: '' } }));
    const sheets = await beginLate(name, month);
    if (sheets.length === 0) return 'empty';
    const previous = months.at(-1);
    const marked = previous === undefined ? [] : await markLate(name, month, previous);
    const totals =
      previous === undefined ? noTotals : await carriedTotals.getTotals(name, previous);
    const markedRows = marked.flatMap(({ late = [] }) =>
      late.filter(({ carriedFrom }) => carriedFrom === month).map(({ rows }) => rows),
    );
    const rows = sumOfRows([...totals.rows, ...sheets.map((it) => it.rows), ...markedRows]);
    await storeChains(name, month, sheets);
    const changed = monthsOf(marked);
    const hashes = new Map([...totals.hashes, ...monthHashesOf(sheets)]);
    for (const earlier of changed) {
      const stored = await carriedTotals.findChains(name, [earlier]);
      const ofMonth = marked.filter(({ date }) => monthOf(date) === earlier);
      const chains = withChainsOf(stored, ofMonth);
      await storeChains(name, earlier, chains);
      for (const [key, hash] of monthHashesOf(chains)) hashes.set(key, hash);
    }
    const parts = partsOf(rows);
    for (const [index, part] of parts.entries()) {
      const first = index === 0 && { parts: parts.length, hashes: Object.fromEntries(hashes) };
      const set = { rows: part, ...first };
      await table.update(updateAction(carriedTotalsKey(name, month, index + 1), { set }));
    }
    return 'carried';
  };

  /** The month of the first sheet; `undefined` if the tenant has none. */
  const findFirstMonth = async (name: TenantName): Promise<string | undefined> => {
    const range = sortRange(tenantKey(name).pk, { first: sheetPrefix, last: `${sheetPrefix}~` });
    const [first] = (await table.queryPage({ ...range, Limit: 1 })).items;
    return first && monthOf(readSheetKey({ sk: String(first.sk) }).date);
  };

  return {
    /**
     * Carries the next month of a tenant if it is due.
     * @param now the present. Months that ended lately are not due.
     * @returns `later` while readers may still use totals that are to be replaced
     */
    carryNext: async (name: TenantName, now: Date): Promise<'carried' | 'done' | 'later'> => {
      const item = await table.get(carriedMonthsKey(name));
      const { done, restartedAt = 0 } = StoredProgress.parse(item ?? {});
      if (isWithin(restartMilliseconds, { since: restartedAt, now: now.getTime() })) return 'later';
      const months = carriedMonthsOf(item);
      const next = done === undefined ? await findFirstMonth(name) : monthAfter(done);
      if (next === undefined || next > lastMonthToCarry(dateOf(now))) return 'done';
      const outcome = await carryMonth(name, next, months);
      await table.update(
        updateAction(carriedMonthsKey(name), {
          set: { done: next, months: outcome === 'carried' ? [...months, next] : months },
          expected: { done },
        }),
      );
      return 'carried';
    },

    /** Makes the tenant due again when the next month can be carried. */
    sleep: async (name: TenantName, now: Date): Promise<void> => {
      const { due_sk } = dueCarryKey(name, nextCarryDate(now));
      await table.update(updateAction(carriedMonthsKey(name), { set: { due_sk } }));
    },

    /** Makes the next runs carry all months again. Reports use the sheets until then. */
    restart: async (name: TenantName, now: Date): Promise<void> => {
      const due = dueCarryKey(name, now.toISOString());
      await table.update(
        updateAction(carriedMonthsKey(name), {
          set: { ...due, done: undefined, months: [], restartedAt: now.getTime() },
        }),
      );
    },
  };
};

/** The rows with the pending ones marked; `undefined` if none are pending. */
const lateCarriedFrom = (month: string, late: readonly LateRows[]): LateRows[] | undefined => {
  if (late.every(({ carriedFrom }) => carriedFrom !== undefined)) return undefined;
  const [ofMonth, others] = [true, false].map((isOfMonth) =>
    late.filter(({ carriedFrom = month }) => (carriedFrom === month) === isOfMonth),
  );
  const rows = sumOfRows((ofMonth ?? []).map((it) => it.rows));
  return [...(others ?? []), { rows, carriedFrom: month }];
};

/** The month from which on the totals have all late rows; `undefined` if some are pending. */
const newestOf = (late: readonly LateRows[]): string | undefined =>
  late.some(({ carriedFrom }) => carriedFrom === undefined)
    ? undefined
    : late
        .map(({ carriedFrom = '' }) => carriedFrom)
        .sort()
        .at(-1);
