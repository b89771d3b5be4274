// Verifies one day sheet against the entries with its entry date and those with its posting date.
//
// Requests can post meanwhile, so the sheet is read before and after the entries. Every entry that
// the first reading counts must exist; no entry may exist that the second does not count. Rows and
// head are compared with the first reading. This also works for a date with constant postings.

import type { Account } from '../accounts/accounts.ts';
import { hashOf, noHash } from '../entries/entry-hash.ts';
import { namedAccountsOf } from '../entries/entry-items.store.ts';
import { type EntryPlace, journalNumber } from '../entries/journal-entry.ts';
import type { EntryRange } from '../entries/lists/entry-bounds.store.ts';
import type { RecordedBooks, StoredEntry } from '../operator/recorded-books.store.ts';
import {
  type DaySheet,
  emptySheet,
  readRows,
  type SheetName,
  type SheetRow,
} from '../sheets/day-sheet.ts';
import { sheetOf } from '../sheets/day-sheets.store.ts';
import { inBatches } from '../table/batches.ts';
import { type Key, keyText, type TenantName } from '../table/keys.ts';
import { markerKeys } from '../table/list-keys.ts';
import type { Difference } from './differences.ts';
import { type AccountFinder, findingsOfEntry } from './entry-differences.service.ts';
import { openRows, rowFindings, rowsByCode, rowsByNumber } from './sheet-rows.ts';
import { openBlocks } from './verify-blocks.service.ts';
import { openGuards } from './verify-guards.service.ts';
import { openIndex } from './verify-index.service.ts';
import { openLinks } from './verify-links.service.ts';

export type VerifiedSheet = {
  entries: number;
  differences: Difference[];
  /** The first reading of the sheet; `undefined` if it cannot be read. */
  sheet: DaySheet | undefined;
  /** The rows computed from the entries; `undefined` if entries are missing. */
  rows: SheetRow[] | undefined;
  /** Whether the sheet had the same revision before and after the entries were read. */
  isUnchanged: boolean;
};

export type SheetToVerify = {
  name: TenantName;
  of: SheetName;
  /** From this sheet's date up to the next one's. Entries on other dates lack a sheet. */
  range: EntryRange;
};

/** `accounts` has the accounts that were found so far, by their codes. */
type Sources = {
  books: RecordedBooks;
  findAccount: AccountFinder;
  accounts: ReadonlyMap<string, Account>;
  /** Whether rows of earlier versions without a book balance are differences, to be repaired. */
  isComplete: boolean;
  onEntry?: () => void;
};

type Report = (
  finding: { what: string; expected: unknown; found: unknown },
  of?: SheetName,
) => void;

const runText = (from: string, to: string): string => (from === to ? from : `${from} to ${to}`);

const missing = { expected: 'an entry', found: 'none' };

const markerBatchSize = 100;

/** Verifies the entries with the sheet's entry date: numbers, markers, links and sheets. */
const openFiling = (
  { name, of }: SheetToVerify,
  { books, ...sources }: Sources,
  report: Report,
) => {
  const numberOf = (sequence: number) => journalNumber({ ...of, sequence });
  let [entries, last] = [0, 0];
  /** The first entry with an accrual date on each account. */
  const accruals = new Map<string, EntryPlace>();
  const demanded = new Set<string>();
  const links = openLinks(name, { books, report });
  const blocks = openBlocks({ name, of }, { books, report });
  const guards = openGuards(name, { books, report });
  const index = openIndex({ books, report });
  const markers = inBatches<{ number: string; marker: Key; status: string; accounts: string }>(
    markerBatchSize,
    async (waiting) => {
      const items = await books.findItems(waiting.map(({ marker }) => marker));
      for (const { number, marker, status, accounts } of waiting) {
        const what = `item that lists ${number}`;
        const item = items.get(keyText(marker));
        const found = item?.accounts ?? accounts;
        if (item === undefined) report({ what, expected: status, found: 'none' });
        else if (found !== accounts)
          report({ what: `accounts in the ${what}`, expected: accounts, found });
      }
    },
  );

  const demandNumbers = (until: number): void => {
    if (until <= last) return;
    report({ what: `number ${runText(numberOf(last + 1), numberOf(until))}`, ...missing });
  };
  /** Reports a missing sheet, unless one has been created in the meantime. */
  const demandSheet = async ({ date, series }: EntryPlace): Promise<void> => {
    const place = `${date} ${series}`;
    if (demanded.has(place)) return;
    demanded.add(place);
    if ((await books.findSheetItem(name, { date, series })) !== undefined) return;
    const finding = { what: 'sheet', expected: 'one for its entries', found: 'none' };
    report(finding, { date, series });
  };

  const file = async (stored: StoredEntry): Promise<'plain' | 'other'> => {
    const { key, place, entry } = stored;
    demandNumbers(place.sequence - 1);
    last = place.sequence;
    const number = journalNumber(place);
    if (entry === undefined) {
      report({ what: `entry ${number}`, expected: 'an entry', found: 'an unreadable item' });
      return 'other';
    }
    const { status, accrualDate, postingDate } = entry;
    await links.add(entry);
    await index.add(key, entry);
    await blocks.add(place.sequence, entry);
    await guards.add(key, entry);
    for (const { account } of accrualDate === null ? [] : entry.lines) {
      if (!accruals.has(account)) accruals.set(account, place);
    }
    if (accrualDate !== null) {
      const { accounts = '' } = namedAccountsOf(entry);
      const marker = markerKeys(key, postingDate)[status];
      await markers.add({ number, marker, status, accounts });
    }
    if (status === 'posted') return accrualDate === null ? 'plain' : 'other';
    const findings = await findingsOfEntry(stored, entry, sources.findAccount);
    for (const finding of findings) report(finding);
    return 'other';
  };

  return {
    /** Checks the entries, and yields those posted on the sheet's date without an accrual date. */
    plain: async function* (all: AsyncIterable<StoredEntry>): AsyncGenerator<StoredEntry> {
      for await (const stored of all) {
        entries += 1;
        sources.onEntry?.();
        const { date, series } = stored.place;
        if (date !== of.date || series !== of.series) await demandSheet(stored.place);
        else if ((await file(stored)) === 'plain') yield stored;
      }
      await markers.flush();
      await links.flush();
      await index.flush();
      await blocks.flush();
      await guards.flush();
    },

    count: (): number => entries,

    end: ({ before, after }: { before: DaySheet; after: DaySheet }): void => {
      demandNumbers(before.lastSequence);
      if (last > after.lastSequence) {
        report({ what: 'last number', expected: last, found: after.lastSequence });
      }
      blocks.end(after);
      const { accrualAccounts, lastSequence } = before;
      if (accrualAccounts === undefined) return;
      const listed = accrualAccounts.split('\n');
      for (const [account, { sequence }] of accruals) {
        if (sequence > lastSequence || listed.includes(account)) continue;
        const what = `account ${account} of entries with an accrual date`;
        report({ what, expected: numberOf(sequence), found: 'none' });
      }
    },
  };
};

/** Verifies the entries posted on a date: posting sequences, hashes, head and rows. */
const openChain = ({ before }: { before: DaySheet }, sources: Sources, report: Report) => {
  const rows = openRows();
  let [last, lastHash]: [number, string] = [0, noHash];
  let isWhole = true;
  let headBefore: string = noHash;

  const demandSequences = (until: number): void => {
    if (until <= last) return;
    report({ what: `posting sequence ${runText(String(last + 1), String(until))}`, ...missing });
    if (last < before.counted) isWhole = false;
  };

  return {
    add: async (stored: StoredEntry): Promise<void> => {
      const { entry } = stored;
      if (entry === undefined) return;
      const findings = await findingsOfEntry(stored, entry, sources.findAccount);
      for (const finding of findings) report(finding);
      const { postingSequence: sequence, hash } = entry;
      if (sequence === null || hash === null) return;
      if (sequence <= last) {
        const what = `posting sequence of ${entry.journalNumber}`;
        report({ what, expected: last + 1, found: sequence });
        return;
      }
      const follows = sequence === last + 1;
      demandSequences(sequence - 1);
      if (follows) {
        const expected = hashOf(entry, lastHash, entry.hashVersion);
        const what = `hash of ${entry.journalNumber}`;
        if (expected !== hash) report({ what, expected, found: hash });
      }
      if (sequence <= before.counted) {
        rows.add(entry);
        headBefore = hash;
      }
      [last, lastHash] = [sequence, hash];
    },

    /** Returns the rows computed from the entries, or `undefined` if entries are missing. */
    end: ({ after }: { after: DaySheet }): SheetRow[] | undefined => {
      demandSequences(before.counted);
      const { counted } = after;
      const { head } = before;
      if (last > counted) report({ what: 'counted', expected: last, found: counted });
      if (!isWhole) return undefined;
      if (headBefore !== head) report({ what: 'head', expected: headBefore, found: head });
      const expected = rows.all();
      const found = rowsByCode(readRows(before.rows), sources.accounts);
      for (const finding of rowFindings(expected, found, sources)) report(finding);
      return rowsByNumber(expected, sources.accounts);
    },
  };
};

const readSheet = async (books: RecordedBooks, name: TenantName, of: SheetName) => {
  const item = await books.findSheetItem(name, of);
  try {
    const sheet = sheetOf(item);
    readRows(sheet.rows);
    return sheet;
  } catch {
    return undefined;
  }
};

/** Reads a sheet and its entries once and compares them. */
export const verifySheet = async (
  target: SheetToVerify,
  sources: Sources,
): Promise<VerifiedSheet> => {
  const { name, of, range } = target;
  const differences: Difference[] = [];
  const report: Report = ({ what, expected, found }, place = of) => {
    differences.push({ ...place, what, expected: String(expected), found: String(found) });
  };
  const { books } = sources;
  const sheet = await readSheet(books, name, of);
  if (sheet === undefined) {
    report({ what: 'sheet', expected: 'a sheet', found: 'an unreadable item' });
  }
  const before = sheet ?? emptySheet;
  const filing = openFiling(target, sources, report);
  const chain = openChain({ before }, sources, report);
  const postedEntries = filing.plain(books.entriesIn(name, range));
  for await (const stored of books.postedInOrder(name, of, postedEntries)) await chain.add(stored);
  const sheetAfter = await readSheet(books, name, of);
  const after = sheetAfter ?? emptySheet;
  const isUnchanged = before.revision === after.revision;
  const entries = filing.count();
  if (sheet === undefined || sheetAfter === undefined) {
    return { entries, differences, sheet: undefined, rows: undefined, isUnchanged };
  }
  filing.end({ before, after });
  return { entries, differences, sheet, rows: chain.end({ after }), isUnchanged };
};
