// What of an entry is a cash flow, and what of it needed no cash. This depends on the entry alone.
//
// An entry that touches cash, or money on its way between cash accounts, moves cash by the effects
// of its other lines: credit less debit. An effect of the opposite sign is no flow. It is set off
// against the others, first within its section, then across sections in proportion to their
// amounts. So a car of 30,000 for 10,000 in cash and a loan is an investing outflow of 10,000. The
// flows add up to the movement of cash.
//
// What was set off across sections is a transaction without cash if it is of investing or
// financing (IAS 7.43). An entry without cash sets off everything.

import type { LineClass } from '../accounts/line-classes.ts';

/** The class of a line, and its credit less its debit in the smallest unit of the currency. */
export type LineEffect = { lineClass: LineClass; effect: bigint };

/**
 * The amount by which a line moved cash, its part in transactions without cash, and what of
 * accumulated depreciation went with a disposal. Inflows and credits are positive. Over all lines,
 * `nonCash` adds up to zero.
 */
type LineFlow = { flow: bigint; nonCash: bigint; disposed: bigint };

/** The sections of flows, in the order in which they share the movement. */
const sections = ['operating', 'investing', 'financing', 'unclassified'] as const;
type Section = (typeof sections)[number];

/** The parties to a transaction without cash. `profit` is income and expenses of every section. */
const parties = [
  'profit',
  'operating',
  'investing',
  'investing_liability',
  'financing',
  'capital',
] as const;
type Party = (typeof parties)[number];

/** `null`: not part of a section, or of no transaction without cash. */
const placeOf: Record<LineClass, { section: Section | null; party: Party | null }> = {
  operating: { section: 'operating', party: 'operating' },
  profit: { section: 'operating', party: 'profit' },
  investing: { section: 'investing', party: 'investing' },
  investing_liability: { section: 'investing', party: 'investing_liability' },
  investing_profit: { section: 'investing', party: 'profit' },
  accumulated: { section: 'investing', party: 'investing' },
  disposal_result: { section: 'investing', party: 'investing' },
  financing: { section: 'financing', party: 'financing' },
  financing_profit: { section: 'financing', party: 'profit' },
  capital: { section: 'financing', party: 'capital' },
  equity: { section: 'financing', party: null },
  unclassified: { section: 'unclassified', party: null },
  exchange_difference: { section: null, party: null },
  transfer: { section: null, party: null },
  cash: { section: null, party: null },
  revalued: { section: null, party: null },
  unknown: { section: null, party: null },
};

const sizeOf = (amount: bigint): bigint => (amount < 0n ? -amount : amount);
const sumOf = (amounts: readonly bigint[]): bigint => amounts.reduce((sum, it) => sum + it, 0n);

/**
 * Divides an amount in proportion to weights. Each share is rounded towards zero. The missing units
 * go to the largest remainders, one each, the first of equal ones first.
 * @param weights not negative, and not all zero
 */
const shareOut = (amount: bigint, weights: readonly bigint[]): bigint[] => {
  const whole = sumOf(weights);
  const size = sizeOf(amount);
  const shares = weights.map((weight) => (size * weight) / whole);
  const missing = size - sumOf(shares);
  // The sort is stable, so equal remainders stay in order.
  const byRemainder = weights
    .map((weight, place) => ({ place, remainder: (size * weight) % whole }))
    .sort(({ remainder: one }, { remainder: other }) => {
      if (one === other) return 0;
      return one < other ? 1 : -1;
    });
  for (const [index, { place }] of byRemainder.entries()) {
    if (BigInt(index) < missing) shares[place] = (shares[place] ?? 0n) + 1n;
  }
  return amount < 0n ? shares.map((share) => -share) : shares;
};

/** The part of an amount that has a sign. */
const partWith = (sign: bigint, amount: bigint): bigint =>
  amount * sign > 0n ? amount * sign : 0n;

type PlacedEffect = LineEffect & { place: number };

/** Depreciation and the result of a disposal belong to what was sold. */
const isOfAsset = ({ lineClass }: LineEffect): boolean =>
  lineClass === 'accumulated' || lineClass === 'disposal_result';

/** Divides a flow among lines with its sign, and adds the shares to `sums` at their places. */
const shareAmong = (lines: readonly PlacedEffect[], amount: bigint, sums: bigint[]): void => {
  if (amount === 0n) return;
  const sign = amount < 0n ? -1n : 1n;
  const withSign = lines.filter(({ effect }) => effect * sign > 0n);
  const assets = withSign.filter((line) => !isOfAsset(line));
  const results = withSign.filter(({ lineClass }) => lineClass === 'disposal_result');
  const takers = [assets, results, withSign].find((it) => it.length > 0) ?? [];
  const shares = shareOut(
    amount,
    takers.map(({ effect }) => sizeOf(effect)),
  );
  for (const [index, { place }] of takers.entries()) {
    sums[place] = (sums[place] ?? 0n) + (shares[index] ?? 0n);
  }
};

const totalOf = (lines: readonly LineEffect[]): bigint => sumOf(lines.map((line) => line.effect));

const isMoney = ({ lineClass }: LineEffect): boolean =>
  lineClass === 'cash' || lineClass === 'transfer';

const flowsIn = (lines: readonly PlacedEffect[]): bigint[] => {
  const flows = lines.map(({ lineClass, effect }) => (lineClass === 'transfer' ? effect : 0n));
  const others = lines.filter((line) => !isMoney(line));
  const movement = totalOf(others);
  if (!lines.some(isMoney) || movement === 0n) return flows;
  const sign = movement < 0n ? -1n : 1n;
  const inSections = sections.map((section) =>
    others.filter(({ lineClass }) => placeOf[lineClass].section === section),
  );
  const weights = inSections.map((ofSection) => partWith(sign, totalOf(ofSection)));
  const isRevaluation = others.some(({ lineClass }) => lineClass === 'revalued');
  if (isRevaluation || sumOf(weights) === 0n) {
    // Exchange rates alone changed cash. All lines stand in where none has the sign.
    const exchanged = others.filter(({ lineClass }) => lineClass === 'exchange_difference');
    const candidates = exchanged.some(({ effect }) => effect * sign > 0n) ? exchanged : others;
    shareAmong(candidates, movement, flows);
    return flows;
  }
  for (const [index, share] of shareOut(movement, weights).entries()) {
    shareAmong(inSections[index] ?? [], share, flows);
  }
  return flows;
};

/** Sets off one party against another, and returns what is left of both. */
const leftOf = (one: bigint, other: bigint): [bigint, bigint] => {
  if (one * other >= 0n) return [one, other];
  const size = sizeOf(one) < sizeOf(other) ? sizeOf(one) : sizeOf(other);
  return one < 0n ? [one + size, other - size] : [one - size, other + size];
};

/** @param lines what of their effects is no flow */
const nonCashIn = (lines: readonly PlacedEffect[]): bigint[] => {
  const amounts = lines.map(() => 0n);
  // A distribution, an opening balance or a valuation is no such transaction.
  const isExcluded = ({ lineClass }: LineEffect): boolean =>
    ['equity', 'unclassified', 'revalued', 'unknown'].includes(lineClass);
  if (lines.some(isExcluded)) return amounts;
  const byParty = parties.map((party) =>
    lines.filter(({ lineClass }) => placeOf[lineClass].party === party),
  );
  let [profit = 0n, operating = 0n, investing = 0n, ...others] = byParty.map(totalOf);
  [profit, operating] = leftOf(profit, operating);
  // Depreciation is no transaction.
  [profit, investing] = leftOf(profit, investing);
  const left = [profit, operating, investing, ...others];
  const [credits, debits] = [1n, -1n].map((sign) => left.map((it) => partWith(sign, it)));
  const totals = [credits, debits].map((side) => sumOf(side ?? []));
  const amount = totals.reduce((least, total) => (total < least ? total : least));
  if (amount === 0n) return amounts;
  for (const [side, sign] of [
    [credits, 1n],
    [debits, -1n],
  ] as const) {
    for (const [index, share] of shareOut(amount * sign, side ?? []).entries()) {
      shareAmong(byParty[index] ?? [], share, amounts);
    }
  }
  return amounts;
};

/** What of accumulated depreciation is set off against the asset that is sold. */
const disposedIn = (lines: readonly PlacedEffect[]): bigint[] => {
  const amounts = lines.map(() => 0n);
  const assets = lines.filter(({ lineClass }) => placeOf[lineClass].section === 'investing');
  for (const sign of [1n, -1n]) {
    const written = assets.filter(
      ({ lineClass, effect }) => lineClass === 'accumulated' && effect * sign > 0n,
    );
    const sold = assets.filter(({ lineClass }) => lineClass !== 'accumulated');
    const available = sumOf(sold.map(({ effect }) => partWith(-sign, effect)));
    const whole = totalOf(written) * sign;
    const amount = whole < available ? whole : available;
    if (amount > 0n) shareAmong(written, amount * sign, amounts);
  }
  return amounts;
};

/** The flows of an entry's lines, in the order of the lines. */
export const lineFlowsOf = (lines: readonly LineEffect[]): LineFlow[] => {
  const placed = lines.map((line, place) => ({ ...line, place }));
  if (lines.some(({ lineClass }) => lineClass === 'unknown')) {
    // In an entry of an earlier version, every effect beside cash is a flow.
    const hasCash = lines.some(({ lineClass }) => lineClass === 'cash');
    const flowOf = ({ lineClass, effect }: LineEffect) =>
      hasCash && lineClass !== 'cash' ? effect : 0n;
    return lines.map((line) => ({ flow: flowOf(line), nonCash: 0n, disposed: 0n }));
  }
  const [flows, disposed] = [flowsIn(placed), disposedIn(placed)];
  const setOff = placed.map((line) => ({
    ...line,
    effect: line.effect - (flows[line.place] ?? 0n),
  }));
  const nonCash = nonCashIn(setOff);
  return lines.map((_, place) => ({
    flow: flows[place] ?? 0n,
    nonCash: nonCash[place] ?? 0n,
    disposed: disposed[place] ?? 0n,
  }));
};
