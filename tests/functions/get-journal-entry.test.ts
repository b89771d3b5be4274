import { describe, expect, test } from 'vitest';
import { openDueWork } from '#shared/background/due-index.store.ts';
import type { JournalEntryView } from '#shared/entries/journal-entry.view.ts';
import { dueDatePlace } from '#shared/table/due-keys.ts';
import { dueDateKey, entryKey, furtherLinesKey } from '#shared/table/keys.ts';
import { meterUsage } from '#shared/table/metering.ts';
import { linesOf, openEntryReading } from '../support/harnesses/entry-reading.ts';
import { problemsOf, success } from '../support/readers/replies.ts';

const { ledger, name, domain_url, tools, ask, post, ...books } = await openEntryReading();
const { prefix: otherTenant } = await ledger.createTenant('Other');

const posted = await post({ external_id: 'Rechnung Ü', transactionCurrency: 'USD' });
await books.import({ reference: 'journal-1', date: '2026-03-20' });

const refusal = async (query: object, applicationId?: string) => {
  const reply = await ask('get', query, applicationId);
  return [reply.status, reply.body.error.code, ...problemsOf(reply)];
};

describe('an entry', () => {
  test.each([
    ['its id', { journal_entry_id: posted.journal_entry_id }],
    ['its id in capitals', { journal_entry_id: posted.journal_entry_id.toUpperCase() }],
    ['its number', { journal_number: posted.journal_number }],
    ['its external_id', { external_id: 'Rechnung Ü' }],
    ['its external_id in another form of Unicode', { external_id: 'Rechnung U\u0308' }],
    [
      'its full domain',
      { domain_url: `${domain_url}.Ledger.Example.com`, external_id: 'Rechnung Ü' },
    ],
  ])('is shown by %s, as it was answered when it was posted', async (_, query) => {
    expect(await ask('get', query)).toEqual(success(posted));
  });

  test('is shown while it is scheduled, and with all of its lines', async () => {
    const accrual = { accrual_date: '2026-04-30', external_id: 'accrual', entries: linesOf(150) };
    const scheduled = await post(accrual);
    expect(scheduled).toMatchObject({ status: 'scheduled', hash: null });
    const { journal_entry_id, journal_number } = scheduled;
    for (const query of [{ journal_entry_id }, { journal_number }, { external_id: 'accrual' }]) {
      expect(await ask('get', query)).toEqual(success(scheduled));
    }
  });

  test('that was imported is shown by its number and its id', async () => {
    const { body } = await ask('get', { journal_number: 'IJ-20260320-0001' });
    expect(body.data).toMatchObject({ entry_type: 'Imported Journal', memo: 'journal-1' });
    const { journal_entry_id } = body.data;
    expect(await ask('get', { journal_entry_id })).toEqual(success(body.data));
  });
});

describe('a scheduled entry whose date has come', () => {
  const accrual_date = '2026-04-15';
  const failed = { reason: 'date_full', now: new Date(`${accrual_date}T00:05:00.000Z`) } as const;
  const stuck = {
    ...{ reason: 'date_full', since: `${accrual_date}T00:05:00.000Z`, attempts: 1 },
    next_attempt_at: `${accrual_date}T00:10:00.000Z`,
  };

  test('says why it is stuck, in a list too, and nothing before that day', async () => {
    const { journal_number, ...scheduled } = await post({ accrual_date });
    expect(scheduled.stuck).toBeNull();
    const { table } = ledger;
    const key = dueDateKey(name, accrual_date);
    await openDueWork(table).putOff({ ...key, ...dueDatePlace(key) }, failed);
    const shown = async () => (await ask('get', { journal_number })).body.data.stuck;
    const listed = async () => {
      const query = { status: 'scheduled', from: accrual_date, to: accrual_date };
      const { body } = await ask('list', query);
      return body.data.journal_entries.map((it: JournalEntryView) => it.stuck);
    };
    expect([await shown(), await listed()]).toEqual([null, [null]]);
    const { now } = books.reading;
    books.reading.now = failed.now;
    expect([await shown(), await listed()]).toEqual([stuck, [stuck]]);
    books.reading.now = now;
  });

  test('costs one read more then, and no other entry does', async () => {
    const { journal_number } = await post({ accrual_date });
    const callsOf = async (number: string) =>
      (await meterUsage(() => ask('get', { journal_number: number }))).usage.calls.length;
    expect(await callsOf(journal_number)).toBe(1);
    const { now } = books.reading;
    books.reading.now = failed.now;
    expect([await callsOf(journal_number), await callsOf(posted.journal_number)]).toEqual([2, 1]);
    books.reading.now = now;
  });

  test('is alone in having the field, so that hashes are made as before', async () => {
    expect(posted).not.toHaveProperty('stuck');
  });
});

describe('not found is', () => {
  const { journal_entry_id } = posted;
  const nextDigit = journal_entry_id.endsWith('0') ? '1' : '0';
  test.each([
    [
      'an id that differs in what is random',
      { journal_entry_id: journal_entry_id.slice(0, -1) + nextDigit },
    ],
    ['an id of another service', { journal_entry_id: '96492742-8dca-453d-98d5-9b7a625911ec' }],
    ['an id that is none', { journal_entry_id: 'MJ-20260323-0001' }],
    ['a number that was not given yet', { journal_number: 'MJ-20260323-0099' }],
    ['a number that is none', { journal_number: 'invoice-42' }],
    ['an external_id that was not used', { external_id: 'rechnung ü' }],
    ['the id of another tenant', { domain_url: otherTenant, journal_entry_id }],
    ['a number of another tenant', { domain_url: otherTenant, journal_number: 'MJ-20260323-0001' }],
  ])('%s', async (_, query) => {
    expect(await refusal(query)).toEqual([404, 'journal_entry_not_found']);
  });

  test('a tenant of another application, whatever is asked for', async () => {
    const { external_id, journal_number } = posted;
    for (const query of [{ journal_entry_id }, { external_id }, { journal_number }]) {
      expect(await refusal(query, 'app3')).toEqual([404, 'tenant_not_found']);
    }
    const elsewhere = { domain_url: 'a.b.example', journal_entry_id };
    expect(await refusal(elsewhere)).toEqual([404, 'tenant_not_found']);
  });
});

describe('refused is', () => {
  test.each<[string, object, string[]]>([
    ['no name', {}, ['exactly_one_of ']],
    ['two names', { external_id: 'a', journal_number: 'b' }, ['exactly_one_of ']],
    [
      'all that is wrong, at once',
      { domain_url: 'no-such-books', external_id: '', journal_number: 'b', more: '1' },
      [
        'must_not_be_blank /external_id',
        'unknown_field /more',
        'exactly_one_of ',
        'tenant_not_found /domain_url',
      ],
    ],
  ])('%s', async (_, query, problems) => {
    expect(await refusal(query)).toEqual([422, 'validation_failed', ...problems]);
  });

  test('what has no single name with the names that it may have', async () => {
    const { body } = await ask('get', {});
    const fields = ['journal_entry_id', 'journal_number', 'external_id'];
    expect(body.error.details).toMatchObject([{ pointer: '', params: { fields } }]);
  });
});

test('an entry that was changed behind the ledger is no reply, but an alarm', async () => {
  const { journal_entry_id } = await post({ date: '2026-02-01' });
  await ledger.table.update({
    update: entryKey(name, { series: 'MJ', date: '2026-02-01', sequence: 1 }),
    expression: 'SET #lines[0].#debit = :more',
    names: { '#lines': 'lines', '#debit': 'debit' },
    values: { ':more': '100.01' },
  });
  tools.metrics.events.length = 0;
  expect(await refusal({ journal_entry_id })).toEqual([500, 'internal_error']);
  expect(tools.metrics.events).toMatchObject([['booksDiffer'], ['ended', { status: 500 }]]);
});

test('an entry of which items were lost is no reply either, by itself and in a list', async () => {
  const date = '2026-02-02';
  const { journal_number } = await post({ date, entries: linesOf(250) });
  const key = entryKey(name, { series: 'MJ', date, sequence: 1 });
  await ledger.table.transact([{ delete: furtherLinesKey(key, 2) }]);
  tools.metrics.events.length = 0;
  const replies = await Promise.all([
    ask('get', { journal_number }),
    ask('list', { from: date, to: date }),
  ]);
  expect(replies.map(({ body }) => body.error.code)).toEqual(['internal_error', 'internal_error']);
  const alarms = tools.metrics.events.filter(([event]) => event === 'booksDiffer');
  expect(alarms).toHaveLength(2);
});
