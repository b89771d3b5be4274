// The amounts of an entry by the contract, computed a second time with whole numbers. Amounts are
// in hundredths, rates in units of the eleventh decimal.

/** Units of each currency for a euro, as decimal text, by date. */
export type RatesByDate = ReadonlyMap<string, Readonly<Record<string, string>>>;

export type AskedLine = {
  account: string;
  side: 'debit' | 'credit';
  hundredths: bigint;
  /** Defaults to an empty text. */
  description?: string;
};

export type AskedEntry = {
  date: string;
  memo: string;
  transactionCurrency: string;
  reportingCurrency: string;
  lines: AskedLine[];
  accrualDate: string | null;
  externalId: string | null;
  /** Defaults to no metadata. */
  metadata?: Record<string, string>;
};

export type Rate = { units: bigint; date: string; source: string };

/** ISO 4217; only the yen, of those here, has no smaller unit. */
export const decimalsOf = (currency: string): number => (currency === 'JPY' ? 0 : 2);

const maximumAgeDays = 7;
const millisecondsPerDay = 86_400_000;

const daysAfter = (date: string, days: number): string =>
  new Date(Date.parse(date) + days * millisecondsPerDay).toISOString().slice(0, 10);

/** Decimal text as a whole number of millionths. */
const millionths = (text: string): bigint => {
  const [whole = '', decimals = ''] = text.split('.');
  return BigInt(whole + decimals.padEnd(6, '0'));
};

const divideHalfEven = (...[dividend, divisor]: [bigint, bigint]): bigint => {
  const [quotient, rest] = [dividend / divisor, dividend % divisor];
  const isUp = 2n * rest > divisor || (2n * rest === divisor && quotient % 2n === 1n);
  return isUp ? quotient + 1n : quotient;
};

/** The rate of a pair for an entry of this date, if there is one. */
export const rateOf = (
  { transaction, reporting }: { transaction: string; reporting: string },
  { date, today, rates }: { date: string; today: string; rates: RatesByDate },
): Rate | undefined => {
  if (transaction === reporting) return { units: 10n ** 11n, date, source: 'same_currency' };
  const to = date < today ? date : today;
  const day = [...rates.keys()]
    .filter((it) => it <= to && it >= daysAfter(to, -maximumAgeDays))
    .sort()
    .at(-1);
  if (day === undefined) return undefined;
  const perEuro = (currency: string): bigint =>
    currency === 'EUR' ? 1_000_000n : millionths(rates.get(day)?.[currency] ?? '');
  return {
    units: divideHalfEven(perEuro(reporting) * 10n ** 11n, perEuro(transaction)),
    date: day,
    source: transaction === 'EUR' ? 'ecb_published' : 'ecb_derived',
  };
};

/** A whole number of units of the last decimal, as decimal text. */
export const withPoint = (units: bigint | number, decimals: number): string => {
  const digits = String(units).padStart(decimals + 1, '0');
  return `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`;
};
const asAmount = (hundredths: bigint): string => withPoint(hundredths, 2);

/** A rate, and the decimals of the currency that it leads to. */
type Conversion = { units: bigint; decimals: number };

/** Amounts at a rate, which add up to their total at that rate: largest remainders first. */
const convert = (
  amounts: readonly bigint[],
  { units, decimals }: Conversion,
): { total: bigint; shares: bigint[] } => {
  // A hundredth at a unit of the rate is 10^-13. This is the smallest coin in that unit.
  const coin = 10n ** BigInt(13 - decimals);
  const hundredthsPerCoin = 10n ** BigInt(2 - decimals);
  const exact = amounts.map((amount) => amount * units);
  const sum = exact.reduce((total, it) => total + it, 0n);
  const total = (2n * sum + coin) / (2n * coin);
  const coins = exact.map((it) => it / coin);
  const missing = total - coins.reduce((all, it) => all + it, 0n);
  const byRemainder = exact
    .map((it, line) => ({ line, remainder: it % coin }))
    .sort((one, other) => Number(other.remainder - one.remainder) || one.line - other.line);
  for (const { line } of byRemainder.slice(0, Number(missing))) {
    coins[line] = (coins[line] ?? 0n) + 1n;
  }
  return {
    total: total * hundredthsPerCoin,
    shares: coins.map((it) => it * hundredthsPerCoin),
  };
};

const amountsOf = (lines: readonly AskedLine[], side: AskedLine['side']): bigint[] =>
  lines.map((line) => (line.side === side ? line.hundredths : 0n));

export const totalsOf = (lines: readonly AskedLine[]): [bigint, bigint] => {
  const totalOf = (amounts: bigint[]) => amounts.reduce((sum, it) => sum + it, 0n);
  return [totalOf(amountsOf(lines, 'debit')), totalOf(amountsOf(lines, 'credit'))];
};

/** The amounts and lines of an entry, converted to the reporting currency and the book currency. */
export const expectedAmounts = (
  lines: readonly AskedLine[],
  {
    names,
    reporting,
    book,
  }: { names: ReadonlyMap<string, string>; reporting: Conversion; book: Conversion },
) => {
  const [debits, credits] = [amountsOf(lines, 'debit'), amountsOf(lines, 'credit')];
  const [debited, credited] = [convert(debits, reporting), convert(credits, reporting)];
  const [bookDebited, bookCredited] = [convert(debits, book), convert(credits, book)];
  return {
    transaction_amount: asAmount(totalsOf(lines)[0]),
    reporting_amount: asAmount(debited.total),
    reporting_amount_rounded_to_zero: debited.total === 0n,
    exchange_rate: withPoint(reporting.units, 11),
    book_amount: asAmount(bookDebited.total),
    book_exchange_rate: withPoint(book.units, 11),
    transactions: lines.map(({ account, description = '' }, line) => ({
      line_number: line + 1,
      account,
      account_name: names.get(account),
      description,
      debit: asAmount(debits[line] ?? 0n),
      credit: asAmount(credits[line] ?? 0n),
      reporting_debit: asAmount(debited.shares[line] ?? 0n),
      reporting_credit: asAmount(credited.shares[line] ?? 0n),
      book_debit: asAmount(bookDebited.shares[line] ?? 0n),
      book_credit: asAmount(bookCredited.shares[line] ?? 0n),
    })),
    bank_reconciliation_id: null,
  };
};

/** The rates of an entry to the reporting currency and to the book currency. */
export const ratesOf = (
  { date, transactionCurrency: transaction, reportingCurrency }: AskedEntry,
  { currency, ...known }: { currency: string; today: string; rates: RatesByDate },
): { rate: Rate; bookRate: Rate } | undefined => {
  const rate = rateOf({ transaction, reporting: reportingCurrency }, { date, ...known });
  const bookRate = rateOf({ transaction, reporting: currency }, { date, ...known });
  return rate && bookRate && { rate, bookRate };
};

/** The reply to an entry, all but what only its recording decides: id, number and posting. */
export const expectedData = (
  asked: AskedEntry,
  {
    rate,
    bookRate,
    ...context
  }: {
    rate: Rate;
    bookRate: Rate;
    /** The tenant's. */
    currency: string;
    createdAt: string;
    names: ReadonlyMap<string, string>;
  },
) => ({
  date: asked.date,
  posting_date: asked.accrualDate ?? asked.date,
  book_currency: context.currency,
  created_at: context.createdAt,
  memo: asked.memo,
  entry_type: 'Manual Journal',
  accrual_date: asked.accrualDate,
  external_id: asked.externalId,
  user_id: null,
  metadata: asked.metadata ?? {},
  reverses: null,
  transaction_currency: asked.transactionCurrency,
  reporting_currency: asked.reportingCurrency,
  exchange_rate_date: rate.date,
  exchange_rate_source: rate.source,
  ...expectedAmounts(asked.lines, {
    names: context.names,
    reporting: { units: rate.units, decimals: decimalsOf(asked.reportingCurrency) },
    book: { units: bookRate.units, decimals: decimalsOf(context.currency) },
  }),
});

/** The body of a request for an entry. */
export const bodyOf = (asked: AskedEntry) => ({
  date: asked.date,
  memo: asked.memo,
  transactionCurrency: asked.transactionCurrency,
  reportingCurrency: asked.reportingCurrency,
  entries: asked.lines.map(({ account, side, hundredths, description }) => ({
    account,
    [side]: asAmount(hundredths),
    ...(description !== undefined && { description }),
  })),
  ...(asked.accrualDate !== null && { accrual_date: asked.accrualDate }),
  ...(asked.externalId !== null && { external_id: asked.externalId }),
  ...(asked.metadata && { metadata: asked.metadata }),
});
