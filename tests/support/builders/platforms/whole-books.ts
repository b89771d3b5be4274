// Random whole books of a company at a platform, and what its trial balance says at a date. Written
// without the product's code, so that the two can be compared.

import Big from 'big.js';
import type { TrialBalance } from '#shared/balances/trial-balance.ts';
import type { PlatformJournal, TrialBalanceRequest } from '#shared/platforms/platform.ts';
import { account, journal, line } from '../../harnesses/tenant-imports.ts';
import type { Random } from '../random.ts';

/** Amounts in cents by account, positive for a debit. */
export type Cents = Map<string, number>;

/** An event of the books. Only journals are listed. */
type Event = { date: string; cents: Cents; reference: string | null };

const chart = {
  bank: 'asset',
  stock: 'asset',
  loan: 'liability',
  capital: 'equity',
  retained: 'equity',
  sales: 'revenue',
  other: 'revenue',
  wages: 'expense',
  rent: 'expense',
} as const;
type Code = keyof typeof chart;
const codes = Object.keys(chart) as Code[];
const isProfit = (code: string): boolean => ['sales', 'other', 'wages', 'rent'].includes(code);

export const chartOfWholeBooks = codes
  // The chart lacks one account, which the platform has deleted.
  .filter((code) => code !== 'rent')
  .map((code) =>
    account(code, {
      type: chart[code],
      ...(code === 'retained' && { subtype: 'retained_earnings' }),
    }),
  );

export const addCents = (to: Cents, from: ReadonlyMap<string, number>, sign = 1): void => {
  for (const [code, cents] of from) to.set(code, (to.get(code) ?? 0) + sign * cents);
};

/** The first day of a fiscal year that ends with this month, from 1 to 12. */
const yearStartOf = (date: string, lastMonth: number): string => {
  const [year = 0, month = 0] = date.split('-').map(Number);
  const first = (lastMonth % 12) + 1;
  const startYear = month >= first ? year : year - 1;
  return `${startYear}-${String(first).padStart(2, '0')}-01`;
};

/** A month in which fiscal years end, from 1 to 12. Without it, years are not closed. */
export type YearEnd = { lastMonth: number | null };

/** Balances at a date, with the profit of earlier years in the retained earnings. */
export const balancesOf = (
  events: readonly { date: string; cents: ReadonlyMap<string, number> }[],
  { to, lastMonth }: { to: string } & YearEnd,
): Cents => {
  const start = lastMonth === null ? '' : yearStartOf(to, lastMonth);
  const balances: Cents = new Map();
  for (const { date, cents } of events) {
    if (date > to) continue;
    for (const [code, amount] of cents) {
      const into = isProfit(code) && date < start ? 'retained' : code;
      addCents(balances, new Map([[into, amount]]));
    }
  }
  return new Map([...balances].filter(([, amount]) => amount !== 0));
};

export const openWholeBooks = (random: Random, yearEnd: YearEnd) => {
  const events: Event[] = [];
  let references = 0;

  const anyDate = (): string =>
    new Date(Date.UTC(2024, 0, 1 + random.below(810))).toISOString().slice(0, 10);

  const anyCents = (fromChart: boolean): Cents => {
    const usable = codes.filter((code) => !fromChart || code !== 'rent');
    const cents: Cents = new Map();
    const amount = 1 + random.below(100_000);
    const [debited, credited] = [random.pick(usable), random.pick(usable)];
    addCents(cents, new Map([[debited, amount]]));
    addCents(cents, new Map([[credited, -amount]]));
    return cents;
  };

  const journalOf = ({ reference, date, cents }: Event): PlatformJournal => {
    const lines = [...cents].flatMap(([code, amount]) => {
      const text = new Big(Math.abs(amount)).div(100).toFixed(2);
      return line(code, amount > 0 ? { debit: text } : { credit: text });
    });
    // Debit and credit of one account leave lines without amounts.
    return journal(reference ?? '', { date, lines });
  };

  return {
    events,
    add: (): void => {
      const isJournal = random.once(3);
      references += 1;
      events.push({
        date: anyDate(),
        cents: anyCents(isJournal),
        reference: isJournal ? `r${references}` : null,
      });
    },
    /** Edits, moves or deletes an event. */
    change: (): void => {
      if (events.length === 0) return;
      const index = random.below(events.length);
      const event = events[index] as Event;
      const isJournal = event.reference !== null;
      if (random.once(4)) events.splice(index, 1);
      else if (random.once(2)) events[index] = { ...event, date: anyDate() };
      else events[index] = { ...event, cents: anyCents(isJournal) };
    },
    journals: (): PlatformJournal[] =>
      events.filter(({ reference }) => reference !== null).map(journalOf),
    balances: (to: string): Cents => balancesOf(events, { to, ...yearEnd }),
    trialBalance: ({ date }: TrialBalanceRequest): TrialBalance => {
      const rows = [...balancesOf(events, { to: date, ...yearEnd })].map(([accountId, cents]) => ({
        accountId,
        name: `Account ${accountId}`,
        type: chart[accountId as Code],
        balance: new Big(cents).div(100),
      }));
      const debits = rows.filter(({ balance }) => balance.gt(0));
      return {
        rows,
        total: debits.reduce((sum, { balance }) => sum.plus(balance), new Big(0)),
        profitSince: yearEnd.lastMonth === null ? 'start_of_books' : 'fiscal_year',
      };
    },
  };
};
