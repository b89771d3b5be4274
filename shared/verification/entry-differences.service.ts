// Checks a single entry: its key, sums, accounts and status.

import Big from 'big.js';
import { type Account, isCash } from '../accounts/accounts.ts';
import { hashOfScheduled } from '../entries/entry-hash.ts';
import { readEntryId } from '../entries/entry-ids.ts';
import { type JournalEntry, journalNumber } from '../entries/journal-entry.ts';
import type { StoredEntry } from '../operator/recorded-books.store.ts';
import { type Finding, findingsIn } from './differences.ts';

export type AccountFinder = (code: string) => Promise<Account | undefined>;

const totals = [
  ['transaction amount', 'debit', 'credit', 'transactionAmount'],
  ['reporting amount', 'reportingDebit', 'reportingCredit', 'reportingAmount'],
  ['book amount', 'bookDebit', 'bookCredit', 'bookAmount'],
] as const;

/** Debits and credits must equal the header's total, in each of the three currencies. */
const sumFindings = ({ lines, journalNumber: number, ...entry }: JournalEntry): Finding[] =>
  totals.flatMap(([title, debit, credit, total]) =>
    [debit, credit].flatMap((side) => {
      const sum = lines.reduce((subtotal, line) => subtotal.plus(line[side]), new Big(0));
      const decimals = entry[total].split('.')[1]?.length ?? 0;
      const text = sum.eq(sum.round(decimals)) ? sum.toFixed(decimals) : sum.toFixed();
      return findingsIn([[`${title} of ${number}`, entry[total], text]]);
    }),
  );

const placeFindings = ({ place }: StoredEntry, entry: JournalEntry): Finding[] => {
  const number = journalNumber(place);
  const inId = readEntryId(entry.entryId);
  const id = inId ? `an id of ${journalNumber(inId)}` : entry.entryId;
  return findingsIn([
    [`number of ${number}`, number, entry.journalNumber],
    [`date of ${number}`, place.date, entry.date],
    [`posting date of ${number}`, entry.accrualDate ?? entry.date, entry.postingDate],
    [`id of ${number}`, `an id of ${number}`, id],
  ]);
};

/** The fields that each status requires or excludes. */
const statusFindings = ({ header }: StoredEntry, entry: JournalEntry): Finding[] => {
  const { journalNumber: number, status, cancelledAt, hash } = entry;
  const isPosted = status === 'posted';
  const isConsistent = [entry.postingSequence, entry.postedAt].every(
    (it) => (it === null) !== isPosted,
  );
  const posting = `with${isPosted ? '' : 'out'} sequence and time`;
  const hashBefore = hash === null ? null : hashOfScheduled(entry);
  const cancellation = cancelledAt === null ? 'none' : 'a time';
  return findingsIn([
    [`status of ${number}`, entry.accrualDate === null ? 'posted' : status, status],
    [`posting of ${number}`, posting, isConsistent ? posting : 'some only'],
    [`hash of ${number}`, isPosted ? (hash ?? 'a hash') : hashBefore, hash],
    [`cancellation of ${number}`, status === 'cancelled' ? 'a time' : 'none', cancellation],
    [`due index of ${number}`, 'none', header.due_sk ?? header.due_pk ?? 'none'],
  ]);
};

const lineFindings = async (entry: JournalEntry, findAccount: AccountFinder) => {
  const findings: Finding[] = [];
  for (const [index, { lineNumber, account: code, ...fields }] of entry.lines.entries()) {
    const line = `line ${index + 1} of ${entry.journalNumber}`;
    const account = await findAccount(code);
    // A cancelled entry never counts, so its accounts can change to or from cash.
    const hasCashClass = fields.lineClass === 'cash';
    const isCashLine = entry.status !== 'cancelled' && account ? isCash(account) : hasCashClass;
    findings.push(
      ...findingsIn([
        [line, index + 1, lineNumber],
        account
          ? [`cash of ${line}`, isCashLine, hasCashClass]
          : [`account of ${line}`, code, 'none'],
      ]),
    );
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
