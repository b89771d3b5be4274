import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import type { JournalEntryView } from '#shared/entries/journal-entry.view.ts';
import { entryKey } from '#shared/table/keys.ts';
import { unnumbered } from '../support/builders/platform-journal.ts';
import {
  openCorrectionCalls,
  type Reply,
  replayedHeaders,
  swapped,
} from '../support/harnesses/corrections.ts';
import { entryBody, linesOf } from '../support/harnesses/entry-reading.ts';
import { findViolations } from '../support/readers/invariants.ts';
import { problemsOf } from '../support/readers/replies.ts';

const calls = await openCorrectionCalls();
const { ledger, send, ask, create, reverse, cancel, show } = calls;
const date = '2026-03-24';

/** A posted entry of a tenant, named by its id. */
const posted = async (changes: object = {}) => {
  const entry = await create(changes);
  return { entry, named: { journal_entry_id: entry.journal_entry_id } };
};

const verdictOf = (reply: Reply) => [reply.status, reply.body.error?.code, ...problemsOf(reply)];

describe('a reversal', () => {
  test('says what its entry says, with the sides swapped in all three currencies', async () => {
    const currencies = { transactionCurrency: 'USD', reportingCurrency: 'GBP' };
    const { entry, named } = await posted({ ...currencies, metadata: { order: '7' } });
    const reversal = await reverse({ ...named, date });
    const { journal_entry_id, hash } = reversal;
    expect(reversal).toEqual({
      ...entry,
      ...{ journal_entry_id, journal_number: 'MJ-20260324-0001', hash },
      ...{ date, posting_date: date, posting_sequence: 1, metadata: {} },
      memo: `Reversal of ${entry.journal_number}`,
      reverses: entry.journal_entry_id,
      transactions: entry.transactions.map(swapped),
    });
    expect([entry.book_currency, entry.transactions[0]?.book_debit]).toEqual(['EUR', '86.24']);
    expect(await show(named)).toEqual({ ...entry, reversed_by: journal_entry_id });
    expect(await show({ journal_entry_id })).toEqual(reversal);
  });

  test('leaves nothing of both together, in any currency', async () => {
    const { named } = await posted({ transactionCurrency: 'USD', reportingCurrency: 'GBP' });
    await reverse({ ...named, date: '2026-03-23' });
    const { data } = (await ask('balance', { as_of: date, by_currency: 'true' })).body;
    const rows: { currencies: { closing: object }[] }[] = data.rows;
    const closing = rows.flatMap(({ currencies }) => currencies.map((it) => it.closing));
    expect(closing).toHaveLength(2);
    for (const it of closing) expect(it).toEqual({ debit: '0.00', credit: '0.00' });
  });

  test.each<[string, (entry: JournalEntryView) => object]>([
    [
      'its id in capitals',
      ({ journal_entry_id }) => ({
        journal_entry_id: journal_entry_id.toUpperCase(),
      }),
    ],
    ['its number', ({ journal_number }) => ({ journal_number })],
    ['its external_id', ({ external_id }) => ({ original_external_id: external_id })],
  ])('is of the entry named by %s', async (_, nameOf) => {
    const entry = await create({ external_id: randomUUID() });
    const reversal = await reverse({ ...nameOf(entry), date });
    expect(reversal.reverses).toBe(entry.journal_entry_id);
  });

  test('keeps what it is asked to keep', async () => {
    const { entry, named } = await posted();
    const user_id = (await ledger.users.find({ applicationId: 'app1', email: 'ada@example.com' }))
      ?.userId;
    const asked = {
      memo: 'A slip',
      external_id: randomUUID(),
      metadata: { ticket: '42' },
      user_id,
    };
    expect(await reverse({ ...named, date, ...asked })).toMatchObject({
      ...{ ...asked, user_id: String(user_id), reverses: entry.journal_entry_id },
    });
  });

  test('counts on its accrual date, at once or when that comes', async () => {
    const [past, future] = [await posted(), await posted()];
    const accrual_date = '2026-04-30';
    expect(await reverse({ ...past.named, date: '2026-03-01', accrual_date: date })).toMatchObject({
      ...{ status: 'posted', posting_date: date },
    });
    const scheduled = await reverse({ ...future.named, date, accrual_date });
    expect(scheduled).toMatchObject({
      status: 'scheduled',
      posting_date: accrual_date,
      hash: null,
    });
    const { journal_entry_id } = scheduled;
    expect(await show(future.named)).toMatchObject({ reversed_by: journal_entry_id });
    await calls.flip(accrual_date);
    expect(await show({ journal_entry_id })).toMatchObject({
      ...{ status: 'posted', posting_sequence: 1, reverses: future.entry.journal_entry_id },
    });
  });

  test('is of many lines, and of accounts that are archived by now', async () => {
    const { entry, named } = await posted({ entries: linesOf(150) });
    await send('archive', { code: '4010', status: 'archived' });
    expect((await reverse({ ...named, date })).transactions).toEqual(
      entry.transactions.map(swapped),
    );
    await send('archive', { code: '4010', status: 'active' });
  });

  test('is of an imported journal too, at the rates of its platform', async () => {
    const text = '\u{1f4d2}'.repeat(255);
    await calls.import(
      unnumbered({ reference: 'long', date: '2026-03-20', lineCount: 1_500, text }),
    );
    const { data } = (await ask('get', { journal_number: 'IJ-20260320-0001' })).body;
    const reversal = await reverse({ journal_number: 'IJ-20260320-0001', date });
    expect(reversal).toMatchObject({
      ...{ entry_type: 'Manual Journal', memo: 'Reversal of IJ-20260320-0001' },
      ...{ reverses: data.journal_entry_id, exchange_rate_source: data.exchange_rate_source },
    });
    expect(reversal.transactions).toEqual(data.transactions.map(swapped));
  });
});

describe('a repeat', () => {
  test.each<[string, object, string | undefined]>([
    ['as it was', {}, undefined],
    ['without the memo', { memo: null }, undefined],
    ['with another memo', { memo: 'Other' }, '/memo'],
    ['with another date', { date: '2026-03-23' }, '/date'],
    ['with an accrual date', { accrual_date: '2026-03-25' }, '/accrual_date'],
    ['without its external_id', { external_id: null }, '/external_id'],
    ['with another external_id', { external_id: randomUUID() }, '/external_id'],
    ['with a user', { user_id: 7 }, '/user_id'],
    ['with other metadata', { metadata: { ticket: '43' } }, '/metadata'],
    [
      'with all of it different',
      { memo: 'Other', date: '2026-03-23', external_id: randomUUID(), metadata: {} },
      '/date, /memo, /external_id, /metadata',
    ],
  ])('%s answers the reversal that is there', async (_, changes, mismatch) => {
    const { named } = await posted();
    const metadata = { ticket: '42' };
    const asked = { ...named, date, memo: 'A slip', external_id: randomUUID(), metadata };
    const first = await reverse(asked);
    const again = await send('reverse', { ...asked, ...changes });
    expect([again.status, again.body.data]).toEqual([200, first]);
    expect(again.headers).toMatchObject(replayedHeaders);
    expect(again.headers['Idempotency-Mismatch']).toBe(mismatch);
  });

  test('is answered whatever would stand in its way by now', async () => {
    const { entry, named } = await posted({ date: '2026-01-10' });
    const first = await reverse({ ...named, date: '2026-01-11' });
    await send('update', { lock_date: '2026-01-31' });
    for (const other of [{}, { date: '2026-01-09' }]) {
      const again = await send('reverse', { ...named, date: '2026-01-11', ...other });
      expect(again.body.data).toEqual(first);
    }
    expect(first.reverses).toBe(entry.journal_entry_id);
    await send('update', { lock_date: '2025-12-31' });
  });

  test('of 16 at once records one reversal, and all answer it', async () => {
    const { named } = await posted({ date: '2026-02-10' });
    const asked = { ...named, date: '2026-02-10' };
    const replies = await Promise.all(
      Array.from({ length: 16 }, (_, at) => send('reverse', { ...asked, external_id: `at-${at}` })),
    );
    expect(new Set(replies.map(({ body }) => body.data?.journal_number))).toEqual(
      new Set(['MJ-20260210-0002']),
    );
    const replayed = replies.filter(({ headers }) => headers['Idempotent-Replayed']);
    expect(replayed).toHaveLength(15);
    expect((await create({ date: '2026-02-10' })).journal_number).toBe('MJ-20260210-0003');
  });
});

describe('an external_id or an Idempotency-Key', () => {
  const key = (it: string) => ({ headers: { 'Idempotency-Key': it } });

  test('stands for the reversal for ever, also where it was cancelled since', async () => {
    const { named } = await posted();
    const asked = { ...named, date, accrual_date: '2026-05-31' };
    const [externalId, idempotencyKey] = [randomUUID(), randomUUID()];
    const made = { ...asked, external_id: externalId };
    const first = (await send('reverse', made, key(idempotencyKey))).body.data;
    await cancel({ journal_entry_id: first.journal_entry_id });
    const cancelled = await show({ journal_entry_id: first.journal_entry_id });
    for (const again of [
      await send('reverse', made),
      await send('reverse', asked, key(idempotencyKey)),
    ]) {
      expect([again.body.data, again.headers]).toMatchObject([cancelled, replayedHeaders]);
    }
    const second = await send('reverse', { ...asked, external_id: randomUUID() });
    expect(second.headers).not.toHaveProperty('Idempotent-Replayed');
    expect((await send('reverse', made)).body.data).toEqual(cancelled);
    const both = await send('reverse', { ...asked, external_id: externalId }, key(randomUUID()));
    expect(both.body.data).toEqual(cancelled);
  });

  test('of another entry is refused', async () => {
    const [externalId, idempotencyKey] = [randomUUID(), randomUUID()];
    await create({ external_id: externalId });
    await send('create', entryBody, key(idempotencyKey));
    const { named } = await posted();
    const taken = await send('reverse', { ...named, date, external_id: externalId });
    expect(verdictOf(taken)).toEqual([422, 'validation_failed', 'external_id_taken /external_id']);
    const reused = await send('reverse', { ...named, date }, key(idempotencyKey));
    expect(verdictOf(reused)).toEqual([422, 'idempotency_key_reused']);
    expect(await show(named)).toMatchObject({ reversed_by: null });
  });

  test('of a reversal is refused to whoever posts with the key, and found by the id', async () => {
    const [externalId, idempotencyKey] = [randomUUID(), randomUUID()];
    const { named } = await posted();
    const made = { ...named, date, external_id: externalId };
    const reversal = (await send('reverse', made, key(idempotencyKey))).body.data;
    const posting = await send('create', entryBody, key(idempotencyKey));
    expect(verdictOf(posting)).toEqual([422, 'idempotency_key_reused']);
    const found = await send('create', { ...entryBody, external_id: externalId });
    expect([found.body.data, found.headers]).toMatchObject([reversal, replayedHeaders]);
  });

  test('of the entry itself or of another reversal is refused, reversed or not', async () => {
    const externalId = randomUUID();
    const { named } = await posted({ external_id: externalId });
    const other = await posted();
    const ofOther = randomUUID();
    await reverse({ ...other.named, date, external_id: ofOther });
    const ask = async (external_id: string) =>
      verdictOf(await send('reverse', { ...named, date, external_id }));
    const refused = [422, 'validation_failed', 'external_id_taken /external_id'];
    expect([await ask(externalId), await ask(ofOther)]).toEqual([refused, refused]);
    await reverse({ ...named, date });
    expect([await ask(externalId), await ask(ofOther)]).toEqual([refused, refused]);
  });

  test('that stand for two reversals are refused together', async () => {
    const { named } = await posted();
    const asked = { ...named, date, accrual_date: '2026-05-31' };
    const [externalId, idempotencyKey] = [randomUUID(), randomUUID()];
    const { journal_entry_id } = await reverse({ ...asked, external_id: externalId });
    await cancel({ journal_entry_id });
    expect((await send('reverse', asked, key(idempotencyKey))).status).toBe(200);
    const both = await send('reverse', { ...asked, external_id: externalId }, key(idempotencyKey));
    expect(verdictOf(both)).toEqual([422, 'idempotency_key_reused']);
  });
});

describe('what an entry is by now forbids', () => {
  test.each<[string, () => Promise<JournalEntryView>, string]>([
    ['a reversal', async () => reverse({ ...(await posted()).named, date }), 'entry_is_a_reversal'],
    [
      'a scheduled reversal',
      async () => reverse({ ...(await posted()).named, date, accrual_date: '2026-06-30' }),
      'entry_is_a_reversal',
    ],
    ['what is scheduled', () => create({ accrual_date: '2026-06-30' }), 'entry_not_posted'],
    [
      'what is cancelled',
      async () => {
        const { journal_entry_id } = await create({ accrual_date: '2026-06-30' });
        return cancel({ journal_entry_id });
      },
      'entry_not_posted',
    ],
  ])('to reverse %s, whatever else is wrong', async (_, make, code) => {
    const { journal_entry_id } = await make();
    const reply = await send('reverse', { journal_entry_id, date: '2020-01-01', user_id: 7 });
    expect(verdictOf(reply)).toEqual([409, code]);
  });
});

describe('refused is', () => {
  test.each<[string, object, string[]]>([
    ['a date before that of the entry', { date: '2026-03-22' }, ['reversal_before_entry /date']],
    [
      'an accrual date before it',
      { accrual_date: '2026-03-22' },
      ['reversal_before_entry /accrual_date'],
    ],
    [
      'a date in the locked period, with all else that is wrong',
      { date: '2025-12-31', user_id: 7 },
      ['period_locked /date', 'reversal_before_entry /date', 'user_not_found /user_id'],
    ],
    [
      'an accrual date in it',
      { date: '2026-01-31', accrual_date: '2025-12-31' },
      ['period_locked /accrual_date', 'reversal_before_entry /accrual_date'],
    ],
    [
      'an accrual date that cannot be read, which leaves open on which day it counts',
      { date: '2026-03-22', accrual_date: 'soon' },
      ['date_not_valid /accrual_date'],
    ],
    ['no date', { date: null }, ['wrong_type /date']],
    ['a blank memo', { memo: ' ' }, ['memo_must_not_be_blank /memo']],
    ['no name', { journal_entry_id: null }, ['exactly_one_of ']],
    ['two names', { original_external_id: 'a' }, ['exactly_one_of ']],
    [
      'all that is wrong, at once',
      { memo: ' ', accrual_date: '2025-12-31', user_id: 7, entries: [] },
      [
        'memo_must_not_be_blank /memo',
        'unknown_field /entries',
        'period_locked /accrual_date',
        'reversal_before_entry /accrual_date',
        'user_not_found /user_id',
      ],
    ],
    [
      'a tenant that is not there, in a request that is wrong already',
      { domain_url: 'no-such-books', memo: ' ' },
      ['memo_must_not_be_blank /memo', 'tenant_not_found /domain_url'],
    ],
  ])('%s', async (_, changes, problems) => {
    await send('update', { lock_date: '2025-12-31' });
    const { named } = await posted();
    const reply = await send('reverse', { ...named, date, ...changes });
    expect(verdictOf(reply)).toEqual([422, 'validation_failed', ...problems]);
    expect(await show(named)).toMatchObject({ reversed_by: null });
  });

  test('a user that is not there, or that the tenant is not linked to', async () => {
    const { named } = await posted();
    const grace = { applicationId: 'app1', email: 'grace@example.com', createdAt: calls.time.now };
    const { user } = await ledger.users.record(
      { ...grace, firstName: 'Grace', lastName: 'Hopper' },
      { passwordHash: 'none', newUserId: () => '4711' },
    );
    const ask = async (changes: object) =>
      verdictOf(await send('reverse', { ...named, date, ...changes }));
    expect(await ask({ user_id: 7 })).toEqual([404, 'user_not_found']);
    const unlinked = [422, 'validation_failed', 'user_not_linked /user_id'];
    expect(await ask({ user_id: user.userId })).toEqual(unlinked);
    expect(await ask({ user_id: user.userId, dry_run: true })).toEqual(unlinked);
  });

  test.each<[string, object, string]>([
    [
      'a tenant that is not there',
      { domain_url: 'no-such-books', journal_number: 'MJ-20260323-0001' },
      'tenant_not_found',
    ],
    ['a number', { journal_number: 'MJ-20260323-9999' }, 'journal_entry_not_found'],
    ['an external_id', { original_external_id: 'none' }, 'journal_entry_not_found'],
    ['an id', { journal_entry_id: 'none' }, 'journal_entry_not_found'],
  ])('%s of no entry, before all else that is wrong', async (_, named, code) => {
    const reply = await send('reverse', { date: '2020-01-01', user_id: 7, ...named });
    expect(verdictOf(reply)).toEqual([404, code]);
  });

  test('an entry of another application, as if there were no such tenant', async () => {
    const { named } = await posted();
    const reply = await send('reverse', { ...named, date }, { applicationId: 'app3' });
    expect(verdictOf(reply)).toEqual([404, 'tenant_not_found']);
  });
});

test('a dry run answers what would be recorded, and records nothing', async () => {
  const { entry, named } = await posted();
  const asked = { ...named, date, external_id: randomUUID(), dry_run: true };
  const before = await ledger.scan();
  const reply = await send('reverse', asked);
  expect(await ledger.scan()).toEqual(before);
  expect(reply.body.data).toMatchObject({
    ...{ journal_entry_id: null, journal_number: null, hash: null, created_at: null },
    ...{ reverses: entry.journal_entry_id, transactions: entry.transactions.map(swapped) },
  });
  const made = await reverse({ ...asked, dry_run: false });
  const again = await send('reverse', asked);
  expect([again.body.data, again.headers]).toMatchObject([made, replayedHeaders]);
});

test('an original that was changed behind the ledger is not reversed, but an alarm', async () => {
  const { entry } = await posted({ date: '2026-02-01' });
  const key = entryKey(calls.name, { series: 'MJ', date: '2026-02-01', sequence: 1 });
  const change = { update: key, names: { '#lines': 'lines', '#debit': 'debit' } };
  const expression = 'SET #lines[0].#debit = :amount';
  await ledger.table.update({ ...change, expression, values: { ':amount': '100.01' } });
  const reply = await send('reverse', { journal_number: entry.journal_number, date });
  expect(verdictOf(reply)).toEqual([500, 'internal_error']);
  await ledger.table.update({ ...change, expression, values: { ':amount': '100.00' } });
});

test('everything that was recorded is whole', async () => {
  const found = findViolations(await ledger.scan(), { chartCodes: ledger.chartCodes });
  // The journal was imported without the chart of its platform.
  expect(found.filter((violation) => !violation.includes('account ID-4f1c'))).toEqual([]);
});
