import { describe, expect, test } from 'vitest';
import { noHash } from '#shared/entries/entry-hash.ts';
import { sheetKey } from '#shared/table/keys.ts';
import { openTable } from '#shared/table/table.ts';
import { fullRows } from '../../support/builders/full-sheets.ts';
import { euroEntry } from '../../support/builders/requests.ts';
import { testAuthenticators } from '../../support/builders/secrets.ts';
import { unlinkUser } from '../../support/builders/user-links.ts';
import { startFaultyDynamoDB } from '../../support/dynamodb/faulty-dynamodb.ts';
import { callsOf, openTenantCalls } from '../../support/harnesses/calls.ts';
import { openInstance } from '../../support/harnesses/instances.ts';
import { problemsOf, replayOf } from '../../support/readers/replies.ts';

const { ledger, domain_url, name, send } = await openTenantCalls();
const post = (entry: object) => send('createEntry', entry);

const lines = (debit: string, credit = debit, account = '4010') => [
  { account: '1010', debit },
  { account, credit },
];

describe('a new entry', () => {
  test('is posted across currencies at the ECB rate of its date', async () => {
    const entries = [
      { account: '1010', debit: '1159.60', description: 'Received' },
      { account: '4010', credit: 386.53 },
      { account: '4000', credit: '386.53' },
      { account: '4600', credit: '386.54' },
    ];
    const currencies = { transactionCurrency: 'USD', external_id: 'first' };
    const reply = await post(euroEntry({ ...currencies, entries }));
    expect(reply.status).toBe(200);
    // 1 / 1.1596 = 0.862366333218…; 386.53 of it is 333.3304…, and 386.54 is 333.3390…
    // The test of the README compares a whole reply.
    expect(reply.body.data).toMatchObject({
      journal_number: 'MJ-20260323-0001',
      external_id: 'first',
      transaction_amount: '1159.60',
      reporting_amount: '1000.00',
      book_amount: '1000.00',
      exchange_rate: '0.86236633322',
      exchange_rate_source: 'ecb_derived',
      transactions: [
        ['1010', 'Bank Current Account', 'Received', '1159.60', '0.00', '1000.00', '0.00'],
        ['4010', 'Service Revenue', '', '0.00', '386.53', '0.00', '333.33'],
        ['4000', 'Product Sales', '', '0.00', '386.53', '0.00', '333.33'],
        ['4600', 'Other Income', '', '0.00', '386.54', '0.00', '333.34'],
      ].map(([account, account_name, description, debit, credit, ...reporting], index) => ({
        line_number: index + 1,
        account,
        account_name,
        description,
        debit,
        credit,
        reporting_debit: reporting[0],
        reporting_credit: reporting[1],
        book_debit: reporting[0],
        book_credit: reporting[1],
      })),
    });
  });

  test('is scheduled if its accrual date is in the future', async () => {
    for (const [accrual_date, status] of [
      ['2026-03-25', 'scheduled'],
      ['2026-03-24', 'posted'],
    ]) {
      const { data } = (await post(euroEntry({ accrual_date }))).body;
      expect(data).toMatchObject({ status, accrual_date });
    }
  });

  test('can have 500 lines of the longest texts', async () => {
    const description = '漢'.repeat(100);
    const entries = Array.from({ length: 250 }, () => lines('0.01')).flat();
    const body = euroEntry({
      date: '2026-03-21',
      entries: entries.map((it) => ({ ...it, description })),
      external_id: '🧾'.repeat(255),
    });
    const first = await post(body);
    expect(first.status).toBe(200);
    expect(first.body.data.transactions).toHaveLength(500);
    expect(await post(body)).toEqual(replayOf(first));
  });

  test('can omit an optional field by null', async () => {
    const [debit, credit] = lines('1.00');
    const entries = [
      { ...debit, credit: null, description: null },
      { ...credit, debit: null },
    ];
    const reply = await post(euroEntry({ entries, accrual_date: null, external_id: null }));
    expect(reply.body.data).toMatchObject({ external_id: null, accrual_date: null });
  });

  test('gets the next number, also if 16 are posted at once, and refusals use none', async () => {
    const body = euroEntry({ date: '2026-03-22' });
    expect((await post({ ...body, memo: ' ' })).status).toBe(422);
    const replies = await Promise.all(Array.from({ length: 16 }, () => post(body)));
    const numbers = replies.map((reply) => reply.body.data?.journal_number).sort();
    expect(numbers).toEqual(
      Array.from({ length: 16 }, (_, n) => `MJ-20260322-${String(n + 1).padStart(4, '0')}`),
    );
  });
});

test.each([
  [true, { external_id: 'carried' }],
  [false, {}],
])('an entry with an unknown outcome is retryable: %s for %o', async (retryable, fields) => {
  const faulty = await startFaultyDynamoDB(ledger.endpoint);
  const table = openTable(
    ledger.tableName,
    { endpoint: faulty.endpoint, maxAttempts: 1 },
    { authenticators: testAuthenticators },
  );
  faulty.plan('TransactWriteItems', 1, 'hangs up');
  const clock = () => new Date('2026-03-24T12:00:00.000Z');
  const calls = callsOf(openInstance({ table, clock }), { domain_url });
  const reply = await calls.send('createEntry', euroEntry(fields));
  await faulty.stop();
  const error = { code: 'temporarily_unavailable', retryable };
  expect([reply.status, reply.body.error]).toMatchObject([503, error]);
});

describe('a refused entry', () => {
  const sides = (debit: string, credit: string) => [
    { account: '1010', debit, credit },
    { account: '4010', credit: '1' },
  ];
  const broken = [
    { account: '1010', debit: '1.2345' },
    { account: 'nowhere', credit: '1' },
    { account: '4010', credit: '1', tax: '1' },
    { debit: '1' },
  ];
  const manyLines = (count: number) =>
    Array.from({ length: count }, () => ({ account: '1010', debit: '1' }));
  const unreadable = (debit: string) => ({ account: '1010', debit });
  const yen = { transactionCurrency: 'JPY', reportingCurrency: 'JPY' };

  test.each<[title: string, change: object, problems: string[]]>([
    [
      'an unknown account',
      { entries: lines('1', '1', '6001') },
      ['account_not_found /entries/1/account'],
    ],
    [
      'invisible characters',
      { external_id: 'a\u202eb', entries: lines('1', '1', '40\u200b10') },
      ['invisible_characters_not_allowed /entries/1/account /external_id'],
    ],
    [
      'two sides, with an imbalance',
      { entries: sides('5', '1') },
      ['line_must_have_one_side /entries/0', 'debits_must_equal_credits /entries'],
    ],
    [
      'two sides and an amount that is too precise, with an imbalance',
      { ...yen, entries: sides('5.50', '1') },
      [
        'line_must_have_one_side /entries/0',
        'amount_too_precise /entries/0/debit',
        'debits_must_equal_credits /entries',
      ],
    ],
    [
      'an amount that is not valid, with an imbalance',
      { entries: lines('1.0005', '1') },
      ['amount_not_valid /entries/0/debit', 'debits_must_equal_credits /entries'],
    ],
    [
      'an unknown tenant, with an imbalance',
      { domain_url: 'nobody', entries: lines('2', '1') },
      ['tenant_not_found /domain_url', 'debits_must_equal_credits /entries'],
    ],
    [
      'a total of 16 digits',
      { entries: [...lines('999999999999999.99'), ...lines('0.01')] },
      ['amount_too_large /entries'],
    ],
    [
      'everything at once',
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
      'a single line',
      { entries: [{ account: 'nowhere', debit: '1', credit: '2' }] },
      [
        'too_few_items /entries',
        'line_must_have_one_side /entries/0',
        'debits_must_equal_credits /entries',
        'account_not_found /entries/0/account',
      ],
    ],
    [
      '501 lines, the last without a side',
      { entries: [...manyLines(500), { account: '4010' }] },
      [
        'too_many_items /entries',
        'line_must_have_one_side /entries/500',
        'debits_must_equal_credits /entries',
      ],
    ],
    [
      '501 lines, two of them unreadable',
      { entries: [unreadable('x'), ...manyLines(499), unreadable('y')] },
      ['too_many_items /entries', 'amount_not_valid /entries/0/debit /entries/500/debit'],
    ],
    [
      'nulls',
      { memo: null, colour: null, entries: [null, ...lines('1.00')] },
      ['wrong_type /memo /entries/0', 'unknown_field /colour'],
    ],
  ])('names all problems: %s', async (_, change, problems) => {
    const before = await ledger.scan();
    const reply = await post({ ...euroEntry(), ...change });
    expect([reply.status, problemsOf(reply)]).toEqual([422, problems]);
    expect(await ledger.scan()).toEqual(before);
  });

  test('says by how much debits and credits differ', async () => {
    const reply = await post(euroEntry({ entries: lines('100.00', '99.99') }));
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

  test.each<[string, string, { date: string; accrual_date?: string }]>([
    ['posted', '/date', { date: '2026-03-02' }],
    ['posted', '/accrual_date', { date: '2026-03-01', accrual_date: '2026-03-02' }],
    ['scheduled', '/accrual_date', { date: '2026-03-01', accrual_date: '2126-03-02' }],
  ])('finds no room on a full date: %s, %s', async (_, pointer, dates) => {
    const key = sheetKey(name, { date: dates.accrual_date ?? dates.date, series: 'MJ' });
    const sheet = { lastSequence: 1, revision: 1, counted: 1, head: noHash, rows: fullRows() };
    await ledger.seed({ ...key, ...sheet });
    expect(problemsOf(await post(euroEntry(dates)))).toEqual([`date_full ${pointer}`]);
  });
});

describe('the user of an entry', async () => {
  const { userId: owner } = await ledger.newOwner('ada@example.com');
  const { userId: stranger } = await ledger.newOwner('bob@example.com');

  test('is stored, shown, and compared when the request is repeated', async () => {
    const named = euroEntry({ external_id: 'who', user_id: Number(owner) });
    const { status, body } = await post(named);
    expect([status, body.data.user_id]).toEqual([200, owner]);
    const again = await post(euroEntry({ external_id: 'who' }));
    expect(again.headers).toMatchObject({ 'Idempotency-Mismatch': '/user_id' });
    expect((await post(euroEntry())).body.data.user_id).toBeNull();
  });

  const sent = { memo: ' ', entries: [{ account: '1010', debit: '1' }] };
  test.each<[title: string, change: () => object, status: number, problems: string[]]>([
    ['not linked', () => ({ user_id: stranger }), 422, ['user_not_linked /user_id']],
    [
      'not linked, beside other problems',
      () => ({ user_id: stranger, ...sent }),
      422,
      [
        'memo_must_not_be_blank /memo',
        'too_few_items /entries',
        'debits_must_equal_credits /entries',
        'user_not_linked /user_id',
      ],
    ],
    [
      'unknown, beside another problem',
      () => ({ user_id: '42', transactionCurrency: 'KES' }),
      422,
      ['user_not_found /user_id', 'exchange_rate_unavailable /transactionCurrency'],
    ],
    ['not an id', () => ({ user_id: 'ada' }), 422, ['user_id_not_valid /user_id']],
    ['unknown', () => ({ user_id: '42' }), 404, []],
  ])('is refused: %s', async (_, change, status, problems) => {
    const before = await ledger.scan();
    const reply = await post({ ...euroEntry(), ...change() });
    expect([reply.status, problemsOf(reply)]).toEqual([status, problems]);
    expect(await ledger.scan()).toEqual(before);
  });

  test('is refused from the moment of unlinking', async () => {
    await unlinkUser(ledger.table, { applicationId: 'app1', email: 'ada@example.com' }, name);
    const reply = await post(euroEntry({ user_id: owner }));
    expect([reply.status, problemsOf(reply)]).toEqual([422, ['user_not_linked /user_id']]);
  });
});
