import { beforeAll, describe, expect, test } from 'vitest';
import { entryActions } from '#shared/entries/entry-items.store.ts';
import type { JournalLine } from '#shared/entries/journal-entry.ts';
import { countEntry, emptySheet, fileEntry } from '#shared/sheets/day-sheet.ts';
import { sheetActions } from '#shared/sheets/day-sheets.store.ts';
import { entryKey, sheetKey } from '#shared/table/keys.ts';
import { markerKeys, markerPrefixes } from '#shared/table/list-keys.ts';
import type { Action } from '#shared/table/table.ts';
import { expectedEntry } from '../../support/builders/journal-entry.ts';
import { importMove, type Move } from '../../support/builders/moves.ts';
import { costOf } from '../../support/dynamodb/costs.ts';
import { openTenantCalls } from '../../support/harnesses/calls.ts';
import { problemsOf, reportSuccess } from '../../support/readers/replies.ts';

const calls = await openTenantCalls();
const { ledger, domain_url, send, pages, post, metrics } = calls;
const period = { from: '2026-03-01', to: '2026-03-31' };
const query = { account: '1010', ...period };

const lineOf = (
  entry: Awaited<ReturnType<typeof post>>,
  line: number,
  { balance }: { balance: string },
) => {
  const shown = entry.transactions[line - 1];
  return {
    posting_date: entry.posting_date,
    journal_number: entry.journal_number,
    journal_entry_id: entry.journal_entry_id,
    line_number: line,
    memo: entry.memo,
    description: shown?.description,
    debit: shown?.book_debit,
    credit: shown?.book_credit,
    balance,
    transaction_currency: entry.transaction_currency,
    transaction_debit: shown?.debit,
    transaction_credit: shown?.credit,
  };
};

describe('the ledger of an account', () => {
  let lines: object[];
  let digest: string;
  beforeAll(async () => {
    const before = { date: '2025-12-30', amount: '250.00' };
    const accrued = { date: '2026-02-01', accrual_date: '2026-03-20', amount: '5.00' };
    await post(before);
    const late = await post(accrued);
    const first = await post({ date: '2026-03-20', amount: '9.00', lines: 3 });
    const dollars = await post({
      date: '2026-03-20',
      amount: '11.55',
      currency: 'USD',
    });
    await post({ date: '2026-03-21', amount: '1.00', from: '1000', to: '4010' });
    const out = await post({
      date: '2026-03-23',
      amount: '300.00',
      from: '1010',
      to: '4010',
    });
    await post({ date: '2026-03-23', accrual_date: '2026-03-30', amount: '70.00' });
    await post({ date: '2026-04-01', amount: '80.00' });
    lines = [
      ...['253.00', '256.00', '259.00'].map((balance, line) =>
        lineOf(first, line + 1, { balance }),
      ),
      lineOf(dollars, 1, { balance: '269.00' }),
      lineOf(late, 1, { balance: '274.00' }),
      lineOf(out, 2, { balance: '-26.00' }),
    ];
    const { data } = (await send('getTrialBalance', { domain_url, as_of: period.to })).body;
    digest = data.entries_digest;
  });

  const all = () => ({
    tenant_domain_url: domain_url,
    currency: 'EUR',
    company_name: 'Acme',
    made_at: '2026-03-24T12:00:00.000Z',
    coverage: 'all_entries',
    covered_from: null,
    covered_to: null,
    checked_at: null,
    digest,
    entries_digest: digest,
    account: '1010',
    account_name: 'Bank Current Account',
    account_type: 'asset',
    ...period,
    balance_currency: 'EUR',
    opening_balance: '250.00',
    closing_balance: '-26.00',
    next_cursor: null,
    lines,
  });

  test('has its lines by posting date, each with the balance', async () => {
    expect(await send('getAccountLedger', query)).toEqual(reportSuccess(all()));
  });

  test('comes in pages, each with the period and its balances', async () => {
    const found = await pages('getAccountLedger', { ...query, limit: '4' });
    expect(found).toEqual([
      { ...all(), lines: lines.slice(0, 4), next_cursor: expect.any(String) },
      { ...all(), lines: lines.slice(4) },
    ]);
  });

  test('of a period without lines has only its balance', async () => {
    const empty = { from: '2026-03-21', to: '2026-03-22' };
    const { body } = await send('getAccountLedger', { ...query, ...empty });
    const balances = { opening_balance: '274.00', closing_balance: '274.00' };
    expect(body.data).toMatchObject({ ...empty, ...balances, lines: [], next_cursor: null });
  });
});

describe('the ledger of an account in a currency', () => {
  const asked = { ...query, from: '2026-03-21', to: '2026-03-23', currency: 'USD' };
  let inDollars: Record<string, string>;
  beforeAll(async () => {
    const { prefix } = await ledger.createTenant('Dollar Account');
    inDollars = { ...asked, domain_url: prefix };
    const dollars = { domain_url: prefix, currency: 'USD' };
    await post({ ...dollars, date: '2026-03-20', amount: '50.00' });
    await post({ domain_url: prefix, date: '2026-03-23', amount: '1.00' });
    await post({ ...dollars, date: '2026-03-23', amount: '100.00' });
    await post({ ...dollars, date: '2026-03-23', amount: '30.00', from: '1010', to: '6500' });
    await post({ domain_url: prefix, date: '2026-03-22', amount: '2.00' });
    await post({ ...dollars, date: '2026-03-20', accrual_date: '2026-03-23', amount: '7.00' });
    await post({ domain_url: prefix, date: '2026-03-23', amount: '8.00', currency: 'GBP' });
    await post({ ...dollars, date: '2026-03-24', amount: '80.00' });
  });

  test('has its lines in that currency, with balances in it', async () => {
    const { data } = (await send('getAccountLedger', inDollars)).body;
    const balances = data.lines.map((line: Record<string, string>) => [
      line.posting_date,
      line.transaction_debit,
      line.transaction_credit,
      line.balance,
    ]);
    expect({ ...data, lines: balances }).toMatchObject({
      currency: 'EUR',
      balance_currency: 'USD',
      opening_balance: '50.00',
      closing_balance: '127.00',
      lines: [
        ['2026-03-23', '100.00', '0.00', '150.00'],
        ['2026-03-23', '0.00', '30.00', '120.00'],
        ['2026-03-23', '7.00', '0.00', '127.00'],
      ],
    });
  });

  test('comes in the same pages', async () => {
    const whole = (await send('getAccountLedger', inDollars)).body.data;
    const found = await pages('getAccountLedger', { ...inDollars, limit: '1' });
    expect(found.flatMap(({ lines }) => lines)).toEqual(whole.lines);
    expect(new Set(found.map((page) => page.closing_balance))).toEqual(new Set(['127.00']));
    const { next_cursor: cursor } = found[0] as { next_cursor: string };
    const other = { ...inDollars, currency: 'GBP', limit: '1', cursor };
    expect(problemsOf(await send('getAccountLedger', other))).toEqual(['cursor_not_valid /cursor']);
  });

  test('is the whole ledger for the currency of the tenant', async () => {
    const inEuro = await send('getAccountLedger', { ...inDollars, currency: 'EUR' });
    const { currency: _, ...plain } = inDollars;
    expect(inEuro).toEqual(await send('getAccountLedger', plain));
  });
});

describe('a date with many lines', () => {
  test('can have pages that end within an entry of several items', async () => {
    const { prefix } = await ledger.createTenant('Long Entries');
    const long = { date: '2026-03-20', lines: 250, amount: '250.00' };
    for (const asked of [long, { date: '2026-03-20', amount: '1.00' }, long]) {
      await post({ domain_url: prefix, ...asked });
    }
    const asked = { ...query, domain_url: prefix, limit: '120' };
    const lines = (await pages('getAccountLedger', asked)).flatMap((page) => page.lines);
    const balances = lines.map(({ balance }) => balance);
    expect(balances).toEqual(Array.from({ length: 501 }, (_, line) => `${line + 1}.00`));
  });
});

describe('books that differ', () => {
  const date = '2026-03-20';
  const posts: Move[] = [
    { date, amount: '3.00' },
    { date: '2026-03-19', accrual_date: date, amount: '4.00' },
  ];
  const openBooks = async (companyName: string) => {
    const { prefix, ...name } = await ledger.createTenant(companyName);
    for (const asked of posts) await post({ domain_url: prefix, ...asked });
    return { name, asked: { ...query, domain_url: prefix } };
  };
  type Books = Awaited<ReturnType<typeof openBooks>>;

  const filed = ({ name }: Books) => entryKey(name, { series: 'MJ', date, sequence: 1 });
  const accrued = ({ name }: Books) => {
    const key = entryKey(name, { series: 'MJ', date: '2026-03-19', sequence: 1 });
    return { entry: key, ...markerKeys(key, date) };
  };
  const remove = (key: { pk: string; sk: string }) =>
    ledger.table.consume(key, { condition: 'attribute_exists(pk)' });
  const setRows = (books: Books) =>
    ledger.table.update({
      update: sheetKey(books.name, { series: 'MJ', date }),
      expression: 'SET #rows = :rows',
      names: { '#rows': 'rows' },
      values: { ':rows': '1010\t\t7.01\t\t\n4010\t\t\t7.01\t' },
    });

  const setLine = (books: Books) =>
    ledger.table.update({
      update: filed(books),
      expression: 'SET #lines[1].#side = :other',
      names: { '#lines': 'lines', '#side': 'reportingCredit' },
      values: { ':other': '3.01' },
    });

  test.each<[string, (books: Books) => Promise<unknown>]>([
    ['lack an entry', (books) => remove(filed(books))],
    ['lack an accrued entry', (books) => remove(accrued(books).entry)],
    ['lack the marker of an accrual', (books) => remove(accrued(books).posted)],
    ['have another total', setRows],
    ['have an entry whose lines were tampered with', setLine],
  ])('raise an alarm if they %s', async (title, spoil) => {
    const books = await openBooks(title);
    await spoil(books);
    metrics.events.splice(0);
    for (const limit of ['50', '1']) {
      let cursor = {};
      let reply = await send('getAccountLedger', { ...books.asked, limit });
      if (reply.status === 200) {
        cursor = { cursor: reply.body.data.next_cursor };
        reply = await send('getAccountLedger', { ...books.asked, limit, ...cursor });
      }
      expect([reply.status, reply.body.error.code]).toEqual([500, 'internal_error']);
    }
    expect(metrics.events.filter(([name]) => name === 'booksDiffer')).toHaveLength(2);
  });

  test('raise no alarm for an entry that appears a moment after its sheet', async () => {
    const books = await openBooks('Moments');
    const whole = await send('getAccountLedger', books.asked);
    let read = 0;
    const { queryPage, ...table } = ledger.table;
    const late = calls.callsOn({
      ...table,
      queryPage: (...asked) => {
        const [{ ExpressionAttributeValues: values }] = asked;
        if (String(values?.[':first']).startsWith('SEQUENCE#')) return queryPage(...asked);
        read += 1;
        const nothing = { items: [], next: undefined, count: 0, units: 1 };
        return read === 1 ? Promise.resolve(nothing) : queryPage(...asked);
      },
    });
    expect(await late.send('getAccountLedger', books.asked)).toEqual(whole);
    expect(read).toBeGreaterThan(2);
  });
});

describe('a forged cursor', () => {
  const date = '2026-03-20';
  const change = (cursor: string, edit: (position: Record<string, unknown>) => object) => {
    const { position, ...others } = JSON.parse(Buffer.from(cursor, 'base64url').toString());
    const edited = { ...others, position: edit(position) };
    return Buffer.from(JSON.stringify(edited)).toString('base64url');
  };
  type Within = { counted: object; place: object };
  const within = (edit: (within: Within) => object) => (position: object) => {
    const { within: before, ...others } = position as { within: Within };
    return { ...others, within: { ...before, ...edit(before) } };
  };
  let asked: Record<string, string>;
  let cursor: string;
  beforeAll(async () => {
    const { prefix, schemaName } = await ledger.createTenant('Tampered');
    asked = { ...query, domain_url: prefix };
    await importMove(
      ledger.table,
      { applicationId: 'app1', schemaName },
      { date, amount: '1.00', reference: 'one' },
    );
    for (const amount of ['2.00', '3.00', '4.00']) await post({ domain_url: prefix, date, amount });
    await post({ domain_url: prefix, date: '2026-03-21', amount: '5.00' });
    cursor = (await send('getAccountLedger', { ...asked, limit: '2' })).body.data.next_cursor;
  });

  test.each<[string, (position: Record<string, unknown>) => object]>([
    ['more to come', within(() => ({ debit: '7.01' }))],
    ['less to come', within(() => ({ debit: '6.99' }))],
    ['credits to come', within(() => ({ credit: '0.01' }))],
    ['too much to come', within(() => ({ debit: '1000.00' }))],
    ['fewer entries', within(() => ({ counted: { IJ: 1, MJ: 2 } }))],
    ['more entries', within(() => ({ counted: { IJ: 1, MJ: 4 } }))],
    ['more of another series', within(() => ({ counted: { IJ: 2, MJ: 3 } }))],
    ['another line', within(() => ({ line: 0 }))],
    ['an earlier entry', within(({ place }) => ({ place: { ...place, series: 'IJ' }, line: 0 }))],
    ['a later entry', within(({ place }) => ({ place: { ...place, sequence: 3 } }))],
    [
      'an entry of another date',
      within(({ place }) => ({ place: { ...place, date: period.from } })),
    ],
    ['accruals alone', within(({ place }) => ({ place: { ...place, isAccrual: true } }))],
    ['a date without lines', (position) => ({ ...position, date: '2026-03-22' })],
    ['a date outside', (position) => ({ ...position, date: '2026-04-22' })],
    ['no date', (position) => ({ ...position, date: '2026-02-30' })],
    ['a key', within(({ place }) => ({ place: { ...place, date: `${markerPrefixes.posted}x` } }))],
  ])('is refused without an alarm: %s', async (_, edit) => {
    expect((await send('getAccountLedger', { ...asked, cursor })).status).toBe(200);
    metrics.events.splice(0);
    const reply = await send('getAccountLedger', { ...asked, cursor: change(cursor, edit) });
    expect([reply.status, problemsOf(reply)]).toEqual([422, ['cursor_not_valid /cursor']]);
    expect(metrics.events).not.toContainEqual(['booksDiffer']);
  });

  test('is refused for another account', async () => {
    const reply = await send('getAccountLedger', { ...asked, account: '4010', cursor });
    expect([reply.status, problemsOf(reply)]).toEqual([422, ['cursor_not_valid /cursor']]);
  });
});

test.each<[string, Record<string, string>, string[]]>([
  ['no account and period', {}, ['required /account /from /to']],
  ['an unknown currency', { ...query, currency: 'XXX' }, ['currency_unknown /currency']],
  [
    'an end before the start, and a limit',
    { ...query, from: '2026-03-02', to: '2026-03-01', limit: '201' },
    ['out_of_range /limit', 'from_after_to /from'],
  ],
  ['an unknown account', { ...query, account: '9999' }, ['account_not_found /account']],
])('refused: %s', async (_, given, problems) => {
  const reply = await send('getAccountLedger', given);
  expect([reply.status, problemsOf(reply)]).toEqual([422, problems]);
});

test('a page reads at most eight megabytes, and the next one continues', async () => {
  const date = '2026-03-20';
  const { prefix, ...name } = await ledger.createTenant('Large Entries');
  const [debit, , credit] = expectedEntry.lines as [JournalLine, JournalLine, JournalLine];
  const puts = (actions: Action[]) => actions.flatMap((it) => ('put' in it ? [it.put] : []));
  const amount = { debit: '100.00', bookDebit: '100.00', reportingDebit: '115.96' };
  let sheet = emptySheet;
  // Entries as large as an item can be. The first and the last are of the bank.
  for (let sequence = 1; sequence <= 26; sequence += 1) {
    const account = sequence === 1 || sequence === 26 ? '1010' : '1000';
    const entry = {
      ...expectedEntry,
      memo: 'x'.repeat(390_000),
      entryId: String(sequence),
      journalNumber: `MJ-20260320-${String(sequence).padStart(4, '0')}`,
      transactionAmount: '100.00',
      reportingAmount: '115.96',
      bookAmount: '100.00',
      lines: [
        { ...debit, account, ...amount },
        { ...credit, lineNumber: 2 },
      ],
    };
    const counted = countEntry(entry, fileEntry(sheet, entry));
    sheet = counted.sheet;
    const key = entryKey(name, { series: 'MJ', date, sequence });
    await ledger.seed(...puts(entryActions(key, counted.entry)));
  }
  const change = { before: emptySheet, after: sheet };
  await ledger.seed(...puts(sheetActions(name, { series: 'MJ', date }, change)));
  const balances: string[][] = [];
  let cursor: string | null = null;
  do {
    const cost = await costOf(async () => {
      const page = { domain_url: prefix, account: '1010', from: date, to: date };
      const { body } = await send('getAccountLedger', { ...page, ...(cursor && { cursor }) });
      balances.push(body.data.lines.map((line: { balance: string }) => line.balance));
      cursor = body.data.next_cursor;
    });
    // A megabyte is 256 read units.
    expect(cost.units.read).toBeLessThan(8.1 * 256);
  } while (cursor);
  expect(balances).toEqual([['100.00'], ['200.00']]);
});
