// Chooses entries: mostly balanced, now and then with a broken rule.

import type { Random } from '../support/builders/random.ts';
import type { AskedEntry, AskedLine } from './model/expected-entry.ts';

export const currencies = ['EUR', 'USD', 'JPY', 'GBP'];
const fixedDates = ['2026-03-20', '2026-03-21', '2026-03-23', '2026-04-01', '2026-02-01'];
const externalIds = Array.from({ length: 12 }, (_, number) => `external ${number}`);
/** Absent and empty mean the same. */
const descriptions = [undefined, '', 'Rent', 'Rent of May', 'rent'];
/** Amounts that often come again, and often end between two coins when they are converted. */
const commonHundredths = [1, 2, 50, 100, 125, 250, 1001];
/** Mostly none, which an empty one is too. */
const metadata = [undefined, undefined, {}, { batch: '7' }, { batch: '8', source: 'feed' }];

const millisecondsPerDay = 86_400_000;
/** The date of a moment, or of a later day. */
export const dateOf = (moment: number, daysAfter = 0): string =>
  new Date(moment + daysAfter * millisecondsPerDay).toISOString().slice(0, 10);

const chooseDescription = (random: Random): { description?: string } => {
  const description = descriptions[random.below(descriptions.length)];
  return description === undefined ? {} : { description };
};

/** The same entry with another description. */
export const describeAnew = (asked: AskedEntry, random: Random): AskedEntry => {
  const place = random.below(asked.lines.length);
  const lines = asked.lines.map(({ description, ...line }, index) => ({
    ...line,
    ...(index === place ? chooseDescription(random) : description !== undefined && { description }),
  }));
  return { ...asked, lines };
};

/** Lines that balance: some debits, and one credit over all of them. */
const chooseLines = (
  random: Random,
  { unit, accounts }: { unit: bigint; accounts: readonly string[] },
): AskedLine[] => {
  const isLong = random.once(12);
  const count = isLong ? 100 + random.below(30) : 1 + random.below(3);
  const isCommon = random.once(2);
  const hundredthsOf = (): number =>
    isCommon ? random.pick(commonHundredths) : 1 + random.below(isLong ? 50 : 5_000_000);
  const debits = Array.from({ length: count }, () => ({
    account: random.pick(accounts),
    side: 'debit' as const,
    hundredths: BigInt(hundredthsOf()) * unit,
    ...chooseDescription(random),
  }));
  const hundredths = debits.reduce((sum, line) => sum + line.hundredths, 0n);
  const credit = {
    account: random.pick(accounts),
    side: 'credit' as const,
    hundredths,
    ...chooseDescription(random),
  };
  return random.once(2) ? [...debits, credit] : [credit, ...debits];
};

/** Breaks one rule of the ledger. */
const breakRule = (asked: AskedEntry, random: Random): AskedEntry => {
  const [first, ...others] = asked.lines;
  if (first === undefined) return asked;
  const unit = asked.transactionCurrency === 'JPY' ? 100n : 1n;
  return random.pick<AskedEntry>([
    { ...asked, memo: ' ' },
    { ...asked, lines: [first] },
    { ...asked, lines: [{ ...first, hundredths: first.hundredths + unit }, ...others] },
    { ...asked, lines: [{ ...first, account: '9999' }, ...others] },
    { ...asked, transactionCurrency: 'JPY', lines: [{ ...first, hundredths: 101n }, ...others] },
  ]);
};

const chooseMetadata = (random: Random): Pick<AskedEntry, 'metadata'> => {
  const chosen = random.pick(metadata.map((pairs) => ({ pairs }))).pairs;
  return chosen === undefined ? {} : { metadata: chosen };
};

export const chooseEntry = (
  random: Random,
  { now, accounts }: { now: number; accounts: readonly string[] },
): AskedEntry => {
  const transactionCurrency = random.pick(currencies);
  const unit = transactionCurrency === 'JPY' ? 100n : 1n;
  const accrualDays = random.pick([null, null, null, -1, 0, 1, 1, 2]);
  const date = random.pick(fixedDates.slice(0, random.once(15) ? 5 : 4));
  // A later date has no rate yet. Most such entries would be refused for that alone.
  const isRefused = date > dateOf(now) && accrualDays !== 1 && accrualDays !== 2 && !random.once(6);
  const asked: AskedEntry = {
    date: random.once(3) || isRefused ? dateOf(now) : date,
    memo: `Memo ${random.below(3)}`,
    transactionCurrency,
    reportingCurrency: random.pick(currencies),
    lines: chooseLines(random, { unit, accounts }),
    accrualDate: accrualDays === null ? null : dateOf(now, accrualDays),
    externalId: random.once(3) ? null : random.pick(externalIds),
    ...chooseMetadata(random),
  };
  return random.once(12) ? breakRule(asked, random) : asked;
};

/** Entries for one batch. Some repeat entries that were sent in single requests. */
export const chooseEntries = (
  random: Random,
  { asked, ...context }: { now: number; accounts: readonly string[]; asked: readonly AskedEntry[] },
): AskedEntry[] => {
  const taken = new Set<string>();
  return Array.from({ length: 2 + random.below(3) }, (_, place) => {
    const fresh = chooseEntry(random, context);
    const entry = asked.length > 0 && random.once(5) ? random.pick(asked) : fresh;
    const { externalId } = entry;
    const isTaken = externalId !== null && taken.has(externalId) && !random.once(20);
    if (externalId !== null) taken.add(externalId);
    // By its memo an entry without an external_id is told from the others.
    const named = entry === fresh && entry.memo !== ' ' ? { memo: `${entry.memo}, ${place}` } : {};
    return { ...entry, ...named, ...(isTaken && { externalId: null, memo: `Again ${place}` }) };
  });
};
