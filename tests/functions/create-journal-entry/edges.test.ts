import { beforeAll, describe, expect, test } from 'vitest';
import { createHandler } from '#functions/create-journal-entry/handler.ts';
import { noHash } from '#shared/entries/entry-hash.ts';
import { openPosting } from '#shared/entries/posting.service.ts';
import { sheetKey } from '#shared/table/keys.ts';
import { openTestLedger } from '../../support/builders/ledger.ts';
import { apiEvent, lambdaContext, readResult } from '../../support/events/lambda-events.ts';
import { tenantToolsOf } from '../../support/harnesses/tenant-tools.ts';

type Reply = ReturnType<typeof readResult>;
let post: (changes: object) => Promise<Reply>;
let bulgarianTenant: string;
let fillDate: (date: string) => Promise<unknown>;

const entry = {
  date: '2026-03-23',
  memo: 'March consulting',
  transactionCurrency: 'EUR',
  reportingCurrency: 'EUR',
};
const lines = (debit: string, credit = debit) => [
  { account: '1010', debit },
  { account: '4010', credit },
];

beforeAll(async () => {
  const ledger = await openTestLedger();
  const { prefix, ...name } = await ledger.createTenant('Edges');
  // As many rows of long codes as an item of 400 KB holds.
  const rows = Array.from({ length: 6_800 }, (_, row) => `${'A'.repeat(50)}${row}\t\t1.25`);
  fillDate = (date) =>
    ledger.table.transact([
      {
        put: {
          ...sheetKey(name, { date, series: 'MJ' }),
          ...{ lastSequence: 1, revision: 1, counted: 1, head: noHash },
          rows: rows.join('\n').slice(0, 409_000),
        },
      },
    ]);
  bulgarianTenant = (await ledger.createTenant('Sofia', { currency: 'BGN' })).prefix;
  const posting = openPosting({
    ...ledger,
    clock: () => new Date('2026-03-24T12:00:00Z'),
  });
  const handler = createHandler({ posting, ...tenantToolsOf(ledger.table) });
  post = async (changes) =>
    readResult(
      await handler(
        apiEvent({ body: { ...entry, domain_url: prefix, ...changes } }),
        lambdaContext(),
      ),
    );
});

const problemsOf = ({ status, body }: Reply) => [
  status,
  ...body.error.details.map((it: { code: string; pointer: string; params?: object }) => [
    it.code,
    it.pointer,
    it.params,
  ]),
];

describe('a total', () => {
  const largest = '999999999999999.99';

  test('of 15 digits is kept and shown whole', async () => {
    const { data } = (await post({ entries: lines(largest) })).body;
    expect([data.transaction_amount, data.reporting_amount]).toEqual([largest, largest]);
  });

  test('of more is refused, with what it comes to', async () => {
    const entries = [
      { account: '1010', debit: '0.01' },
      ...lines(largest),
      { account: '4010', credit: '0.01' },
    ];
    expect(problemsOf(await post({ entries }))).toEqual([
      422,
      [
        'amount_too_large',
        '/entries',
        { total: '1000000000000000.00', maximum: largest, currency: 'EUR' },
      ],
    ]);
  });

  test('that is too large in the reporting currency alone is refused too', async () => {
    const entries = lines('900000000000000.00');
    const reply = await post({ entries, reportingCurrency: 'USD' });
    expect(problemsOf(reply)).toMatchObject([
      422,
      ['amount_too_large', '/entries', { maximum: largest, currency: 'USD' }],
    ]);
  });
});

test.each([
  ['1 yen in euro', '1', 'JPY', 'EUR', '0.01', false],
  ['1 cent in yen', '0.01', 'EUR', 'JPY', '2.00', false],
  ['1 cent of a rupiah in dollars', '0.01', 'IDR', 'USD', '0.00', true],
])(
  'says whether a positive amount comes to nothing: %s',
  async (_, amount, from, to, shown, isZero) => {
    const changes = { transactionCurrency: from, reportingCurrency: to, entries: lines(amount) };
    const { data } = (await post(changes)).body;
    expect([data.reporting_amount, data.reporting_amount_rounded_to_zero]).toEqual([shown, isZero]);
  },
);

describe('a withdrawn currency', () => {
  const bulgarian = {
    transactionCurrency: 'BGN',
    reportingCurrency: 'BGN',
    entries: lines('1.00'),
  };

  test('is good up to its last day', async () => {
    const changes = { ...bulgarian, domain_url: bulgarianTenant, date: '2025-12-31' };
    expect((await post(changes)).status).toBe(200);
  });

  test('is named at each field after it, and not for want of a rate', async () => {
    const reply = await post({ ...bulgarian, reportingCurrency: 'EUR', date: '2026-01-01' });
    expect(problemsOf(reply)).toEqual([
      422,
      [
        'currency_not_in_use',
        '/transactionCurrency',
        { currency: 'BGN', last_day: '2025-12-31', date: '2026-01-01' },
      ],
    ]);
  });
});

describe('every problem at once', () => {
  const codesOf = (reply: Reply) =>
    problemsOf(reply)
      .slice(1)
      .map(([code, pointer]) => `${code} ${pointer}`);

  test.each<[string, object, string[]]>([
    [
      'the balance beside a line with two sides',
      {
        entries: [
          { account: '1010', debit: '5', credit: '1' },
          { account: '4010', credit: '1' },
        ],
      },
      ['line_must_have_one_side /entries/0', 'debits_must_equal_credits /entries'],
    ],
    [
      'the balance beside too many decimals, on a line with two sides',
      {
        transactionCurrency: 'JPY',
        reportingCurrency: 'JPY',
        entries: [
          { account: '1010', debit: '5.50', credit: '1' },
          { account: '4010', credit: '1' },
        ],
      },
      [
        'line_must_have_one_side /entries/0',
        'amount_too_precise /entries/0/debit',
        'debits_must_equal_credits /entries',
      ],
    ],
    [
      'the sides, the account and the balance of a single line',
      { entries: [{ account: 'nowhere', debit: '1', credit: '2' }] },
      [
        'too_few_items /entries',
        'line_must_have_one_side /entries/0',
        'debits_must_equal_credits /entries',
        'account_not_found /entries/0/account',
      ],
    ],
    [
      'the sides and the balance of 501 lines',
      {
        entries: [
          ...Array.from({ length: 500 }, () => ({ account: '1010', debit: '1' })),
          { account: '4010' },
        ],
      },
      [
        'too_many_items /entries',
        'line_must_have_one_side /entries/500',
        'debits_must_equal_credits /entries',
      ],
    ],
  ])('%s', async (_, changes, expected) => {
    expect(codesOf(await post(changes))).toEqual(expected);
  });
});

describe('null', () => {
  test('for an optional field means absent', async () => {
    const entries = [
      { account: '1010', debit: '1.00', credit: null, description: null },
      { account: '4010', debit: null, credit: '1.00' },
    ];
    const { status, body } = await post({ entries, accrual_date: null, external_id: null });
    expect([status, body.data?.external_id, body.data?.accrual_date]).toEqual([200, null, null]);
  });

  test('for a required field, a line or an unknown field is named', async () => {
    const reply = await post({ memo: null, colour: null, entries: [null, ...lines('1.00')] });
    expect(
      reply.body.error.details.map(
        ({ code, pointer }: { code: string; pointer: string }) => `${code} ${pointer}`,
      ),
    ).toEqual(['wrong_type /memo', 'wrong_type /entries/0', 'unknown_field /colour']);
  });
});

test.each<[string, string, { date: string; accrual_date?: string }]>([
  ['posted', '/date', { date: '2026-03-02' }],
  ['posted', '/accrual_date', { date: '2026-03-01', accrual_date: '2026-03-02' }],
  ['scheduled', '/accrual_date', { date: '2026-03-01', accrual_date: '2126-03-02' }],
])('what is %s finds no room on a full date, at %s', async (_, pointer, dates) => {
  await fillDate(dates.accrual_date ?? dates.date);
  const { status, body } = await post({ ...dates, entries: lines('1.00') });
  expect([status, body.error.details]).toMatchObject([422, [{ code: 'date_full', pointer }]]);
});
