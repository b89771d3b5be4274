// The invariants of every entry. The sums are computed independently of the product, in whole
// thousandths.

import { isDeepStrictEqual } from 'node:util';
import * as z from 'zod/mini';
import type { JournalSeries } from '#shared/entries/journal-entry.ts';
import { decimalsOf } from '#shared/money/amounts.ts';
import {
  accountKey,
  dueDateKey,
  entryKey,
  externalIdKey,
  journalReferenceKey,
} from '#shared/table/keys.ts';
import { hashOfReply, noHash, shownEntry } from './entry-hashes.ts';
import { readId } from './entry-ids.ts';
import { placeOf, type SortedItems } from './item-kinds.ts';
import { sheetViolations } from './sheet-invariants.ts';
import { amountIn, digitsOf, type Line, readEntry, type StoredEntry } from './stored-entries.ts';
import { unless } from './violations.ts';

const Guard = z.object({ entrySk: z.string() });

type Side = Exclude<
  keyof Line,
  | ('lineNumber' | 'account' | 'accountNumber' | 'accountName' | 'description' | 'lineClass')
  | 'revaluedCurrency'
>;

const totalOf = (lines: readonly Line[], side: Side) =>
  lines.reduce((sum, line) => sum + amountIn(line[side]), 0n);

/** Converts thousandths at a rate of eleven decimals, rounded half up to these decimals. */
const convert = (
  thousandths: bigint,
  { rate, decimals }: { rate: bigint; decimals: number },
): bigint => {
  const unit = 10n ** BigInt(14 - decimals);
  return ((2n * thousandths * rate + unit) / (2n * unit)) * 10n ** BigInt(3 - decimals);
};

const isZero = (amount: string): boolean => amountIn(amount) === 0n;

const isNear = (one: bigint, other: bigint, units: number): boolean => {
  const difference = one > other ? one - other : other - one;
  return difference <= BigInt(units);
};

/** The conversion of an entry to another currency: rate, total and sides. */
type Conversion = {
  name: 'reporting' | 'book';
  currency: string;
  rate: string;
  total: bigint;
  sides: [Side, Side];
};

const conversionsOf = (entry: StoredEntry): Conversion[] => [
  {
    name: 'reporting',
    currency: entry.reportingCurrency,
    rate: entry.exchangeRate,
    total: amountIn(entry.reportingAmount),
    sides: ['reportingDebit', 'reportingCredit'],
  },
  {
    name: 'book',
    currency: entry.bookCurrency,
    rate: entry.bookExchangeRate,
    total: amountIn(entry.bookAmount),
    sides: ['bookDebit', 'bookCredit'],
  },
];

/** Both sides add up to the total, which follows from the rate. Each line is on its own side. */
const conversionViolations = (
  { lines, transactionCurrency, transactionAmount, platformReference }: StoredEntry,
  { name, currency, rate, total, sides: [debit, credit] }: Conversion,
): string[] => {
  const isExchanged = transactionCurrency !== currency;
  // A platform can state the amount of each line in its company's currency, rounded line by line.
  const isStated = isExchanged && platformReference !== undefined;
  const conversion = { rate: digitsOf(rate), decimals: isExchanged ? decimalsOf(currency) : 3 };
  const amount = amountIn(transactionAmount);
  const [debits, credits] = [totalOf(lines, debit), totalOf(lines, credit)];
  const isOdd = (line: Line): boolean =>
    isZero(line.debit) ? !isZero(line[debit]) : !isZero(line[credit]);
  return [
    ...unless(debits === total, `has ${name} debits of ${debits}, and ${total} in its header`),
    ...unless(credits === total, `has ${name} credits of ${credits}, and ${total} in its header`),
    ...unless(isExchanged || digitsOf(rate) === 10n ** 11n, `has a ${name} rate of ${rate}`),
    ...unless(
      isNear(convert(amount, conversion), total, isStated ? lines.length : 0),
      `has a ${name} amount of ${total}, which is not ${amount} at ${rate} (in thousandths)`,
    ),
    ...lines.filter(isOdd).map(({ lineNumber }) => `has a ${name} side too many in ${lineNumber}`),
  ];
};

/** The violations of an entry's amounts. */
const amountViolations = (entry: StoredEntry): string[] => {
  const { lines, platformReference } = entry;
  const amount = amountIn(entry.transactionAmount);
  const totals = { debits: totalOf(lines, 'debit'), credits: totalOf(lines, 'credit') };
  return [
    ...Object.entries(totals).flatMap(([name, sum]) =>
      unless(sum === amount, `has ${name} of ${sum}, and ${amount} in its header (in thousandths)`),
    ),
    ...conversionsOf(entry).flatMap((conversion) => conversionViolations(entry, conversion)),
    ...lines.flatMap((line) => {
      const isTwoSided = !isZero(line.debit) && !isZero(line.credit);
      const isEmpty = isZero(line.debit) && isZero(line.credit);
      const isOdd = isTwoSided || (isEmpty && platformReference === undefined);
      return unless(!isOdd, `has more or less than one side in line ${line.lineNumber}`);
    }),
  ];
};

/** The violations of an entry's status. */
const statusViolations = (
  items: SortedItems,
  entry: StoredEntry,
  dueUntil: string | undefined,
): string[] => {
  const { status, accrualDate, createdAt, postedAt, postingSequence, hash } = entry;
  const isCounted = postingSequence !== undefined && hash !== undefined;
  const isAsScheduled = hash === undefined || hash === hashOfReply(shownEntry(entry), noHash);
  const isDue = entry.due_pk !== undefined || entry.due_sk !== undefined;
  if (status === 'cancelled') {
    return [
      ...unless(!isDue, 'is cancelled, and in the due index'),
      ...unless(entry.cancelledAt !== undefined, 'is cancelled, and nobody knows when'),
      ...unless(postedAt === null && !postingSequence, 'is cancelled, and was posted'),
      ...unless(isAsScheduled, 'is cancelled, and differs from what was scheduled'),
      ...unless(accrualDate !== null, 'is cancelled, and was never scheduled'),
    ];
  }
  if (status === 'scheduled') {
    const [applicationId = '', schemaName = ''] = entry.found.parts;
    const dueDate = dueDateKey({ applicationId, schemaName }, accrualDate ?? 'no date');
    const isOverdue = dueUntil !== undefined && accrualDate !== null && accrualDate <= dueUntil;
    return [
      ...unless(!isDue, 'is scheduled, and in the due index by itself'),
      ...unless(items.at(dueDate) !== undefined, 'is scheduled for a date that is not due'),
      ...unless(postedAt === null, 'is scheduled, and has a moment at which it was posted'),
      ...unless(!postingSequence, 'is scheduled, and counts already'),
      ...unless(isAsScheduled, 'is scheduled, and differs from what was scheduled'),
      ...unless(!isOverdue, `was due on ${accrualDate} and is not posted`),
    ];
  }
  const isPostedLater = accrualDate !== null && accrualDate > createdAt.slice(0, 10);
  const isInTime = isPostedLater || postedAt === null || postedAt === createdAt;
  return [
    ...unless(!isDue, 'is posted, and in the due index'),
    ...unless(postedAt !== null, 'is posted, and nobody knows when'),
    ...unless(isCounted, 'is posted, and has no place among what counts'),
    ...unless(isInTime, 'was to be posted at once, and was posted later'),
  ];
};

/** An entry with an accrual date has an item that lists it, for its status. */
const postingDateViolations = (
  items: SortedItems,
  { found, date, accrualDate, status, lines }: StoredEntry,
): string[] => {
  if (accrualDate === null) return [];
  const list = {
    posted: `ACCRUAL#${accrualDate}`,
    scheduled: `SCHEDULED#${accrualDate}`,
    cancelled: `CANCELLED#${date}`,
  }[status];
  const place = { ...found.key, sk: `${list}#${found.key.sk}` };
  const marker = items.at(place);
  const meant = [...new Set(lines.map(({ account }) => account))].join('\n');
  const told = marker?.item.accounts ?? meant;
  return [
    ...unless(marker !== undefined, `is not named by ${placeOf(place)}`),
    ...unless(told === meant, `has accounts other than ${told} in ${placeOf(place)}`),
  ];
};

/** The guards that name this entry, and their expected number. */
const guardViolations = (items: SortedItems, entry: StoredEntry): string[] => {
  const { found } = entry;
  const [applicationId = '', schemaName = ''] = found.parts;
  const name = { applicationId, schemaName };
  const { externalId, platformReference: reference } = entry;
  const guards = [
    ...(externalId === null ? [] : [externalIdKey(name, externalId)]),
    ...(reference === undefined ? [] : [journalReferenceKey(name, reference)]),
  ];
  return guards.flatMap((guard) => {
    const isOurs = items.at(guard)?.item.entrySk === found.key.sk;
    return unless(isOurs, `is not what ${placeOf(guard)} leads to`);
  });
};

/** Every line's account exists, and has the same cash flag. */
const accountViolations = (items: SortedItems, { found, lines }: StoredEntry): string[] => {
  const [applicationId = '', schemaName = ''] = found.parts;
  const said = new Map(
    lines.map(({ account, lineClass }) => [`${account} ${lineClass === 'cash'}`, account]),
  );
  return [...said].flatMap(([text, code]) => {
    const account = items.at(accountKey({ applicationId, schemaName }, code))?.item;
    if (account === undefined) return [`is posted to account ${code}, which is not there`];
    const isSame = text === `${code} ${account.cashFlow === 'cash'}`;
    return unless(isSame, `has a line of ${code} that says of cash what its account does not`);
  });
};

/** The key, the number and the id of an entry agree. */
const placeViolations = (entry: StoredEntry): string[] => {
  const { found, series, sequence, entryId } = entry;
  const [applicationId = '', schemaName = '', date = ''] = found.parts;
  const name = { applicationId, schemaName };
  const place = { series: series as JournalSeries, date, sequence };
  const number = `${series}-${date.replaceAll('-', '')}-${String(sequence).padStart(4, '0')}`;
  const { random: _random, ...told } = readId(entryId) ?? { random: '' };
  return [
    ...unless(
      entry.date === date && entry.journalNumber === number,
      `is called ${entry.journalNumber}`,
    ),
    ...unless(
      placeOf(entryKey(name, place)) === found.place,
      'has a key that does not match its place',
    ),
    ...unless(isDeepStrictEqual(told, place), `has an id that says ${JSON.stringify(told)}`),
  ];
};

const violationsOfEntry = (items: SortedItems, entry: StoredEntry, dueUntil?: string): string[] => [
  ...placeViolations(entry),
  ...unless(entry.lines.length >= 2, 'has less than two lines'),
  ...amountViolations(entry),
  ...statusViolations(items, entry, dueUntil),
  ...postingDateViolations(items, entry),
  ...guardViolations(items, entry),
  ...accountViolations(items, entry),
];

/** The attribute of an entry that a guard repeats. An Idempotency-Key has none. */
const namedBy = {
  'external id': 'externalId',
  'platform reference': 'platformReference',
  'entry idempotency key': undefined,
} as const;

/** Every guard names its entry. */
const strayGuards = (items: SortedItems): string[] =>
  (Object.keys(namedBy) as (keyof typeof namedBy)[]).flatMap((kind) =>
    items.all(kind).flatMap((found) => {
      const guard = Guard.safeParse(found.item).data;
      const entry = guard && items.at({ ...found.key, sk: guard.entrySk })?.item;
      const attribute = namedBy[kind];
      const isNamed = attribute === undefined || entry?.[attribute] === found.parts[2];
      const isOurs = entry !== undefined && isNamed;
      return unless(isOurs, `${found.place} leads to no entry that names it`);
    }),
  );

/** Every item that lists an entry by a date names an entry of that date and status. */
const strayAccruals = (items: SortedItems): string[] =>
  (['posted', 'scheduled', 'cancelled'] as const).flatMap((status) =>
    items.all(`${status} accrual`).flatMap(({ key, place, parts: [, , date] }) => {
      const entry = items.at({ ...key, sk: key.sk.slice(key.sk.indexOf('ENTRY#')) })?.item;
      const dateOfEntry = status === 'cancelled' ? entry?.date : entry?.accrualDate;
      const isOurs = dateOfEntry === date && entry?.status === status;
      return unless(isOurs, `${place} names no entry that is ${status} for ${date}`);
    }),
  );

/** The compared fields of a line, debits before credits. */
const lineText = ({ account, lineClass, ...line }: Line): string =>
  [
    ...[account, lineClass, line.debit, line.reportingDebit, line.bookDebit],
    ...[line.credit, line.reportingCredit, line.bookCredit],
  ].join();
const swappedText = ({ account, lineClass, ...line }: Line): string =>
  [
    ...[account, lineClass, line.credit, line.reportingCredit, line.bookCredit],
    ...[line.debit, line.reportingDebit, line.bookDebit],
  ].join();

/** An entry and its reversal name each other and have opposite lines. */
const linkViolations = (entries: readonly StoredEntry[]): string[] => {
  const byId = new Map(entries.map((entry) => [`${entry.found.key.pk} ${entry.entryId}`, entry]));
  return entries.flatMap((entry) => {
    const { found, entryId, reverses, reversedBy, status } = entry;
    const at = (id: string) => byId.get(`${found.key.pk} ${id}`);
    const reversal = reversedBy === undefined ? undefined : at(reversedBy);
    const original = reverses === undefined ? undefined : at(reverses);
    const isLive = reversal?.reverses === entryId && reversal.status !== 'cancelled';
    const isMarked = (original?.reversedBy === entryId) === (status !== 'cancelled');
    const isSwapped =
      entry.lines.map(swappedText).join('\n') === original?.lines.map(lineText).join('\n');
    return [
      ...unless(reversedBy === undefined || isLive, 'is reversed by no entry that reverses it'),
      ...unless(reverses === undefined || isMarked, 'is not what its original is reversed by'),
      ...unless(reverses === undefined || isSwapped, 'has not the lines of what it reverses'),
      ...unless(reversedBy === undefined || status === 'posted', 'is reversed and not posted'),
    ].map((violation) => `${found.place} ${violation}`);
  });
};

const repeatedIds = (entries: readonly StoredEntry[]): string[] => {
  const seen = new Set<string>();
  return entries.flatMap(({ entryId }) => {
    const isNew = !seen.has(entryId);
    seen.add(entryId);
    return unless(isNew, `${entryId} is the id of more than one entry`);
  });
};

/** @param options.dueUntil all entries due by this date must be posted */
export const entryViolations = (
  items: SortedItems,
  { dueUntil }: { dueUntil: string | undefined },
): string[] => {
  const read = items.all('entry').map((found) => ({ found, ...readEntry(items, found) }));
  const entries = read.flatMap(({ entry }) => entry ?? []);
  return [
    ...read.flatMap(({ found, violations, entry }) =>
      [...violations, ...(entry ? violationsOfEntry(items, entry, dueUntil) : [])].map(
        (violation) => `${found.place} ${violation}`,
      ),
    ),
    ...sheetViolations(items, entries),
    ...strayAccruals(items),
    ...strayGuards(items),
    ...linkViolations(entries),
    ...repeatedIds(entries),
  ];
};
