// Repeated requests, recognized by an external_id or an Idempotency-Key.

import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { euroEntry } from '../../support/builders/requests.ts';
import { openTenantCalls, type Reply } from '../../support/harnesses/calls.ts';
import { problemsOf, replayOf } from '../../support/readers/replies.ts';

const { ledger, send } = await openTenantCalls();
const other = (await ledger.createTenant('Other')).prefix;

type Names = { key?: string; external_id?: string };
const post = ({ key, ...names }: Names, changes: object = {}) => {
  const headers = key === undefined ? {} : { 'Idempotency-Key': key };
  return send('createEntry', { ...euroEntry(), ...names, ...changes }, { headers });
};
const idOf = ({ body }: Reply) => body.data?.journal_entry_id;
const isReplayed = ({ headers, body }: Reply) => {
  const isSaid = headers['Idempotent-Replayed'] === 'true';
  expect(body.data.replayed).toBe(isSaid);
  return isSaid;
};

describe.each<[string, () => Names]>([
  ['external_id', () => ({ external_id: randomUUID() })],
  ['Idempotency-Key', () => ({ key: randomUUID() })],
])('an %s', (_, newName) => {
  test('returns the original entry, and says where the repeat differs', async () => {
    const name = newName();
    const first = await post(name);
    expect(isReplayed(first)).toBe(false);
    expect(await post(name)).toEqual(replayOf(first));
    const changed = await post(name, {
      memo: 'Another memo',
      accrual_date: '2026-04-01',
      entries: [
        { account: '1010', debit: '1' },
        { account: '4000', credit: '0.90' },
        { account: '4010', credit: '0.10' },
      ],
    });
    const differing = '/memo, /accrual_date, /entries/1/account, /entries/1/credit, /entries/2';
    const replay = replayOf(first);
    expect(changed).toEqual({
      ...replay,
      headers: { ...replay.headers, 'Idempotency-Mismatch': differing },
    });
  });

  test('refuses a repeat that differs, if the request wants it', async () => {
    const name = newName();
    const strict = { on_mismatch: 'refuse' };
    const first = await post(name, strict);
    const before = await ledger.scan();
    expect(await post(name, strict)).toEqual(replayOf(first));
    const refused = await post(name, { ...strict, memo: 'Another memo', date: '2026-03-22' });
    expect([refused.status, problemsOf(refused)]).toEqual([
      422,
      ['differs_from_original /date /memo'],
    ]);
    const lenient = { on_mismatch: 'return_original', memo: 'Another memo' };
    expect((await post(name, lenient)).body).toEqual(replayOf(first).body);
    expect(await ledger.scan()).toEqual(before);
  });

  test('makes one entry of 16 concurrent requests', async () => {
    const name = newName();
    const replies = await Promise.all(Array.from({ length: 16 }, () => post(name)));
    expect(new Set(replies.map((it) => JSON.stringify(replayOf(it).body))).size).toBe(1);
    expect(replies.filter(isReplayed)).toHaveLength(15);
  });

  test('is not used up by a refused request', async () => {
    const name = newName();
    const ofNowhere = [euroEntry().entries[0], { account: '9', credit: '1.00' }];
    expect((await post(name, { memo: ' ' })).status).toBe(422);
    expect((await post(name, { entries: ofNowhere })).status).toBe(422);
    const reply = await post(name);
    expect([reply.status, isReplayed(reply)]).toEqual([200, false]);
  });

  test('belongs to its tenant', async () => {
    const name = newName();
    const [here, there] = [await post(name), await post(name, { domain_url: other })];
    expect([there.status, isReplayed(there)]).toEqual([200, false]);
    expect(idOf(there)).not.toBe(idOf(here));
  });
});

test('an external_id is compared and shown in NFC, like a memo', async () => {
  const decomposed = 'Cafe\u0301';
  const first = await post({ external_id: decomposed }, { memo: decomposed });
  expect(first.body.data).toMatchObject({ external_id: 'Café', memo: 'Café' });
  const again = await post({ external_id: 'Café' }, { memo: 'Café' });
  expect(again).toEqual(replayOf(first));
});

test('an entry with both names is found by either', async () => {
  const [key, external_id] = [randomUUID(), randomUUID()];
  const first = await post({ key, external_id });
  for (const names of [{ key }, { external_id }, { key: randomUUID(), external_id }]) {
    expect(idOf(await post(names))).toBe(idOf(first));
  }
});

test('names of two different entries are refused together', async () => {
  const [key, external_id] = [randomUUID(), randomUUID()];
  await post({ key });
  await post({ external_id });
  const { status, body } = await post({ key, external_id });
  expect([status, body.error.code]).toEqual([422, 'idempotency_key_reused']);
});

test.each([
  ['empty', ''],
  ['with a space', 'a b'],
  ['longer than a key of the table', 'k'.repeat(2_000)],
])('an Idempotency-Key is refused with all other problems: %s', async (_, key) => {
  const reply = await post({ key }, { memo: ' ' });
  expect(problemsOf(reply)).toEqual([
    'memo_must_not_be_blank /memo',
    'idempotency_key_not_valid /Idempotency-Key',
  ]);
});
