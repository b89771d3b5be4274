// The invariants of day sheets: each must equal the sums of its entries, which are computed here.

import * as z from 'zod/mini';
import { type Totals, totalsOf } from './balances.ts';
import { hashOfReply, noHash, shownEntry } from './entry-hashes.ts';
import { type Found, placeOf, type RawItem, type SortedItems, sortItems } from './item-kinds.ts';
import { readEntry, type StoredEntry } from './stored-entries.ts';
import { unless } from './violations.ts';

const Sheet = z.strictObject({
  mac: z.optional(z.string()),
  pk: z.string(),
  sk: z.string(),
  lastSequence: z.int(),
  revision: z.int(),
  counted: z.int(),
  head: z.string(),
  rows: z.string(),
  late: z.optional(
    z.array(z.strictObject({ rows: z.string(), carriedOn: z.optional(z.string()) })),
  ),
  accrualAccounts: z.optional(z.string()),
  inboxHolder: z.optional(z.string()),
  inboxUntil: z.optional(z.int()),
  openBlock: z.optional(z.string()),
  recordedUntil: z.optional(z.int()),
  keyedEntries: z.optional(z.int()),
});
type Sheet = z.infer<typeof Sheet>;

/** What is left of an entry that waited in an inbox. */
const WaitedItem = z.object({
  state: z.enum(['waiting', 'recorded', 'returned', 'withdrawn']),
  entryId: z.optional(z.string()),
  journalNumber: z.optional(z.string()),
  postingSequence: z.optional(z.int()),
  hash: z.optional(z.string()),
  content: z.optional(z.string()),
});
type WaitedItem = z.infer<typeof WaitedItem>;

/** The guard of an Idempotency-Key. Earlier versions did not say which entries it counts. */
const KeyGuard = z.object({
  entrySk: z.string(),
  furtherSks: z.optional(z.array(z.string())),
  recorded: z.optional(z.union([z.literal(true), z.array(z.int())])),
});

/** The entries of a sheet, what waited in its inbox, and its item. */
type Group = {
  place: string;
  filed: StoredEntry[];
  counted: StoredEntry[];
  waited: WaitedItem[];
  /** How many of its entries the guards of Idempotency-Keys count. */
  keyed: number;
  /** The codes of the tenant's accounts, by their numbers. */
  codes: ReadonlyMap<number, string>;
  sheet?: Found;
};

const zeros: Totals = {
  debit: 0n,
  credit: 0n,
  cashEffect: 0n,
  nonCash: 0n,
  disposed: 0n,
  booked: 0n,
};

const wholeIn = (digits: string): bigint => BigInt(`0x${digits || '0'}`);

const amountForm = /^(-?[0-9a-f]+(\.\d{3})?)?$/;

/** Thousandths, from hexadecimal hundredths, or from hexadecimal units with three decimals. */
const thousandthsIn = (text: string): bigint => {
  if (text.startsWith('-')) return -thousandthsIn(text.slice(1));
  const [digits = '', decimals] = text.split('.');
  return decimals === undefined
    ? wholeIn(digits) * 10n
    : wholeIn(digits) * 1000n + BigInt(decimals);
};

/** The fields of a row; `undefined` if they do not have its form. */
const fieldsIn = (row: string) => {
  const [first = '', debit = '', credit = '', effect = '', currency = '', ...others] =
    row.split('\t');
  const [nonCash = '', disposed = '', booked = '', ...rest] = others;
  const isNamed = first.startsWith('=');
  const amounts = [debit, credit, effect === '=' ? '' : effect, nonCash, disposed, booked];
  const isRow = amounts.every((it) => amountForm.test(it)) && rest.length === 0;
  if (!isRow || !(isNamed || /^[0-9a-f]*$/.test(first))) return undefined;
  const sides = { debit: thousandthsIn(debit), credit: thousandthsIn(credit) };
  // Only amounts in a currency have a book balance, even if it is zero.
  if ((currency === '') !== (booked === '')) return undefined;
  const cashEffect = effect === '=' ? sides.credit - sides.debit : thousandthsIn(effect);
  const step = first === '' ? 1 : Number(wholeIn(isNamed ? '' : first));
  const flows = {
    cashEffect,
    nonCash: thousandthsIn(nonCash),
    disposed: thousandthsIn(disposed),
    booked: thousandthsIn(booked),
  };
  return { code: isNamed ? first.slice(1) : undefined, step, currency, ...sides, ...flows };
};

/** The rows of a sheet by `account currency`; `undefined` if one cannot be read. */
const readRows = (
  text: string,
  codes: ReadonlyMap<number, string>,
): Map<string, Totals> | undefined => {
  const rows = new Map<string, Totals>();
  let number = 0;
  const [header, ...lines] = text.split('\n');
  if (text !== '' && header !== '\t\t=') return undefined;
  for (const row of lines) {
    const fields = fieldsIn(row);
    if (fields === undefined) return undefined;
    number += fields.step;
    const account = fields.code ?? codes.get(number);
    if (account === undefined) return undefined;
    const name = `${account} ${fields.currency}`;
    const before = rows.get(name) ?? zeros;
    rows.set(name, {
      debit: before.debit + fields.debit,
      credit: before.credit + fields.credit,
      cashEffect: before.cashEffect + fields.cashEffect,
      nonCash: before.nonCash + fields.nonCash,
      disposed: before.disposed + fields.disposed,
      booked: before.booked + fields.booked,
    });
  }
  return rows;
};

const rowViolations = (
  sheet: Sheet,
  { counted, codes }: Pick<Group, 'codes'> & { counted: readonly StoredEntry[] },
): string[] => {
  const told = readRows(sheet.rows, codes);
  if (told === undefined) return ['has rows that cannot be read'];
  const summed = totalsOf(counted);
  const textOf = (totals: Totals | undefined) => totals && Object.values(totals).join(' ');
  return [...new Set([...told.keys(), ...summed.keys()])].flatMap((name) => {
    const [given, meant] = [textOf(told.get(name)), textOf(summed.get(name))];
    return unless(
      given === meant,
      `has ${given} in the row of ${name.trim()}, and its entries come to ${meant}`,
    );
  });
};

const bySequence = (one: StoredEntry, other: StoredEntry): number =>
  (one.postingSequence ?? 0) - (other.postingSequence ?? 0);

/** Each entry's hash covers the one before it, and the sheet knows the last. */
const chainViolations = (head: string, counted: readonly StoredEntry[]): string[] => {
  let previous = noHash;
  const broken = counted.flatMap((entry) => {
    const hash = hashOfReply(shownEntry(entry), previous);
    previous = entry.hash ?? '';
    return unless(hash === entry.hash, `has ${entry.journalNumber} with a hash that is not its`);
  });
  return [...broken, ...unless(head === previous, 'has a head that is not the last of its chain')];
};

/** Lists by account pass over a date without rows of the account, unless its sheet lists it. */
const accrualViolations = ({ accrualAccounts }: Sheet, filed: readonly StoredEntry[]): string[] => {
  if (accrualAccounts === undefined) return [];
  const told = accrualAccounts === '' ? [] : accrualAccounts.split('\n');
  const accruals = filed.filter(({ accrualDate }) => accrualDate !== null);
  const meant = new Set(accruals.flatMap(({ lines }) => lines.map(({ account }) => account)));
  return unless(
    told.length === meant.size && told.every((account) => meant.has(account)),
    `lists the accounts ${told.join(', ')} of accruals, and they are ${[...meant].join(', ')}`,
  );
};

/** Lists by time of recording pass over a date without entries from this time. */
const recordingTimeViolations = (
  { recordedUntil }: Sheet,
  filed: readonly StoredEntry[],
): string[] => {
  if (recordedUntil === undefined || filed.length === 0) return [];
  const latest = Math.max(...filed.map(({ createdAt }) => Date.parse(createdAt)));
  return unless(
    recordedUntil === latest,
    `has ${recordedUntil} as its time of recording, and that is ${latest}`,
  );
};

/** A transaction has 100 actions, two of them for the sheet. */
const maximumInTransaction = 98;

/** Longer than a request waits to be recorded together with others. */
const maximumWaitMilliseconds = 4_000;

/** The fewest transactions in which requests can have recorded these entries. */
const leastTransactionsFor = (entries: readonly StoredEntry[]): number => {
  let transactions = 0;
  let [first, count] = [Number.NEGATIVE_INFINITY, 0];
  const moments = entries.map(({ createdAt }) => Date.parse(createdAt));
  for (const moment of moments.sort((one, other) => one - other)) {
    count += 1;
    if (count <= maximumInTransaction && moment <= first + maximumWaitMilliseconds) continue;
    transactions += 1;
    [first, count] = [moment, 1];
  }
  return transactions;
};

/** Each request that waited can take the inbox and give it back, and again after a lost reply. */
const mostHolds = 2;

/**
 * The least and the most changes of a sheet. The entries of one request, and of requests that wait
 * together, are one change; imported and due entries can share one.
 */
const changesOf = ({ filed, counted, waited }: Group): { least: number; most: number } => {
  const wasScheduled = ({ accrualDate, createdAt }: StoredEntry): boolean =>
    accrualDate !== null && accrualDate > createdAt.slice(0, 10);
  const flipped = counted.filter(wasScheduled);
  const moments = new Set(flipped.map(({ postedAt }) => postedAt)).size;
  const fromElsewhere = counted.filter((it) => !wasScheduled(it) && !filed.includes(it));
  const isImported = filed.some(({ platformReference }) => platformReference !== undefined);
  return {
    least: (isImported ? 1 : leastTransactionsFor([...filed, ...fromElsewhere])) + moments,
    most: filed.length + fromElsewhere.length + flipped.length + mostHolds * 2 * waited.length,
  };
};

/** Each recorded item names an entry, and no two name the same. */
const inboxViolations = ({ filed, waited }: Group): string[] => {
  const recorded = waited.filter(({ state }) => state === 'recorded');
  const isTrue = ({ state: _, ...told }: WaitedItem): boolean =>
    filed.some((entry) =>
      Object.entries(told).every(([field, value]) => entry[field as keyof StoredEntry] === value),
    );
  return [
    ...unless(
      new Set(recorded.map(({ entryId }) => entryId)).size === recorded.length,
      'gave an entry to two requests that waited',
    ),
    ...unless(recorded.every(isTrue), 'told a request that waited of an entry that is not there'),
  ];
};

const violationsOfGroup = (group: Group): string[] => {
  const { sheet: found, filed, counted } = group;
  if (found === undefined) return ['is missing, and entries are filed or count there'];
  const parsed = Sheet.safeParse(found.item);
  if (!parsed.success) return [`has not the form of a sheet: ${parsed.error.message}`];
  const sheet = parsed.data;
  const numbers = filed.map(({ sequence }) => sequence).sort((one, other) => one - other);
  const inOrder = counted.toSorted(bySequence);
  const places = inOrder.map(({ postingSequence }) => postingSequence);
  const { least, most } = changesOf(group);
  const isGapless = (given: readonly (number | undefined)[]): boolean =>
    given.every((number, index) => number === index + 1);
  return [
    ...unless(isGapless(numbers), `has the numbers ${numbers.join(', ')}`),
    ...unless(
      sheet.lastSequence === filed.length,
      `says ${sheet.lastSequence}, and has ${filed.length} entries`,
    ),
    ...unless(isGapless(places), `has the posting sequences ${places.join(', ')}`),
    ...unless(
      sheet.counted === counted.length,
      `counts ${sheet.counted}, and is that of ${counted.length} entries`,
    ),
    ...unless(
      // A run that carries totals forward changes a sheet too, and a request that holds the inbox
      // changes it before and after its own change.
      sheet.revision >= least && (sheet.revision <= 3 * most || sheet.late !== undefined),
      `is of revision ${sheet.revision}, after ${least} to ${most} changes`,
    ),
    ...chainViolations(sheet.head, inOrder),
    ...rowViolations(sheet, { counted: inOrder, codes: group.codes }),
    ...accrualViolations(sheet, filed),
    ...recordingTimeViolations(sheet, filed),
    ...unless(
      (sheet.keyedEntries ?? 0) === group.keyed,
      `counts ${sheet.keyedEntries} entries with an Idempotency-Key, and guards ${group.keyed}`,
    ),
    ...inboxViolations(group),
  ];
};

/** The violations of all sheets, of those too that are missing. */
export const sheetViolations = (items: SortedItems, entries: readonly StoredEntry[]): string[] => {
  const groups = new Map<string, Group>();
  const codesOf = new Map<string, Map<number, string>>();
  for (const { item, key } of items.all('account')) {
    const codes = codesOf.get(key.pk) ?? new Map<number, string>();
    codesOf.set(key.pk, codes.set(Number(item.number), String(item.code)));
  }
  const groupAt = (place: string): Group => {
    const codes = codesOf.get(place.split(' / ')[0] ?? '') ?? new Map<number, string>();
    const group = groups.get(place) ?? {
      place,
      filed: [],
      counted: [],
      waited: [],
      keyed: 0,
      codes,
    };
    groups.set(place, group);
    return group;
  };
  for (const sheet of items.all('sheet')) groupAt(sheet.place).sheet = sheet;
  for (const { item, key } of items.all('entry idempotency key')) {
    const { entrySk, furtherSks = [], recorded = [] } = KeyGuard.parse(item);
    for (const [place, sk] of [entrySk, ...furtherSks].entries()) {
      if (recorded !== true && !recorded.includes(place)) continue;
      const [, date = '', series = ''] = sk.split('#');
      groupAt(placeOf({ ...key, sk: `SEQUENCE#${date}#${series}` })).keyed += 1;
    }
  }
  for (const { item, key } of items.all('waiting entry')) {
    const [, date = '', series = ''] = key.sk.split('#');
    const { waited } = groupAt(placeOf({ ...key, sk: `SEQUENCE#${date}#${series}` }));
    waited.push(WaitedItem.parse(item));
  }
  for (const entry of entries) {
    const sheetOf = (date: string): Group =>
      groupAt(placeOf({ ...entry.found.key, sk: `SEQUENCE#${date}#${entry.series}` }));
    sheetOf(entry.date).filed.push(entry);
    if (entry.status === 'posted') sheetOf(entry.postingDate).counted.push(entry);
  }
  return [...groups.values()].flatMap((group) =>
    violationsOfGroup(group).map((violation) => `${group.place} ${violation}`),
  );
};

/** The violations of the sheets among these items, which need not be whole books. */
export const sheetViolationsIn = (items: readonly RawItem[]): string[] => {
  const sorted = sortItems(items);
  const entries = sorted.all('entry').flatMap((found) => readEntry(sorted, found).entry ?? []);
  return sheetViolations(sorted, entries);
};
