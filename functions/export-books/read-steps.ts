// Reads the steps of an archive of books. Each step has a bounded number of reads.
//
// The entries of a date are those that its sheets counted when the first of them was read. So each
// date is complete in itself, although posts go on during the export.

import { viewOf as accountViewOf } from '#shared/accounts/account.view.ts';
import type { Charts } from '#shared/accounts/charts.store.ts';
import { classifiedOn } from '#shared/accounts/reclassification.ts';
import { assertBalanced, BooksDiffer } from '#shared/entries/entry-checks.ts';
import type { JournalEntry } from '#shared/entries/journal-entry.ts';
import { viewOf } from '#shared/entries/journal-entry.view.ts';
import type { EntryLists } from '#shared/entries/lists/entry-lists.store.ts';
import {
  cursorPositionOf,
  type EntryPosition,
  listPositionOf,
} from '#shared/entries/lists/entry-position.view.ts';
import {
  maximumBytesPerCall,
  type PostedEntries,
} from '#shared/entries/lists/posted-entries.store.ts';
import { type ArchivePart, jsonLines } from '#shared/exports/archive-parts.ts';
import {
  aliasDirectives,
  aliasText,
  commodityDirective,
  transactionText,
} from '#shared/exports/hledger.ts';
import type { TenantHistory } from '#shared/history/tenant-history.store.ts';
import { contentOfChange } from '#shared/history/tenant-history.ts';
import type { SeriesCounts } from '#shared/reports/account-ledger.ts';
import type { ReportBooks } from '#shared/reports/report-books.service.ts';
import type { NamedSheet } from '#shared/sheets/day-sheet.ts';
import type { DaySheets } from '#shared/sheets/day-sheets.store.ts';
import type { TenantName } from '#shared/table/keys.ts';
import type { Tenant } from '#shared/tenants/tenants.ts';
import type { DateInPart, Position } from './schema.ts';

type WithoutCommon<Any> = Any extends Position ? Omit<Any, 'to' | 'seal'> : never;
type Step = WithoutCommon<Position>;

type DatesToRead = {
  to: string;
  after?: string | undefined;
  within?: DateInPart | undefined;
};

export type StepRead = { parts: ArchivePart[]; next: Step | undefined };

/** The dates of one query. Each date with entries takes another one. */
const sheetsAtOnce = 8;

/**
 * The size of the entries of a step, in a reply. A step has at least one entry; the largest takes
 * 5 MB, of the 6 MB of a reply.
 */
const maximumBytes = 500_000;

const maximumEntries = 250;
const maximumChanges = 50;
const maximumUnposted = 25;
const maximumAccounts = 500;

/** While a transaction commits, a reader can see only a part of its items, so it tries again. */
const attempts = 4;
const pauseMilliseconds = 100;

const countsOf = (sheets: readonly NamedSheet[]): SeriesCounts => {
  const counted: SeriesCounts = { IJ: 0, MJ: 0, PB: 0, RV: 0 };
  for (const sheet of sheets) counted[sheet.series] = sheet.counted;
  return counted;
};

const lineOf = (entry: JournalEntry): string => {
  const { stuck: _, ...view } = viewOf(entry);
  return jsonLines([view]);
};

/** The size of an entry in a function's reply, which is JSON with the body as a text. */
const replyBytesOf = (entry: JournalEntry): number =>
  Buffer.byteLength(JSON.stringify(JSON.stringify(lineOf(entry))));

/** The first items for which there is room, at least one. */
const fittingOf = <Item>(
  items: readonly Item[],
  { sizeOf, room }: { sizeOf: (item: Item) => number; room: number },
): Item[] => {
  let size = 0;
  const end = items.findIndex((item) => {
    size += sizeOf(item);
    return size > room;
  });
  return items.slice(0, end < 0 ? items.length : Math.max(1, end));
};

const entriesPart = (name: string, entries: readonly JournalEntry[]): ArchivePart => ({
  name,
  content: entries.map(lineOf).join(''),
});

export type ArchiveStores = Parameters<typeof openArchiveSteps>[0];

export const openArchiveSteps = ({
  history,
  daySheets,
  postedEntries,
  entryLists,
  charts,
  reportBooks,
  sleep,
}: {
  history: Pick<TenantHistory, 'listPage'>;
  daySheets: Pick<DaySheets, 'listPage'>;
  postedEntries: PostedEntries;
  entryLists: Pick<EntryLists, 'named'>;
  charts: Pick<Charts, 'list'>;
  reportBooks: Pick<ReportBooks, 'readPeriods'>;
  sleep: (milliseconds: number) => Promise<unknown>;
}) => {
  const readChanges = async (name: TenantName, after: number | undefined): Promise<StepRead> => {
    const { changes, next } = await history.listPage(name, { limit: maximumChanges, after });
    const views = changes.map((change) => ({ ...contentOfChange(change), hash: change.hash }));
    return {
      parts: [{ name: 'changes.ndjson', content: jsonLines(views) }],
      next: next === undefined ? { step: 'accounts' } : { step: 'changes', sequence: next },
    };
  };

  /** A part of the chart, with its classification on the last date. */
  const readAccounts = async (
    name: TenantName,
    { to, after }: { to: string; after: string | undefined },
  ): Promise<StepRead> => {
    const page = await charts.list(name, { limit: maximumAccounts, after });
    const { accounts = [], next } = page ?? {};
    const views = accounts.map((account) => accountViewOf(classifiedOn(account, to)));
    return {
      parts: [
        { name: 'accounts.ndjson', content: jsonLines(views) },
        { name: 'journal.hledger', content: aliasDirectives(accounts) },
      ],
      next: next === undefined ? { step: 'dates' } : { step: 'accounts', code: next },
    };
  };

  /** The entries as transactions of hledger. */
  const journalOf = ({ currency }: Tenant, entries: readonly JournalEntry[]): string => {
    const currencies = new Set(entries.map(({ transactionCurrency }) => transactionCurrency));
    currencies.delete(currency);
    const directives = [...currencies].map((it) => `\n${commodityDirective(it)}`);
    return [...directives, ...entries.map((it) => transactionText(it, aliasText))].join('');
  };

  /** Reads a date, or a part of it. Reads again if entries of a whole date are missing. */
  const readDate = async (
    name: TenantName,
    {
      date,
      counted,
      place,
    }: Omit<DateInPart, 'place'> & { place: DateInPart['place'] | undefined },
  ) => {
    const expected = Object.values(counted).reduce((sum, ofSeries) => sum + ofSeries, 0);
    for (let attempt = 1; ; attempt += 1) {
      const day = { date, counted, ...(place && { after: { place, line: 0 } }) };
      const { entries, next } = await postedEntries.readDay(name, day, {
        budget: { bytes: maximumBytesPerCall },
        isEnough: (found) => found.length >= maximumEntries,
      });
      const isPart = place !== undefined || next !== undefined;
      if (isPart || entries.length === expected) return { entries, next };
      if (attempt === attempts) throw new BooksDiffer(`entries of ${date} are missing`);
      await sleep(pauseMilliseconds * attempt);
    }
  };

  /**
   * The heads of a date's sheets, the entries for which there is room, and where the date
   * continues if it has more.
   * @param room the bytes that are left, in a reply
   */
  const readSheets = async (
    name: TenantName,
    sheets: readonly NamedSheet[],
    { begun, room }: { begun: DateInPart | undefined; room: number },
  ) => {
    const counting = sheets.filter(({ counted }) => counted > 0);
    const [first] = counting;
    if (first === undefined) return { heads: [], entries: [], rest: undefined };
    const { date } = first;
    const counted = begun?.counted ?? countsOf(sheets);
    const { entries: placed, next } = await readDate(name, { date, counted, place: begun?.place });
    const heads = counting.map(({ series, head }) => ({
      posting_date: date,
      series,
      counted: counted[series],
      head,
    }));
    const fitting = fittingOf(placed, { sizeOf: ({ entry }) => replyBytesOf(entry), room });
    const place = placed[fitting.length]?.place ?? next;
    return {
      heads: begun ? [] : heads,
      entries: fitting.map(({ entry }) => entry),
      rest: place && { date, counted, place },
    };
  };

  const readDates = async (
    books: { name: TenantName; tenant: Tenant },
    { to, after, within }: DatesToRead,
  ): Promise<StepRead> => {
    const range = within ? { from: within.date, to } : { after, to };
    const { sheets, isLast } = await daySheets.listPage(books.name, range, sheetsAtOnce);
    const dates = [...Map.groupBy(sheets, ({ date }) => date)];
    const heads: object[] = [];
    const entries: JournalEntry[] = [];
    let rest: DateInPart | undefined;
    let [last, bytes] = [after, 0];
    for (const [date, ofDate] of dates) {
      const begun = within?.date === date ? within : undefined;
      const read = await readSheets(books.name, ofDate, { begun, room: maximumBytes - bytes });
      bytes += read.entries.reduce((sum, entry) => sum + replyBytesOf(entry), 0);
      heads.push(...read.heads);
      entries.push(...read.entries);
      rest = read.rest;
      if (rest) break;
      last = date;
      if (bytes >= maximumBytes) break;
    }
    for (const entry of entries) assertBalanced(entry);
    const isOver = isLast && rest === undefined && last === (dates.at(-1)?.[0] ?? after);
    return {
      parts: [
        { name: 'sheets.ndjson', content: jsonLines(heads) },
        entriesPart('entries.ndjson', entries),
        { name: 'journal.hledger', content: journalOf(books.tenant, entries) },
      ],
      next: isOver ? { step: 'scheduled' } : { step: 'dates', after: last, within: rest },
    };
  };

  const readUnposted = async (
    name: TenantName,
    {
      step,
      entry: position,
    }: { step: 'scheduled' | 'cancelled'; entry?: EntryPosition | undefined },
  ): Promise<StepRead> => {
    const following: Step = step === 'scheduled' ? { step: 'cancelled' } : { step: 'end' };
    const after = listPositionOf(position);
    const range = { order: 'asc' as const, after, filter: { status: step } };
    const entries: JournalEntry[] = [];
    let [next, bytes] = [following, 0];
    for await (const listed of entryLists.named(step, name, range, () => maximumUnposted)) {
      if (listed.entry) {
        bytes += replyBytesOf(listed.entry);
        if (bytes > maximumBytes && entries.length > 0) break;
        entries.push(listed.entry);
      }
      next = listed.isLast ? following : { step, entry: cursorPositionOf(listed.position) };
    }
    return { parts: [entriesPart('unposted.ndjson', entries)], next };
  };

  /** The digests of a trial balance, which costs as much as that report. */
  const readEnd = async (name: TenantName, to: string): Promise<StepRead> => {
    const { digest, entriesDigest } = await reportBooks.readPeriods(name, () => [{ to }]);
    const digests = { as_of: to, digest, entries_digest: entriesDigest };
    return { parts: [{ name: 'digests.ndjson', content: jsonLines([digests]) }], next: undefined };
  };

  const readStep = (
    books: { name: TenantName; tenant: Tenant },
    { to, ...position }: Position,
  ): Promise<StepRead> => {
    if (position.step === 'changes') return readChanges(books.name, position.sequence);
    if (position.step === 'accounts') {
      return readAccounts(books.name, { to, after: position.code });
    }
    if (position.step === 'dates') return readDates(books, { to, ...position });
    if (position.step === 'end') return readEnd(books.name, to);
    return readUnposted(books.name, position);
  };

  return readStep;
};
