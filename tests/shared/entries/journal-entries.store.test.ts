import { marshall } from '@aws-sdk/util-dynamodb';
import { afterAll, afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { openDateInbox } from '#shared/entries/inbox/date-inbox.store.ts';
import { openJournalEntries } from '#shared/entries/journal-entries.store.ts';
import { entryKey, sheetKey } from '#shared/table/keys.ts';
import { openTable } from '#shared/table/table.ts';
import { expectedEntry } from '../../support/builders/journal-entry.ts';
import { openTestLedger } from '../../support/builders/ledger.ts';
import { recordEntry } from '../../support/builders/recorded-entries.ts';
import {
  startFaultyDynamoDB,
  transactionCancelled,
} from '../../support/dynamodb/faulty-dynamodb.ts';

const name = { applicationId: 'app1', schemaName: 'acme_k7m2xq' };
const ledger = await openTestLedger();
await ledger.createTenant('Acme');
const faulty = await startFaultyDynamoDB(ledger.endpoint);
const table = openTable(ledger.tableName, { endpoint: faulty.endpoint });
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
const keyOf = (date: string) => entryKey(name, { series: 'MJ', date, sequence: 1 });

const failedAt = (item: Record<string, unknown>) => ({
  Code: 'ConditionalCheckFailed',
  Item: marshall(item),
});

describe('recording an entry', () => {
  test('tries again if the entry of another request is visible before its sheet', async () => {
    const refused = transactionCancelled(
      { Code: 'TransactionConflict' },
      failedAt(keyOf('2026-03-01')),
    );
    faulty.plan('TransactWriteItems', 2, refused);
    const recorded = await record('2026-03-01');
    expect([recorded.entry.journalNumber, recorded.replayed]).toEqual(['MJ-20260301-0001', false]);
  });

  test('reads the sheet of a batch again after the pause', async () => {
    const date = '2026-03-02';
    for (let entry = 0; entry < 3; entry += 1) await record(date);
    const sheet = { ...sheetKey(name, { series: 'MJ', date }), revision: 1 };
    faulty.plan('TransactWriteItems', 1, transactionCancelled(failedAt(sheet)));
    const { entry } = await record(date, { isBatch: true });
    expect(entry.journalNumber).toBe('MJ-20260302-0004');
    expect(faulty.calls).toEqual(['TransactWriteItems', 'BatchGetItem', 'TransactWriteItems']);
  });

  test('gives up three seconds after the start of a batch, and uses no number', async () => {
    vi.useFakeTimers({ toFake: ['performance'] });
    const startedAt = performance.now();
    vi.advanceTimersByTime(1_200);
    faulty.plan('TransactWriteItems', Infinity, () => {
      vi.advanceTimersByTime(500);
      return transactionCancelled({ Code: 'TransactionConflict' });
    });
    const recorded = record('2026-03-06', { startedAt, isBatch: true });
    await expect(recorded).rejects.toMatchObject({ code: 'contention', retryAfterSeconds: 1 });
    expect(performance.now() - startedAt).toBeLessThanOrEqual(3_000);
    expect(faulty.calls).toHaveLength(3);
    vi.useRealTimers();
    faulty.plan('TransactWriteItems', 0, 'hangs up');
    expect((await record('2026-03-06')).entry.journalNumber).toBe('MJ-20260306-0001');
  });

  test('withdraws an entry from the inbox after three seconds, and uses no number', async () => {
    const date = '2026-03-07';
    faulty.plan(
      'TransactWriteItems',
      Infinity,
      transactionCancelled({ Code: 'TransactionConflict' }),
    );
    const startedAt = performance.now();
    const recorded = record(date, { startedAt });
    await expect(recorded).rejects.toMatchObject({ code: 'contention', retryAfterSeconds: 1 });
    expect(performance.now() - startedAt).toBeGreaterThanOrEqual(3_000);
    faulty.plan('TransactWriteItems', 0, 'hangs up');
    expect((await record(date)).entry.journalNumber).toBe('MJ-20260307-0001');
    const items = await ledger.scan();
    const waited = items.filter(({ sk }) => String(sk).startsWith(`INBOX#${date}#`));
    expect(waited.map(({ state, content }) => [state, content])).toEqual([
      ['withdrawn', undefined],
    ]);
  });

  test('leaves a withdrawn entry as it is if the call that added it arrives again', async () => {
    const inbox = openDateInbox(ledger.table, name, { series: 'MJ', date: '2026-03-08' });
    const request = { entry: expectedEntry, idempotencyKey: undefined, user: undefined };
    const random = new Uint8Array(9);
    const add = () => inbox.add('1-0', { ...request, random }, { now: 1, deadline: 2 });
    await add();
    await inbox.withdraw('1-0');
    await add();
    expect((await inbox.look('1-0')).own).toEqual({ state: 'withdrawn' });
  });

  test('throws if an entry exists that its sheet does not count', async () => {
    const refused = transactionCancelled({ Code: 'None' }, failedAt(keyOf('2026-03-02')));
    faulty.plan('TransactWriteItems', 1, refused);
    await expect(record('2026-03-02')).rejects.toThrow(
      'a condition on ENTRY#2026-03-02#MJ#000000001 failed, but the snapshot fulfils it',
    );
  });
});
