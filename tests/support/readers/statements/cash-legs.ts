// The tests' model of cash flows within an entry, written from the reference without the product's
// arithmetic: shares are fractions, and units are handed out one by one.

/** A line: its class, and credit less debit in the smallest unit. */
export type Leg = { lineClass: string; effect: bigint };

type Share = { flow: bigint; nonCash: bigint; disposed: bigint };

const isOfAsset = (lineClass: string): boolean =>
  ['accumulated', 'disposal_result'].includes(lineClass);

const sectionOf = (lineClass: string): string => {
  if (lineClass === 'profit') return 'operating';
  if (/^(operating|investing|financing)/.test(lineClass)) {
    return lineClass.replace(/_(profit|liability)$/, '');
  }
  if (isOfAsset(lineClass)) return 'investing';
  return ['capital', 'equity'].includes(lineClass) ? 'financing' : lineClass;
};

const partyOf = (lineClass: string): string => {
  if (lineClass.endsWith('profit')) return 'profit';
  return isOfAsset(lineClass) ? 'investing' : lineClass;
};

const total = (amounts: readonly bigint[]): bigint => amounts.reduce((sum, it) => sum + it, 0n);

/** Allocates whole units. The next one goes to the share with the largest remainder. */
const handOut = (units: bigint, claims: readonly bigint[]): bigint[] => {
  const all = total(claims);
  if (all === 0n) return claims.map(() => 0n);
  const got = claims.map((claim) => (units * claim - ((units * claim) % all)) / all);
  const lacks = claims.map((claim, place) => units * claim - (got[place] ?? 0n) * all);
  for (let left = units - total(got); left > 0n; left -= 1n) {
    const most = lacks.reduce((max, it) => (it > max ? it : max));
    const place = lacks.indexOf(most);
    got[place] = (got[place] ?? 0n) + 1n;
    lacks[place] = -1n;
  }
  return got;
};

/** Splits an amount among legs of its sign: of assets, or else of what a disposal yielded. */
const splitAmong = (legs: readonly Leg[], amount: bigint): bigint[] => {
  const [size, sign] = amount < 0n ? [-amount, -1n] : [amount, 1n];
  const claimOf = ({ effect }: Leg) => (effect * sign > 0n ? effect * sign : 0n);
  const claimsOf = (isMeant: (lineClass: string) => boolean) =>
    legs.map((leg) => (isMeant(leg.lineClass) ? claimOf(leg) : 0n));
  const ofSold = claimsOf((it) => !isOfAsset(it));
  const ofResults = claimsOf((it) => it === 'disposal_result');
  const ofAll = claimsOf(() => true);
  const claims = [ofSold, ofResults].find((it) => total(it) > 0n) ?? ofAll;
  return handOut(size, claims).map((share) => share * sign);
};

/** Splits an amount among groups of legs, by the parts of their totals that have its sign. */
const split = (
  legs: readonly Leg[],
  { amount, groups, totals }: { amount: bigint; groups: Leg[][]; totals: bigint[] },
): bigint[] => {
  const sign = amount < 0n ? -1n : 1n;
  const claims = totals.map((it) => (it * sign > 0n ? it * sign : 0n));
  const ofGroups = handOut(amount * sign, claims);
  const shares = new Map<Leg, bigint>();
  for (const [place, group] of groups.entries()) {
    const ofLegs = splitAmong(group, (ofGroups[place] ?? 0n) * sign);
    for (const [index, leg] of group.entries()) shares.set(leg, ofLegs[index] ?? 0n);
  }
  return legs.map((leg) => shares.get(leg) ?? 0n);
};

const groupsOf = (legs: readonly Leg[], names: string[], nameOf: (lineClass: string) => string) => {
  const groups = names.map((name) => legs.filter(({ lineClass }) => nameOf(lineClass) === name));
  return { groups, totals: groups.map((group) => total(group.map(({ effect }) => effect))) };
};

const flowsOf = (legs: readonly Leg[]): bigint[] => {
  const isMoney = ({ lineClass }: Leg) => lineClass === 'cash' || lineClass === 'transfer';
  const others = legs.filter((leg) => !isMoney(leg));
  const movement = total(others.map(({ effect }) => effect));
  const moved = legs.map(({ lineClass, effect }) => (lineClass === 'transfer' ? effect : 0n));
  if (others.length === legs.length || movement === 0n) return moved;
  const names = ['operating', 'investing', 'financing', 'unclassified'];
  const sections = groupsOf(others, names, sectionOf);
  const isRevaluation = legs.some(({ lineClass }) => lineClass === 'revalued');
  const isWithFlow = sections.totals.some((it) => it * movement > 0n) && !isRevaluation;
  const exchanged = others.filter(({ lineClass }) => lineClass === 'exchange_difference');
  const all = exchanged.some(({ effect }) => effect * movement > 0n) ? exchanged : others;
  const shares = isWithFlow
    ? split(others, { amount: movement, ...sections })
    : split(others, { amount: movement, groups: [all], totals: [movement] });
  const flows = new Map(others.map((leg, place) => [leg, shares[place] ?? 0n]));
  return legs.map((leg, place) => flows.get(leg) ?? moved[place] ?? 0n);
};

const nonCashOf = (legs: readonly Leg[]): bigint[] => {
  const nothing = legs.map(() => 0n);
  const isNone = /^(equity|unclassified|revalued|unknown)$/;
  if (legs.some(({ lineClass }) => isNone.test(lineClass))) return nothing;
  const names = [
    ...['profit', 'operating', 'investing', 'investing_liability', 'financing', 'capital'],
  ];
  const { groups, totals } = groupsOf(legs, names, partyOf);
  for (const other of [1, 2]) {
    const [profit = 0n, against = 0n] = [totals[0], totals[other]];
    if (profit * against >= 0n) continue;
    const rest = profit + against;
    totals[0] = rest * profit > 0n ? rest : 0n;
    totals[other] = rest * against > 0n ? rest : 0n;
  }
  const ofSign = (sign: bigint) => total(totals.map((it) => (it * sign > 0n ? it * sign : 0n)));
  const amount = ofSign(1n) < ofSign(-1n) ? ofSign(1n) : ofSign(-1n);
  if (amount === 0n) return nothing;
  const [credits, debits] = [amount, -amount].map((it) =>
    split(legs, { amount: it, groups, totals }),
  );
  return legs.map((_, place) => (credits?.[place] ?? 0n) + (debits?.[place] ?? 0n));
};

/** What of accumulated depreciation leaves the books together with an asset. */
const disposedOf = (legs: readonly Leg[]): bigint[] => {
  const sold = legs.filter(
    ({ lineClass }) => sectionOf(lineClass) === 'investing' && lineClass !== 'accumulated',
  );
  const shares = [1n, -1n].map((sign) => {
    const claims = legs.map(({ lineClass, effect }) =>
      lineClass === 'accumulated' && effect * sign > 0n ? effect * sign : 0n,
    );
    const against = total(sold.map(({ effect }) => (effect * sign < 0n ? -effect * sign : 0n)));
    const size = total(claims) < against ? total(claims) : against;
    return handOut(size, claims).map((share) => share * sign);
  });
  return legs.map((_, place) => (shares[0]?.[place] ?? 0n) + (shares[1]?.[place] ?? 0n));
};

/** What of each line is a flow, what needed no cash, and what went with a disposal. */
export const sharesOf = (legs: readonly Leg[]): Share[] => {
  const hasCash = legs.some(({ lineClass }) => lineClass === 'cash');
  if (legs.some(({ lineClass }) => lineClass === 'unknown')) {
    return legs.map(({ lineClass, effect }) => ({
      flow: hasCash && lineClass !== 'cash' ? effect : 0n,
      nonCash: 0n,
      disposed: 0n,
    }));
  }
  const flows = flowsOf(legs);
  const setOff = legs.map((leg, place) => ({ ...leg, effect: leg.effect - (flows[place] ?? 0n) }));
  const [nonCash, disposed] = [nonCashOf(setOff), disposedOf(legs)];
  return legs.map((_, place) => ({
    flow: flows[place] ?? 0n,
    nonCash: nonCash[place] ?? 0n,
    disposed: disposed[place] ?? 0n,
  }));
};
