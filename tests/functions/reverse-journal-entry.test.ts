import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import type { JournalEntryView } from '#shared/entries/journal-entry.view.ts';
import { importJournals } from '../support/builders/platforms/platform-journal.ts';
import { euroEntry, linesOf } from '../support/builders/requests.ts';
import { openTenantCalls } from '../support/harnesses/calls.ts';
import { findViolations } from '../support/readers/invariants.ts';
import { replayedHeaders, verdictOf } from '../support/readers/replies.ts';

const { ledger, name, send, call, callsOn, postDue } = await openTenantCalls();
const create = (changes: object = {}) => call('createEntry', euroEntry(changes));
const reverse = (body: object) => call('reverseEntry', body);
const show = (query: object) => call('getEntry', query);
const date = '2026-03-24';
const scheduled = { accrual_date: '2026-06-30' };

/** A posted entry, and a request that names it by its id. */
const posted = async (changes: object = {}) => {
  const entry = await create(changes);
  return { entry, named: { journal_entry_id: entry.journal_entry_id } };
};

/** A line as the reversal of its entry has it. */
const swapped = (line: JournalEntryView['transactions'][number]) => ({
  ...line,
  debit: line.credit,
  credit: line.debit,
  reporting_debit: line.reporting_credit,
  reporting_credit: line.reporting_debit,
  book_debit: line.book_credit,
  book_credit: line.book_debit,
});

const key = (it: string) => ({ headers: { 'Idempotency-Key': it } });

describe('a reversal', () => {
  test('swaps the sides in all three currencies', async () => {
    const currencies = { transactionCurrency: 'USD', reportingCurrency: 'GBP' };
    const { entry, named } = await posted({ ...currencies, metadata: { order: '7' } });
    const reversal = await reverse({ ...named, date });
    const { journal_entry_id, hash } = reversal;
    expect(reversal).toEqual({
      ...entry,
      journal_entry_id,
      journal_number: 'MJ-20260324-0001',
      hash,
      date,
      posting_date: date,
      posting_sequence: 1,
      metadata: {},
      memo: `Reversal of ${entry.journal_number}`,
      reverses: entry.journal_entry_id,
      transactions: entry.transactions.map(swapped),
    });
    expect([entry.book_currency, entry.transactions[0]?.book_debit]).toEqual(['EUR', '0.86']);
    expect(await show(named)).toEqual({ ...entry, reversed_by: journal_entry_id });
    expect(await show({ journal_entry_id })).toEqual(reversal);
    const { data } = (await send('getTrialBalance', { as_of: date, by_currency: 'true' })).body;
    const rows: { currencies: { closing: object }[] }[] = data.rows;
    const closing = rows.flatMap(({ currencies }) => currencies.map((it) => it.closing));
    expect(closing).toEqual(Array(2).fill({ debit: '0.00', credit: '0.00' }));
  });

  test.each<[string, (entry: JournalEntryView) => object]>([
    ['its id in capitals', (it) => ({ journal_entry_id: it.journal_entry_id.toUpperCase() })],
    ['its number', ({ journal_number }) => ({ journal_number })],
    ['its external_id', ({ external_id }) => ({ original_external_id: external_id })],
  ])('finds its entry by %s', async (_, nameOf) => {
    const entry = await create({ external_id: randomUUID() });
    const reversal = await reverse({ ...nameOf(entry), date });
    expect(reversal.reverses).toBe(entry.journal_entry_id);
  });

  test('stores its own memo, names, metadata and user', async () => {
    const { entry, named } = await posted();
    const { userId } = await ledger.newOwner('ada@example.com');
    const details = {
      memo: 'A slip',
      external_id: randomUUID(),
      metadata: { ticket: '42' },
      user_id: userId,
    };
    expect(await reverse({ ...named, date, ...details })).toMatchObject({
      ...details,
      reverses: entry.journal_entry_id,
    });
  });

  test('posts on its accrual date, at once or later', async () => {
    const [past, future] = [await posted(), await posted()];
    const accrual_date = '2026-04-30';
    expect(await reverse({ ...past.named, date: '2026-03-01', accrual_date: date })).toMatchObject({
      status: 'posted',
      posting_date: date,
    });
    const { journal_entry_id, ...later } = await reverse({ ...future.named, date, accrual_date });
    expect(later).toMatchObject({
      status: 'scheduled',
      posting_date: accrual_date,
      posting_sequence: null,
    });
    expect(await show(future.named)).toMatchObject({ reversed_by: journal_entry_id });
    await postDue(accrual_date);
    expect(await show({ journal_entry_id })).toMatchObject({
      status: 'posted',
      posting_sequence: 1,
      reverses: future.entry.journal_entry_id,
    });
  });

  test('can have many lines and archived accounts', async () => {
    const { entry, named } = await posted({ entries: linesOf(150) });
    await send('updateAccount', { code: '4010', status: 'archived' });
    const { transactions } = await reverse({ ...named, date });
    expect(transactions).toEqual(entry.transactions.map(swapped));
    await send('updateAccount', { code: '4010', status: 'active' });
  });

  test("of an imported journal uses the platform's rates", async () => {
    const text = '\u{1f4d2}'.repeat(255);
    const journal = { reference: 'long', date: '2026-03-20', lineCount: 1_500, text };
    await importJournals(ledger.table, name, journal);
    const { data } = (await send('getEntry', { journal_number: 'IJ-20260320-0001' })).body;
    const reversal = await reverse({ journal_number: 'IJ-20260320-0001', date });
    expect(reversal).toMatchObject({
      entry_type: 'Manual Journal',
      memo: 'Reversal of IJ-20260320-0001',
      reverses: data.journal_entry_id,
      exchange_rate_source: data.exchange_rate_source,
    });
    expect(reversal.transactions).toEqual(data.transactions.map(swapped));
  });
});

describe('a repeated reversal', () => {
  test.each<[string, object, string | undefined]>([
    ['unchanged', {}, undefined],
    ['without the memo', { memo: null }, undefined],
    ['with another memo', { memo: 'Other' }, '/memo'],
    ['with another date', { date: '2026-03-23' }, '/date'],
    ['with an accrual date', { accrual_date: '2026-03-25' }, '/accrual_date'],
    ['without its external_id', { external_id: null }, '/external_id'],
    ['with another external_id', { external_id: randomUUID() }, '/external_id'],
    ['with a user', { user_id: 7 }, '/user_id'],
    ['with other metadata', { metadata: { ticket: '43' } }, '/metadata'],
    ['with two changes', { memo: 'Other', date: '2026-03-23' }, '/date, /memo'],
  ])('%s returns the existing one', async (_, changes, mismatch) => {
    const { named } = await posted();
    const metadata = { ticket: '42' };
    const body = { ...named, date, memo: 'A slip', external_id: randomUUID(), metadata };
    const first = await reverse(body);
    const again = await send('reverseEntry', { ...body, ...changes });
    expect([again.status, again.body.data]).toEqual([200, { ...first, replayed: true }]);
    expect(again.headers).toMatchObject(replayedHeaders);
    expect(again.headers['Idempotency-Mismatch']).toBe(mismatch);
  });

  test('with on_mismatch is refused only if it differs', async () => {
    const { named } = await posted();
    const body = { ...named, date, external_id: randomUUID(), on_mismatch: 'refuse' };
    await reverse(body);
    expect((await send('reverseEntry', body)).body.data.replayed).toBe(true);
    expect(verdictOf(await send('reverseEntry', { ...body, memo: 'Other' }))).toEqual([
      ...[422, 'validation_failed', 'differs_from_original /memo'],
    ]);
  });

  test('returns the existing one even if its date is locked by now', async () => {
    const { named } = await posted({ date: '2026-01-10' });
    const first = await reverse({ ...named, date: '2026-01-11' });
    await send('updateTenant', { lock_date: '2026-01-31' });
    for (const other of ['2026-01-11', '2026-01-09']) {
      expect((await send('reverseEntry', { ...named, date: other })).body.data).toMatchObject(
        first,
      );
    }
    await send('updateTenant', { lock_date: '2025-12-31' });
  });

  test('is recorded once by 16 concurrent requests', async () => {
    const { named } = await posted({ date: '2026-02-10' });
    const body = { ...named, date: '2026-02-10' };
    const replies = await Promise.all(
      Array.from({ length: 16 }, (_, at) =>
        send('reverseEntry', { ...body, external_id: `at-${at}` }),
      ),
    );
    const numbers = new Set(replies.map((reply) => reply.body.data?.journal_number));
    expect(numbers).toEqual(new Set(['MJ-20260210-0002']));
    const replayed = replies.filter(({ headers }) => headers['Idempotent-Replayed']);
    expect(replayed).toHaveLength(15);
    expect((await create({ date: '2026-02-10' })).journal_number).toBe('MJ-20260210-0003');
  });
});

describe('an external_id or an Idempotency-Key', () => {
  const taken = [422, 'validation_failed', 'external_id_taken /external_id'];
  const reused = [422, 'idempotency_key_reused'];

  test('that another entry uses in the meantime is taken', async () => {
    const { named } = await posted();
    const external_id = randomUUID();
    let isFirst = true;
    const calls = callsOn({
      ...ledger.table,
      tryTransact: async (transaction) => {
        if (isFirst) {
          isFirst = false;
          await create({ external_id });
        }
        return ledger.table.tryTransact(transaction);
      },
    });
    const reply = await calls.send('reverseEntry', { ...named, date, external_id });
    expect(verdictOf(reply)).toEqual(taken);
    expect(await show(named)).toMatchObject({ reversed_by: null });
  });

  test('names one reversal, also after it was cancelled and another was made', async () => {
    const { named } = await posted();
    const [external_id, idempotencyKey] = [randomUUID(), randomUUID()];
    const body = { ...named, date, ...scheduled };
    const first = await send('reverseEntry', { ...body, external_id }, key(idempotencyKey));
    const { journal_entry_id } = first.body.data;
    await call('cancelEntry', { journal_entry_id });
    const cancelled = await show({ journal_entry_id });
    const repeats = async () => [
      await send('reverseEntry', { ...body, external_id }),
      await send('reverseEntry', body, key(idempotencyKey)),
      await send('reverseEntry', { ...body, external_id }, key(randomUUID())),
    ];
    for (const again of await repeats()) {
      expect([again.body.data, again.headers]).toMatchObject([cancelled, replayedHeaders]);
    }
    const secondKey = randomUUID();
    const second = await send(
      'reverseEntry',
      { ...body, external_id: randomUUID() },
      key(secondKey),
    );
    expect(second.headers).not.toHaveProperty('Idempotent-Replayed');
    for (const again of await repeats())
      expect(again.body.data).toEqual({ ...cancelled, replayed: true });
    // Together they would name two reversals.
    const both = await send('reverseEntry', { ...body, external_id }, key(secondKey));
    expect(verdictOf(both)).toEqual(reused);
  });

  test('of another entry or reversal is refused, before and after the reversal', async () => {
    const [own, ofEntry, ofReversal] = [randomUUID(), randomUUID(), randomUUID()];
    const idempotencyKey = randomUUID();
    await create({ external_id: ofEntry });
    await send('createEntry', euroEntry(), key(idempotencyKey));
    await reverse({ ...(await posted()).named, date, external_id: ofReversal });
    const { named } = await posted({ external_id: own });
    for (const _ of ['before', 'after']) {
      for (const external_id of [own, ofEntry, ofReversal]) {
        expect(verdictOf(await send('reverseEntry', { ...named, date, external_id }))).toEqual(
          taken,
        );
      }
      const byKey = await send('reverseEntry', { ...named, date }, key(idempotencyKey));
      expect(verdictOf(byKey)).toEqual(reused);
      await reverse({ ...named, date });
    }
  });

  test('of a reversal is not free for a new entry', async () => {
    const [external_id, idempotencyKey] = [randomUUID(), randomUUID()];
    const body = { ...(await posted()).named, date, external_id };
    const reversal = (await send('reverseEntry', body, key(idempotencyKey))).body.data;
    expect(verdictOf(await send('createEntry', euroEntry(), key(idempotencyKey)))).toEqual(reused);
    const found = await send('createEntry', euroEntry({ external_id }));
    expect([found.body.data, found.headers]).toMatchObject([
      { ...reversal, replayed: true },
      replayedHeaders,
    ]);
  });
});

describe('a request is refused', () => {
  const nowhere = { domain_url: 'no-such-books' };
  test.each<[string, () => Promise<object>, unknown[]]>([
    [
      'a reversal',
      async () => reverse({ ...(await posted()).named, date }),
      [409, 'entry_is_a_reversal'],
    ],
    ['a scheduled entry', () => create(scheduled), [409, 'entry_not_posted']],
    [
      'an unknown tenant',
      async () => ({ ...nowhere, journal_number: 'MJ-1' }),
      [404, 'tenant_not_found'],
    ],
    [
      'an unknown number',
      async () => ({ journal_number: 'MJ-20260323-9999' }),
      [404, 'journal_entry_not_found'],
    ],
    [
      'an unknown external_id',
      async () => ({ original_external_id: 'none' }),
      [404, 'journal_entry_not_found'],
    ],
    ['an unknown id', async () => ({ journal_entry_id: 'none' }), [404, 'journal_entry_not_found']],
  ])('for %s, before all other problems', async (_, nameOf, verdict) => {
    const { journal_entry_id, ...made } = (await nameOf()) as Partial<JournalEntryView>;
    const named = journal_entry_id === undefined ? made : { journal_entry_id };
    const reply = await send('reverseEntry', { date: '2020-01-01', user_id: 7, ...named });
    expect(verdictOf(reply)).toEqual(verdict);
  });

  test.each<[string, object, string[]]>([
    ['an earlier date', { date: '2026-03-22' }, ['reversal_before_entry /date']],
    [
      'an earlier accrual date',
      { accrual_date: '2026-03-22' },
      ['reversal_before_entry /accrual_date'],
    ],
    [
      'a date in the locked period',
      { date: '2025-12-31' },
      ['period_locked /date', 'reversal_before_entry /date'],
    ],
    [
      'an unreadable accrual date, which hides when the reversal posts',
      { date: '2026-03-22', accrual_date: 'soon' },
      ['date_not_valid /accrual_date'],
    ],
    ['a date that does not exist', { date: '2026-02-30' }, ['date_not_valid /date']],
    ['no name', { journal_entry_id: null }, ['exactly_one_of ']],
    ['two names', { original_external_id: 'a' }, ['exactly_one_of ']],
    [
      'all problems at once',
      { memo: ' ', accrual_date: '2025-12-31', user_id: 7, entries: [] },
      [
        'memo_must_not_be_blank /memo',
        'unknown_field /entries',
        'period_locked /accrual_date',
        'reversal_before_entry /accrual_date',
        'user_not_found /user_id',
      ],
    ],
  ])('for %s', async (_, changes, problems) => {
    await send('updateTenant', { lock_date: '2025-12-31' });
    const { named } = await posted();
    const reply = await send('reverseEntry', { ...named, date, ...changes });
    expect(verdictOf(reply)).toEqual([422, 'validation_failed', ...problems]);
    expect(await show(named)).toMatchObject({ reversed_by: null });
  });

  test('for a user that does not exist or is not linked to the tenant', async () => {
    const { named } = await posted();
    const { userId } = await ledger.newOwner('grace@example.com');
    const verdict = async (changes: object) =>
      verdictOf(await send('reverseEntry', { ...named, date, ...changes }));
    expect(await verdict({ user_id: 7 })).toEqual([404, 'user_not_found']);
    const unlinked = [422, 'validation_failed', 'user_not_linked /user_id'];
    for (const dry_run of [false, true]) {
      expect(await verdict({ user_id: userId, dry_run })).toEqual(unlinked);
    }
  });
});

test('a dry run returns the reversal and records nothing', async () => {
  const { entry, named } = await posted();
  const body = { ...named, date, external_id: randomUUID(), dry_run: true };
  const before = await ledger.scan();
  const reply = await send('reverseEntry', body);
  expect(await ledger.scan()).toEqual(before);
  expect(reply.body.data).toMatchObject({
    journal_entry_id: null,
    journal_number: null,
    hash: null,
    created_at: null,
    reverses: entry.journal_entry_id,
    transactions: entry.transactions.map(swapped),
  });
  const made = await reverse({ ...body, dry_run: false });
  const again = await send('reverseEntry', body);
  expect([again.body.data, again.headers]).toMatchObject([made, replayedHeaders]);
});

test('the books are whole after all of this', async () => {
  const found = findViolations(await ledger.scan(), { chartCodes: ledger.chartCodes });
  // The journal was imported without the chart of its platform.
  expect(found.filter((violation) => !violation.includes('account ID-4f1c'))).toEqual([]);
});
