// Reads the carried totals of tenants. carry-forward.store.ts writes them.

import * as z from 'zod/mini';
import type { ChainHead, MonthHashes } from '../entries/entry-hash.ts';
import { carriedTotalsPrefix, chainsKey, lateSheetPrefix } from '../table/carried-keys.ts';
import { keyText, readSheetKey, type TenantName, tenantKey } from '../table/keys.ts';
import { prefixRange } from '../table/sort-ranges.ts';
import type { Item, Table } from '../table/table.ts';
import type { CarriedDates } from './carried-dates.ts';
import type { SheetName } from './day-sheet.ts';

/**
 * What of a tenant's books is carried. `hashes` has the hashes of all carried months. New sheets up
 * to `closed` begin with late rows. Each attempt to carry a date has a higher number.
 */
const StoredCarried = z.object({
  dates: z._default(z.array(z.string()), []),
  hashes: z._default(z.string(), ''),
  closed: z.optional(z.string()),
  attempt: z._default(z.int(), 0),
  superseded: z.optional(z.string()),
  restartedAt: z._default(z.int(), 0),
});

export type CarriedState = Omit<z.infer<typeof StoredCarried>, 'dates' | 'hashes'> & {
  dates: CarriedDates;
  hashes: MonthHashes;
};

const linesOf = (text: string): string[] => (text === '' ? [] : text.split('\n'));

const encoded = (text: string, from: 'hex' | 'base64url', to: 'hex' | 'base64url'): string =>
  Buffer.from(text, from).toString(to);

/** One line per month. Base64 takes a third less space than hexadecimal digits. */
export const formatHashes = (hashes: MonthHashes): string =>
  [...hashes].map(([month, hash]) => `${month}\t${encoded(hash, 'hex', 'base64url')}`).join('\n');

/** The state in the item of `carriedKey`. */
export const carriedStateOf = (item: Item | undefined): CarriedState => {
  const { hashes, ...state } = StoredCarried.parse(item ?? {});
  const pairs = linesOf(hashes).map((line): [string, string] => {
    const [month = '', hash = ''] = line.split('\t');
    return [month, encoded(hash, 'base64url', 'hex')];
  });
  return { ...state, hashes: new Map(pairs) };
};

/** A part of the totals of a date. The first part has the number of parts. */
const StoredTotals = z.object({ rows: z.string(), parts: z.optional(z.int()) });

/** The chains of the carried dates of a month, in tab-separated lines. */
const StoredChains = z.object({ chains: z.string() });

export const formatChains = (chains: readonly ChainHead[]): string =>
  chains
    .map(({ date, series, counted, head }) => [date, series, counted, head].join('\t'))
    .join('\n');

const readChains = (text: string): ChainHead[] =>
  linesOf(text).map((line) => {
    const [date = '', series = '', counted, head = ''] = line.split('\t');
    return { date, series, counted: Number(counted), head };
  });

const StoredLateSheet = z.object({ sk: z.string(), carriedOn: z.optional(z.string()) });

/** A sheet with late rows. The totals from the date `carriedOn` on have all of them. */
export type LateSheet = SheetName & { carriedOn?: string | undefined };

export const openCarriedTotals = (table: Pick<Table, 'getMany' | 'query'>) => ({
  /** The rows of the totals of a carried date. */
  getRows: async (name: TenantName, date: string): Promise<string[]> => {
    const items = await table.query(prefixRange(tenantKey(name).pk, carriedTotalsPrefix(date)));
    const all = items.map((item) => StoredTotals.parse(item));
    const { parts = 0 } = all[0] ?? {};
    if (parts === 0 || all.length < parts) throw new Error(`the totals of ${date} are missing`);
    return all.slice(0, parts).map(({ rows }) => rows);
  },

  /** The sheets with late rows, ordered by date. */
  listLate: async (name: TenantName): Promise<LateSheet[]> => {
    const items = await table.query(prefixRange(tenantKey(name).pk, lateSheetPrefix));
    return items.map((item) => {
      const { sk, carriedOn } = StoredLateSheet.parse(item);
      return { ...readSheetKey({ sk }), carriedOn };
    });
  },

  /** The stored chains of these months. */
  findChains: async (name: TenantName, months: readonly string[]): Promise<ChainHead[]> => {
    const keys = months.map((month) => chainsKey(name, month));
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
