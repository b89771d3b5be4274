// Checks a single entry: its key, sums, accounts and status.

import Big from 'big.js';
import { type Account, isCash } from '#shared/accounts/accounts.ts';
import { readEntryId } from '#shared/entries/entry-ids.ts';
import {
  type JournalEntry,
  type JournalLine,
  journalNumber,
} from '#shared/entries/journal-entry.ts';
import type { StoredEntry } from '#shared/operator/recorded-books.store.ts';
import type { Difference } from './differences.ts';

export type AccountFinder = (code: string) => Promise<Account | undefined>;

type Finding = Pick<Difference, 'what' | 'expected' | 'found'>;

const compare = (what: string, pair: { expected: unknown; found: unknown }): Finding[] => {
  const [expected, found] = [String(pair.expected), String(pair.found)];
  return expected === found ? [] : [{ what, expected, found }];
};

type Side = { [Name in keyof JournalLine]: JournalLine[Name] extends string ? Name : never };

const totals = [
  ['transaction amount', 'debit', 'credit', 'transactionAmount'],
  ['reporting amount', 'reportingDebit', 'reportingCredit', 'reportingAmount'],
  ['book amount', 'bookDebit', 'bookCredit', 'bookAmount'],
] as const;

const sumText = (lines: readonly JournalLine[], side: Side[keyof Side]): string =>
  lines.reduce((sum, line) => sum.plus(line[side]), new Big(0)).toFixed(2);

/** Debits and credits must equal the header's total, in each of the three currencies. */
const sumFindings = (entry: JournalEntry): Finding[] =>
  totals.flatMap(([title, debit, credit, total]) =>
    [debit, credit].flatMap((side) =>
      compare(`${title} of ${entry.journalNumber}`, {
        expected: entry[total],
        found: sumText(entry.lines, side),
      }),
    ),
  );

const placeFindings = ({ place }: StoredEntry, entry: JournalEntry): Finding[] => {
  const number = journalNumber(place);
  const inId = readEntryId(entry.entryId);
  return [
    ...compare(`number of ${number}`, { expected: number, found: entry.journalNumber }),
    ...compare(`date of ${number}`, { expected: place.date, found: entry.date }),
    ...compare(`posting date of ${number}`, {
      expected: entry.accrualDate ?? entry.date,
      found: entry.postingDate,
    }),
    ...compare(`id of ${number}`, {
      expected: `an id of ${number}`,
      found: inId ? `an id of ${journalNumber(inId)}` : entry.entryId,
    }),
  ];
};

/** The fields that each status requires or excludes. */
const statusFindings = ({ header }: StoredEntry, entry: JournalEntry): Finding[] => {
  const number = entry.journalNumber;
  const isPosted = entry.status === 'posted';
  const isCancelled = entry.status === 'cancelled';
  const isConsistent = [entry.postingSequence, entry.hash, entry.postedAt].every(
    (it) => (it === null) !== isPosted,
  );
  const isAllowed = isPosted || entry.accrualDate !== null;
  return [
    ...compare(`status of ${number}`, {
      expected: isAllowed ? entry.status : 'posted',
      found: entry.status,
    }),
    ...compare(`posting of ${number}`, {
      expected: `with${isPosted ? '' : 'out'} sequence, hash and time`,
      found: isConsistent ? `with${isPosted ? '' : 'out'} sequence, hash and time` : 'some only',
    }),
    ...compare(`cancellation of ${number}`, {
      expected: isCancelled ? 'a time' : 'none',
      found: entry.cancelledAt === null ? 'none' : 'a time',
    }),
    ...compare(`due index of ${number}`, {
      expected: 'none',
      found: header.due_sk ?? header.due_pk ?? 'none',
    }),
  ];
};

const lineFindings = async (entry: JournalEntry, findAccount: AccountFinder) => {
  const findings: Finding[] = [];
  for (const [index, { lineNumber, account: code, ...fields }] of entry.lines.entries()) {
    const line = `line ${index + 1} of ${entry.journalNumber}`;
    findings.push(...compare(line, { expected: index + 1, found: lineNumber }));
    const account = await findAccount(code);
    if (account === undefined) {
      findings.push({ what: `account of ${line}`, expected: code, found: 'none' });
    } else {
      const pair = { expected: isCash(account), found: fields.isCash };
      findings.push(...compare(`cash of ${line}`, pair));
    }
  }
  return findings;
};

/** @returns no findings if the entry is sound */
export const findingsOfEntry = async (
  stored: StoredEntry,
  entry: JournalEntry,
  findAccount: AccountFinder,
): Promise<Finding[]> => [
  ...placeFindings(stored, entry),
  ...statusFindings(stored, entry),
  ...sumFindings(entry),
  ...(await lineFindings(entry, findAccount)),
];
