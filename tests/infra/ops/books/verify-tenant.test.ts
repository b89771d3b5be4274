import { beforeAll, describe, expect, test } from 'vitest';
import { verifyBooks } from '#infra/ops/commands/books.ts';
import { countAccounts } from '#shared/applications/quota-counts.store.ts';
import { openDaySheets } from '#shared/sheets/day-sheets.store.ts';
import { dueDatePlace } from '#shared/table/due-keys.ts';
import { accountCountKey, dueDateKey, tenantKey } from '#shared/table/keys.ts';
import { openBooks } from '../../../support/builders/books.ts';
import {
  type Change,
  lineOf,
  openVerification,
  put,
  rowsOf,
  without,
} from '../../../support/harnesses/books-verification.ts';
import { refusalOf, useOperator } from '../../../support/harnesses/operator.ts';
import type { RawItem } from '../../../support/readers/item-kinds.ts';
import { openSlice } from '../../../support/slices.ts';

const operator = useOperator();

const { verify, verifyTenant, harm, differencesWith } = openVerification(operator);

const open = (prefix: string) => openBooks(operator.ledger, { prefix });

const between = (debit: string, credit: string, amount: number) =>
  [
    [debit, `${amount}`],
    [credit, `${-amount}`],
  ] as const;

/** Books with three currencies, posted and scheduled accruals, and imported journals. */
const keepBooks = async (prefix: string) => {
  const books = await open(prefix);
  const { post } = books;
  await post({ lines: between('1010', '4010', 100) });
  await post({ lines: between('1010', '4010', 1340), currency: 'USD' });
  const yen = { currency: 'JPY', reportingCurrency: 'USD' };
  await post({ lines: between('6000', '1010', 7), ...yen });
  const accrued = { lines: between('6000', '2000', 5), date: '2026-03-20' };
  await post({ ...accrued, date: '2026-03-22', accrualDate: '2026-03-20' });
  await post({ ...accrued, accrualDate: '2026-04-01' });
  await post({ ...accrued, accrualDate: '2026-05-01' });
  await books.importJournals({ reference: 'j-1' }, { reference: 'j-2', lineCount: 130 });
  await books.flip('2026-04-01');
  return books;
};

const oneEuro = between('1010', '4010', 1);

const sheet = 'SEQUENCE#2026-03-20#MJ';
const journals = 'SEQUENCE#2026-03-20#IJ';
const entry = (number: number) => `ENTRY#2026-03-20#MJ#00000000${number}`;
const journal = 'ENTRY#2026-03-20#IJ#000000002';
const number = (it: number) => `MJ-20260320-000${it}`;

/** 1256.00 in the place of 1255.57, as hexadecimal hundredths. */
const otherAmount = (rows: string): string =>
  rows.replace((125_557).toString(16), (125_600).toString(16));

describe('books', () => {
  const sound = { pk: '' };
  beforeAll(async () => {
    sound.pk = tenantKey((await keepBooks('sound')).name).pk;
  });

  test('have no differences if they are sound', async () => {
    expect(await verifyTenant('sound')).toEqual({
      tenants: 1,
      entries: 8,
      stopped_at: null,
      difference_count: 0,
      differences: [],
      repaired: [],
    });
  });

  test('have no differences if nothing was posted', async () => {
    await open('empty');
    expect(await verifyTenant('empty')).toMatchObject({ entries: 0, difference_count: 0 });
  });

  /** The damage, its item, the change, and the differences that are found. */
  const damages: [string, string, Change | 'removed', string[]][] = [
    ['a row', sheet, rowsOf(otherAmount), ['row 1010']],
    [
      'a missing row',
      sheet,
      rowsOf((it) => it.replace(/=1010\t.*\tUSD\t.*\n/, '')),
      ['row 1010 USD'],
    ],
    ['an extra row', sheet, rowsOf((it) => `${it}\n=9999\t64`), ['row 9999']],
    ['the head', sheet, put({ head: 'f'.repeat(64) }), ['head']],
    ['fewer counted', sheet, put({ counted: 3 }), ['counted', 'head', 'row 2000', 'row 6000']],
    ['more counted', sheet, put({ counted: 6 }), ['posting sequence 5 to 6']],
    [
      'the item under a posting date with other accounts',
      `SCHEDULED#2026-05-01#${entry(5)}`,
      put({ accounts: '1010' }),
      [`accounts in the item that lists ${number(5)}`],
    ],
    [
      'an account less of its accruals',
      sheet,
      put({ accrualAccounts: '6000' }),
      ['account 2000 of entries with an accrual date'],
    ],
    ['an early time', sheet, put({ recordedUntil: 1 }), ['time of the last recording']],
    ['a missing index', entry(2), put({ indexed: ['order'] }), [`index of order of ${number(2)}`]],
    ['a lower last number', sheet, put({ lastSequence: 4 }), ['last number']],
    [
      'a higher last number',
      sheet,
      put({ lastSequence: 7 }),
      [`number ${number(6)} to ${number(7)}`],
    ],
    ['a sheet without rows', sheet, without('rows'), ['sheet']],
    ['a missing sheet', sheet, 'removed', ['sheet']],
    ['a memo', entry(2), put({ memo: 'Gift' }), [`hash of ${number(2)}`]],
    ['another key', entry(2), put({ createdWithKey: 'other' }), [`hash of ${number(2)}`]],
    ['the time of posting', entry(2), put({ postedAt: '2020-01-01' }), [`hash of ${number(2)}`]],
    ['the memo of a scheduled entry', entry(5), put({ memo: 'Gift' }), [`hash of ${number(5)}`]],
    [
      'an amount',
      entry(1),
      lineOf({ debit: '101.00', reportingDebit: '101.00' }),
      [
        `book amount of ${number(1)}`,
        `hash of ${number(1)}`,
        `reporting amount of ${number(1)}`,
        'row 1010',
        `transaction amount of ${number(1)}`,
      ],
    ],
    [
      'a hash',
      entry(2),
      put({ hash: 'f'.repeat(64) }),
      [`hash of ${number(2)}`, `hash of ${number(3)}`],
    ],
    [
      'the last hash',
      'ENTRY#2026-03-22#MJ#000000001',
      put({ hash: 'f'.repeat(64) }),
      ['hash of MJ-20260322-0001', 'head'],
    ],
    [
      'a line without its cash flag',
      entry(1),
      (item) => ({
        ...item,
        lines: (item.lines as RawItem[]).map((it) => without('lineClass')(it)),
      }),
      [`cash of line 1 of ${number(1)}`, `hash of ${number(1)}`, 'row 4010'],
    ],
    ['a missing entry', entry(2), 'removed', [`number ${number(2)}`, 'posting sequence 2']],
    [
      'the last entry missing',
      entry(5),
      'removed',
      ['entry MJ-20260320-0005, from the item that lists it', `number ${number(5)}`],
    ],
    [
      'missing lines',
      `${journal}#LINES#001`,
      'removed',
      ['entry IJ-20260320-0002', 'posting sequence 2'],
    ],
    [
      'an unreadable entry',
      entry(1),
      without('memo'),
      [`entry ${number(1)}`, 'posting sequence 1'],
    ],
    [
      'the place on its date',
      entry(2),
      put({ postingSequence: 1 }),
      [`posting sequence of ${number(2)}`, 'posting sequence 2'],
    ],
    [
      'an id',
      entry(1),
      put({ entryId: '8a63ffff-ffff-8fff-bfff-ffffffffffff' }),
      [`hash of ${number(1)}`, `id of ${number(1)}`],
    ],
    [
      'a status',
      entry(5),
      put({ status: 'posted' }),
      [`entry ${number(5)}, from the item that lists it`, `item that lists ${number(5)}`],
    ],
    [
      'an entry in the due index',
      entry(5),
      put({ due_pk: 'DUE#0', due_sk: '2026-05-01#' }),
      [`due index of ${number(5)}`],
    ],
    [
      'a date missing in the due index',
      'DUEDATE#2026-05-01',
      'removed',
      ['due index for a date with scheduled entries'],
    ],
    [
      'a missing accrual item',
      'ACCRUAL#2026-03-20#ENTRY#2026-03-22#MJ#000000001',
      'removed',
      ['item that lists MJ-20260322-0001', 'posting sequence 4'],
    ],
    [
      'a missing scheduled item',
      `SCHEDULED#2026-05-01#${entry(5)}`,
      'removed',
      [`item that lists ${number(5)}`],
    ],
    [
      'a missing account',
      'ACCOUNT#4010',
      'removed',
      [1, 2].map((it) => `account of line 2 of ${number(it)}`),
    ],
  ];
  test.each(openSlice()(damages, 6))('differ with %s', async (_title, sk, change, expected) => {
    const found = await differencesWith('sound', { pk: sound.pk, sk }, change);
    expect(found).toEqual([...expected].sort());
  });
});

describe('a difference', () => {
  test('has the tenant, the sheet, and the expected and found values', async () => {
    const { name } = await keepBooks('in-full');
    const rows = rowsOf(otherAmount);
    await harm({ pk: tenantKey(name).pk, sk: sheet }, rows);
    const { differences } = await verifyTenant('in-full');
    expect(differences).toEqual([
      {
        tenant: 'in-full',
        application_id: name.applicationId,
        date: '2026-03-20',
        series: 'MJ',
        what: 'row 1010',
        expected: 'debit 1255.57, credit 0.04, cash effect 0.00, non-cash 0.00, disposed 0.00',
        found: 'debit 1256.00, credit 0.04, cash effect 0.00, non-cash 0.00, disposed 0.00',
      },
    ]);
  });

  test('makes the tool exit with 1, as does an early stop', () => {
    const sound = { difference_count: 0, stopped_at: null };
    expect(verifyBooks.isBad?.(sound)).toBe(false);
    expect(verifyBooks.isBad?.({ ...sound, difference_count: 1 })).toBe(true);
    expect(verifyBooks.isBad?.({ ...sound, stopped_at: 'acme' })).toBe(true);
  });
});

describe('a repair', () => {
  test('rewrites rows if the entries are sound, and nothing more', async () => {
    const { name } = await keepBooks('repaired');
    const sheets = () => openDaySheets(operator.database.table).list(name, {});
    const before = await sheets();
    const at = (sk: string) => ({ pk: tenantKey(name).pk, sk });
    await harm(at(sheet), rowsOf(otherAmount));
    await harm(at(journals), put({ rows: '', head: 'f'.repeat(64) }));
    const { differences, repaired, difference_count } = await verifyTenant('repaired', {
      repair: true,
    });
    const whatOf = (rows: unknown) => (rows as RawItem[]).map(({ series, what }) => [series, what]);
    expect(whatOf(repaired)).toEqual([['MJ', 'row 1010']]);
    expect(whatOf(differences)).toEqual([
      ['IJ', 'head'],
      ['IJ', 'row 1010'],
      ['IJ', 'row ID-4f1c'],
    ]);
    expect(difference_count).toBe(3);
    const ofJournals = { rows: '', head: 'f'.repeat(64) };
    expect(await sheets()).toEqual(
      before.map((it) => {
        if (it.series === 'IJ') return { ...it, ...ofJournals };
        return it.date === '2026-03-20' ? { ...it, revision: it.revision + 1 } : it;
      }),
    );
    const again = await verifyTenant('repaired', { repair: true });
    expect(again).toMatchObject({ repaired: [], difference_count: 3 });
  });

  test('corrects the account count for the quota, and nothing more', async () => {
    const { name } = await keepBooks('miscounted');
    const sound = { difference_count: 0, differences: [], repaired: [] };
    // A tenant older than the quota has no count.
    expect(await verifyTenant('miscounted')).toMatchObject(sound);
    const { seed, table } = operator.database;
    const found = await countAccounts(table, name);
    await seed({ ...accountCountKey(name), accounts: found + 7 });
    const row = {
      date: null,
      series: null,
      what: 'accounts that count for the quota',
      expected: String(found),
      found: String(found + 7),
    };
    expect(await verifyTenant('miscounted')).toMatchObject({ differences: [row], repaired: [] });
    const repaired = await verifyTenant('miscounted', { repair: true });
    expect(repaired).toMatchObject({ differences: [], repaired: [row] });
    expect(await table.get(accountCountKey(name))).toMatchObject({ accounts: found });
    expect(await verifyTenant('miscounted')).toMatchObject(sound);
  });

  test('lists a date with scheduled entries as due again', async () => {
    const { name } = await keepBooks('unlisted');
    const { table } = operator.database;
    const key = dueDateKey(name, '2026-05-01');
    await table.transact([{ delete: key }]);
    const row = expect.objectContaining({ what: 'due index for a date with scheduled entries' });
    const found = await verifyTenant('unlisted');
    expect(found).toMatchObject({ differences: [row], repaired: [] });
    const repaired = await verifyTenant('unlisted', { repair: true });
    expect(repaired).toMatchObject({ difference_count: 0, repaired: [row] });
    expect(await table.get(key)).toMatchObject({ revision: 1, ...dueDatePlace(key) });
    expect(await verifyTenant('unlisted')).toMatchObject({ difference_count: 0 });
  });

  test('does not touch a sheet that was changed meanwhile', async () => {
    const { name, post } = await keepBooks('moving');
    await harm({ pk: tenantKey(name).pk, sk: sheet }, rowsOf(otherAmount));
    const { books } = operator.dependencies;
    const rewriteRows: typeof books.rewriteRows = async (...args) => {
      await post({ lines: oneEuro });
      return books.rewriteRows(...args);
    };
    const options = { tenant: 'moving', application: 'Bookings', repair: true };
    const report = await verify(options, { books: { ...books, rewriteRows } });
    expect(report).toMatchObject({ repaired: [], difference_count: 1 });
    expect(await verify(options)).toMatchObject({ repaired: [{ what: 'row 1010' }] });
  });
});

describe('during postings', () => {
  test('books have no differences, and damage is found', async () => {
    const { name, post, flip } = await keepBooks('busy');
    let isOver = false;
    const rounds = [0, 0];
    const work = async (
      worker: 0 | 1,
      ...others: Partial<Parameters<typeof post>[0]>[]
    ): Promise<void> => {
      while (!isOver) {
        for (const more of others) await post({ lines: oneEuro, ...more });
        await flip('2026-04-02');
        rounds[worker] = (rounds[worker] ?? 0) + 1;
      }
    };
    const date = '2026-03-22';
    const workers = [
      work(0, {}, { date, accrualDate: '2026-03-20' }),
      work(1, { accrualDate: '2026-04-02' }, { date, accrualDate: '2026-03-20' }),
    ];
    for (let run = 0; run < 3 || Math.min(...rounds) < 2; run += 1) {
      expect(await verifyTenant('busy')).toMatchObject({ differences: [] });
    }
    await harm({ pk: tenantKey(name).pk, sk: entry(2) }, put({ memo: 'Gift' }));
    const { differences } = await verifyTenant('busy');
    isOver = true;
    await Promise.all(workers);
    expect(differences).toMatchObject([{ what: `hash of ${number(2)}` }]);
  });
});

describe('all tenants', () => {
  const progress: string[] = [];
  const tenants = async () =>
    (await operator.dependencies.listEveryTenant()).map(({ prefix }) => prefix);

  test('are verified by prefix, starting from --from-tenant', async () => {
    for (const prefix of ['zone-1', 'zone-3', 'zone-2']) await open(prefix);
    const all = await tenants();
    expect(all).toEqual([...all].sort());
    const from = verify({ all: true, fromTenant: 'zone-2' });
    expect(await from).toMatchObject({ tenants: 2, difference_count: 0 });
    expect(await refusalOf(verify({ all: true, fromTenant: 'zz' }))).toBe(
      'there is no tenant zz or after it',
    );
  });

  test('are not verified after Ctrl-C, and the differences until then are reported', async () => {
    const { name, post } = await open('zone-0');
    await post({ lines: oneEuro });
    await harm({ pk: tenantKey(name).pk, sk: sheet }, put({ rows: '' }));
    const report = await verify(
      { all: true, fromTenant: 'zone-0' },
      {
        showProgress: (sentence) => progress.push(sentence),
        watchInterrupt: () => () => progress.length > 0,
      },
    );
    expect(report).toMatchObject({ tenants: 0, stopped_at: 'zone-0', difference_count: 2 });
    expect(progress).toEqual(['at zone-0, 1 of 4 tenants: 2 differences']);
  });
});
