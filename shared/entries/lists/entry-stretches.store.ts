// Divides a list of entries into stretches of dates that the filter excludes, by their day sheets,
// and others. So a page passes over thousands of entries without reading them.

import type { NamedSheet, SheetName } from '../../sheets/day-sheet.ts';
import { namedSheetOf } from '../../sheets/day-sheets.store.ts';
import { mayHaveBlocks } from '../../sheets/entry-blocks.ts';
import { type TenantName, tenantKey } from '../../table/keys.ts';
import type { PageBudget } from '../../table/pages.ts';
import { sortRange } from '../../table/sort-ranges.ts';
import type { Item, Table } from '../../table/table.ts';
import { openBlockStretches } from './block-stretches.store.ts';
import {
  filedBounds,
  type ListPosition,
  type ListRange,
  rangeBounds,
  type Stretch,
  sheetBounds,
  within,
} from './entry-bounds.store.ts';
import { type EntryFilter, isOfSomeBlocks, mayMatchOn } from './entry-filter.ts';

/** Small, because the sheet of a date with thousands of accounts takes many read units. */
const firstSheets = 4;

/** A call reads at most this many times the sheets that were read before it. */
const maximumGrowth = 8;

/** The read units that stay for the entries that the last of these sheets may have. */
const unitsForEntries = 8;

/** Fewer entries are read with their neighbours, because another call would cost more. */
const worthPassingOver = 20;

/** Neighbouring sheets that the filter excludes or does not, in the order of the list. */
type Run = {
  sheets: [NamedSheet, ...NamedSheet[]];
  mayMatch: boolean;
  /** One sheet, with entries that its blocks may exclude. */
  hasBlocks: boolean;
};

const entriesOn = ({ sheets }: Run): number =>
  sheets.reduce((sum, { lastSequence }) => sum + lastSequence, 0);

const joinAlike = (runs: readonly Run[]): Run[] => {
  const joined: Run[] = [];
  for (const run of runs) {
    const last = joined.at(-1);
    const isAlike = last?.mayMatch === run.mayMatch && !last.hasBlocks && !run.hasBlocks;
    if (isAlike) last.sheets.push(...run.sheets);
    else joined.push({ ...run, sheets: [...run.sheets] });
  }
  return joined;
};

const runsOf = (sheets: readonly NamedSheet[], filter: EntryFilter): Run[] => {
  const runs = joinAlike(
    sheets.map((sheet) => {
      const mayMatch = mayMatchOn(filter, sheet);
      const hasBlocks = mayMatch && isOfSomeBlocks(filter) && mayHaveBlocks(sheet);
      return { sheets: [sheet], mayMatch, hasBlocks };
    }),
  );
  const isShort = (run: Run, index: number): boolean =>
    index > 0 && index < runs.length - 1 && entriesOn(run) < worthPassingOver;
  return joinAlike(
    runs.map((run, index) => (isShort(run, index) ? { ...run, mayMatch: true } : run)),
  );
};

/** The position after all entries of a sheet. Sequences begin with 1. */
const endOf = (
  { date, series, lastSequence }: NamedSheet,
  { order }: Pick<ListRange, 'order'>,
): ListPosition => {
  const sequence = order === 'asc' ? Math.max(lastSequence, 1) : 1;
  return { date, place: { date, series, sequence } };
};

/** The bounds of all entries of these sheets, in either order. */
const boundsOfSheets = (one: SheetName, other: SheetName) => {
  const [first, last] = [rangeBounds({ of: one }), rangeBounds({ of: other })];
  return first.from < last.from
    ? { from: first.from, to: last.to }
    : { from: last.from, to: first.to };
};

const stretchOf = (
  { sheets, mayMatch }: Run,
  { name, range, isLast }: { name: TenantName; range: ListRange; isLast: boolean },
): Stretch => {
  const last = sheets.at(-1) ?? sheets[0];
  const bounds = mayMatch
    ? within(filedBounds(name, range), boundsOfSheets(sheets[0], last))
    : undefined;
  return { bounds, end: endOf(last, range), isLast };
};

export const openEntryStretches = (table: Pick<Table, 'queryPage'>) => {
  const blockStretches = openBlockStretches(table);
  return {
    /** Yields the stretches of a list in its order. Ends early if the page has no units left. */
    list: async function* (
      name: TenantName,
      range: ListRange,
      { filter, budget }: { filter: EntryFilter; budget: PageBudget },
    ): AsyncGenerator<Stretch> {
      const bounds = sheetBounds(name, range);
      if (bounds.first > bounds.last) return;
      const query = {
        ...sortRange(tenantKey(name).pk, bounds),
        ScanIndexForward: range.order === 'asc',
      };
      let [sheets, units] = [0, 0];
      let from: Item | undefined;
      let Limit = firstSheets;
      do {
        const page = await table.queryPage({ ...query, Limit }, from);
        from = page.next;
        sheets += page.items.length;
        units += page.units;
        budget.spend(page.units);
        const runs = runsOf(page.items.map(namedSheetOf), filter);
        for (const [index, run] of runs.entries()) {
          const isLast = from === undefined && index === runs.length - 1;
          const [sheet] = run.sheets;
          if (run.hasBlocks) {
            const part = { name, sheet, range, filter, isLast };
            yield* blockStretches.list(part, budget);
          } else yield stretchOf(run, { name, range, isLast });
        }
        const affordable = ((budget.unitsLeft() - unitsForEntries) * sheets) / units;
        Limit = Math.floor(Math.min(affordable, maximumGrowth * sheets));
      } while (from !== undefined && Limit > 0);
    },
  };
};
