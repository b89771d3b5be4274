import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Tenant } from '#shared/tenants/tenants.ts';
import { openTestLedger } from '../support/builders/ledger.ts';
import { euroEntry, openPostingCalls, type PostingReply } from '../support/harnesses/posting.ts';
import { jsonHeaders, problemsOf } from '../support/readers/replies.ts';

const ledger = await openTestLedger();
let calls: ReturnType<typeof openPostingCalls>;
let tenant: Tenant;
let domain_url: string;

/** A day of its own for each test, so that numbers begin with one. */
let day = 0;
const newDate = (): string => {
  day += 1;
  return new Date(Date.UTC(2025, 0, day)).toISOString().slice(0, 10);
};

beforeAll(async () => {
  tenant = await ledger.createTenant('Many');
  domain_url = tenant.prefix;
  calls = openPostingCalls(ledger, domain_url);
});

type Made = { journal_number: string; journal_entry_id: string; replayed: boolean };
const madeBy = ({ body }: PostingReply): Made[] => body.data.journal_entries;
const numbersOf = (reply: PostingReply) => madeBy(reply).map((it) => it.journal_number);
const replaysOf = (reply: PostingReply) => madeBy(reply).map((it) => it.replayed);
const replayed = { 'Idempotent-Replayed': 'true' };

describe('many entries', () => {
  test('are posted and scheduled in the order of the request', async () => {
    const [date, other] = [newDate(), newDate()];
    const asked = [
      euroEntry({ date, memo: 'first' }),
      euroEntry({ date: other, external_id: 'second of many' }),
      euroEntry({ date, accrual_date: '2026-04-01' }),
    ];
    const reply = await calls.postMany(asked);
    expect([reply.status, reply.headers]).toEqual([200, jsonHeaders]);
    const of = (text: string) => text.replaceAll('-', '');
    expect(numbersOf(reply)).toEqual([
      `MJ-${of(date)}-0001`,
      `MJ-${of(other)}-0001`,
      `MJ-${of(date)}-0002`,
    ]);
    expect(madeBy(reply)).toMatchObject([
      { memo: 'first', status: 'posted', posting_sequence: 1, replayed: false },
      { external_id: 'second of many', status: 'posted', posting_sequence: 1, replayed: false },
      { status: 'scheduled', posting_sequence: null, posting_date: '2026-04-01', replayed: false },
    ]);
    const found = await calls.post(asked[1] ?? {});
    const { replayed: _, ...second } = madeBy(reply)[1] as Made;
    expect([found.body.data, found.headers]).toEqual([second, { ...jsonHeaders, ...replayed }]);
  });

  test('in several currencies get the rates of their dates, each in its own', async () => {
    const asked = ['2026-03-23', '2026-03-20'].map((date) =>
      euroEntry({ date, transactionCurrency: 'USD' }),
    );
    const rates = (await calls.postMany(asked)).body.data.journal_entries.map(
      ({ exchange_rate }: { exchange_rate: string }) => exchange_rate,
    );
    expect(rates).toEqual(['0.86236633322', '0.86542622241']);
  });

  test('are counted one by one', async () => {
    const { metrics, postMany } = openPostingCalls(ledger, domain_url);
    const asked = [euroEntry({ external_id: 'counted' }), euroEntry()];
    await postMany(asked);
    await postMany(asked.slice(0, 1), { dry_run: true });
    await postMany(asked.slice(0, 1));
    const answered = metrics.events.filter(([name]) => name === 'entryAnswered');
    expect(answered.map(([, it]) => (it as { replayed: boolean }).replayed)).toEqual([
      ...[false, false, true],
    ]);
  });
});

describe('a request for many that comes again', () => {
  test('is replayed by its Idempotency-Key, and says where it differs', async () => {
    const headers = { 'Idempotency-Key': randomUUID() };
    const asked = [euroEntry(), euroEntry({ metadata: { batch: '1' } }), euroEntry()];
    const first = await calls.postMany(asked, {}, { headers });
    const again = await calls.postMany(asked, {}, { headers });
    expect(madeBy(again)).toEqual(madeBy(first).map((it) => ({ ...it, replayed: true })));
    expect(again.headers).toEqual({ ...jsonHeaders, ...replayed });
    const other = [
      euroEntry({ memo: 'Other' }),
      euroEntry({ metadata: { batch: '2' } }),
      euroEntry({
        entries: [...euroEntry().entries.slice(0, 1), { account: '4000', credit: '1' }],
      }),
    ];
    expect((await calls.postMany(other, {}, { headers })).headers).toMatchObject({
      ...replayed,
      'Idempotency-Mismatch': [
        ...['0/memo', '1/metadata', '2/entries/1/account'].map((it) => `/journal_entries/${it}`),
      ].join(', '),
    });
  });

  test('finds what was posted by its external_ids, in either way, and posts the rest', async () => {
    const [one, two] = [randomUUID(), randomUUID()];
    const single = await calls.post(euroEntry({ external_id: one }));
    const reply = await calls.postMany([
      euroEntry({ external_id: two }),
      euroEntry({ external_id: one, memo: 'Other' }),
    ]);
    expect(replaysOf(reply)).toEqual([false, true]);
    expect(madeBy(reply)[1]?.journal_entry_id).toBe(single.body.data.journal_entry_id);
    expect(reply.headers).toEqual({
      ...{ ...jsonHeaders, 'Idempotency-Mismatch': '/journal_entries/1/memo' },
    });
    const later = await calls.post(euroEntry({ external_id: two }));
    expect([later.body.data.journal_entry_id, later.headers]).toMatchObject([
      ...[madeBy(reply)[0]?.journal_entry_id, replayed],
    ]);
  });

  test.each<[string, (key: string) => Promise<unknown>, (key: string) => Promise<PostingReply>]>([
    [
      'a key of one entry',
      (key) => calls.post(euroEntry(), { headers: { 'Idempotency-Key': key } }),
      (key) => calls.postMany([euroEntry()], {}, { headers: { 'Idempotency-Key': key } }),
    ],
    [
      'a key of many, be it of one, for one',
      (key) => calls.postMany([euroEntry()], {}, { headers: { 'Idempotency-Key': key } }),
      (key) => calls.post(euroEntry(), { headers: { 'Idempotency-Key': key } }),
    ],
    [
      'a key of fewer entries',
      (key) => calls.postMany([euroEntry()], {}, { headers: { 'Idempotency-Key': key } }),
      (key) =>
        calls.postMany([euroEntry(), euroEntry()], {}, { headers: { 'Idempotency-Key': key } }),
    ],
    [
      'external_ids in another order',
      (key) =>
        calls.postMany(
          [euroEntry({ external_id: `${key}-1` }), euroEntry({ external_id: `${key}-2` })],
          {},
          { headers: { 'Idempotency-Key': key } },
        ),
      (key) =>
        calls.postMany(
          [euroEntry({ external_id: `${key}-2` }), euroEntry({ external_id: `${key}-1` })],
          {},
          { headers: { 'Idempotency-Key': key } },
        ),
    ],
  ])('is refused with %s', async (_, earlier, later) => {
    const key = randomUUID();
    await earlier(key);
    const before = await ledger.scan();
    const { status, body } = await later(key);
    expect([status, body.error.code]).toEqual([422, 'idempotency_key_reused']);
    expect(await ledger.scan()).toEqual(before);
  });
});

describe('requests at once', () => {
  test('that are equal make their entries once, all of them by one request', async () => {
    const date = newDate();
    const ids = [randomUUID(), randomUUID(), randomUUID()];
    const asked = ids.map((external_id) => euroEntry({ date, external_id }));
    const replies = await Promise.all([1, 2, 3].map(() => calls.postMany(asked)));
    expect(new Set(replies.map((it) => numbersOf(it).join())).size).toBe(1);
    const made = replies.map((it) => replaysOf(it).join()).sort();
    expect(made).toEqual(['false,false,false', 'true,true,true', 'true,true,true']);
  });

  test('of one entry and of many with its external_id make it once', async () => {
    const date = newDate();
    const [own, shared] = [randomUUID(), randomUUID()];
    const both = [own, shared].map((external_id) => euroEntry({ date, external_id }));
    const [many, one] = await Promise.all([calls.postMany(both), calls.post(both[1] ?? {})]);
    expect(madeBy(many)[1]?.journal_entry_id).toBe(one.body.data.journal_entry_id);
    expect(replaysOf(many)).toEqual([false, one.headers['Idempotent-Replayed'] === undefined]);
    const after = await calls.post(euroEntry({ date }));
    expect(after.body.data.journal_number).toBe(`MJ-${date.replaceAll('-', '')}-0003`);
  });
});

describe('many entries of which something is wrong', () => {
  const unbalanced = [
    { account: '1010', debit: '2.00' },
    { account: '4010', credit: '1.00' },
  ];
  const ofNowhere = [
    { account: '1010', debit: '1.00' },
    { account: 'nowhere', credit: '1.00' },
  ];
  const longest = (lines: number) =>
    Array.from({ length: lines }, (_, line) => ({
      account: line % 2 ? '4010' : '1010',
      [line % 2 ? 'credit' : 'debit']: '1',
    }));
  const manyDates = Array.from({ length: 25 }, (_, index) =>
    euroEntry({
      date: new Date(Date.UTC(2024, 0, index + 1)).toISOString().slice(0, 10),
      accrual_date: new Date(Date.UTC(2024, 2, index + 1)).toISOString().slice(0, 10),
      external_id: `of many dates ${index}`,
    }),
  );

  test.each<[title: string, entries: unknown, further: object, problems: string[]]>([
    ['none', [], {}, ['too_few_items /journal_entries']],
    [
      '26, of which the accounts of the last are not looked up',
      [...Array.from({ length: 25 }, () => euroEntry()), euroEntry({ entries: ofNowhere })],
      {},
      ['too_many_items /journal_entries'],
    ],
    [
      '26, of which one has an unknown currency and does not balance',
      [...Array.from({ length: 25 }, () => euroEntry()), euroEntry()].with(
        3,
        euroEntry({ transactionCurrency: 'AAA', entries: unbalanced }),
      ),
      {},
      [
        'too_many_items /journal_entries',
        'currency_unknown /journal_entries/3/transactionCurrency',
        'debits_must_equal_credits /journal_entries/3/entries',
      ],
    ],
    ['no list', { 0: euroEntry() }, {}, ['wrong_type /journal_entries']],
    [
      'rules of several entries',
      [euroEntry(), euroEntry({ entries: unbalanced }), euroEntry({ entries: ofNowhere })],
      {},
      [
        'debits_must_equal_credits /journal_entries/1/entries',
        'account_not_found /journal_entries/2/entries/1/account',
      ],
    ],
    [
      'broken fields, which do not hide the rules of others',
      [
        euroEntry({ memo: ' ', accrual_date: 'soon' }),
        'no entry',
        euroEntry({ colour: 'red', entries: ofNowhere, external_id: 'twice' }),
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
      'an external_id twice, and a user that is not there',
      [euroEntry({ external_id: 'same' }), euroEntry({ external_id: 'same', user_id: 12_345 })],
      {},
      [
        'duplicate_external_id /journal_entries/1/external_id',
        'user_not_found /journal_entries/1/user_id',
      ],
    ],
    [
      '1,502 lines',
      [...[500, 500, 500].map((lines) => euroEntry({ entries: longest(lines) })), euroEntry()],
      {},
      ['batch_too_large /journal_entries'],
    ],
    ['more writes than a transaction takes', manyDates, {}, ['batch_too_large /journal_entries']],
    [
      'a tenant that is not there, and lines that do not balance',
      [euroEntry({ entries: unbalanced })],
      { domain_url: 'nobody' },
      ['tenant_not_found /domain_url', 'debits_must_equal_credits /journal_entries/0/entries'],
    ],
  ])('are refused together: %s', async (_, entries, further, problems) => {
    const before = await ledger.scan();
    const reply = await calls.postMany(entries, further);
    expect([reply.status, problemsOf(reply)]).toEqual([422, problems]);
    expect(await ledger.scan()).toEqual(before);
  });

  test('are scheduled for 25 dates at once, unless that takes too many writes', async () => {
    const inMonth = (place: number) => `2099-01-${String(place + 1).padStart(2, '0')}`;
    const entriesWith = (changesOf: (place: number) => object) =>
      Array.from({ length: 25 }, (_, place) =>
        euroEntry({ accrual_date: inMonth(place), ...changesOf(place) }),
      );
    const dueDates = async () =>
      (await ledger.scan()).filter(({ sk }) => String(sk).startsWith('DUEDATE#2099-01'));
    // The sheet of their date, and of each the entry, its name, its date and its external_id.
    const refused = await calls.postMany(entriesWith(() => ({ external_id: randomUUID() })));
    expect(refused.body.error.details).toMatchObject([
      { code: 'batch_too_large', params: { writes: 101, maximum_writes: 100 } },
    ]);
    expect(await dueDates()).toEqual([]);
    expect((await calls.postMany(entriesWith(() => ({})))).status).toBe(200);
    expect(await dueDates()).toHaveLength(25);
  });

  test('are refused beside repeats whose lines are more than the reply surely holds', async () => {
    const ids = Array.from({ length: 3 }, () => randomUUID());
    const long = ids.map((external_id) => euroEntry({ external_id, entries: longest(500) }));
    expect((await calls.postMany(long)).status).toBe(200);
    const before = await ledger.scan();
    const repeats = ids.map((external_id) => euroEntry({ external_id }));
    for (const dry_run of [false, true]) {
      const reply = await calls.postMany([...repeats, euroEntry()], { dry_run });
      expect([reply.status, problemsOf(reply)]).toEqual([
        422,
        ['batch_too_large /journal_entries'],
      ]);
    }
    expect(await ledger.scan()).toEqual(before);
    expect(replaysOf(await calls.postMany(repeats))).toEqual([true, true, true]);
  });

  test('are refused where an external_id is given twice, though it was posted before', async () => {
    const external_id = randomUUID();
    await calls.post(euroEntry({ external_id }));
    const reply = await calls.postMany([euroEntry({ external_id }), euroEntry({ external_id })]);
    expect(problemsOf(reply)).toEqual(['duplicate_external_id /journal_entries/1/external_id']);
  });

  test('are not posted though only one is wrong, and use up no number and no id', async () => {
    const [date, external_id] = [newDate(), randomUUID()];
    const asked = [euroEntry({ date, external_id }), euroEntry({ date, entries: unbalanced })];
    expect((await calls.postMany(asked)).status).toBe(422);
    const right = await calls.postMany([euroEntry({ date, external_id })]);
    expect([numbersOf(right), replaysOf(right)]).toEqual([
      [`MJ-${date.replaceAll('-', '')}-0001`],
      [false],
    ]);
  });

  test('of another application are as if their tenant did not exist', async () => {
    const of = { applicationId: 'app2' };
    const theirs = await calls.postMany([euroEntry()], {}, of);
    const nobodys = await calls.postMany([euroEntry()], { domain_url: 'nobody' }, of);
    expect(theirs).toEqual(nobodys);
    expect([theirs.status, theirs.body.error.code]).toEqual([404, 'tenant_not_found']);
  });
});
