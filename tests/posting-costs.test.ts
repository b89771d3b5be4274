// What posting costs at the table, in all its ways: calls in sequence, and consumed capacity.

import Big from 'big.js';
import { beforeAll, describe, expect, test } from 'vitest';
import { postDueDate } from '#shared/entries/schedule/due-date-posting.service.ts';
import { openImportedJournals } from '#shared/imports/imported-journals.store.ts';
import { openExchangeRates } from '#shared/rates/exchange-rates.store.ts';
import { formatRows } from '#shared/sheets/day-sheet.ts';
import { rowNameOf } from '#shared/sheets/row-text.ts';
import { dueDateKey, sheetKey } from '#shared/table/keys.ts';
import { openTestLedger } from './support/builders/ledger.ts';
import { unnumbered } from './support/builders/platforms/platform-journal.ts';
import { costOf } from './support/dynamodb/costs.ts';
import type { ApiEventOptions } from './support/events/lambda-events.ts';
import { callsOf } from './support/harnesses/calls.ts';
import { openInstance } from './support/harnesses/instances.ts';
import { postingStoresOf } from './support/readers/due-entries.ts';

const ledger = await openTestLedger();
const date = '2026-03-23';
/** A realistic length: every key contains this id. */
const applicationId = 'k3v9x2m7q4w8t6zb';

/** Realistic texts: an entry of two lines costs one write unit, twice in a transaction. */
const dollars = {
  date,
  memo: 'March consulting for the Difference Engine Company',
  transactionCurrency: 'USD',
  reportingCurrency: 'EUR',
  entries: [
    { account: '1010', debit: '1159.60', description: 'Invoice 2026-0042, received' },
    { account: '4010', credit: '1159.60', description: 'Consulting in March' },
  ],
};
const { userId } = await ledger.newOwner('ada@example.com', applicationId);
const euro = { ...dollars, transactionCurrency: 'EUR' };

/** Posts into a new tenant. The first call of a process also reads the rates. */
const openPoster = async (companyName: string, currency = 'EUR') => {
  const tenant = await ledger.createTenant(companyName, { applicationId, currency });
  const clock = () => new Date('2026-03-24T12:00:00.123Z');
  const { call } = callsOf(openInstance({ table: ledger.table, clock }), {
    applicationId,
    domain_url: tenant.prefix,
  });
  return {
    tenant,
    post: (entry: object, options?: ApiEventOptions) => call('createEntry', entry, options),
    update: (changes: object) => call('updateTenant', changes),
    postMany: (entries: object) => call('createEntries', entries),
  };
};

const operations = ['BatchGetItem', 'TransactWriteItems'];
const twoCalls = (read: number, write: number) => ({
  sequentialCalls: 2,
  operations,
  units: { read, write },
});

describe('a post of two lines costs', () => {
  let post: Awaited<ReturnType<typeof openPoster>>['post'];
  const inPounds = { ...dollars, reportingCurrency: 'GBP' };
  beforeAll(async () => {
    ({ post } = await openPoster('Analytical Engines'));
    for (const body of [dollars, inPounds]) await post(body);
  });

  test.each<[string, object, ReturnType<typeof twoCalls>]>([
    ['in one currency', euro, twoCalls(4, 4)],
    ['across currencies', dollars, twoCalls(5, 4)],
    ['with an external_id', { ...euro, external_id: 'invoice-2026-0042' }, twoCalls(5, 6)],
    ['with a user', { ...euro, user_id: userId }, twoCalls(5, 6)],
    ['with an accrual date in the past', { ...euro, accrual_date: '2026-03-20' }, twoCalls(5, 8)],
    ['with its own date as the accrual date', { ...euro, accrual_date: date }, twoCalls(4, 6)],
    ['scheduled, first for its date', { ...euro, accrual_date: '2026-03-25' }, twoCalls(5, 9)],
    ['scheduled for a date that has some', { ...euro, accrual_date: '2026-03-25' }, twoCalls(5, 8)],
    ['in a third currency, beside that of the books', inPounds, twoCalls(5, 6)],
  ])('%s', async (_, body, cost) => {
    expect(await costOf(() => post(body))).toEqual(cost);
  });

  test('as much with an Idempotency-Key as with an external_id', async () => {
    const headers = { 'Idempotency-Key': 'key-of-invoice-2026-0042' };
    expect(await costOf(() => post(euro, { headers }))).toEqual(twoCalls(5, 6));
  });

  test('its units again where it is sent again, and a query instead of the write', async () => {
    const once = { ...dollars, external_id: 'once' };
    expect(await costOf(() => post(once))).toEqual(twoCalls(6, 6));
    expect(await costOf(() => post(once))).toEqual({
      sequentialCalls: 2,
      operations: ['BatchGetItem', 'Query'],
      units: { read: 7, write: 0 },
    });
  });

  test('a query more where a rate has changed, once', async () => {
    await openExchangeRates(ledger.table, { maximumAgeDays: 7 }).correct({
      date,
      currency: 'USD',
      rate: '1.1597',
      reason: 'a slip',
      correctedBy: 'grace',
      correctedAt: '2026-03-24T12:00:00.000Z',
    });
    expect(await costOf(() => post(dollars))).toMatchObject({
      sequentialCalls: 3,
      operations: ['BatchGetItem', 'Query', 'TransactWriteItems'],
    });
    expect(await costOf(() => post(dollars))).toMatchObject({ sequentialCalls: 2 });
  });
});

test('a currency that is not that of the books costs its rate, and a query once', async () => {
  const { post } = await openPoster('Foreign');
  const foreign = { ...dollars, reportingCurrency: 'USD' };
  const first = await costOf(() => post(foreign));
  expect(first.operations).toEqual(['BatchGetItem', 'Query', 'TransactWriteItems']);
  await post(foreign);
  expect(await costOf(() => post(foreign))).toEqual(twoCalls(5, 6));
});

test('each indexed metadata key costs two write units, other metadata nothing', async () => {
  const { post, update } = await openPoster('Indexed');
  const postWith = (metadata: object) => () => post({ ...euro, memo: 'March', metadata });
  await postWith({})();
  expect(await costOf(postWith({ order: '4711', note: 'a' }))).toEqual(twoCalls(4, 4));
  await update({ indexed_metadata: ['order', 'branch'] });
  expect(await costOf(postWith({ note: 'a' }))).toEqual(twoCalls(4, 4));
  expect(await costOf(postWith({ order: '4711', note: 'a' }))).toEqual(twoCalls(4, 6));
  expect(await costOf(postWith({ order: '4711', branch: 'Rome' }))).toEqual(twoCalls(4, 8));
});

test('500 lines to 60 accounts are still two calls in sequence', async () => {
  const { post } = await openPoster('Many Lines');
  const codes = ledger.chartCodes;
  const entries = Array.from({ length: 500 }, (_, line) => ({
    account: codes[line % codes.length],
    [line % 2 ? 'credit' : 'debit']: '1.00',
  }));
  expect(await costOf(() => post({ ...euro, entries }))).toMatchObject({
    sequentialCalls: 2,
    operations,
  });
});

/** Rows of accounts beside the bank: a side each, and what every other did to cash. */
const rowsOf = (accounts: number): string => {
  const zero = new Big(0);
  const rows = Array.from({ length: accounts }, (_, index) => {
    const [account, amount] = [
      rowNameOf({ code: '', number: 100 + index }),
      new Big(115_960 + index).div(100),
    ];
    const isCredit = index % 2 === 1;
    return {
      account,
      currency: null,
      debit: isCredit ? zero : amount,
      credit: isCredit ? amount : zero,
      cashEffect: isCredit ? amount : zero,
      nonCash: zero,
      disposed: zero,
    };
  });
  return formatRows(rows);
};

describe('a post onto a date that moves', () => {
  test.each([
    [45, twoCalls(4, 4)],
    [100, twoCalls(4, 6)],
    [200, twoCalls(4, 6)],
    [500, twoCalls(5, 12)],
    [2_000, twoCalls(8, 36)],
  ])('%i accounts', async (accounts, cost) => {
    const { tenant, post } = await openPoster(`Accounts ${accounts}`);
    await post(euro);
    const of = { series: 'MJ', date } as const;
    await ledger.seed({
      ...sheetKey(tenant, of),
      lastSequence: 4_321,
      revision: 4_321,
      counted: 4_321,
      head: 'f'.repeat(64),
      rows: rowsOf(accounts - 1),
    });
    expect(await costOf(() => post(euro))).toEqual(cost);
  });
});

describe('25 entries of two lines at once', () => {
  const manyOf = (changesOf: (place: number) => object) => ({
    journal_entries: Array.from({ length: 25 }, (_, place) => ({ ...euro, ...changesOf(place) })),
  });
  const dayOf = (place: number) => ({ date: `2026-03-${String(place + 1).padStart(2, '0')}` });
  test.each<[string, (place: number) => object, ReturnType<typeof twoCalls>]>([
    ['of one date', () => ({}), twoCalls(4, 52)],
    ['with external_ids', (place) => ({ external_id: `of-one-date-${place}` }), twoCalls(29, 102)],
    ['of as many dates', dayOf, twoCalls(28, 102)],
  ])('%s', async (title, changesOf, cost) => {
    const { postMany } = await openPoster(`Many ${title}`.replaceAll('_', ' '));
    await postMany(manyOf(() => ({ memo: 'Before' })));
    expect(await costOf(() => postMany(manyOf(changesOf)))).toEqual(cost);
  });
});

describe('a run posts what is due of a date', () => {
  const post = ['BatchGetItem', 'TransactWriteItems'];
  test.each([
    [1, ['GetItem', 'Query', ...post, 'DeleteItem'], { read: 4, write: 10 }],
    [32, ['GetItem', 'Query', ...post, 'Query', 'DeleteItem'], { read: 36, write: 196 }],
  ])('%i at a time', async (count, calls, units) => {
    const { tenant, post } = await openPoster(`Due ${count}`);
    const accrual_date = '2026-03-25';
    for (let entry = 0; entry < count; entry += 1) await post({ ...euro, accrual_date });
    const step = postDueDate(postingStoresOf(ledger.table), dueDateKey(tenant, accrual_date), {
      clock: () => new Date('2026-03-25T00:05:00Z'),
      onPosted: () => {},
    });
    const run = async () => {
      for (let end = await step(); end === 'more'; ) end = await step();
    };
    expect(await costOf(run)).toEqual({ sequentialCalls: calls.length, operations: calls, units });
  });
});

describe('an import records 33 journals of two lines in one transaction', () => {
  test.each([
    ['of one date', 1, twoCalls(35, 136)],
    ['of as many dates', 33, twoCalls(67, 200)],
  ])('%s', async (_, dates, cost) => {
    const { tenant } = await openPoster(`Imported ${dates}`);
    const journals = Array.from({ length: 33 }, (_, number) => ({
      journal: unnumbered({
        reference: `2e86bbcb-2b3e-47c9-8a5e-46fbaf5f45${number}`,
        date: new Date(Date.UTC(2026, 0, 1 + (number % dates))).toISOString().slice(0, 10),
        text: 'March consulting',
      }),
      origin: { contentHash: 'f'.repeat(64) },
    }));
    const record = () => openImportedJournals(ledger.table).record(tenant, journals);
    expect(await costOf(record)).toEqual(cost);
  });
});
