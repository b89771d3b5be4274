// Verifies that entries and their reversals reference each other and cancel out.

import { isDeepStrictEqual } from 'node:util';
import { readEntryId } from '../entries/entry-ids.ts';
import { type JournalEntry, reversedLine } from '../entries/journal-entry.ts';
import type { RecordedBooks } from '../operator/recorded-books.store.ts';
import { inBatches } from '../table/batches.ts';
import { entryKey, keyText, type TenantName } from '../table/keys.ts';
import { type Finding, findingsIn } from './differences.ts';

type EntriesById = ReadonlyMap<string, JournalEntry>;

const batchSize = 50;

/** The fields that an entry and its reversal must have in common. */
const amountsOf = (entry: JournalEntry) => [
  entry.transactionCurrency,
  entry.transactionAmount,
  entry.reportingCurrency,
  entry.reportingAmount,
  entry.exchangeRate,
  entry.bookCurrency,
  entry.bookAmount,
  entry.bookExchangeRate,
];

const isReversed = (reversal: JournalEntry, original: JournalEntry): boolean =>
  isDeepStrictEqual(reversal.lines, original.lines.map(reversedLine)) &&
  isDeepStrictEqual(amountsOf(reversal), amountsOf(original));

const reversalFindings = (
  reversal: JournalEntry,
  original: JournalEntry | undefined,
): Finding[] => {
  const { journalNumber, entryId, status, reverses } = reversal;
  const what = `original of ${journalNumber}`;
  if (original === undefined) return findingsIn([[what, reverses, 'none']]);
  const isMarked = original.reversedBy === entryId;
  const marked = `reversed by ${original.reversedBy ?? 'none'}`;
  const isCancelled = status === 'cancelled';
  const expected = isCancelled ? `not reversed by ${entryId}` : `reversed by ${entryId}`;
  const swapped = `the lines of ${original.journalNumber} with swapped sides`;
  return findingsIn([
    [what, expected, isMarked === isCancelled ? marked : expected],
    [
      `lines of ${journalNumber}`,
      swapped,
      isReversed(reversal, original) ? swapped : 'other lines',
    ],
  ]);
};

/** What an entry names as its reversal; its id if it is one in force. */
const reversalText = (reversal: JournalEntry | undefined, { entryId }: JournalEntry): string => {
  if (reversal === undefined) return 'none';
  if (reversal.reverses !== entryId) return `a reversal of ${reversal.reverses ?? 'nothing'}`;
  return reversal.status === 'cancelled' ? 'a cancelled reversal' : reversal.entryId;
};

const originalFindings = (
  original: JournalEntry,
  reversal: JournalEntry | undefined,
): Finding[] => {
  const { journalNumber, status, reversedBy } = original;
  const what = `reversal of ${journalNumber}`;
  const allowed = status === 'posted' ? reversedBy : `none, since the entry is ${status}`;
  return findingsIn([
    [what, reversedBy, reversalText(reversal, original)],
    [what, allowed, reversedBy],
  ]);
};

const findingsOf = (entry: JournalEntry, others: EntriesById): Finding[] => {
  const { reverses, reversedBy } = entry;
  return [
    ...(reverses === null ? [] : reversalFindings(entry, others.get(reverses))),
    ...(reversedBy === null ? [] : originalFindings(entry, others.get(reversedBy))),
  ];
};

/** Collects linked entries and checks them in batches. Call `flush` at the end. */
export const openLinks = (
  name: TenantName,
  { books, report }: { books: RecordedBooks; report: (finding: Finding) => void },
) => {
  const { add, flush } = inBatches<JournalEntry>(batchSize, async (linked) => {
    const ids = linked.flatMap(({ reverses, reversedBy }) => [reverses, reversedBy]);
    const places = ids.flatMap((id) => (id === null ? [] : (readEntryId(id) ?? [])));
    const keys = new Map(
      places.map((place) => entryKey(name, place)).map((key) => [keyText(key), key]),
    );
    const entries = await books.findEntries(name, [...keys.values()]);
    const others = new Map(
      [...entries.values()].flatMap(({ entry }) =>
        entry ? [[entry.entryId, entry] as const] : [],
      ),
    );
    for (const finding of linked.flatMap((entry) => findingsOf(entry, others))) report(finding);
  });
  return {
    flush,
    add: async (entry: JournalEntry): Promise<void> => {
      if (entry.reverses !== null || entry.reversedBy !== null) await add(entry);
    },
  };
};
