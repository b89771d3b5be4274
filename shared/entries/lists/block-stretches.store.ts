// Divides the entries of a date into stretches that its blocks exclude, and others.

import * as z from 'zod/mini';
import type { NamedSheet } from '../../sheets/day-sheet.ts';
import {
  blocksAround,
  type EntryBlock,
  firstOfBlock,
  type PartOfSheet,
  partsOfRange,
  type SequenceRange,
} from '../../sheets/entry-blocks.ts';
import { type TenantName, tenantKey } from '../../table/keys.ts';
import { blockKey, lastInBlockKey } from '../../table/list-keys.ts';
import type { PageBudget } from '../../table/pages.ts';
import { sortRange } from '../../table/sort-ranges.ts';
import type { Item, Table } from '../../table/table.ts';
import {
  boundsOfPlaces,
  filedBounds,
  type ListRange,
  type Stretch,
  within,
} from './entry-bounds.store.ts';
import { blockFilterOf, type EntryFilter } from './entry-filter.ts';

const StoredBlock = z.object({
  sk: z.string(),
  accounts: z.string(),
  recordedUntil: z.optional(z.int()),
});

const blockOf = (item: Item): EntryBlock => {
  const { sk, ...block } = StoredBlock.parse(item);
  return { last: lastInBlockKey({ sk }), ...block };
};

/** The sequences of a sheet that follow the position of a list. */
const sequencesAfter = (
  { date, series, lastSequence }: NamedSheet,
  { order, after }: ListRange,
): SequenceRange => {
  const place = after?.place;
  if (place?.date !== date || place.series !== series) return { first: 1, last: lastSequence };
  return order === 'asc'
    ? { first: place.sequence + 1, last: lastSequence }
    : { first: 1, last: place.sequence - 1 };
};

/** More blocks take too many of a page's read units. */
const blocksPerCall = 100;

/** A part of a list on one date. `isLast` is whether the list ends with the date. */
type ListedSheet = {
  name: TenantName;
  sheet: NamedSheet;
  range: ListRange;
  filter: EntryFilter;
  isLast: boolean;
};

/** The stretch of a part of the sequences of a sheet. */
const stretchOf = (
  { name, sheet: { date, series }, range, isLast }: ListedSheet,
  { part: { first, last, mayMatch }, all }: { part: PartOfSheet; all: SequenceRange },
): Stretch => {
  const placeAt = (sequence: number) => ({ date, series, sequence });
  const [start, end] = [placeAt(first), placeAt(last)];
  const isAscending = range.order === 'asc';
  const places = boundsOfPlaces(name, { first: start, last: end });
  return {
    bounds: mayMatch ? within(filedBounds(name, range), places) : undefined,
    end: { date, place: isAscending ? end : start },
    isLast: isLast && (isAscending ? last === all.last : first === all.first),
  };
};

export const openBlockStretches = (table: Pick<Table, 'queryPage'>) => {
  /** Yields pages of the blocks of a range in the order of the list, and the range of each page. */
  async function* readBlocks(
    { name, sheet, range: { order } }: ListedSheet,
    { range, budget }: { range: SequenceRange; budget: PageBudget },
  ): AsyncGenerator<{ part: SequenceRange; blocks: EntryBlock[] }> {
    const isAscending = order === 'asc';
    const { first, last } = blocksAround(range);
    const bounds = { first: blockKey(name, sheet, first).sk, last: blockKey(name, sheet, last).sk };
    const query = { ...sortRange(tenantKey(name).pk, bounds), ScanIndexForward: isAscending };
    const rest = { ...range };
    let from: Item | undefined;
    do {
      const page = await table.queryPage({ ...query, Limit: blocksPerCall }, from);
      budget.spend(page.units);
      from = page.next;
      const blocks = page.items.map(blockOf);
      const end = from && blocks.at(-1);
      const part = { ...rest };
      if (end && isAscending) part.last = end.last;
      if (end && !isAscending) part.first = firstOfBlock(end);
      yield { part, blocks: isAscending ? blocks : blocks.toReversed() };
      if (isAscending) rest.first = part.last + 1;
      else rest.last = part.first - 1;
    } while (from !== undefined);
  }

  return {
    /** Yields the stretches of a date in the order of the list, at least one. */
    list: async function* (listed: ListedSheet, budget: PageBudget): AsyncGenerator<Stretch> {
      const { sheet, range, filter, isLast } = listed;
      const mayMatch = blockFilterOf(filter);
      const all = sequencesAfter(sheet, range);
      if (all.first > all.last) yield { bounds: undefined, end: range.after, isLast };
      else {
        for await (const { part, blocks } of readBlocks(listed, { range: all, budget })) {
          const parts = partsOfRange(part, blocks, mayMatch);
          const inOrder = range.order === 'asc' ? parts : parts.toReversed();
          yield* inOrder.map((it) => stretchOf(listed, { part: it, all }));
        }
      }
    },
  };
};
