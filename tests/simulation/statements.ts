// The reports of every tenant at the end of a simulation, against a plain recomputation of what was
// asked for: trial balance, balance sheet, profit and loss, and cash flow by both methods.

import chart from '#shared/accounts/default-chart.json' with { type: 'json' };
import { apiEvent, lambdaContext, readResult } from '../support/events/lambda-events.ts';
import type { Instance } from '../support/harnesses/instances.ts';
import { canonicalText } from '../support/readers/entry-hashes.ts';
import { digitsOf } from '../support/readers/stored-entries.ts';
import { unless } from '../support/readers/violations.ts';
import { withPoint } from './expected-entry.ts';
import { placeOf } from './requests.ts';
import type { Posting } from './sheets.ts';

/** The period of the statements: something counts before it, within it and after it. */
const period = { from: '2026-03-21', to: '2026-03-31' };

type AccountFacts = { type: string; cashFlow: string | null; role?: string | undefined };

/** Accumulated depreciation, which is part of a disposal where it meets cash. */
const accumulated = ['1590', '1690'];

const defaultFacts: ReadonlyMap<string, AccountFacts> = new Map(
  chart.accounts.map(({ code, type, cashFlow, ...more }) => [
    code,
    { type, cashFlow, role: 'role' in more ? more.role : undefined },
  ]),
);

/** What an account came to, and its part of what moved cash: credits less debits. */
type Sums = { before: bigint; debit: bigint; credit: bigint; effect: bigint };

type Reports = Record<
  'trialBalance' | 'balanceSheet' | 'profitAndLoss' | 'direct' | 'indirect',
  // biome-ignore lint/suspicious/noExplicitAny: replies, whose form other tests look at.
  any
>;
type Amount = { account: string; amount: string };

const textOf = (amount: bigint): string =>
  amount < 0n ? `-${withPoint(-amount, 2)}` : withPoint(amount, 2);
const totalOf = (amounts: Iterable<bigint>): bigint =>
  [...amounts].reduce((sum, it) => sum + it, 0n);

const sumsOf = (
  postings: readonly Posting[],
  { from, to, isCash }: { from: string; to: string; isCash: (account: string) => boolean },
): Map<string, Sums> => {
  const sums = new Map<string, Sums>();
  for (const { data } of postings.filter((it) => it.data.posting_date <= to)) {
    const movesCash = data.transactions.some(({ account }) => isCash(account));
    for (const { account, ...line } of data.transactions) {
      const sum = sums.get(account) ?? { before: 0n, debit: 0n, credit: 0n, effect: 0n };
      sums.set(account, sum);
      const [debit, credit] = [digitsOf(line.book_debit), digitsOf(line.book_credit)];
      if (data.posting_date < from) sum.before += credit - debit;
      else {
        sum.debit += debit;
        sum.credit += credit;
        if (movesCash && !isCash(account)) sum.effect += credit - debit;
      }
    }
  }
  return sums;
};

const withinOf = ({ debit, credit }: Sums): bigint => credit - debit;

/** Amounts by account as text, without those that are nothing. */
const listOf = (amounts: Iterable<readonly [account: string, amount: bigint]>): Amount[] =>
  [...amounts]
    .filter(([, amount]) => amount !== 0n)
    .map(([account, amount]) => ({ account, amount: textOf(amount) }))
    .sort((one, other) => (one.account < other.account ? -1 : 1));

const shown = (amounts: readonly Amount[]): Amount[] =>
  amounts
    .map(({ account, amount }) => ({ account, amount }))
    .sort((one, other) => (one.account < other.account ? -1 : 1));

const same = (name: string, given: unknown, meant: unknown): string[] => {
  const [told, expected] = [given, meant].map(canonicalText);
  return unless(told === expected, `${name} is ${told}, and must be ${expected}`);
};

type Books = { sums: ReadonlyMap<string, Sums>; factsOf: (account: string) => AccountFacts };

const isOfProfit = ({ type }: AccountFacts): boolean => type === 'revenue' || type === 'expense';

const trialBalanceViolations = ({ rows, totals }: Reports['trialBalance'], { sums }: Books) => {
  const sides = (net: bigint) => ({
    debit: textOf(net < 0n ? -net : 0n),
    credit: textOf(net > 0n ? net : 0n),
  });
  const meant = [...sums]
    .filter(([, { before, debit, credit }]) => [before, debit, credit].some((it) => it !== 0n))
    .map(([account, sum]) => ({
      ...{ account, opening: sides(sum.before) },
      movement: { debit: textOf(sum.debit), credit: textOf(sum.credit) },
      closing: sides(sum.before + withinOf(sum)),
    }))
    .sort((one, other) => (one.account < other.account ? -1 : 1));
  const given = rows.map(({ account, opening, movement, closing }: (typeof meant)[number]) => ({
    ...{ account, opening, movement, closing },
  }));
  const isEven = Object.values(totals as Record<string, { debit: string; credit: string }>).every(
    ({ debit, credit }) => debit === credit,
  );
  return [...same('the trial balance', given, meant), ...unless(isEven, 'totals differ')];
};

const balanceSheetViolations = (
  sheet: Reports['balanceSheet'],
  { sums, factsOf, earlier }: Books & { earlier: ReadonlyMap<string, Sums> },
): string[] => {
  const balanceOf = ({ before, ...sum }: Sums): bigint => before + withinOf({ before, ...sum });
  const ofTypes = (type: string, sign: bigint) =>
    listOf(
      [...sums]
        .filter(([account]) => factsOf(account).type === type)
        .map(([account, sum]) => [account, sign * balanceOf(sum)] as const),
    );
  const profitIn = (of: ReadonlyMap<string, Sums>): bigint =>
    totalOf(
      [...of].flatMap(([account, sum]) => (isOfProfit(factsOf(account)) ? balanceOf(sum) : [])),
    );
  const sections = (part: { sections: { accounts: Amount[] }[] }) =>
    shown(part.sections.flatMap(({ accounts }) => accounts));
  const { assets, liabilities, equity } = sheet;
  const owed = digitsOf(liabilities.total) + digitsOf(equity.total);
  return [
    ...same('what is owned', sections(assets), ofTypes('asset', -1n)),
    ...same('what is owed', sections(liabilities), ofTypes('liability', 1n)),
    ...same('equity', sections(equity), ofTypes('equity', 1n)),
    ...same('retained earnings', equity.retained_earnings_computed, textOf(profitIn(earlier))),
    ...same(
      'earnings of the year',
      equity.current_year_earnings,
      textOf(profitIn(sums) - profitIn(earlier)),
    ),
    ...same('assets', assets.total, textOf(owed)),
    ...same('liabilities and equity', sheet.total_liabilities_and_equity, textOf(owed)),
  ];
};

const sectionsOfProfit = [
  ...['revenue', 'cost_of_sales', 'operating_expenses', 'other_income', 'other_expenses'],
  ...['finance_costs', 'income_tax'],
];

const profitOf = ({ sums, factsOf }: Books): bigint =>
  totalOf([...sums].flatMap(([code, sum]) => (isOfProfit(factsOf(code)) ? withinOf(sum) : [])));

const profitViolations = (statement: Reports['profitAndLoss'], books: Books): string[] => {
  const { sums, factsOf } = books;
  const meant = [...sums].flatMap(([account, sum]) => {
    const { type } = factsOf(account);
    if (!isOfProfit({ type, cashFlow: null })) return [];
    return [[account, type === 'revenue' ? withinOf(sum) : -withinOf(sum)] as const];
  });
  const given = sectionsOfProfit.flatMap((section) => statement[section].accounts);
  return [
    ...same('profit by account', shown(given), listOf(meant)),
    ...same('profit', statement.profit, textOf(profitOf(books))),
  ];
};

const groupOf = (account: string, { cashFlow, role }: AccountFacts): string => {
  if (role === 'fx_gain_loss') return 'effect_of_exchange_rates';
  return accumulated.includes(account) ? 'investing' : (cashFlow ?? 'unclassified');
};

const cashFlowViolations = (
  { direct, indirect, trialBalance }: Reports,
  { sums, factsOf }: Books,
  profit: bigint,
): string[] => {
  const groups = Map.groupBy(sums, ([account]) => groupOf(account, factsOf(account)));
  const effects = (group: string) =>
    (groups.get(group) ?? []).map(([account, { effect }]) => [account, effect] as const);
  const sections = ['operating', 'investing', 'financing', 'unclassified'];
  const exchange = totalOf(effects('effect_of_exchange_rates').map(([, effect]) => effect));
  const flows = totalOf([...sums.values()].map(({ effect }) => effect));
  const cash = (groups.get('cash') ?? []).map(([, sum]) => sum);
  const opening = totalOf(cash.map(({ before }) => -before));
  const closing = opening - totalOf(cash.map(withinOf));
  const { operating } = indirect;
  const parts = [
    ...[operating.profit, operating.items_of_other_sections.total, operating.movements.total],
    operating.non_cash_investing_and_financing,
  ];
  const inTrialBalance = totalOf(
    trialBalance.rows
      .filter(({ account }: Amount) => factsOf(account).cashFlow === 'cash')
      .map(
        ({ closing: { debit, credit } }: { closing: Record<'debit' | 'credit', string> }) =>
          digitsOf(debit) - digitsOf(credit),
      ),
  );
  return [
    ...sections.flatMap((section) =>
      same(section, shown(direct[section].accounts), listOf(effects(section))),
    ),
    ...same('exchange differences', direct.effect_of_exchange_rates, textOf(exchange)),
    ...same('operating flows by the indirect method', operating.total, direct.operating.total),
    ...same('the parts of them', textOf(totalOf(parts.map(digitsOf))), operating.total),
    ...same('profit in them', operating.profit, textOf(profit)),
    ...[direct, indirect].flatMap((statement) => [
      ...same('the change of cash', statement.net_change, textOf(flows)),
      ...same('opening cash', statement.opening_cash, textOf(opening)),
      ...same('closing cash', statement.closing_cash, textOf(closing)),
    ]),
    ...same('cash by its flows', textOf(opening + flows), textOf(closing)),
    ...same('cash in the trial balance', textOf(inTrialBalance), textOf(closing)),
  ];
};

const readReports = async (
  instance: Instance,
  { applicationId, prefix }: { applicationId: string; prefix: string },
): Promise<Reports | string> => {
  const ask = async (
    reader: 'getTrialBalance' | 'getBalanceSheet' | 'getProfitAndLoss' | 'getCashFlow',
    query: Record<string, string>,
  ) => {
    const event = apiEvent({
      applicationId,
      method: 'GET',
      query: { domain_url: prefix, ...query },
    });
    const { status, body } = readResult(await instance[reader](event, lambdaContext()));
    if (status !== 200) throw new Error(`${reader} ends with ${status} ${body.error?.code}`);
    return body.data;
  };
  try {
    return {
      trialBalance: await ask('getTrialBalance', period),
      balanceSheet: await ask('getBalanceSheet', { as_of: period.to }),
      profitAndLoss: await ask('getProfitAndLoss', period),
      direct: await ask('getCashFlow', { ...period, method: 'direct' }),
      indirect: await ask('getCashFlow', { ...period, method: 'indirect' }),
    };
  } catch (error) {
    return String(error);
  }
};

/** What is wrong with the reports of tenants, by what counts in their books. */
export const statementDifferences = async (
  instance: Instance,
  {
    tenants,
    postings,
    cashCodes,
  }: {
    tenants: readonly { applicationId: string; prefix: string }[];
    postings: readonly Posting[];
    cashCodes: ReadonlySet<string>;
  },
): Promise<string[]> => {
  const factsOf = (account: string): AccountFacts =>
    defaultFacts.get(account) ?? {
      ...{ type: 'asset', cashFlow: cashCodes.has(account) ? 'cash' : 'operating' },
    };
  const isCash = (account: string): boolean => factsOf(account).cashFlow === 'cash';
  const found: string[] = [];
  for (const tenant of tenants) {
    const reports = await readReports(instance, tenant);
    const own = postings.filter(({ place }) => place === placeOf(tenant));
    const books = { sums: sumsOf(own, { ...period, isCash }), factsOf };
    if (typeof reports === 'string') {
      found.push(`${tenant.prefix}: ${reports}`);
      continue;
    }
    const { fiscal_year_start: start } = reports.balanceSheet;
    const beforeYear = own.filter(({ data }) => data.posting_date < start);
    const earlier = sumsOf(beforeYear, { ...period, isCash });
    const violations = [
      ...trialBalanceViolations(reports.trialBalance, books),
      ...balanceSheetViolations(reports.balanceSheet, { ...books, earlier }),
      ...profitViolations(reports.profitAndLoss, books),
      ...cashFlowViolations(reports, books, profitOf(books)),
    ];
    found.push(...violations.map((violation) => `${tenant.prefix}: ${violation}`));
  }
  return found;
};
