// Random books: accounts of every kind, four currencies, accruals, imported journals, reversals,
// and cancelled and scheduled entries.

import Big from 'big.js';
import type { Account } from '#shared/accounts/accounts.ts';
import type { KeyIssuing } from '#shared/applications/issue-api-key.service.ts';
import type { JournalEntry } from '#shared/entries/journal-entry.ts';
import type { JournalEntryView } from '#shared/entries/journal-entry.view.ts';
import { decimalsOf } from '#shared/money/amounts.ts';
import { addDays } from '#shared/money/dates.ts';
import type { Table } from '#shared/table/table.ts';
import { type Calls, callsOf } from '../harnesses/calls.ts';
import { openInstance } from '../harnesses/instances.ts';
import { type EntryToPost, openBooks } from './books.ts';
import { openRandom, type Random } from './random.ts';

const account = (
  code: string,
  name: string,
  kind: Pick<Account, 'type'> & Partial<Account>,
): Account => ({ ...{ code, name, status: 'active' }, ...kind });

const machines = { type: 'asset', subtype: 'fixed_asset' } as const;

/** Names and codes with all that means something in a journal of hledger. */
const randomChart: Account[] = [
  account('1010', 'Bank', { type: 'asset', subtype: 'cash', cashFlow: 'cash' }),
  account('10:10', 'Bank: of  two; parts', { type: 'asset', cashFlow: 'cash' }),
  account('Over/draft', 'type: A', { type: 'liability', subtype: 'debt', cashFlow: 'cash' }),
  account('1100', 'Customers', { type: 'asset', subtype: 'receivable', cashFlow: 'operating' }),
  account('1510', 'Machines', { ...machines, cashFlow: 'investing' }),
  account('1590', 'Depreciation', { ...machines, normalBalance: 'credit', cashFlow: 'operating' }),
  account('1690', 'Amortisation', {
    type: 'asset',
    subtype: 'intangible_asset',
    normalBalance: 'credit',
    cashFlow: 'investing',
  }),
  account('A B', '(virtual) [account]', { type: 'liability' }),
  account('2000%20', '* Payables = 5 @ 3', { type: 'liability', cashFlow: 'operating' }),
  account('2500', 'Loan', { type: 'liability', subtype: 'debt', cashFlow: 'financing' }),
  account('ü;1', '銀行\u3000口座', { type: 'equity', cashFlow: 'financing' }),
  account('3200', 'Retained', { type: 'equity', subtype: 'retained_earnings' }),
  account('"4000"', '', { type: 'revenue' }),
  account('ID-4f1c', 'Service Revenue', { type: 'revenue', cashFlow: 'operating' }),
  account('4800', 'Sold', { type: 'revenue', subtype: 'other_income', cashFlow: 'investing' }),
  account('5000', 'Goods', { type: 'expense', subtype: 'cost_of_sales', cashFlow: 'operating' }),
  account('6000', 'Salaries | Benefits', { type: 'expense', cashFlow: 'operating' }),
  account('6600', 'Wear', { type: 'expense', subtype: 'operating_expense', cashFlow: 'operating' }),
  account('7000', 'Interest', { type: 'expense', subtype: 'finance_cost', cashFlow: 'financing' }),
  account('7100', 'Exchange', {
    type: 'expense',
    subtype: 'other_expense',
    cashFlow: 'operating',
    role: 'fx_gain_loss',
  }),
  account('8000', 'Tax', { type: 'expense', subtype: 'income_tax', cashFlow: 'operating' }),
  account('1060', 'On its way', { type: 'asset', cashFlow: 'transfer' }),
  account('2210', 'Tax owed', {
    type: 'liability',
    subtype: 'income_tax_liability',
    cashFlow: 'operating',
  }),
  account('3000', 'Shares', {
    type: 'equity',
    subtype: 'contributed_capital',
    cashFlow: 'financing',
  }),
  account('4500', 'Interest', {
    type: 'revenue',
    subtype: 'interest_income',
    cashFlow: 'operating',
  }),
  account('7200', 'Disposals', {
    type: 'expense',
    subtype: 'disposal_result',
    cashFlow: 'investing',
  }),
  account('9', 'Never used', { type: 'expense' }),
];
const codes = randomChart.map(({ code }) => code).filter((code) => code !== '9');

const texts = [
  ...['', '  ; comment', 'date: tomorrow, [2026-02-30] date2:x', '= 5 EUR', '(code) * memo | note'],
  ...['two\nlines\tand  blanks', '-1 EUR @@ 2 USD', '2026-01-01 open', 'Ünïcode；“quotes”'],
  ...['cash_flow: cash, reverses:it', 'type:A, id:1'],
];

export const firstDate = '2025-11-15';
const today = '2026-03-23';
/** Entries due by this date are posted. */
const lastFlip = '2026-03-28';
const days = 150;

/** Common transactions: accounts with amounts, and the currency if it is not the euro. */
const happenings: readonly [memo: string, lines: string, currency?: string][] = [
  ['Machine on credit', '1510 900, 2000%20 -900', 'USD'],
  ['Depreciation', '6600 150, 1590 -150'],
  ['Machine sold', '10:10 1000, 1590 800, 1510 -1500, 4800 -300'],
  ['Money from one bank to the other', '10:10 250, 1010 -100, Over/draft -150'],
  ['Car for cash and a loan', '1510 30000, 2500 -20000, 10:10 -10000'],
  ['Wages with tax', '6000 4500, 2000%20 -900, 1010 -3600'],
  ['Machine sold with a gain', '1010 500.01, 1590 800, 1510 -1000, 7200 -300.01'],
  ['Loan becomes shares', '2500 500, 3000 -500'],
  ['Under way', '1060 100, 1010 -100'],
  ['Arrived', '10:10 97, 6000 3, 1060 -100'],
  ['Loss on money', '7100 12.34, 10:10 -12.34'],
  ['Loss on what customers owe', '7100 5, 1100 -5'],
  ['Loan and its fee', '1010 90000, 7000 777, 2500 -90777', 'JPY'],
];

const linesFrom = (text: string): EntryToPost['lines'] =>
  text.split(', ').map((line) => {
    const [code = '', amount = ''] = line.split(' ');
    return [code, amount] as const;
  });

const opening: EntryToPost = {
  memo: 'Opening balances',
  date: firstDate,
  lines: linesFrom('1010 5000, 1510 3000, 1590 -1200, Over/draft -700, 2500 -2000, ü;1 -4100'),
};

/** Two lines or more that balance, with an account more than once now and then. */
const randomLines = (random: Random, currency: string): EntryToPost['lines'] => {
  const units = Array.from({ length: 1 + random.below(3) }, () => 1 + random.below(99_999));
  const total = units.reduce((sum, it) => sum + it, 0);
  const decimals = decimalsOf(currency);
  const amount = (it: number): string => new Big(it).div(10 ** decimals).toFixed(decimals);
  return [
    ...units.map((it) => [random.pick(codes), amount(it), random.pick(texts)] as const),
    [random.pick(codes), `-${amount(total)}`, random.pick(texts)] as const,
  ];
};

/** The first and the last day of each. */
const fiscalYears = [
  ['01-01', '12-31'],
  ['03-01', '02-29'],
  ['01-16', '01-15'],
] as const;

const currencies = ['EUR', 'EUR', 'USD', 'JPY', 'KWD'];

/** Cancels some scheduled entries and reverses some others. */
const correct = async (
  entries: readonly JournalEntry[],
  { random, calls }: { random: Random; calls: Calls },
): Promise<{ reversals: number; cancelled: number }> => {
  const corrected = { reversals: 0, cancelled: 0 };
  const cancel = async (journal_entry_id: string): Promise<void> => {
    await calls.call('cancelEntry', { journal_entry_id });
    corrected.cancelled += 1;
  };
  for (const { status, entryId, postingDate } of entries.filter(() => random.once(3))) {
    if (status === 'scheduled') {
      await cancel(entryId);
      continue;
    }
    const date = addDays(postingDate, random.below(40));
    const accrual_date = random.once(2) ? addDays(date, random.below(30)) : null;
    const asked = { journal_entry_id: entryId, date, accrual_date };
    const reversal: JournalEntryView = await calls.call('reverseEntry', asked);
    const isScheduled = reversal.status === 'scheduled';
    if (isScheduled && random.once(2)) await cancel(reversal.journal_entry_id);
    else if (!isScheduled || reversal.posting_date <= lastFlip) corrected.reversals += 1;
  }
  return corrected;
};

/** `reversals` counts the posted ones. */
export const keepRandomBooks = async (
  { table, issuing }: { table: Table; issuing: Omit<KeyIssuing, 'pepper'> },
  { prefix, seed }: { prefix: string; seed: number },
) => {
  const random = openRandom(seed);
  const books = await openBooks({ table, issuing }, { prefix, chart: randomChart });
  const at = `${today}T09:30:00.000Z`;
  const { applicationId } = books.name;
  const instance = openInstance({ table, clock: () => new Date(at) });
  const calls = callsOf(instance, { applicationId, domain_url: prefix });
  const anyDate = (): string => addDays(firstDate, random.below(days));
  const entries: JournalEntry[] = [];
  const post = async (entry: EntryToPost) => void entries.push(await books.post({ at, ...entry }));

  const [yearStart, financial_year_end] = random.pick(fiscalYears);
  await calls.call('updateTenant', { financial_year_end });
  await post(opening);
  for (const [memo, lines, currency = 'EUR'] of happenings) {
    await post({ memo, currency, date: anyDate(), lines: linesFrom(lines) });
  }
  for (let entry = 0; entry < 40; entry += 1) {
    const currency = random.pick(currencies);
    await post({
      currency,
      reportingCurrency: random.pick(currencies),
      date: anyDate(),
      memo: random.pick(texts),
      lines: randomLines(random, currency),
      ...(random.once(3) && { accrualDate: anyDate() }),
      ...(random.once(4) && { externalId: `${random.pick(texts)}${entry}` }),
    });
    if (entry === 20) await books.archive('2000%20');
    const reference = `journal-${entry}`;
    if (random.once(4)) await books.importJournals({ reference, date: anyDate(), text: 'IJ; [1]' });
  }

  const corrected = await correct(entries, { random, calls });
  await books.flip(lastFlip);
  return { ...books, ...calls, ...corrected, prefix, yearStart };
};
