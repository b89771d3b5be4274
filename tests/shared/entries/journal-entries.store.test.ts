import { marshall } from '@aws-sdk/util-dynamodb';
import { afterAll, afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { openDateInbox } from '#shared/entries/inbox/date-inbox.store.ts';
import { openJournalEntries } from '#shared/entries/journal-entries.store.ts';
import { entryKey, sheetKey } from '#shared/table/keys.ts';
import { openTable } from '#shared/table/table.ts';
import { expectedEntry } from '../../support/builders/journal-entry.ts';
import { openTestLedger } from '../../support/builders/ledger.ts';
import { recordEntry } from '../../support/builders/recorded-entries.ts';
import { testAuthenticators } from '../../support/builders/secrets.ts';
import {
  startFaultyDynamoDB,
  throttle,
  transactionCancelled,
} from '../../support/dynamodb/faulty-dynamodb.ts';

const name = { applicationId: 'app1', schemaName: 'acme_k7m2xq' };
const ledger = await openTestLedger();
await ledger.createTenant('Acme');
const faulty = await startFaultyDynamoDB(ledger.endpoint);
const table = openTable(
  ledger.tableName,
  { endpoint: faulty.endpoint },
  { authenticators: testAuthenticators },
);
const journalEntries = openJournalEntries(table);

// Without jitter there is no backoff.
beforeEach(() => void vi.spyOn(Math, 'random').mockReturnValue(0));
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});
afterAll(() => faulty.stop());

const record = (date: string, { startedAt = performance.now(), isBatch = false } = {}) => {
  const entry = { ...expectedEntry, externalId: null, date, postingDate: date };
  return recordEntry(journalEntries, name, entry, { startedAt, isBatch });
};
/** Nobody runs out of time, however busy the machine is. */
const stopClock = () => vi.useFakeTimers({ toFake: ['performance'] });

const keyOf = (date: string) => entryKey(name, { series: 'MJ', date, sequence: 1 });

const failedAt = async (put: Record<string, unknown>) => {
  const [action] = await testAuthenticators.authenticated([{ put }]);
  return { Code: 'ConditionalCheckFailed', Item: marshall(action?.put) };
};

describe('recording an entry', () => {
  beforeEach(stopClock);

  test('tries again if the entry of another request is visible before its sheet', async () => {
    const refused = transactionCancelled(
      { Code: 'TransactionConflict' },
      await failedAt(keyOf('2026-03-01')),
    );
    faulty.plan('TransactWriteItems', 2, refused);
    const recorded = await record('2026-03-01');
    expect([recorded.entry.journalNumber, recorded.replayed]).toEqual(['MJ-20260301-0001', false]);
  });

  test('reads the sheet again after the pause', async () => {
    const date = '2026-03-02';
    for (let entry = 0; entry < 3; entry += 1) await record(date);
    const sheet = { ...sheetKey(name, { series: 'MJ', date }), revision: 1 };
    faulty.plan('TransactWriteItems', 1, transactionCancelled(await failedAt(sheet)));
    expect((await record(date)).entry.journalNumber).toBe('MJ-20260302-0004');
    expect(faulty.calls).toEqual(['TransactWriteItems', 'BatchGetItem', 'TransactWriteItems']);
  });

  test.each([
    ['a second after its first attempt', { queuedMilliseconds: 1_200, attempts: 3 }],
    ['three seconds after its start', { queuedMilliseconds: 2_800, attempts: 1 }],
  ])('gives up %s, and uses no number', async (_, { queuedMilliseconds, attempts }) => {
    const startedAt = performance.now();
    vi.advanceTimersByTime(queuedMilliseconds);
    faulty.plan('TransactWriteItems', Infinity, () => {
      vi.advanceTimersByTime(300);
      return transactionCancelled({ Code: 'TransactionConflict' });
    });
    const date = `2026-02-0${attempts}`;
    const recorded = record(date, { startedAt, isBatch: true });
    await expect(recorded).rejects.toMatchObject({ code: 'contention', retryAfterSeconds: 1 });
    expect(faulty.calls.filter((call) => call === 'TransactWriteItems')).toHaveLength(attempts);
    faulty.plan('TransactWriteItems', 0, 'hangs up');
    expect((await record(date)).entry.journalNumber).toBe(`MJ-${date.replaceAll('-', '')}-0001`);
  });

  test('throws if an entry exists that its sheet does not count', async () => {
    // The transaction changes the sheet, checks that its date is not carried, and puts the entry.
    const none = { Code: 'None' };
    const refused = transactionCancelled(none, none, await failedAt(keyOf('2026-03-09')));
    faulty.plan('TransactWriteItems', 1, refused);
    await expect(record('2026-03-09')).rejects.toThrow(
      'a condition on ENTRY#2026-03-09#MJ#000000001 failed, but the snapshot fulfils it',
    );
  });
});

describe('an entry that waits in the inbox of its date', () => {
  const inboxOf = (date: string) => openDateInbox(ledger.table, name, { series: 'MJ', date });
  const itemsOf = async (date: string) =>
    (await ledger.scan()).filter(({ sk }) => String(sk).startsWith(`INBOX#${date}#`));

  /** Says that another request holds the inbox. */
  const markHeld = async (date: string): Promise<void> => {
    await record(date);
    const sheet = await ledger.table.get(sheetKey(name, { series: 'MJ', date }));
    const mark = { inboxHolder: 'another', inboxUntil: Date.now() + 60_000 };
    await inboxOf(date).take(sheet ?? {}, mark);
    faulty.plan('TransactWriteItems', 0, 'hangs up');
  };

  test('is withdrawn when its time is over, and uses no number', async () => {
    const date = '2026-03-07';
    await markHeld(date);
    const refused = record(date, { startedAt: performance.now() - 2_800 });
    await expect(refused).rejects.toMatchObject({ code: 'contention', retryAfterSeconds: 1 });
    const attempts = faulty.calls.filter((it) => it === 'TransactWriteItems');
    expect(attempts, 'with the sheet of before').toHaveLength(1);
    const [item] = await itemsOf(date);
    expect([item?.state, item?.content]).toEqual(['withdrawn', undefined]);
    const { entry } = await record(date, { isBatch: true });
    expect(entry.journalNumber).toBe('MJ-20260307-0002');
  });

  test('stays withdrawn if the call that added it arrives again', async () => {
    const inbox = inboxOf('2026-03-08');
    const add = () => inbox.add('1-0', { content: 'an entry', now: 1, deadline: 2 });
    await add();
    await inbox.end('1-0', 'withdrawn');
    await add();
    expect((await inbox.look('1-0')).own).toEqual({ state: 'withdrawn' });
  });

  test('does not wait if it is long', async () => {
    stopClock();
    const date = '2026-03-14';
    await markHeld(date);
    const memo = 'x'.repeat(20_000);
    const entry = { ...expectedEntry, externalId: null, date, postingDate: date, memo };
    const recorded = await recordEntry(journalEntries, name, entry);
    expect(recorded.entry.journalNumber).toBe('MJ-20260314-0002');
    expect(await itemsOf(date)).toEqual([]);
  });
});

describe('requests of one process for one date', () => {
  const recordOnce = (date: string, externalId: string | null) =>
    recordEntry(journalEntries, name, { ...expectedEntry, date, postingDate: date, externalId });

  test('are recorded together while one is written', async () => {
    faulty.plan('TransactWriteItems', 0, 'hangs up');
    const ids = Array.from({ length: 40 }, (_, place) => `together-${place}`);
    const recorded = await Promise.all(ids.map((id) => recordOnce('2026-03-10', id)));
    expect(recorded.map(({ entry }) => [entry.externalId, entry.journalNumber])).toEqual(
      ids.map((id, place) => [id, `MJ-20260310-00${String(place + 1).padStart(2, '0')}`]),
    );
    expect(faulty.calls, 'one, then 39').toEqual(Array(2).fill('TransactWriteItems'));
  });

  test('get the same entry for one external_id', async () => {
    const ids = ['a', 'b', 'a', 'c', 'b', 'a'];
    const recorded = await Promise.all(ids.map((id) => recordOnce('2026-03-11', `same-${id}`)));
    const numbers = recorded.map(({ entry }) => Number(entry.journalNumber.split('-').at(-1)));
    expect(numbers.map((number) => ids[numbers.indexOf(number)])).toEqual(ids);
    expect([...new Set(numbers)].sort()).toEqual([1, 2, 3]);
    expect(recorded.filter(({ replayed }) => !replayed)).toHaveLength(3);
  });

  test('are not recorded if the transaction of all of them fails', async () => {
    const date = '2026-03-12';
    await recordOnce(date, null);
    faulty.plan('TransactWriteItems', Infinity, throttle);
    const refused = await Promise.allSettled(
      ['x', 'y', 'z'].map((id) => recordOnce(date, `failed-${id}`)),
    );
    for (const it of refused) {
      expect(it).toMatchObject({ reason: { code: 'temporarily_unavailable' } });
    }
    faulty.plan('TransactWriteItems', 0, 'hangs up');
    const { entry } = await recordOnce(date, 'failed-y');
    expect(entry.journalNumber).toBe('MJ-20260312-0002');
  });

  test('use the sheet that the one before them has written', async () => {
    const date = '2026-03-13';
    faulty.plan('TransactWriteItems', 0, 'hangs up');
    for (let count = 0; count < 3; count += 1) await recordOnce(date, null);
    expect(faulty.calls).toHaveLength(3);
  });
});
