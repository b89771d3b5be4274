import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { openDueWork } from '#shared/background/due-index.store.ts';
import type { JournalEntryView } from '#shared/entries/journal-entry.view.ts';
import { dueDatePlace } from '#shared/table/due-keys.ts';
import { dueDateKey, entryKey, furtherLinesKey } from '#shared/table/keys.ts';
import { meterUsage } from '#shared/table/metering.ts';
import { importJournals } from '../support/builders/platforms/platform-journal.ts';
import { euroEntry, linesOf } from '../support/builders/requests.ts';
import { openTenantCalls } from '../support/harnesses/calls.ts';
import { success, verdictOf } from '../support/readers/replies.ts';

const { ledger, name, time, metrics, send, call } = await openTenantCalls();
const post = (changes: object) => call('createEntry', euroEntry(changes));
const { prefix: otherTenant } = await ledger.createTenant('Other');

const posted = await post({ external_id: 'Rechnung Ü', transactionCurrency: 'USD' });
const { journal_entry_id, journal_number } = posted;
await importJournals(ledger.table, name, { reference: 'journal-1' });

const refusal = async (query: object) => verdictOf(await send('getEntry', query));

describe('an entry', () => {
  test.each([
    ['its id', { journal_entry_id }],
    ['its id in capitals', { journal_entry_id: journal_entry_id.toUpperCase() }],
    ['its number', { journal_number }],
    ['its external_id', { external_id: 'Rechnung Ü' }],
    ['its external_id in another form of Unicode', { external_id: 'Rechnung U\u0308' }],
  ])('is returned by %s as it was posted', async (_, query) => {
    expect(await send('getEntry', query)).toEqual(success(posted));
  });

  test('that is scheduled is returned with all of its lines', async () => {
    const accrual = { accrual_date: '2026-04-30', external_id: 'accrual', entries: linesOf(150) };
    const scheduled = await post(accrual);
    expect(scheduled).toMatchObject({
      status: 'scheduled',
      hash: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
    const { journal_entry_id, journal_number } = scheduled;
    for (const query of [{ journal_entry_id }, { journal_number }, { external_id: 'accrual' }]) {
      expect(await send('getEntry', query)).toEqual(success(scheduled));
    }
  });

  test('that was imported is returned by its number and its id', async () => {
    const { body } = await send('getEntry', { journal_number: 'IJ-20260320-0001' });
    expect(body.data).toMatchObject({ entry_type: 'Imported Journal', memo: 'journal-1' });
    const { journal_entry_id } = body.data;
    expect(await send('getEntry', { journal_entry_id })).toEqual(success(body.data));
  });
});

test('a stuck entry says why from its posting date on, for one more read', async () => {
  const accrual_date = '2026-04-15';
  const since = `${accrual_date}T00:05:00.000Z`;
  const { journal_number: number, ...scheduled } = await post({ accrual_date });
  expect(scheduled.stuck).toBeNull();
  // Hashes do not contain the field.
  expect(posted).not.toHaveProperty('stuck');
  const key = dueDateKey(name, accrual_date);
  const failure = { reason: 'date_full', now: new Date(since) } as const;
  await openDueWork(ledger.table).putOff({ ...key, ...dueDatePlace(key) }, failure);
  const shown = async () => {
    const { result, usage } = await meterUsage(() => send('getEntry', { journal_number: number }));
    return [result.body.data.stuck, usage.calls.length];
  };
  const listed = async () => {
    const query = { status: 'scheduled', from: accrual_date, to: accrual_date };
    const { body } = await send('listEntries', query);
    return body.data.journal_entries.map((it: JournalEntryView) => it.stuck);
  };
  expect([await shown(), await listed()]).toEqual([[null, 1], [null]]);
  const { now } = time;
  time.now = since;
  const next_attempt_at = `${accrual_date}T00:10:00.000Z`;
  const stuck = { reason: 'date_full', since, attempts: 1, next_attempt_at };
  expect([await shown(), await listed()]).toEqual([[stuck, 2], [stuck]]);
  const { usage } = await meterUsage(() => send('getEntry', { journal_number }));
  expect(usage.calls).toHaveLength(1);
  time.now = now;
});

const nextDigit = journal_entry_id.endsWith('0') ? '1' : '0';
test.each([
  [
    'an id with another random part',
    { journal_entry_id: journal_entry_id.slice(0, -1) + nextDigit },
  ],
  ['an id of another service', { journal_entry_id: '96492742-8dca-453d-98d5-9b7a625911ec' }],
  ['an unreadable id', { journal_entry_id: 'MJ-20260323-0001' }],
  ['a number of no entry', { journal_number: 'MJ-20260323-0099' }],
  ['an unreadable number', { journal_number: 'invoice-42' }],
  ['an unused external_id', { external_id: 'rechnung ü' }],
  ['an id of another tenant', { domain_url: otherTenant, journal_entry_id }],
  ['a number of another tenant', { domain_url: otherTenant, journal_number: 'MJ-20260323-0001' }],
])('not found: %s', async (_, query) => {
  expect(await refusal(query)).toEqual([404, 'journal_entry_not_found']);
});

test.each<[string, object, string[]]>([
  ['no name', {}, ['exactly_one_of ']],
  ['two names', { external_id: 'a', journal_number: 'b' }, ['exactly_one_of ']],
  [
    'all problems at once',
    { external_id: '', journal_number: 'b', more: '1' },
    ['must_not_be_blank /external_id', 'unknown_field /more', 'exactly_one_of '],
  ],
])('refused: %s', async (_, query, problems) => {
  expect(await refusal(query)).toEqual([422, 'validation_failed', ...problems]);
});

test('a request without a name is told which names there are', async () => {
  const { body } = await send('getEntry', {});
  const fields = ['journal_entry_id', 'journal_number', 'external_id'];
  expect(body.error.details).toMatchObject([{ pointer: '', params: { fields } }]);
});

describe('an entry is neither returned nor reversed, and an alarm is raised, if', () => {
  const date = '2026-02-01';
  const key = entryKey(name, { series: 'MJ', date, sequence: 1 });

  test('its items were tampered with or lost', async () => {
    const { journal_number } = await post({ date, entries: linesOf(250) });
    const countAlarms = () =>
      metrics.events.splice(0).filter(([event]) => event === 'booksDiffer').length;
    const setDebit = (amount: string) =>
      ledger.table.update({
        update: key,
        expression: 'SET #lines[0].#debit = :amount',
        names: { '#lines': 'lines', '#debit': 'debit' },
        values: { ':amount': amount },
      });
    countAlarms();
    await setDebit('249.01');
    expect(await refusal({ journal_number })).toEqual([500, 'internal_error']);
    const reversal = await send('reverseEntry', { journal_number, date });
    expect(verdictOf(reversal)).toEqual([500, 'internal_error']);
    expect(countAlarms()).toBe(2);
    await setDebit('249.00');
    await ledger.table.transact([{ delete: furtherLinesKey(key, 2) }]);
    // Seconds pass at each look at the clock: a reader soon stops to wait for what is missing.
    let seconds = 0;
    const clock = vi.spyOn(performance, 'now').mockImplementation(() => {
      seconds += 1;
      return seconds * 1_000;
    });
    onTestFinished(() => clock.mockRestore());
    expect(await refusal({ journal_number })).toEqual([500, 'internal_error']);
    const list = await send('listEntries', { from: date, to: date });
    expect([list.status, list.body.error.code]).toEqual([500, 'internal_error']);
    expect(countAlarms()).toBe(2);
  });
});
