import { describe, expect, test } from 'vitest';
import { exportTenant } from '#infra/ops/commands/books.ts';
import type { Account } from '#shared/accounts/accounts.ts';
import { entryKey, tenantKey } from '#shared/table/keys.ts';
import { openBooks } from '../../../support/builders/books.ts';
import { refusalOf, useOperator } from '../../../support/harnesses/operator.ts';
import { asWritten } from '../../../support/readers/csv.ts';

const operator = useOperator();

const chart: Account[] = [
  { code: '1010', name: 'Bank', type: 'asset', status: 'active', cashFlow: 'cash' },
  {
    code: '2400',
    name: 'Overdraft',
    type: 'liability',
    status: 'active',
    subtype: 'debt',
    cashFlow: 'cash',
  },
  { code: '40:10', name: 'Sales;  at home', type: 'revenue', status: 'archived' },
];

const keep = (prefix: string) => openBooks(operator.ledger, { prefix, chart });

const lines = [
  ['1010', '11.60', '=1+1'],
  ['40:10', '-11.60', 'date: [1] "a", b'],
] as const;

const exported = async (
  tenant: string,
  options: { format: 'hledger' | 'csv'; from?: string; to?: string },
) => {
  const pieces: string[] = [];
  const writeOutput = async (text: string) => void pieces.push(text);
  const report = await exportTenant.run(
    { ...operator.dependencies, writeOutput },
    { tenant, application: 'Bookings', ...options },
  );
  return { text: pieces.join(''), report };
};

describe('books', () => {
  test('are not exported with an item that was altered in the table', async () => {
    const { name, post } = await keep('altered');
    await post({ lines });
    const key = entryKey(name, { series: 'MJ', date: '2026-03-20', sequence: 1 });
    const entry = (await operator.database.scan()).find(
      ({ pk, sk }) => pk === key.pk && sk === key.sk,
    );
    await operator.database.tamper({ ...key, ...entry, memo: 'Gift' });
    expect(await refusalOf(exported('altered', { format: 'csv' }))).toBe(
      `${key.sk} was altered in the table: run books verify for this tenant`,
    );
  });

  test('are exported as an hledger journal in posting order', async () => {
    const { name, post } = await keep('journal');
    const first = await post({
      lines,
      currency: 'USD',
      reportingCurrency: 'JPY',
      memo: 'One; two\nthree',
      externalId: 'order-1, again',
    });
    const second = await post({ lines, date: '2026-03-22', accrualDate: '2026-03-19', memo: '' });
    await post({ lines, accrualDate: '2026-04-01' });
    expect(await exported('journal', { format: 'hledger' })).toEqual({
      text: `; Books of journal (journal), kept in EUR

decimal-mark .
commodity 1000.00 EUR
account assets:1010 Bank  ; type: C, cash_flow: cash
account liabilities:2400 Overdraft  ; type: L, subtype: debt, cash_flow: cash
account revenues:40%3A10 Sales； at home  ; type: R

2026-03-19=2026-03-22 * (MJ-20260322-0001)
    ; id:${second.entryId}, user_id:7
    assets:1010 Bank  11.60 EUR  ; =1+1
    revenues:40%3A10 Sales； at home  -11.60 EUR  ; date : (1) "a", b

commodity 1000.00 USD

2026-03-20 * (MJ-20260320-0001) One； two three
    ; id:${first.entryId}, external_id:order-1  again, user_id:7, reporting:1839.00 JPY
    assets:1010 Bank  11.60 USD @@ 10.00 EUR  ; =1+1
    revenues:40%3A10 Sales； at home  -11.60 USD @@ 10.00 EUR  ; date : (1) "a", b

; The end: 2 entries.
`,
      report: {
        application: 'Bookings',
        application_id: name.applicationId,
        tenant: 'journal',
        format: 'hledger',
        from: '0001-01-01',
        to: '9999-12-31',
        entries: 2,
        scheduled_left_out: 1,
      },
    });
  });

  test('are exported as CSV without formulas', async () => {
    const { post, reverse } = await keep('values');
    const metadata = { order: '=7' };
    const entry = await post({ lines, externalId: '-42', memo: '@SUM(A1)\r\n', metadata });
    const { entryId, hash } = entry;
    const reversal = await reverse(entry, { date: '2026-03-21' });
    const { text } = await exported('values', { format: 'csv' });
    const at = '2026-03-23T09:30:00.000Z';
    const start = `2026-03-20,1,MJ-20260320-0001,${entryId},2026-03-20,,Manual Journal`;
    const rate = '1.00000000000';
    const links = `,${reversal.entryId},"{""order"":""=7""}"`;
    const end = `${rate},2026-03-20,same_currency,${links},${hash}`;
    const head =
      'posting_date,posting_sequence,journal_number,journal_entry_id,date,accrual_date,' +
      'entry_type,memo,external_id,user_id,created_at,posted_at,line_number,account,' +
      'account_name,account_type,description,transaction_currency,debit,credit,' +
      'book_currency,book_debit,book_credit,book_exchange_rate,' +
      'reporting_currency,reporting_debit,reporting_credit,' +
      'exchange_rate,exchange_rate_date,exchange_rate_source,reverses,reversed_by,metadata,hash';
    const ofEntry = `${start},"'@SUM(A1)\r\n",'-42,"7",${at},${at}`;
    const rows = [
      head,
      `${ofEntry},1,1010,Bank,asset,'=1+1,` +
        `EUR,11.60,0.00,EUR,11.60,0.00,${rate},EUR,11.60,0.00,${end}`,
      `${ofEntry},2,40:10,Sales;  at home,revenue,"date: [1] ""a"", b",` +
        `EUR,0.00,11.60,EUR,0.00,11.60,${rate},EUR,0.00,11.60,${end}`,
    ];
    expect(text.startsWith(rows.map((row) => asWritten(`${row}\r\n`)).join(''))).toBe(true);
    expect(text).toContain(asWritten(`same_currency,${entryId},,"",${reversal.hash}\r\n`));
  });

  test('are exported for a range of dates', async () => {
    const { post } = await keep('dates');
    for (const date of ['2026-03-18', '2026-03-19', '2026-03-20', '2026-03-21']) {
      await post({ lines, date });
    }
    const range = { from: '2026-03-19', to: '2026-03-20' };
    const { text, report } = await exported('dates', { format: 'csv', ...range });
    expect(text.match(/MJ-\d+-\d+/g)).toEqual(
      ['19', '19', '20', '20'].map((day) => `MJ-202603${day}-0001`),
    );
    expect(report).toMatchObject({ ...range, entries: 2 });
  });

  const place = { series: 'MJ', date: '2026-03-20', sequence: 1 } as const;
  test.each([
    ['an entry', 'entry', 'the MJ day sheet of 2026-03-20 counts 1 entries, but there are 0'],
    [
      'an account',
      'ACCOUNT#1010',
      'MJ-20260320-0001 is posted to account 1010, which does not exist',
    ],
  ])('that lack %s are not exported', async (title, sk, sentence) => {
    const prefix = `lacks-${title.replace(' ', '-')}`;
    const { name, post } = await keep(prefix);
    await post({ lines });
    const key = sk === 'entry' ? entryKey(name, place) : { ...tenantKey(name), sk };
    await operator.database.table.consume(key, { condition: 'attribute_exists(pk)' });
    expect(await refusalOf(exported(prefix, { format: 'hledger' }))).toBe(
      `${sentence}: run books verify for this tenant`,
    );
  });
});
