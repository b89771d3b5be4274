import { describe, expect, test } from 'vitest';
import { createHandler, type Dependencies } from '#functions/create-journal-entry/handler.ts';
import { openJournalEntries } from '#shared/entries/journal-entries.store.ts';
import { openPosting } from '#shared/entries/posting.service.ts';
import { openTable } from '#shared/table/table.ts';
import { openTestLedger } from '../../support/builders/ledger.ts';
import { startFaultyDynamoDB } from '../../support/dynamodb/faulty-dynamodb.ts';
import { apiEvent, lambdaContext, readResult } from '../../support/events/lambda-events.ts';
import { tenantToolsOf } from '../../support/harnesses/tenant-tools.ts';
import { problemsOf } from '../../support/readers/replies.ts';

const ledger = await openTestLedger();
await ledger.createTenant('Acme');
await ledger.createTenant('Other', { applicationId: 'app2' });

const line = (account: string, side: 'debit' | 'credit', amount: unknown, description = '') => ({
  account,
  [side]: amount,
  description,
});

const entry = {
  domain_url: 'acme-k7m2xq',
  date: '2026-03-23',
  memo: 'March consulting',
  transactionCurrency: 'EUR',
  reportingCurrency: 'EUR',
  entries: [line('1010', 'debit', '100.00'), line('4010', 'credit', '100.00')],
};

const dependencies = ({ journalEntries } = ledger): Dependencies => ({
  posting: openPosting({
    ...ledger,
    journalEntries,
    clock: () => new Date('2026-03-24T12:00:00Z'),
  }),
  ...tenantToolsOf(ledger.table),
});

const handler = createHandler(dependencies());
const post = async (body: unknown, applicationId = 'app1') =>
  readResult(await handler(apiEvent({ body, applicationId }), lambdaContext()));

describe('a new entry', () => {
  test('posts across currencies at the ECB rate of its date', async () => {
    const reply = await post({
      ...entry,
      domain_url: 'ACME-K7M2XQ.Ledger.Example.com',
      transactionCurrency: 'USD',
      external_id: 'first',
      entries: [
        line('1010', 'debit', '1159.60', 'Received'),
        line('4010', 'credit', 386.53),
        line('4000', 'credit', '386.53'),
        line('4600', 'credit', '386.54'),
      ],
    });
    expect(reply.status).toBe(200);
    // 1 / 1.1596 = 0.862366333218…; 386.53 of it is 333.3304…, and 386.54 is 333.3390…
    expect(reply.body.data).toEqual({
      journal_entry_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      journal_number: 'MJ-20260323-0001',
      date: '2026-03-23',
      posting_date: '2026-03-23',
      posting_sequence: 1,
      memo: 'March consulting',
      entry_type: 'Manual Journal',
      status: 'posted',
      accrual_date: null,
      external_id: 'first',
      user_id: null,
      transaction_currency: 'USD',
      transaction_amount: '1159.60',
      reporting_currency: 'EUR',
      reporting_amount: '1000.00',
      reporting_amount_rounded_to_zero: false,
      exchange_rate: '0.86236633322',
      exchange_rate_date: '2026-03-23',
      exchange_rate_source: 'ecb_derived',
      book_currency: 'EUR',
      book_amount: '1000.00',
      book_exchange_rate: '0.86236633322',
      metadata: {},
      ...{ reverses: null, reversed_by: null, cancelled_at: null },
      created_at: '2026-03-24T12:00:00.000Z',
      posted_at: '2026-03-24T12:00:00.000Z',
      hash: expect.stringMatching(/^[0-9a-f]{64}$/),
      transactions: [
        ['1010', 'Bank Current Account', 'Received', '1159.60', '0.00', '1000.00', '0.00'],
        ['4010', 'Service Revenue', '', '0.00', '386.53', '0.00', '333.33'],
        ['4000', 'Product Sales', '', '0.00', '386.53', '0.00', '333.33'],
        ['4600', 'Other Income', '', '0.00', '386.54', '0.00', '333.34'],
      ].map(([account, account_name, description, debit, credit, ...reporting], index) => ({
        line_number: index + 1,
        ...{ account, account_name, description, debit, credit },
        ...{ reporting_debit: reporting[0], reporting_credit: reporting[1] },
        ...{ book_debit: reporting[0], book_credit: reporting[1] },
      })),
      bank_reconciliation_id: null,
    });
  });

  test('is scheduled when its accrual date is after today, and posted on it', async () => {
    const tomorrow = await post({ ...entry, accrual_date: '2026-03-25' });
    const today = await post({ ...entry, accrual_date: '2026-03-24' });
    expect([tomorrow.body.data.status, today.body.data.status]).toEqual(['scheduled', 'posted']);
    expect(tomorrow.body.data.accrual_date).toBe('2026-03-25');
  });

  test('keeps 500 lines of the longest texts', async () => {
    const description = '漢'.repeat(100);
    const entries = Array.from({ length: 500 }, (_, index) =>
      line(index % 2 ? '4010' : '1010', index % 2 ? 'credit' : 'debit', '0.01', description),
    );
    const body = { ...entry, date: '2026-03-21', entries, external_id: '🧾'.repeat(255) };
    const first = await post(body);
    expect(first.status).toBe(200);
    expect(first.body.data.transactions).toHaveLength(500);
    expect((await post(body)).body).toEqual(first.body);
  });
});

describe('an external_id', () => {
  test('returns the original entry for ever, and says where a repeat differs', async () => {
    const first = await post({ ...entry, external_id: 'repeat' });
    expect(first.headers).not.toHaveProperty('Idempotent-Replayed');
    const headers = { ...first.headers, 'Idempotent-Replayed': 'true' };
    expect(await post({ ...entry, external_id: 'repeat' })).toEqual({ ...first, headers });
    const other = await post({
      ...{ ...entry, external_id: 'repeat', memo: 'Another memo', accrual_date: '2026-04-01' },
      entries: [
        line('1010', 'debit', '100'),
        line('4000', 'credit', '90'),
        line('4010', 'credit', '10'),
      ],
    });
    const differing = '/memo, /accrual_date, /entries/1/account, /entries/1/credit, /entries/2';
    expect(other).toEqual({ ...first, headers: { ...headers, 'Idempotency-Mismatch': differing } });
  });

  test('is the same however its accents are written, and is shown in one way', async () => {
    const first = await post({ ...entry, external_id: 'Cafe\u0301', memo: 'Cafe\u0301' });
    expect(first.body.data).toMatchObject({ external_id: 'Café', memo: 'Café' });
    const again = await post({ ...entry, external_id: 'Café', memo: 'Café' });
    const headers = { ...first.headers, 'Idempotent-Replayed': 'true' };
    expect(again).toEqual({ ...first, headers });
  });

  test('is not used up by a request that is refused', async () => {
    const asked = { ...entry, external_id: 'second try' };
    expect((await post({ ...asked, memo: ' ' })).status).toBe(422);
    const entries = [entry.entries[0], line('9', 'credit', '100')];
    expect((await post({ ...asked, entries })).status).toBe(422);
    const right = await post(asked);
    expect([right.status, right.headers['Idempotent-Replayed']]).toEqual([200, undefined]);
  });

  test('belongs to its tenant alone', async () => {
    const one = await post({ ...entry, external_id: 'shared' }, 'app1');
    const other = await post(
      { ...entry, domain_url: 'other-k7m2xq', external_id: 'shared' },
      'app2',
    );
    expect(other.headers).not.toHaveProperty('Idempotent-Replayed');
    expect(other.body.data.journal_entry_id).not.toBe(one.body.data.journal_entry_id);
  });

  test('sent 16 times at once makes one entry and 16 identical answers', async () => {
    const body = { ...entry, date: '2026-03-20', external_id: 'crowd' };
    const replies = await Promise.all(Array.from({ length: 16 }, () => post(body)));
    expect(new Set(replies.map((reply) => JSON.stringify(reply.body))).size).toBe(1);
    const first = replies.filter(({ headers }) => headers['Idempotent-Replayed'] === undefined);
    expect(first).toHaveLength(1);
    const next = await post({ ...entry, date: '2026-03-20' });
    expect(next.body.data.journal_number).toBe('MJ-20260320-0002');
  });
});

describe('an entry whose fate is not known', () => {
  test.each([
    [true, { external_id: 'carried' }],
    [false, {}],
  ])('may be sent again: %s, for it has %o', async (retryable, fields) => {
    const faulty = await startFaultyDynamoDB(ledger.endpoint);
    const table = openTable(ledger.tableName, { endpoint: faulty.endpoint, maxAttempts: 1 });
    faulty.plan('TransactWriteItems', 1, 'hangs up');
    const journalEntries = openJournalEntries(table);
    const handler = createHandler(dependencies({ ...ledger, journalEntries }));
    const body = { ...entry, ...fields, date: '2026-03-16' };
    const reply = readResult(await handler(apiEvent({ body }), lambdaContext()));
    await faulty.stop();
    const error = { code: 'temporarily_unavailable', retryable };
    expect([reply.status, reply.body.error]).toMatchObject([503, error]);
  });
});

describe('numbers', () => {
  test('16 posts at once into one tenant and date get 1 to 16 without a gap', async () => {
    const body = { ...entry, date: '2026-03-22' };
    const replies = await Promise.all(Array.from({ length: 16 }, () => post(body)));
    const numbers = replies.map((reply) => reply.body.data?.journal_number).sort();
    expect(numbers).toEqual(
      Array.from({ length: 16 }, (_, n) => `MJ-20260322-${String(n + 1).padStart(4, '0')}`),
    );
  });

  test('are not consumed by a request that is refused', async () => {
    const body = { ...entry, date: '2026-03-19' };
    expect((await post({ ...body, entries: [line('1010', 'debit', '1')] })).status).toBe(422);
    expect((await post(body)).body.data.journal_number).toBe('MJ-20260319-0001');
  });
});

describe('a refused entry', () => {
  const linesOf = (debit: string, credit: string, account = '4010') => ({
    entries: [line('1010', 'debit', debit), line(account, 'credit', credit)],
  });
  const oneSided = [
    { account: '1010', debit: '1', credit: '1' },
    { account: '4010', debit: '0.00', credit: '' },
  ];
  const broken = [
    line('1010', 'debit', '1.234'),
    line('nowhere', 'credit', '1'),
    { ...line('4010', 'credit', '1'), tax: '1' },
    { debit: '1' },
  ];
  const tooMany = Array.from({ length: 501 }, () => line('1010', 'debit', '1'));
  const nobody = { domain_url: 'nobody' };
  const longName = 'n'.repeat(41);
  const yen = { transactionCurrency: 'JPY' };
  const beforeRates = { ...yen, reportingCurrency: 'USD', date: '2026-03-01' };

  test.each<[title: string, change: object, problems: string[]]>([
    ['an unknown account', linesOf('1', '1', '6001'), ['account_not_found /entries/1/account']],
    [
      'metadata of which a name and its text are too long',
      { metadata: { [longName]: 'x'.repeat(501) } },
      [`too_long /metadata/${longName} /metadata/${longName}`],
    ],
    [
      'a direction turned',
      { external_id: 'a\u202eb' },
      ['invisible_characters_not_allowed /external_id'],
    ],
    ['not one side', { entries: oneSided }, ['line_must_have_one_side /entries/0 /entries/1']],
    [
      'decimals that the yen does not have',
      { ...yen, ...linesOf('100.50', '100.50') },
      ['amount_too_precise /entries/0/debit /entries/1/credit'],
    ],
    [
      'a currency without a rate on that date',
      { transactionCurrency: 'KES' },
      ['exchange_rate_unavailable /transactionCurrency'],
    ],
    ['a date before all rates', beforeRates, ['exchange_rate_unavailable /date']],
    [
      'a tenant that is not there, and lines that do not balance',
      { ...nobody, ...linesOf('2', '1') },
      ['tenant_not_found /domain_url', 'debits_must_equal_credits /entries'],
    ],
    [
      'everything at once: broken fields do not hide the rules that they do not touch',
      { memo: '', date: '2026-02-30', reportingCurrency: 'EURO', colour: 'red', entries: broken },
      [
        'date_not_valid /date',
        'memo_must_not_be_blank /memo',
        'currency_unknown /reportingCurrency',
        'amount_not_valid /entries/0/debit',
        'unknown_field /entries/2/tax',
        'required /entries/3/account',
        'unknown_field /colour',
        'debits_must_equal_credits /entries',
        'account_not_found /entries/1/account',
      ],
    ],
    [
      'one line only',
      { entries: [line('nowhere', 'debit', '1')] },
      [
        'too_few_items /entries',
        'debits_must_equal_credits /entries',
        'account_not_found /entries/0/account',
      ],
    ],
    [
      '501 lines',
      { entries: tooMany },
      ['too_many_items /entries', 'debits_must_equal_credits /entries'],
    ],
    [
      '501 lines, of which the first and the last have no amount',
      { entries: [line('1010', 'debit', 'x'), ...tooMany.slice(2), line('1010', 'debit', 'y')] },
      ['too_many_items /entries', 'amount_not_valid /entries/0/debit /entries/500/debit'],
    ],
    [
      'three decimals, which do not hide the balance',
      linesOf('1.005', '1'),
      ['amount_not_valid /entries/0/debit', 'debits_must_equal_credits /entries'],
    ],
    [
      'a broken field and a tenant that is not there',
      { ...nobody, memo: '' },
      ['memo_must_not_be_blank /memo', 'tenant_not_found /domain_url'],
    ],
  ])('%s', async (_, change, problems) => {
    const before = await ledger.scan();
    const reply = await post({ ...entry, ...change });
    expect([reply.status, problemsOf(reply)]).toEqual([422, problems]);
    expect(await ledger.scan()).toEqual(before);
  });

  test('says by how much debits and credits differ', async () => {
    const reply = await post({ ...entry, ...linesOf('100.00', '99.99') });
    expect(reply.body.error).toEqual({
      code: 'validation_failed',
      message: 'The request breaks the rules listed in details.',
      retryable: false,
      request_id: 'b5c5b7f5-8a3c-4d5f-9b0a-0123456789ab',
      details: [
        {
          code: 'debits_must_equal_credits',
          pointer: '/entries',
          message: 'Total debits must equal total credits.',
          params: { total_debits: '100.00', total_credits: '99.99', difference: '0.01' },
        },
      ],
    });
  });

  test('never tells another application’s tenant from one that does not exist', async () => {
    const theirs = await post({ ...entry, domain_url: 'other-k7m2xq' });
    const nobodys = await post({ ...entry, domain_url: 'nobody' });
    expect(theirs).toEqual(nobodys);
    expect([theirs.status, theirs.body.error.code]).toEqual([404, 'tenant_not_found']);
  });
});
