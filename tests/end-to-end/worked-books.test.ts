// A year of books: the requests of /docs/worked-year, run in a shell as the page shows them. The
// replies must equal tests/data/worked-books.md, which was calculated by hand.

import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import Big from 'big.js';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Data as AccountLedger } from '#functions/get-account-ledger/schema.ts';
import type { Data as BalanceSheet } from '#functions/get-balance-sheet/schema.ts';
import type { Data as CashFlow } from '#functions/get-cash-flow/schema.ts';
import type { Data as ProfitAndLoss } from '#functions/get-profit-and-loss/schema.ts';
import type { Data as TrialBalance } from '#functions/get-trial-balance/schema.ts';
import { workedYear } from '#infra/docs/worked-year.ts';
import type { JournalEntryView } from '#shared/entries/journal-entry.view.ts';
import { makeDataFolder, startService } from '../support/processes/service.ts';
import {
  cashFlowRows,
  named,
  profitRows,
  sectionRows,
  sheetRows,
} from '../support/readers/statements/page-rows.ts';
import { tAccountsBelow, tableBelow, tablesBelow } from '../support/readers/worked-page.ts';

const lastDay = '2025-12-31';
const january = '2026-01-31';

/** The requests whose replies the shell prints. Of the others it keeps a field. */
const requests = workedYear.steps
  .flatMap((step) => step.requests)
  .filter(({ keep }) => keep === undefined);

type Reply = { path: string; status: string; data: unknown };

/** The replies in the order of the requests, with the paths of these. */
let replies: Reply[];
/** Those to the same requests, sent once more. */
let repeats: Reply[];
/** Every entry in the order of its number. */
let entries: JournalEntryView[];

/** The data of the replies to all requests whose path and query have this. */
const repliesTo = <Data>(part: string): Data[] =>
  replies.filter(({ path }) => path.includes(part)).map(({ data }) => data as Data);

/** The data of the reply to the only request whose path and query have this. */
const replyTo = <Data>(part: string): Data => {
  const [data, ...others] = repliesTo<Data>(part);
  if (data === undefined || others.length > 0) throw new Error(`not one request has ${part}`);
  return data;
};

const numberOf = ({ external_id }: JournalEntryView): string =>
  String(external_id).replace('harbour-', '');

/** The commands of a page, as a reader copies them. */
const commandsOn = (page: string): string[] =>
  [...page.matchAll(/<pre[^>]*><code>(.+?)<\/code><\/pre>/gs)].map(([, code = '']) =>
    code.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&'),
  );

/** Runs the whole year in a shell. */
const run = async (script: string): Promise<Reply[]> => {
  const { stdout } = await promisify(execFile)('sh', ['-e', '-c', script]);
  const shown = stdout.split(/(?<=\})(?=\{)|\n/).filter((text) => text.startsWith('{'));
  expect(shown).toHaveLength(requests.length);
  return requests.map(({ pathAndQuery: path }, place) => ({
    path,
    ...JSON.parse(shown[place] ?? ''),
  }));
};

beforeAll(async () => {
  const folder = await makeDataFolder();
  const service = await startService({ dataFolder: folder.path });
  try {
    const page = await (await fetch(`${service.demo.base_url}/docs/worked-year`)).text();
    const script = commandsOn(page).join('\n');
    replies = await run(script);
    repeats = await run(script);
  } finally {
    await service.stop();
    await folder.remove();
  }
  expect([...replies, ...repeats].filter(({ status }) => status !== 'success')).toEqual([]);
  entries = [
    ...repliesTo<{ journal_entries: JournalEntryView[] }>('/create_many/').flatMap(
      ({ journal_entries }) => journal_entries,
    ),
    replyTo<JournalEntryView>('/reverse/'),
  ].sort((one, other) => Number(numberOf(one)) - Number(numberOf(other)));
});

/** A zero leaves its cell empty. */
const cell = (amount: string): string => (amount === '0.00' ? '' : amount);

const negative = (amount: string): string => new Big(amount).neg().toFixed(2);

describe('the journal', () => {
  test('has every entry as it was posted, in euro and in dollars', () => {
    const rows = entries.flatMap((entry) =>
      entry.transactions.map((line, place) => [
        ...(place === 0 ? [numberOf(entry), entry.posting_date, entry.memo] : ['', '', '']),
        named(line),
        cell(line.book_debit),
        cell(line.book_credit),
        entry.transaction_currency === 'USD' ? cell(line.debit) + cell(line.credit) : '',
      ]),
    );
    expect(rows).toEqual(tableBelow('The journal'));
  });

  test('has dollars at the rates of their dates', () => {
    const RateNumber = Big();
    [RateNumber.DP, RateNumber.RM] = [11, Big.roundHalfEven];
    const rows = tableBelow('The dollar');
    for (const [, , perEuro = '', rate = '', dollars = '', euros] of rows) {
      expect(new RateNumber(1).div(perEuro).toFixed(11)).toBe(rate);
      expect(new Big(dollars).times(rate).toFixed(2, Big.roundHalfUp)).toBe(euros);
    }
    const inDollars = entries.filter((entry) => entry.transaction_currency === 'USD');
    const [invoice, payment] = inDollars.map((it) => [
      ...[it.exchange_rate_date, it.exchange_rate],
      ...[it.transaction_amount, it.book_amount],
    ]);
    const { rows: accounts } = replyTo<TrialBalance>('/trial_balance/');
    const dollars = accounts.find(({ account }) => account === '1015');
    const closing = [lastDay, dollars?.currencies?.[0]?.closing.debit, dollars?.closing.debit];
    const shown = rows.map(([, date, , ...others]) => [date, ...others]);
    expect([invoice, payment]).toEqual(shown.slice(0, 2));
    expect(closing).toEqual(
      rows.slice(2).flatMap(([, date, , , ...amounts]) => [date, ...amounts]),
    );
  });

  test('reverses the mistake, both ways', () => {
    const [mistake, reversal] = ['25', '26'].map((number) =>
      entries.find((entry) => numberOf(entry) === number),
    );
    expect(reversal?.reverses).toBe(mistake?.journal_entry_id);
  });
});

test('every reply has the figures that the page shows', () => {
  const withFigures = requests.filter(({ expected }) => expected !== undefined);
  expect(withFigures.map(({ pathAndQuery }) => pathAndQuery)).toEqual(
    requests.flatMap(({ pathAndQuery: path }) => (path.includes('/reports/') ? [path] : [])),
  );
  for (const { pathAndQuery, expected = {} } of withFigures) {
    expect(replyTo(pathAndQuery)).toMatchObject(expected);
  }
});

test('all of it can be sent again, though the year is locked, and no report changes', () => {
  const reportsIn = (all: Reply[]) =>
    all
      .filter(({ path }) => path.includes('/reports/'))
      .map(({ data, ...reply }) => ({ ...reply, data: { ...Object(data), made_at: '' } }));
  expect(reportsIn(repeats)).toEqual(reportsIn(replies));
});

describe('the trial balance', () => {
  type Figures = Pick<TrialBalance['totals'], 'movement' | 'closing'>;

  const figureCells = ({ movement, closing }: Figures): string[] => [
    ...[movement.debit, movement.credit],
    ...[cell(closing.debit), cell(closing.credit)],
  ];

  test('has every account, and dollars where there are any', () => {
    const { rows, totals } = replyTo<TrialBalance>('/trial_balance/');
    const [inEuro, inDollars] = tablesBelow(`Trial balance at ${lastDay}`);
    const all = rows.map((row) => [named(row), ...figureCells(row)]);
    expect([...all, ['Total', ...figureCells(totals)]]).toEqual(inEuro);
    const ofDollars = rows.flatMap((row) =>
      (row.currencies ?? []).map((figures) => [named(row), ...figureCells(figures)]),
    );
    expect(ofDollars).toEqual(inDollars);
  });

  test('equals the balances of the T-accounts, which have every posting of the year', () => {
    const postings = entries
      .filter(({ posting_date }) => posting_date <= lastDay)
      .sort((one, other) => one.posting_date.localeCompare(other.posting_date))
      .flatMap((entry) => entry.transactions.map((line) => ({ ...line, of: numberOf(entry) })));
    const accounts = replyTo<TrialBalance>('/trial_balance/').rows.map((row) => {
      const side = (amount: 'book_debit' | 'book_credit') =>
        postings
          .filter((line) => line.account === row.account && line[amount] !== '0.00')
          .map((line) => [line.of, line[amount]]);
      const { movement, closing } = row;
      return {
        name: named(row),
        debits: side('book_debit'),
        credits: side('book_credit'),
        totals: [movement.debit, movement.credit],
        balance: cell(closing.debit) || negative(closing.credit),
      };
    });
    expect(accounts).toEqual(tAccountsBelow(`T-accounts at ${lastDay}`));
  });
});

describe('the statements', () => {
  test('are a profit and loss account', () => {
    const shown = replyTo<ProfitAndLoss>('/profit_and_loss/');
    expect(profitRows(shown)).toEqual(tableBelow('Profit and loss 2025'));
  });

  test.each([
    [lastDay, 2],
    [january, 3],
  ])('are a balance sheet at %s', (date, column) => {
    const shown = replyTo<BalanceSheet>(`/balance_sheet/?domain_url=$BAKERY&as_of=${date}`);
    const page = tableBelow(`Balance sheets at ${lastDay} and ${january}`);
    // A line that is there on one of the two dates only is a zero on the other.
    const isThere = ([, , amount]: string[]): boolean => amount !== '0.00';
    const atDate = page.map(([part = '', line = '', ...amounts]) => [
      ...[part, line, amounts[column - 2] ?? ''],
    ]);
    expect(sheetRows(shown).filter(isThere)).toEqual(atDate.filter(isThere));
  });

  test.each(['direct', 'indirect'])('are cash flows by the %s method', (method) => {
    const shown = replyTo<CashFlow>(`&method=${method}`);
    const heading = method === 'direct' ? 'Direct method' : 'Indirect method';
    expect(shown.operating.method).toBe(method);
    expect(cashFlowRows(shown)).toEqual(tableBelow(heading));
    expect(sectionRows('Total', shown.non_cash_transactions)).toEqual(
      tableBelow('Transactions without cash'),
    );
  });
});

describe('the VAT accounts', () => {
  const accounts = [
    { account: '2200', heading: '2200 Sales Tax Payable: VAT charged', sign: -1 },
    { account: '1350', heading: '1350 Recoverable Sales Tax: VAT paid to suppliers', sign: 1 },
  ];
  const taxOn = (net = ''): Big => new Big(net || 0).times('0.2');

  test.each(accounts)('$account: line by line, a fifth of a net amount', (it) => {
    const { lines } = replyTo<AccountLedger>(`account=${it.account}&`);
    const page = tableBelow(it.heading);
    const numbers = new Map(entries.map((entry) => [entry.journal_number, numberOf(entry)]));
    const rows = lines.map((line, place) => {
      const tax = new Big(line.debit).minus(line.credit).times(it.sign);
      const isSettlement = page[place]?.[3] === '';
      return [
        ...[numbers.get(line.journal_number), line.posting_date, line.memo],
        ...[isSettlement ? '' : tax.times(5).toFixed(2)],
        ...[cell(line.debit), cell(line.credit), line.balance],
      ];
    });
    expect(rows).toEqual(page);
  });

  test('come to the returns, which are settled by payments', () => {
    const returns = [
      { half: 'first', from: '2025-01-01', to: '2025-06-30' },
      { half: 'second', from: '2025-07-01', to: lastDay },
    ].map(({ half, from, to }, place) => {
      const [charged, paid] = accounts.map(({ heading }) =>
        tableBelow(heading)
          .filter(([, date = '']) => date >= from && date <= to)
          .reduce((sum, [, , , net]) => sum.plus(taxOn(net)), new Big(0)),
      );
      const owed = new Big(charged ?? 0).minus(paid ?? 0);
      const [, , , , , settledBy] = tableBelow('The returns')[place] ?? [];
      const settlement = entries.find((entry) => numberOf(entry) === settledBy);
      const bank = settlement?.transactions.find(({ account }) => account === '1010');
      expect(bank).toMatchObject(
        owed.gt(0) ? { credit: owed.toFixed(2) } : { debit: negative(owed.toFixed(2)) },
      );
      return [
        ...[half, charged?.toFixed(2), paid?.toFixed(2), owed.toFixed(2)],
        ...[settlement?.posting_date, settledBy],
      ];
    });
    expect(returns).toEqual(tableBelow('The returns'));
  });
});
