import { describe, expect, test } from 'vitest';
import { euroEntry } from '../../support/builders/requests.ts';
import { openTenantCalls } from '../../support/harnesses/calls.ts';
import { problemsOf, replayOf } from '../../support/readers/replies.ts';
import { loadVerificationProgram } from '../../support/readers/verification-program.ts';

const { domain_url, send } = await openTenantCalls();
const post = (entry: object) => send('createEntry', entry);

const pairs = (count: number): [string, string][] =>
  Array.from({ length: count }, (_, place) => [`name ${place}`, 'text']);
/** JSON can have names that an object literal cannot. */
const parsed = (json: string): unknown => JSON.parse(json);

describe('metadata', () => {
  test.each<[string, unknown, object]>([
    ['pairs', { source: 'shop', 'order id': 'a-17', empty: '' }, {}],
    ['the maximum number of pairs', Object.fromEntries(pairs(20)), {}],
    ['the longest texts', { ['n'.repeat(40)]: '🧾'.repeat(500) }, {}],
    ['null, like none', null, { metadata: {} }],
    ['another form of Unicode', { 'Cafe\u0301': 'Cafe\u0301' }, { metadata: { Café: 'Café' } }],
    ['names that objects have', { toString: 'b', length: 'c' }, {}],
  ])('is stored and returned: %s', async (title, metadata, shown) => {
    const expected = { metadata, ...shown };
    const asked = euroEntry({ metadata, external_id: title });
    const first = await post(asked);
    expect([first.status, first.body.data]).toMatchObject([200, expected]);
    const again = await post(asked);
    expect(again).toEqual(replayOf(first));
    expect(again.headers).not.toHaveProperty('Idempotency-Mismatch');
  });

  test('is compared when a request is repeated', async () => {
    await post(euroEntry({ external_id: 'compared', metadata: { source: 'shop' } }));
    for (const metadata of [null, { source: 'bank' }, { source: 'shop', more: 'b' }]) {
      const again = await post(euroEntry({ external_id: 'compared', metadata }));
      expect(again.headers).toMatchObject({ 'Idempotency-Mismatch': '/metadata' });
    }
  });

  test('is in the hash, sorted by its names as text', async () => {
    const { hashOf } = await loadVerificationProgram();
    const metadata = { b: '1', 10: '2', 9: '3', Ä: '4', '\ufb33': '5', '😀': '6', '"': '7' };
    const { data } = (await post(euroEntry({ date: '2026-02-03', metadata }))).body;
    expect(data.hash).toBe(hashOf(data, '0'.repeat(64)));
    expect(data.hash).not.toBe(hashOf({ ...data, metadata: {} }, '0'.repeat(64)));
  });

  test.each<[string, unknown, string[]]>([
    ['a text', 'shop', ['wrong_type /metadata']],
    ['a list', ['shop'], ['wrong_type /metadata']],
    ['21 pairs', Object.fromEntries(pairs(21)), ['too_many_items /metadata']],
    [
      'values that are not texts',
      { a: 1, b: null, 'c/d~': { e: 'f' }, g: 12_345_678_901_234_567_890n },
      ['wrong_type /metadata/a /metadata/b /metadata/c~1d~0', 'number_not_exact /metadata/g'],
    ],
    ['a value that is too long', { a: 'a'.repeat(501) }, ['too_long /metadata/a']],
    [
      'names that are not allowed',
      { ' ': 'a', ['n'.repeat(41)]: 'b', 'c\u200bd': 'e' },
      [
        'must_not_be_blank /metadata/ ',
        `too_long /metadata/${'n'.repeat(41)}`,
        'invisible_characters_not_allowed /metadata/c\u200bd',
      ],
    ],
    ['a name too long to be sent back', { ['n'.repeat(101)]: 'b' }, ['too_long /metadata']],
    ['__proto__', parsed('{"__proto__":"a","b":"c"}'), ['name_not_allowed /metadata/__proto__']],
    ['constructor', { constructor: 'a' }, ['name_not_allowed /metadata/constructor']],
    [
      'names that are one in NFC',
      { 'Cafe\u0301': 'a', Café: 'b', other: 'c' },
      ['duplicate_name /metadata/Cafe\u0301 /metadata/Café'],
    ],
  ])('is refused: %s', async (_, metadata, problems) => {
    const body = { domain_url, ...euroEntry(), metadata };
    const rawBody = JSON.stringify(body, (_name, value) =>
      typeof value === 'bigint' ? `raw ${value}` : value,
    ).replace(/"raw (\d+)"/, '$1');
    expect(problemsOf(await send('createEntry', {}, { rawBody }))).toEqual(problems);
  });

  test('is refused with its place in a batch', async () => {
    const journal_entries = [euroEntry(), euroEntry({ metadata: { a: 1 } })];
    const reply = await send('createEntries', { journal_entries });
    expect(problemsOf(reply)).toEqual(['wrong_type /journal_entries/1/metadata/a']);
  });
});
