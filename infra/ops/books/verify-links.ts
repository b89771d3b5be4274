// Verifies that entries and their reversals reference each other and cancel out.

import { isDeepStrictEqual } from 'node:util';
import { readEntryId } from '#shared/entries/entry-ids.ts';
import type { JournalEntry } from '#shared/entries/journal-entry.ts';
import { reversedLine } from '#shared/entries/reversals/reversal.ts';
import type { KeptBooks } from '#shared/operator/recorded-books.store.ts';
import { entryKey, keyText, type TenantName } from '#shared/table/keys.ts';

type Finding = { what: string; expected: string; found: string };
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
  reversal: JournalEntry & { reverses: string },
  original: JournalEntry | undefined,
): Finding[] => {
  const { journalNumber, entryId, status } = reversal;
  const what = `original of ${journalNumber}`;
  if (original === undefined) return [{ what, expected: reversal.reverses, found: 'none' }];
  const isMarked = original.reversedBy === entryId;
  const found = original.reversedBy ?? 'none';
  const isCancelled = status === 'cancelled';
  const expected = isCancelled ? 'not reversed by it' : `reversed by ${entryId}`;
  return [
    ...(isMarked === isCancelled ? [{ what, expected, found: `reversed by ${found}` }] : []),
    ...(isReversed(reversal, original)
      ? []
      : [
          {
            what: `lines of ${journalNumber}`,
            expected: `the lines of ${original.journalNumber} with swapped sides`,
            found: 'other lines',
          },
        ]),
  ];
};

const originalFindings = (
  { journalNumber, entryId, status, reversedBy }: JournalEntry & { reversedBy: string },
  reversal: JournalEntry | undefined,
): Finding[] => {
  const what = `reversal of ${journalNumber}`;
  const found = (() => {
    if (reversal === undefined) return 'none';
    if (reversal.reverses !== entryId) return `a reversal of ${reversal.reverses ?? 'nothing'}`;
    return reversal.status === 'cancelled' ? 'a cancelled reversal' : reversedBy;
  })();
  return [
    ...(found === reversedBy ? [] : [{ what, expected: reversedBy, found }]),
    ...(status === 'posted'
      ? []
      : [{ what, expected: `none, since the entry is ${status}`, found: reversedBy }]),
  ];
};

const findingsOf = (entry: JournalEntry, others: EntriesById): Finding[] => {
  const { reverses, reversedBy } = entry;
  return [
    ...(reverses === null ? [] : reversalFindings({ ...entry, reverses }, others.get(reverses))),
    ...(reversedBy === null
      ? []
      : originalFindings({ ...entry, reversedBy }, others.get(reversedBy))),
  ];
};

/** Collects linked entries and checks them in batches. Call `check` at the end. */
export const openLinks = (
  name: TenantName,
  { books, report }: { books: KeptBooks; report: (finding: Finding) => void },
) => {
  let waiting: JournalEntry[] = [];

  const check = async (): Promise<void> => {
    const ids = waiting.flatMap(({ reverses, reversedBy }) => [reverses, reversedBy]);
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
    for (const finding of waiting.flatMap((entry) => findingsOf(entry, others))) report(finding);
    waiting = [];
  };

  return {
    check,
    add: async (entry: JournalEntry): Promise<void> => {
      if (entry.reverses === null && entry.reversedBy === null) return;
      waiting.push(entry);
      if (waiting.length === batchSize) await check();
    },
  };
};
