// What must hold of every entry of the ledger. The sums are made here a second time, in whole
// hundredths and without the product's own arithmetic, as an auditor would.

import * as z from 'zod/mini';
import { decimalsOf } from '#shared/domain/currencies.ts';
import {
  accountKey,
  dueKey,
  entryKey,
  externalIdKey,
  journalReferenceKey,
} from '#shared/store/keys.ts';
import { type Found, placeOf, type SortedItems } from './item-kinds.ts';
import { unless } from './violations.ts';

const amountText = z.string().check(z.regex(/^\d+\.\d\d$/));

const Line = z.strictObject({
  lineNumber: z.int(),
  account: z.string(),
  accountName: z.string(),
  description: z.string(),
  debit: amountText,
  credit: amountText,
  reportingDebit: amountText,
  reportingCredit: amountText,
});
type Line = z.infer<typeof Line>;

const Entry = z.object({
  kind: z.literal('entry'),
  entryId: z.string(),
  journalNumber: z.string(),
  date: z.string(),
  status: z.enum(['posted', 'scheduled']),
  accrualDate: z.nullable(z.string()),
  externalId: z.nullable(z.string()),
  platformReference: z.optional(z.string()),
  transactionCurrency: z.string(),
  transactionAmount: amountText,
  reportingCurrency: z.string(),
  reportingAmount: amountText,
  exchangeRate: z.string().check(z.regex(/^\d+\.\d{11}$/)),
  lines: z.array(Line),
  lineCount: z.int(),
  createdAt: z.iso.datetime(),
  postedAt: z.nullable(z.iso.datetime()),
  due_pk: z.optional(z.string()),
  due_sk: z.optional(z.string()),
});
type Entry = z.infer<typeof Entry>;

const FurtherLines = z.object({ lines: z.array(Line) });
const Guard = z.object({ entrySk: z.string() });
const Sequence = z.object({ lastSequence: z.int() });

/** The digits of decimal text as a whole number: hundredths of an amount with two decimals. */
const digitsOf = (text: string): bigint => BigInt(text.replace('.', ''));

const totalOf = (
  lines: readonly Line[],
  side: 'debit' | 'credit' | 'reportingDebit' | 'reportingCredit',
) => lines.reduce((sum, line) => sum + digitsOf(line[side]), 0n);

/** An amount at a rate of eleven decimals, rounded half up to so many decimals, in hundredths. */
const convert = (
  hundredths: bigint,
  { rate, decimals }: { rate: bigint; decimals: number },
): bigint => {
  const unit = 10n ** BigInt(13 - decimals);
  return ((2n * hundredths * rate + unit) / (2n * unit)) * 10n ** BigInt(2 - decimals);
};

const isNear = (one: bigint, other: bigint, units: number): boolean => {
  const difference = one > other ? one - other : other - one;
  return difference <= BigInt(units);
};

/** The violations of an entry's amounts. */
const amountViolations = (entry: Entry, lines: readonly Line[]): string[] => {
  const [amount, reported] = [digitsOf(entry.transactionAmount), digitsOf(entry.reportingAmount)];
  const totals = {
    debits: [totalOf(lines, 'debit'), amount],
    credits: [totalOf(lines, 'credit'), amount],
    'reporting debits': [totalOf(lines, 'reportingDebit'), reported],
    'reporting credits': [totalOf(lines, 'reportingCredit'), reported],
  } as const;
  const isExchanged = entry.transactionCurrency !== entry.reportingCurrency;
  // A platform may state what each line is in its company's currency, rounded line by line.
  const isStated = isExchanged && entry.platformReference !== undefined;
  const conversion = {
    rate: digitsOf(entry.exchangeRate),
    decimals: isExchanged ? decimalsOf(entry.reportingCurrency) : 2,
  };
  return [
    ...Object.entries(totals).flatMap(([name, [sum, total]]) =>
      unless(sum === total, `has ${name} of ${sum}, and ${total} in its header (in hundredths)`),
    ),
    ...unless(
      isNear(convert(amount, conversion), reported, isStated ? lines.length : 0),
      `reports ${reported}, which is not ${amount} at ${entry.exchangeRate} (in hundredths)`,
    ),
    ...lines.flatMap((line) => {
      const isOneSided =
        line.debit === '0.00' ? line.reportingDebit === '0.00' : line.credit === '0.00';
      const isEmpty = line.debit === '0.00' && line.credit === '0.00';
      const isOdd = !isOneSided || (isEmpty && entry.platformReference === undefined);
      return unless(!isOdd, `has more or less than one side in line ${line.lineNumber}`);
    }),
  ];
};

/** The violations of an entry's status: of what is due, and of what was posted too early. */
const statusViolations = (entry: Entry, { key }: Found, dueUntil: string | undefined): string[] => {
  const { status, accrualDate, createdAt, postedAt } = entry;
  if (status === 'scheduled') {
    const due = accrualDate === null ? undefined : dueKey(key, accrualDate);
    const isDueThere = entry.due_pk === due?.due_pk && entry.due_sk === due?.due_sk;
    const isOverdue = dueUntil !== undefined && accrualDate !== null && accrualDate <= dueUntil;
    return [
      ...unless(
        due !== undefined && isDueThere,
        'is scheduled, and the due index has it elsewhere or not at all',
      ),
      ...unless(postedAt === null, 'is scheduled, and has a moment at which it was posted'),
      ...unless(!isOverdue, `was due on ${accrualDate} and is not posted`),
    ];
  }
  const isPostedLater = accrualDate !== null && accrualDate > createdAt.slice(0, 10);
  const isInTime = isPostedLater || postedAt === null || postedAt === createdAt;
  const isDue = entry.due_pk !== undefined || entry.due_sk !== undefined;
  return [
    ...unless(!isDue, 'is posted, and still in the due index'),
    ...unless(postedAt !== null, 'is posted, and nobody knows when'),
    ...unless(isInTime, 'was to be posted at once, and was posted later'),
  ];
};

/** Guards that lead to this entry, and how many there should be. */
const guardViolations = (items: SortedItems, found: Found, entry: Entry): string[] => {
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

/** All lines of an entry, in the order in which the table has them: that of the lines. */
const linesOf = (items: SortedItems, found: Found, entry: Entry) => {
  const parts = items
    .beside(found, 'further lines')
    .filter(({ key }) => key.sk.startsWith(`${found.key.sk}#LINES#`))
    .sort((one, other) => (one.key.sk < other.key.sk ? -1 : 1))
    .map(({ item, parts: [, , , , , part] }) => ({ part: Number(part), item }));
  const lines = [
    ...entry.lines,
    ...parts.flatMap(({ item }) => FurtherLines.safeParse(item).data?.lines ?? []),
  ];
  const isWhole =
    lines.length === entry.lineCount &&
    parts.every(({ part }, index) => part === index + 1) &&
    lines.every(({ lineNumber }, index) => lineNumber === index + 1);
  return {
    lines,
    violations: unless(isWhole, `has other lines than the ${entry.lineCount} it counts`),
  };
};

const violationsOfEntry = (items: SortedItems, found: Found, dueUntil?: string): string[] => {
  const parsed = Entry.safeParse(found.item);
  if (!parsed.success) return [`has not the form of an entry: ${parsed.error.message}`];
  const entry = parsed.data;
  const [applicationId = '', schemaName = '', date = '', series = '', sequence] = found.parts;
  const place = { series: series as 'MJ' | 'IJ', date, sequence: Number(sequence) };
  const name = { applicationId, schemaName };
  const number = `${series}-${date.replaceAll('-', '')}-${String(place.sequence).padStart(4, '0')}`;
  const { lines, violations } = linesOf(items, found, entry);
  const codes = [...new Set(lines.map(({ account }) => account))];
  return [
    ...violations,
    ...unless(
      entry.date === date && entry.journalNumber === number,
      `is called ${entry.journalNumber}`,
    ),
    ...unless(
      placeOf(entryKey(name, place)) === found.place,
      'has a key that nobody would look for',
    ),
    ...unless(lines.length >= 2, 'has less than two lines'),
    ...amountViolations(entry, lines),
    ...statusViolations(entry, found, dueUntil),
    ...guardViolations(items, found, entry),
    ...codes
      .filter((code) => items.at(accountKey(name, code)) === undefined)
      .map((code) => `is posted to account ${code}, which is not there`),
  ];
};

/** Numbers of each series and date run from one without gaps, and the counter knows the last. */
const sequenceViolations = (items: SortedItems): string[] => {
  const seriesOf = ({ key, parts: [, , date, series] }: Found): string =>
    `${key.pk} / SEQUENCE#${date}#${series}`;
  const numbers = new Map<string, number[]>();
  for (const found of items.all('entry')) {
    numbers.set(seriesOf(found), [...(numbers.get(seriesOf(found)) ?? []), Number(found.parts[4])]);
  }
  const counters = new Map(
    items.all('sequence').map((found) => [found.place, Sequence.safeParse(found.item).data]),
  );
  return [...new Set([...numbers.keys(), ...counters.keys()])].flatMap((place) => {
    const given = (numbers.get(place) ?? []).sort((one, other) => one - other);
    const isGapless = given.every((number, index) => number === index + 1);
    const told = counters.get(place)?.lastSequence;
    return [
      ...unless(isGapless, `${place} has the numbers ${given.join(', ')}`),
      ...unless(told === given.length, `${place} says ${told}, and has ${given.length} entries`),
    ];
  });
};

/** What an entry itself says of a guard; of the key of the request that posted it, nothing. */
const namedBy = {
  'external id': 'externalId',
  'platform reference': 'platformReference',
  'entry idempotency key': undefined,
} as const;

/** Guards lead to an entry, which names what they guard. */
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

const repeatedIds = (items: SortedItems): string[] => {
  const ids = items.all('entry').map(({ item }) => String(item.entryId));
  const repeated = new Set(ids.filter((id, index) => ids.indexOf(id) !== index));
  return [...repeated].map((id) => `${id} is the id of more than one entry`);
};

/** @param options.dueUntil the last date for which all that was due is to be posted */
export const entryViolations = (
  items: SortedItems,
  { dueUntil }: { dueUntil: string | undefined },
): string[] => [
  ...items
    .all('entry')
    .flatMap((found) =>
      violationsOfEntry(items, found, dueUntil).map((violation) => `${found.place} ${violation}`),
    ),
  ...sequenceViolations(items),
  ...strayGuards(items),
  ...repeatedIds(items),
];
