// entry-states.test.ts shows which entries can be cancelled, and the effect on reversals.

import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { euroEntry, linesOf } from '../support/builders/requests.ts';
import { openTenantCalls } from '../support/harnesses/calls.ts';
import { findViolations } from '../support/readers/invariants.ts';
import { replayedHeaders, verdictOf } from '../support/readers/replies.ts';

const { ledger, time, send, call, postDue } = await openTenantCalls();
const create = (changes: object = {}) => call('createEntry', euroEntry(changes));
const reverse = (body: object) => call('reverseEntry', body);
const cancel = (body: object) => call('cancelEntry', body);
const show = (query: object) => call('getEntry', query);
const accrual_date = '2026-04-30';

const schedule = async (changes: object = {}) => {
  const entry = await create({ accrual_date, external_id: randomUUID(), ...changes });
  return { entry, named: { journal_entry_id: entry.journal_entry_id } };
};

const listed = async (query: object): Promise<string[]> => {
  const { body } = await send('listEntries', { limit: '200', ...query });
  return body.data.journal_entries.map((it: { journal_number: string }) => it.journal_number);
};

describe('a cancelled entry', () => {
  test.each([
    ['its id', 'journal_entry_id'],
    ['its number', 'journal_number'],
    ['its external_id', 'external_id'],
  ] as const)('was named by %s, and is cancelled once', async (_, field) => {
    const { entry, named } = await schedule({ entries: linesOf(150) });
    // Only a scheduled entry can be stuck.
    const { stuck: _stuck, ...content } = entry;
    const cancelled = { ...content, status: 'cancelled', cancelled_at: time.now };
    expect(await cancel({ [field]: entry[field] })).toEqual(cancelled);
    expect(await show(named)).toEqual(cancelled);
    const { now } = time;
    time.now = '2026-03-24T13:00:00.000Z';
    const again = await send('cancelEntry', { external_id: entry.external_id });
    time.now = now;
    expect(again.body.data).toEqual({ ...cancelled, replayed: true });
    expect(again.headers).toMatchObject(replayedHeaders);
  });

  test('never posts, and is in no ledger', async () => {
    const date = '2026-02-03';
    const { named } = await schedule({ date, accrual_date: '2026-04-02' });
    const { entry: posted } = await schedule({ date, accrual_date: '2026-04-02' });
    await cancel(named);
    expect(await postDue('2026-04-02')).toMatchObject({ posted: 1, stuck: 0 });
    expect(await show(named)).toMatchObject({
      status: 'cancelled',
      posted_at: null,
      posting_sequence: null,
    });
    const period = { from: date, to: '2026-04-02' };
    const { lines } = (await send('getAccountLedger', { account: '1010', ...period })).body.data;
    const numbers = lines.map((it: { journal_number: string }) => it.journal_number);
    expect(numbers).toEqual([posted.journal_number]);
  });

  test('is listed as cancelled, and keeps its number and external_id', async () => {
    const date = '2026-02-04';
    const { entry, named } = await schedule({ date });
    const cancelled = await cancel(named);
    const range = { from: date, to: date };
    const { journal_number, external_id } = entry;
    expect(await listed(range)).toEqual([journal_number]);
    expect(await listed({ ...range, status: 'cancelled' })).toEqual([journal_number]);
    expect(await listed({ ...range, status: 'posted' })).toEqual([]);
    expect(await listed({ status: 'scheduled' })).not.toContain(journal_number);
    const again = await send('createEntry', euroEntry({ external_id }));
    expect([again.body.data, again.headers]).toMatchObject([cancelled, replayedHeaders]);
    expect((await create({ date })).journal_number).toBe('MJ-20260204-0002');
  });
});

test('an entry that is reversed again is independent of the first reversal', async () => {
  const entry = await create();
  const named = { journal_entry_id: entry.journal_entry_id };
  const body = { ...named, date: '2026-03-24', accrual_date };
  const { journal_entry_id } = await reverse(body);
  expect(await cancel({ journal_entry_id })).toMatchObject({ reverses: entry.journal_entry_id });
  expect(await show(named)).toEqual(entry);
  const second = await reverse(body);
  expect(second.journal_entry_id).not.toBe(journal_entry_id);
  await cancel({ journal_entry_id });
  expect(await show(named)).toMatchObject({ reversed_by: second.journal_entry_id });
});

test.each<[string, object, unknown[]]>([
  ['an unknown number', { journal_number: 'MJ-20200101-0001' }, [404, 'journal_entry_not_found']],
  ['an unknown external_id', { external_id: 'none' }, [404, 'journal_entry_not_found']],
  ['no name', {}, [422, 'validation_failed', 'exactly_one_of ']],
  [
    'all problems at once',
    { external_id: 'a', journal_number: 'b', memo: 'c' },
    [422, 'validation_failed', 'unknown_field /memo', 'exactly_one_of '],
  ],
])('a request is refused for %s', async (_, body, verdict) => {
  expect(verdictOf(await send('cancelEntry', body))).toEqual(verdict);
});

describe('at the same time', () => {
  test('16 requests cancel an entry once', async () => {
    const { named } = await schedule();
    const replies = await Promise.all(Array.from({ length: 16 }, () => send('cancelEntry', named)));
    expect(new Set(replies.map(({ body }) => body.data?.status))).toEqual(new Set(['cancelled']));
    const replayed = replies.filter(({ headers }) => headers['Idempotent-Replayed']);
    expect(replayed).toHaveLength(15);
  });

  test('entries are posted and cancelled: each reply says which', async () => {
    const accrual_date = '2026-04-04';
    const all = await Promise.all(Array.from({ length: 8 }, () => schedule({ accrual_date })));
    const [, ...replies] = await Promise.all([
      postDue(accrual_date),
      ...all.map(({ named }) => send('cancelEntry', named)),
    ]);
    const shown = await Promise.all(all.map(({ named }) => show(named)));
    expect(replies.map(({ body }) => body.error?.code ?? body.data.status)).toEqual(
      shown.map(({ status }) => (status === 'posted' ? 'entry_not_scheduled' : 'cancelled')),
    );
  });

  test('a reversal is cancelled and requested: each reply names an existing reversal', async () => {
    const entry = await create();
    const original = { journal_entry_id: entry.journal_entry_id };
    const body = { ...original, date: '2026-03-24', accrual_date };
    for (let round = 0; round < 6; round += 1) {
      const { journal_entry_id } = await reverse(body);
      const [cancelled, ...reversed] = await Promise.all([
        send('cancelEntry', { journal_entry_id }),
        ...Array.from({ length: 4 }, () => send('reverseEntry', body)),
      ]);
      expect(cancelled?.status).toBe(200);
      const { reversed_by } = await show(original);
      for (const { body } of reversed) {
        expect([journal_entry_id, reversed_by]).toContain(body.data.journal_entry_id);
      }
    }
  });
});

test('the books are whole after all of this', async () => {
  expect(findViolations(await ledger.scan(), { chartCodes: ledger.chartCodes })).toEqual([]);
});
