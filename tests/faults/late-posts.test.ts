// A lock and the posts that started before it. A post that read the tenant before the lock and is
// written 28 seconds later still counts. From `locked_from`, no entry counts on a locked date, and
// the digest of the locked period never changes.

import { expect, test } from 'vitest';
import type { Table } from '#shared/table/table.ts';
import { lockDelaySeconds } from '#shared/tenants/period-lock.ts';
import { euroEntry } from '../support/builders/requests.ts';
import { openTenantCalls } from '../support/harnesses/calls.ts';

const lockDate = '2026-03-20';
const start = Date.parse('2026-03-24T12:00:00.000Z');
const afterSeconds = (seconds: number): string => new Date(start + 1000 * seconds).toISOString();

const { ledger, time, send, call, callsOn } = await openTenantCalls();
const inPeriod = euroEntry({ date: lockDate });

const digest = async (): Promise<string> =>
  (await call('getTrialBalance', { as_of: lockDate })).digest;

/** A table whose transactions wait until they are let through. */
const openBarrier = () => {
  const reached = Promise.withResolvers<void>();
  const opened = Promise.withResolvers<void>();
  const table: Table = {
    ...ledger.table,
    tryTransact: async (transaction) => {
      reached.resolve();
      await opened.promise;
      return ledger.table.tryTransact(transaction);
    },
  };
  return { table, reached: reached.promise, open: opened.resolve };
};

test('a post that read the tenant before the lock ends before the lock applies', async () => {
  time.now = afterSeconds(0);
  const barrier = openBarrier();
  const late = callsOn(barrier.table).send('createEntry', { ...inPeriod, external_id: 'late' });
  await barrier.reached;

  const locked = await send('updateTenant', { lock_date: lockDate });
  const { locked_from: lockedFrom } = locked.body.data;
  expect(lockedFrom).toBe(afterSeconds(lockDelaySeconds));
  const atOnce = await digest();

  time.now = afterSeconds(28);
  barrier.open();
  expect((await late).body).toMatchObject({ data: { status: 'posted', posting_date: lockDate } });
  expect(time.now < lockedFrom).toBe(true);
  const inForce = await digest();
  expect(inForce).not.toBe(atOnce);

  time.now = lockedFrom;
  const original = await call('createEntry', euroEntry({ external_id: 'open' }));
  const [post, batch, reversal] = [
    await send('createEntry', inPeriod),
    await send('createEntries', { journal_entries: [euroEntry(), inPeriod] }),
    await send('reverseEntry', { original_external_id: 'late', date: lockDate }),
  ];
  for (const { status, body } of [post, batch, reversal]) {
    expect([status, body.error.details.map(({ code }: { code: string }) => code)]).toEqual([
      422,
      ['period_locked'],
    ]);
  }
  // An entry with a locked entry date and an open posting date does not change the digest.
  const accrual = { ...inPeriod, accrual_date: '2026-03-23', external_id: 'accrual' };
  expect((await send('createEntry', accrual)).status).toBe(200);
  await call('reverseEntry', { original_external_id: 'late', date: '2026-03-23' });
  expect(original.posting_date > lockDate).toBe(true);
  expect(await digest()).toBe(inForce);
});
