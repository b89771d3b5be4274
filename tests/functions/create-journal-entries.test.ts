import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { euroEntry } from '../support/builders/requests.ts';
import type { ApiEventOptions } from '../support/events/lambda-events.ts';
import { openTenantCalls, type Reply } from '../support/harnesses/calls.ts';
import { jsonHeaders, problemsOf, replayedHeaders } from '../support/readers/replies.ts';

const { ledger, metrics, send } = await openTenantCalls();
const post = (entry: object = {}, options?: ApiEventOptions) => send('createEntry', entry, options);
const postMany = (journal_entries: unknown, further: object = {}, options?: ApiEventOptions) =>
  send('createEntries', { journal_entries, ...further }, options);

/** Each test has its own date, so that its numbers start at one. */
let day = 0;
const newDate = (): string => {
  day += 1;
  return new Date(Date.UTC(2025, 0, day)).toISOString().slice(0, 10);
};
const numberOn = (date: string, sequence: number): string =>
  `MJ-${date.replaceAll('-', '')}-${String(sequence).padStart(4, '0')}`;

type Posted = { journal_number: string; journal_entry_id: string; replayed: boolean };
const postedBy = ({ body }: Reply): Posted[] => body.data.journal_entries;
const numbersOf = (reply: Reply) => postedBy(reply).map((it) => it.journal_number);
const replaysOf = (reply: Reply) => postedBy(reply).map((it) => it.replayed);
const withKey = (key: string) => ({ headers: { 'Idempotency-Key': key } });

const unbalanced = [
  { account: '1010', debit: '2.00' },
  { account: '4010', credit: '1.00' },
];
const unknownAccount = [
  { account: '1010', debit: '1.00' },
  { account: 'nowhere', credit: '1.00' },
];
const linesOf = (count: number) =>
  Array.from({ length: count }, (_, line) => ({
    account: line % 2 ? '4010' : '1010',
    [line % 2 ? 'credit' : 'debit']: '1',
  }));

describe('a batch', () => {
  test('is posted and scheduled in its order, each entry as if posted alone', async () => {
    const [date, other] = [newDate(), newDate()];
    const entries = [
      euroEntry({ date, memo: 'first' }),
      euroEntry({ date: other, external_id: 'second of many' }),
      euroEntry({ date, accrual_date: '2026-04-01' }),
    ];
    const reply = await postMany(entries);
    expect([reply.status, reply.headers]).toEqual([200, jsonHeaders]);
    expect(postedBy(reply)).toMatchObject([
      { journal_number: numberOn(date, 1), memo: 'first', status: 'posted', posting_sequence: 1 },
      { journal_number: numberOn(other, 1), external_id: 'second of many', posting_sequence: 1 },
      { journal_number: numberOn(date, 2), status: 'scheduled', posting_date: '2026-04-01' },
    ]);
    expect(replaysOf(reply)).toEqual([false, false, false]);
    const found = await post(entries[1] ?? {});
    expect([found.body.data, found.headers]).toEqual([
      { ...postedBy(reply)[1], replayed: true },
      { ...jsonHeaders, ...replayedHeaders },
    ]);
  });

  test('uses the rate of each date', async () => {
    const entries = ['2026-03-23', '2026-03-20'].map((date) =>
      euroEntry({ date, transactionCurrency: 'USD' }),
    );
    const { journal_entries } = (await postMany(entries)).body.data;
    const rates = journal_entries.map((it: { exchange_rate: string }) => it.exchange_rate);
    expect(rates).toEqual(['0.86236633322', '0.86542622241']);
  });

  test('counts each entry in the metrics, and no dry run', async () => {
    metrics.events.splice(0);
    const entries = [euroEntry({ external_id: 'counted' }), euroEntry()];
    await postMany(entries);
    await postMany(entries.slice(0, 1), { dry_run: true });
    await postMany(entries.slice(0, 1));
    const answered = metrics.events.filter(([name]) => name === 'entryAnswered');
    const replays = answered.map(([, it]) => (it as { replayed: boolean }).replayed);
    expect(replays).toEqual([false, false, true]);
  });
});

describe('a repeated batch', () => {
  test('returns its entries by its Idempotency-Key, and says where it differs', async () => {
    const options = withKey(randomUUID());
    const entries = [euroEntry(), euroEntry({ metadata: { batch: '1' } }), euroEntry()];
    const first = await postMany(entries, {}, options);
    const again = await postMany(entries, {}, options);
    expect(postedBy(again)).toEqual(postedBy(first).map((it) => ({ ...it, replayed: true })));
    expect(again.headers).toEqual({ ...jsonHeaders, ...replayedHeaders });
    const [debit] = euroEntry().entries;
    const other = [
      euroEntry({ memo: 'Other' }),
      euroEntry({ metadata: { batch: '2' } }),
      euroEntry({ entries: [debit, { account: '4000', credit: '1' }] }),
    ];
    const differing = ['0/memo', '1/metadata', '2/entries/1/account'];
    expect((await postMany(other, {}, options)).headers).toMatchObject({
      ...replayedHeaders,
      'Idempotency-Mismatch': differing.map((it) => `/journal_entries/${it}`).join(', '),
    });
  });

  test('is refused as a whole if it wants that and an entry differs', async () => {
    const [one, two] = [randomUUID(), randomUUID()];
    await post(euroEntry({ external_id: one }));
    const both = (memo: string) => [
      euroEntry({ external_id: two }),
      euroEntry({ external_id: one, memo }),
    ];
    const strict = { on_mismatch: 'refuse' };
    const before = await ledger.scan();
    const refused = await postMany(both('Other'), strict);
    expect([refused.status, problemsOf(refused)]).toEqual([
      422,
      ['differs_from_original /journal_entries/1/memo'],
    ]);
    expect(await ledger.scan()).toEqual(before);
    expect(replaysOf(await postMany(both(euroEntry().memo), strict))).toEqual([false, true]);
  });

  test('returns entries by their external_ids even with problems, and posts the rest', async () => {
    const [one, two] = [randomUUID(), randomUUID()];
    const single = await post(euroEntry({ external_id: one }));
    const reply = await postMany([
      euroEntry({ external_id: two }),
      euroEntry({ external_id: one, entries: unknownAccount }),
    ]);
    expect(replaysOf(reply)).toEqual([false, true]);
    expect(postedBy(reply)[1]?.journal_entry_id).toBe(single.body.data.journal_entry_id);
    const differing = '/journal_entries/1/entries/1/account';
    expect(reply.headers).toEqual({ ...jsonHeaders, 'Idempotency-Mismatch': differing });
    const later = await post(euroEntry({ external_id: two }));
    expect(later.body.data.journal_entry_id).toBe(postedBy(reply)[0]?.journal_entry_id);
    expect(later.headers).toMatchObject(replayedHeaders);
  });

  const named = (key: string, ...numbers: number[]) =>
    numbers.map((number) => euroEntry({ external_id: `${key}-${number}` }));
  const one = (key: string) => post(euroEntry(), withKey(key));
  const many = (key: string, entries: object[] = [euroEntry()]) =>
    postMany(entries, {}, withKey(key));

  test.each<[string, (key: string) => Promise<unknown>, (key: string) => Promise<Reply>]>([
    ['a batch with the key of an entry', one, many],
    ['an entry with the key of a batch', many, one],
    ['more entries', many, (key) => many(key, [euroEntry(), euroEntry()])],
    ['another order', (key) => many(key, named(key, 1, 2)), (key) => many(key, named(key, 2, 1))],
  ])('is refused as %s', async (_, earlier, later) => {
    const key = randomUUID();
    await earlier(key);
    const before = await ledger.scan();
    const { status, body } = await later(key);
    expect([status, body.error.code]).toEqual([422, 'idempotency_key_reused']);
    expect(await ledger.scan()).toEqual(before);
  });

  test('is posted once by concurrent requests', async () => {
    const date = newDate();
    const entries = [1, 2, 3].map(() => euroEntry({ date, external_id: randomUUID() }));
    const replies = await Promise.all([1, 2, 3].map(() => postMany(entries)));
    expect(new Set(replies.map((it) => numbersOf(it).join())).size).toBe(1);
    const posted = replies.map((it) => replaysOf(it).join()).sort();
    expect(posted).toEqual(['false,false,false', 'true,true,true', 'true,true,true']);
  });

  test('shares an entry with a concurrent single request', async () => {
    const date = newDate();
    const both = [1, 2].map(() => euroEntry({ date, external_id: randomUUID() }));
    const [many, one] = await Promise.all([postMany(both), post(both[1] ?? {})]);
    expect(postedBy(many)[1]?.journal_entry_id).toBe(one.body.data.journal_entry_id);
    expect(replaysOf(many)).toEqual([false, one.headers['Idempotent-Replayed'] === undefined]);
    const after = await post(euroEntry({ date }));
    expect(after.body.data.journal_number).toBe(numberOn(date, 3));
  });
});

describe('a refused batch', () => {
  const copies = (count: number) => Array.from({ length: count }, () => euroEntry());
  const dayIn = (month: number, index: number) =>
    new Date(Date.UTC(2024, month, index + 1)).toISOString().slice(0, 10);
  const manyDates = copies(25).map((entry, index) => ({
    ...entry,
    date: dayIn(0, index),
    accrual_date: dayIn(2, index),
    external_id: `of many dates ${index}`,
  }));
  const tooLarge = ['batch_too_large /journal_entries'];

  test.each<[title: string, entries: unknown, further: object, problems: string[]]>([
    ['empty', [], {}, ['too_few_items /journal_entries']],
    [
      '26 entries: accounts of the last are not read',
      [...copies(25), euroEntry({ entries: unknownAccount })],
      {},
      ['too_many_items /journal_entries'],
    ],
    [
      '26 entries, one with other problems',
      copies(26).with(3, euroEntry({ transactionCurrency: 'AAA', entries: unbalanced })),
      {},
      [
        'too_many_items /journal_entries',
        'currency_unknown /journal_entries/3/transactionCurrency',
        'debits_must_equal_credits /journal_entries/3/entries',
      ],
    ],
    ['not a list', { 0: euroEntry() }, {}, ['wrong_type /journal_entries']],
    [
      'all problems at once',
      [
        euroEntry({ memo: ' ', accrual_date: 'soon' }),
        'no entry',
        euroEntry({ colour: 'red', entries: unknownAccount, external_id: 'twice' }),
        euroEntry({ date: '2026-02-30', entries: unbalanced, external_id: 'twice' }),
      ],
      { size: 4 },
      [
        'memo_must_not_be_blank /journal_entries/0/memo',
        'date_not_valid /journal_entries/0/accrual_date',
        'wrong_type /journal_entries/1',
        'unknown_field /journal_entries/2/colour',
        'date_not_valid /journal_entries/3/date',
        'unknown_field /size',
        'duplicate_external_id /journal_entries/3/external_id',
        'account_not_found /journal_entries/2/entries/1/account',
        'debits_must_equal_credits /journal_entries/3/entries',
      ],
    ],
    [
      'a repeated external_id and an unknown user',
      [euroEntry({ external_id: 'same' }), euroEntry({ external_id: 'same', user_id: 12_345 })],
      {},
      [
        'duplicate_external_id /journal_entries/1/external_id',
        'user_not_found /journal_entries/1/user_id',
      ],
    ],
    [
      '1,502 lines',
      [...[500, 500, 500].map((count) => euroEntry({ entries: linesOf(count) })), euroEntry()],
      {},
      tooLarge,
    ],
    ['more writes than a transaction can have', manyDates, {}, tooLarge],
    [
      'an unknown tenant',
      [euroEntry({ entries: unbalanced })],
      { domain_url: 'nobody' },
      ['tenant_not_found /domain_url', 'debits_must_equal_credits /journal_entries/0/entries'],
    ],
  ])('writes nothing: %s', async (_, entries, further, problems) => {
    const before = await ledger.scan();
    const reply = await postMany(entries, further);
    expect([reply.status, problemsOf(reply)]).toEqual([422, problems]);
    expect(await ledger.scan()).toEqual(before);
  });

  test('can be scheduled for 25 dates without external_ids', async () => {
    const entriesWith = (changesOf: () => object) =>
      copies(25).map((entry, place) => ({
        ...entry,
        accrual_date: `2099-01-${String(place + 1).padStart(2, '0')}`,
        ...changesOf(),
      }));
    const countDates = async () =>
      (await ledger.scan()).filter(({ sk }) => String(sk).startsWith('DUEDATE#2099-01')).length;
    // A sheet, and for each entry the entry, its marker, its due date and its external_id.
    const refused = await postMany(entriesWith(() => ({ external_id: randomUUID() })));
    expect(refused.body.error.details).toMatchObject([
      { code: 'batch_too_large', params: { writes: 101, maximum_writes: 100 } },
    ]);
    expect(await countDates()).toBe(0);
    expect((await postMany(entriesWith(() => ({})))).status).toBe(200);
    expect(await countDates()).toBe(25);
  });

  test('cannot have a new entry beside existing entries that could exceed the reply', async () => {
    const ids = [randomUUID(), randomUUID(), randomUUID()];
    const long = ids.map((external_id) => euroEntry({ external_id, entries: linesOf(500) }));
    expect((await postMany(long)).status).toBe(200);
    const before = await ledger.scan();
    const repeats = ids.map((external_id) => euroEntry({ external_id }));
    for (const dry_run of [false, true]) {
      const reply = await postMany([...repeats, euroEntry()], { dry_run });
      expect([reply.status, problemsOf(reply)]).toEqual([422, tooLarge]);
    }
    expect(await ledger.scan()).toEqual(before);
    expect(replaysOf(await postMany(repeats))).toEqual([true, true, true]);
  });

  test('cannot repeat an external_id, even of an existing entry', async () => {
    const external_id = randomUUID();
    await post(euroEntry({ external_id }));
    const reply = await postMany([euroEntry({ external_id }), euroEntry({ external_id })]);
    expect(problemsOf(reply)).toEqual(['duplicate_external_id /journal_entries/1/external_id']);
  });

  test('uses up no number and no external_id', async () => {
    const [date, external_id] = [newDate(), randomUUID()];
    const entries = [euroEntry({ date, external_id }), euroEntry({ date, entries: unbalanced })];
    expect((await postMany(entries)).status).toBe(422);
    const right = await postMany([euroEntry({ date, external_id })]);
    expect([numbersOf(right), replaysOf(right)]).toEqual([[numberOn(date, 1)], [false]]);
  });
});
