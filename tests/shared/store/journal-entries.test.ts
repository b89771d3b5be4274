import { marshall } from '@aws-sdk/util-dynamodb';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type JournalEntries, openJournalEntries } from '#shared/store/journal-entries.ts';
import { entryKey, sequenceKey } from '#shared/store/keys.ts';
import { openTable } from '#shared/store/table.ts';
import { openTestLedger } from '../../support/builders/ledger.ts';
import {
  startFaultyDynamoDB,
  transactionCancelled,
} from '../../support/dynamodb/faulty-dynamodb.ts';

let ledger: Awaited<ReturnType<typeof openTestLedger>>;
let faulty: Awaited<ReturnType<typeof startFaultyDynamoDB>>;
let journalEntries: JournalEntries;
const name = { applicationId: 'app1', schemaName: 'acme' };

const entryOf = (date: string, externalId: string | null, lineCount = 2) => ({
  entryId: 'a5d0a2e4-0000-4000-8000-000000000001',
  date,
  memo: 'Memo',
  entryType: 'Manual Journal' as const,
  status: 'posted' as const,
  accrualDate: null,
  externalId,
  transactionCurrency: 'EUR',
  transactionAmount: '1.00',
  reportingCurrency: 'EUR',
  reportingAmount: '1.00',
  exchangeRate: '1.00000000000',
  exchangeRateDate: date,
  exchangeRateSource: 'same_currency' as const,
  lines: Array.from({ length: lineCount }, (_, index) => ({
    lineNumber: index + 1,
    account: '1010',
    accountName: 'Bank Current Account',
    description: '',
    debit: '1.00',
    credit: '0.00',
    reportingDebit: '1.00',
    reportingCredit: '0.00',
  })),
  createdAt: '2026-03-23T09:30:00.000Z',
  createdWithKey: 'key',
  postedAt: '2026-03-23T09:30:00.000Z',
});

beforeAll(async () => {
  ledger = await openTestLedger();
  await ledger.createTenant('Acme');
  faulty = await startFaultyDynamoDB(ledger.endpoint);
  journalEntries = openJournalEntries(openTable(ledger.tableName, { endpoint: faulty.endpoint }));
});

afterAll(() => faulty.stop());

const conflict = { Code: 'TransactionConflict' };

describe('recording an entry', () => {
  test('tries again where a rival’s entry shows up before its sequence does', async () => {
    const key = entryKey(name, { series: 'MJ', date: '2026-03-01', sequence: 1 });
    const failed = { Code: 'ConditionalCheckFailed', Item: marshall(key) };
    faulty.plan('TransactWriteItems', 2, transactionCancelled(conflict, failed));
    const recorded = await journalEntries.record(name, entryOf('2026-03-01', null), {
      lastSequence: 0,
    });
    expect([recorded.entry.journalNumber, recorded.replayed]).toEqual(['MJ-20260301-0001', false]);
    expect(faulty.calls).toEqual([
      'TransactWriteItems',
      'BatchGetItem',
      'TransactWriteItems',
      'BatchGetItem',
      'TransactWriteItems',
    ]);
  });

  test('goes on after a pause from where its date is by then, not from where it was', async () => {
    const date = '2026-03-02';
    const place = { series: 'MJ', date } as const;
    const failed = {
      Code: 'ConditionalCheckFailed',
      Item: marshall({ ...sequenceKey(name, place), lastSequence: 1 }),
    };
    for (const lastSequence of [0, 1, 2]) {
      await journalEntries.record(name, entryOf(date, null), { lastSequence });
    }
    faulty.plan('TransactWriteItems', 1, transactionCancelled(failed));
    const { entry } = await journalEntries.record(name, entryOf(date, null), { lastSequence: 0 });
    expect(entry.journalNumber).toBe('MJ-20260302-0004');
    expect(faulty.calls).toEqual(['TransactWriteItems', 'BatchGetItem', 'TransactWriteItems']);
  });

  test('fails loudly where an entry stands and its sequence says that none can', async () => {
    const key = entryKey(name, { series: 'MJ', date: '2026-03-02', sequence: 1 });
    const failed = { Code: 'ConditionalCheckFailed', Item: marshall(key) };
    faulty.plan('TransactWriteItems', 1, transactionCancelled({ Code: 'None' }, failed));
    await expect(
      journalEntries.record(name, entryOf('2026-03-02', null), { lastSequence: 0 }),
    ).rejects.toThrow('an entry stands where its sequence says none can');
  });

  test('goes on from the number that the sequence has reached by then', async () => {
    const draft = entryOf('2026-03-03', null);
    await journalEntries.record(name, draft, { lastSequence: 0 });
    const second = await journalEntries.record(name, draft, { lastSequence: 0 });
    expect(second.entry.journalNumber).toBe('MJ-20260303-0002');
  });
});

describe('reading an entry', () => {
  test('waits for all the items of a write that has just been committed', async () => {
    const draft = entryOf('2026-03-04', 'many lines', 250);
    const { entry } = await journalEntries.record(name, draft, { lastSequence: 0 });
    const key = entryKey(name, { series: 'MJ', date: '2026-03-04', sequence: 1 });
    faulty.plan('Query', 1, { status: 200, body: { Items: [], Count: 0, ScannedCount: 0 } });
    expect(await journalEntries.get(key)).toEqual(entry);
    expect(faulty.calls).toEqual(['Query', 'Query']);
  });

  test('does not take an entry for whole while some of its lines are missing', async () => {
    const draft = entryOf('2026-03-05', null, 250);
    const { entry } = await journalEntries.record(name, draft, { lastSequence: 0 });
    const key = entryKey(name, { series: 'MJ', date: '2026-03-05', sequence: 1 });
    const items = (await ledger.scan()).filter(
      ({ sk }) => String(sk).startsWith(key.sk) && !String(sk).endsWith('#LINES#002'),
    );
    const partly = items.sort((one, other) => String(one.sk).localeCompare(String(other.sk)));
    const body = { Items: partly.map((item) => marshall(item)), Count: 2, ScannedCount: 2 };
    faulty.plan('Query', 1, { status: 200, body });
    expect((await journalEntries.get(key)).lines).toHaveLength(250);
    expect(await journalEntries.get(key)).toEqual(entry);
    expect(faulty.calls).toEqual(['Query', 'Query', 'Query']);
  });
});
