import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import {
  openCorrectionCalls,
  type Reply,
  replayedHeaders,
} from '../support/harnesses/corrections.ts';
import { entryBody, linesOf } from '../support/harnesses/entry-reading.ts';
import { findViolations } from '../support/readers/invariants.ts';
import { problemsOf } from '../support/readers/replies.ts';

const calls = await openCorrectionCalls();
const { ledger, send, ask, create, reverse, cancel, show } = calls;
const accrual_date = '2026-04-30';

const schedule = async (changes: object = {}) => {
  const entry = await create({ accrual_date, external_id: randomUUID(), ...changes });
  return { entry, named: { journal_entry_id: entry.journal_entry_id } };
};

const verdictOf = (reply: Reply) => [reply.status, reply.body.error?.code, ...problemsOf(reply)];

const listed = async (query: object): Promise<string[]> => {
  const { body } = await ask('list', { limit: '200', ...query });
  return body.data.journal_entries.map((it: { journal_number: string }) => it.journal_number);
};

describe('a cancelled entry', () => {
  test.each([
    ['its id', 'journal_entry_id'],
    ['its number', 'journal_number'],
    ['its external_id', 'external_id'],
  ] as const)('is the one named by %s, as it was, with its moment', async (_, field) => {
    const { entry, named } = await schedule();
    const { stuck: _stuck, ...content } = entry;
    const cancelled = { ...content, status: 'cancelled', cancelled_at: calls.time.now };
    expect(await cancel({ [field]: entry[field] })).toEqual(cancelled);
    expect(await show(named)).toEqual(cancelled);
  });

  test('stays as it was cancelled when that is asked for again', async () => {
    const { entry, named } = await schedule({ entries: linesOf(150) });
    const first = await cancel(named);
    calls.time.now = '2026-03-24T13:00:00.000Z';
    const again = await send('cancel', { external_id: entry.external_id });
    expect([again.body.data, again.headers]).toMatchObject([first, replayedHeaders]);
    expect(again.body.data.cancelled_at).toBe('2026-03-24T12:00:00.000Z');
  });

  test('never posts, and counts nowhere', async () => {
    const date = '2026-02-03';
    const { entry, named } = await schedule({ date, accrual_date: '2026-04-02' });
    const { entry: posted } = await schedule({ date, accrual_date: '2026-04-02' });
    await cancel(named);
    expect(await calls.flip('2026-04-02')).toMatchObject({ posted: 1, stuck: 0 });
    expect(await show(named)).toMatchObject({ status: 'cancelled', posted_at: null, hash: null });
    for (const period of [
      { from: date, to: date },
      { from: '2026-04-02', to: '2026-04-02' },
    ]) {
      const { lines } = (await ask('ledger', { account: '1010', ...period })).body.data;
      const numbers = lines.map((it: { journal_number: string }) => it.journal_number);
      expect(numbers).toEqual(period.from === date ? [] : [posted.journal_number]);
    }
    expect(entry.posting_date).toBe('2026-04-02');
  });

  test('is listed as cancelled and among all, and not as scheduled or posted', async () => {
    const date = '2026-02-04';
    const { entry, named } = await schedule({ date });
    await cancel(named);
    const range = { from: date, to: date };
    const { journal_number } = entry;
    expect(await listed(range)).toEqual([journal_number]);
    expect(await listed({ ...range, status: 'cancelled' })).toEqual([journal_number]);
    expect(await listed({ ...range, status: 'posted' })).toEqual([]);
    expect(await listed({ status: 'scheduled' })).not.toContain(journal_number);
  });

  test('keeps its number and its external_id', async () => {
    const { entry, named } = await schedule({ date: '2026-02-05' });
    const cancelled = await cancel(named);
    const again = await send('create', { ...entryBody, external_id: entry.external_id });
    expect([again.body.data, again.headers]).toMatchObject([cancelled, replayedHeaders]);
    const next = await create({ date: '2026-02-05' });
    expect(next.journal_number).toBe('MJ-20260205-0002');
  });

  test('does not keep a period from being locked', async () => {
    const { named } = await schedule({ date: '2026-02-06', accrual_date: '2026-03-25' });
    calls.time.now = '2026-03-26T12:00:00.000Z';
    const lock = () => send('update', { lock_date: '2026-03-25' });
    expect((await lock()).status).toBe(409);
    await cancel(named);
    expect((await lock()).status).toBe(200);
    await send('update', { lock_date: '2025-12-31' });
    calls.time.now = '2026-03-24T12:00:00.000Z';
  });
});

test('a cancelled reversal leaves its original as it was, to be reversed again', async () => {
  const entry = await create();
  const named = { journal_entry_id: entry.journal_entry_id };
  const asked = { ...named, date: '2026-03-24', accrual_date };
  const { journal_entry_id } = await reverse(asked);
  expect(await cancel({ journal_entry_id })).toMatchObject({ reverses: entry.journal_entry_id });
  expect(await show(named)).toEqual(entry);
  const second = await send('reverse', asked);
  expect(second.headers).not.toHaveProperty('Idempotent-Replayed');
  expect(second.body.data.journal_entry_id).not.toBe(journal_entry_id);
  // That the first is cancelled already does not free the entry from the second.
  await cancel({ journal_entry_id });
  expect(await show(named)).toMatchObject({ reversed_by: second.body.data.journal_entry_id });
});

describe('refused is', () => {
  test('what is posted, at once or since, and a posted reversal', async () => {
    const posted = await create();
    const { entry: due } = await schedule({ accrual_date: '2026-04-03' });
    await calls.flip('2026-04-03');
    const reversal = await reverse({
      ...{ journal_entry_id: posted.journal_entry_id, date: '2026-03-24' },
    });
    for (const { journal_entry_id } of [posted, due, reversal]) {
      const reply = await send('cancel', { journal_entry_id });
      expect(verdictOf(reply)).toEqual([409, 'entry_not_scheduled']);
    }
  });

  test.each<[string, object, unknown[]]>([
    [
      'a number of no entry',
      { journal_number: 'MJ-20200101-0001' },
      [404, 'journal_entry_not_found'],
    ],
    ['an external_id of none', { external_id: 'none' }, [404, 'journal_entry_not_found']],
    ['no name', {}, [422, 'validation_failed', 'exactly_one_of ']],
    [
      'all that is wrong, at once',
      { external_id: 'a', journal_number: 'b', memo: 'c', domain_url: 'no-such-books' },
      [
        ...[422, 'validation_failed', 'unknown_field /memo', 'exactly_one_of '],
        'tenant_not_found /domain_url',
      ],
    ],
    [
      'a tenant that is not there',
      { external_id: 'a', domain_url: 'no-such-books' },
      [404, 'tenant_not_found'],
    ],
  ])('%s', async (_, body, verdict) => {
    expect(verdictOf(await send('cancel', body))).toEqual(verdict);
  });

  test('an entry of another application, as if there were no such tenant', async () => {
    const { named } = await schedule();
    const reply = await send('cancel', named, { applicationId: 'app3' });
    expect(verdictOf(reply)).toEqual([404, 'tenant_not_found']);
  });
});

describe('at the same time', () => {
  test('16 cancel an entry: one does, and all answer it', async () => {
    const { named } = await schedule();
    const replies = await Promise.all(Array.from({ length: 16 }, () => send('cancel', named)));
    expect(new Set(replies.map(({ body }) => body.data?.status))).toEqual(new Set(['cancelled']));
    const replayed = replies.filter(({ headers }) => headers['Idempotent-Replayed']);
    expect(replayed).toHaveLength(15);
  });

  test('it falls due: it is cancelled or posted, and each of both knows which', async () => {
    const accrual_date = '2026-04-04';
    const all = await Promise.all(Array.from({ length: 8 }, () => schedule({ accrual_date })));
    const [, ...replies] = await Promise.all([
      calls.flip(accrual_date),
      ...all.map(({ named }) => send('cancel', named)),
    ]);
    const shown = await Promise.all(all.map(({ named }) => show(named)));
    expect(replies.map(({ body }) => body.error?.code ?? body.data.status)).toEqual(
      shown.map(({ status }) => (status === 'posted' ? 'entry_not_scheduled' : 'cancelled')),
    );
  });

  test('a reversal is cancelled and asked for: what is answered is so', async () => {
    const entry = await create();
    const original = { journal_entry_id: entry.journal_entry_id };
    const asked = { ...original, date: '2026-03-24', accrual_date };
    for (let round = 0; round < 6; round += 1) {
      const { journal_entry_id } = await reverse(asked);
      const [cancelled, ...reversed] = await Promise.all([
        send('cancel', { journal_entry_id }),
        ...Array.from({ length: 4 }, () => send('reverse', asked)),
      ]);
      expect(cancelled?.status).toBe(200);
      const { reversed_by } = await show(original);
      const answered = new Set(reversed.map(({ body }) => body.data.journal_entry_id));
      // Whoever came before the cancellation was told of what was cancelled then.
      for (const it of answered) expect([journal_entry_id, reversed_by]).toContain(it);
    }
  });
});

test('everything that was recorded is whole', async () => {
  expect(findViolations(await ledger.scan(), { chartCodes: ledger.chartCodes })).toEqual([]);
});
