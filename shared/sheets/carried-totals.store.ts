// Stores the carried totals of tenants. Reports read them; carry-forward.store.ts writes them.

import * as z from 'zod/mini';
import type { ChainHead } from '../entries/entry-hash.ts';
import {
  carriedMonthsKey,
  carriedTotalsPrefix,
  chainsKey,
  dateOfPlace,
  keyText,
  lateSheetPrefix,
  readSheetKey,
  type TenantName,
  tenantKey,
} from '../table/keys.ts';
import { prefixRange, sortRange } from '../table/sort-ranges.ts';
import type { Item, Table } from '../table/table.ts';
import { type CarriedMonths, monthOf } from './carried-totals.ts';
import type { SheetName } from './day-sheets.store.ts';

const StoredMonths = z.object({ months: z._default(z.array(z.string()), []) });

/** The carried months in the item of `carriedMonthsKey`. */
export const carriedMonthsOf = (item: Item | undefined): CarriedMonths =>
  StoredMonths.parse(item ?? {}).months;

/**
 * A part of the totals of a month. The first part has the number of parts, and the hashes of this
 * month and of all earlier ones.
 */
export const StoredTotals = z.object({
  rows: z.string(),
  parts: z.optional(z.int()),
  hashes: z.optional(z.record(z.string(), z.string())),
});

/** The totals at the end of a month, as rows, and the hashes of all months up to it. */
export type CarriedTotals = { rows: readonly string[]; hashes: ReadonlyMap<string, string> };

export const noTotals: CarriedTotals = { rows: [], hashes: new Map() };

/**
 * The chains of a carried month, in tab-separated lines. Every month from the first carried month to
 * the last one has this item, which makes new sheets of the month have late rows.
 */
export const StoredChains = z.object({ chains: z.string() });

export const formatChains = (chains: readonly ChainHead[]): string =>
  chains
    .map(({ date, series, counted, head }) => [date, series, counted, head].join('\t'))
    .join('\n');

const readChains = (text: string): ChainHead[] =>
  text === ''
    ? []
    : text.split('\n').map((line) => {
        const [date = '', series = '', counted, head = ''] = line.split('\t');
        return { date, series, counted: Number(counted), head };
      });

const StoredLateSheet = z.object({ sk: z.string(), carriedFrom: z.optional(z.string()) });

/** A sheet with late rows. The totals from the month `carriedFrom` on have all of them. */
export type LateSheet = SheetName & { carriedFrom?: string | undefined };

export type CarriedTotalsStore = ReturnType<typeof openCarriedTotals>;

export const openCarriedTotals = (table: Pick<Table, 'get' | 'getMany' | 'query'>) => ({
  findMonths: async (name: TenantName): Promise<CarriedMonths> =>
    carriedMonthsOf(await table.get(carriedMonthsKey(name))),

  /** The totals at the end of a carried month. */
  getTotals: async (name: TenantName, month: string): Promise<CarriedTotals> => {
    const items = await table.query(prefixRange(tenantKey(name).pk, carriedTotalsPrefix(month)));
    const all = items.map((item) => StoredTotals.parse(item));
    const { parts = 0, hashes = {} } = all[0] ?? {};
    if (parts === 0 || all.length < parts) throw new Error(`the totals of ${month} are missing`);
    return {
      rows: all.slice(0, parts).map(({ rows }) => rows),
      hashes: new Map(Object.entries(hashes)),
    };
  },

  /** The sheets with late rows in the months up to this one, ordered by date. */
  listLate: async (name: TenantName, upTo = '9999-12'): Promise<LateSheet[]> => {
    const bounds = { first: lateSheetPrefix, last: `${lateSheetPrefix}${upTo}-~` };
    const items = await table.query(sortRange(tenantKey(name).pk, bounds));
    return items.map((item) => {
      const { sk, carriedFrom } = StoredLateSheet.parse(item);
      return { ...readSheetKey({ sk }), carriedFrom };
    });
  },

  /** The stored chains of these carried months. */
  findChains: async (name: TenantName, months: Iterable<string>): Promise<ChainHead[]> => {
    const keys = [...new Set(months)].map((month) => chainsKey(name, month));
    const items = await table.getMany(keys);
    return keys.flatMap((key) => {
      const item = items.get(keyText(key));
      return item ? readChains(StoredChains.parse(item).chains) : [];
    });
  },
});

/** The chains with those of these sheets in the place of earlier ones. */
export const withChainsOf = (
  chains: readonly ChainHead[],
  sheets: readonly ChainHead[],
): ChainHead[] => {
  const nameOf = ({ date, series }: ChainHead) => `${date}\t${series}`;
  return [
    ...new Map([...chains, ...sheets].map((chain) => [nameOf(chain), chain] as const)).values(),
  ];
};

/** The month in the key of a stored chain. */
export const monthOfChains = (sk: string): string => dateOfPlace({ sk });

export const monthsOf = (sheets: readonly { date: string }[]): string[] => [
  ...new Set(sheets.map(({ date }) => monthOf(date))),
];
