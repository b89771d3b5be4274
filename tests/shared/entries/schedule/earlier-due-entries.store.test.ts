import { expect, test } from 'vitest';
import { createHandler } from '#functions/post-scheduled-entries/handler.ts';
import { convertDueEntries } from '#shared/entries/schedule/earlier-due-entries.store.ts';
import { dueDateKey, type TenantName } from '#shared/table/keys.ts';
import { openTestLedger } from '../../../support/builders/ledger.ts';
import { backlogOf } from '../../../support/builders/scheduled-backlog.ts';
import { lambdaContext } from '../../../support/events/lambda-events.ts';
import { postingStoresOf } from '../../../support/readers/due-entries.ts';
import type { RawItem } from '../../../support/readers/item-kinds.ts';
import { keepLog } from '../../../support/recorders/log.ts';
import { keepMetrics } from '../../../support/recorders/metrics.ts';

const acme: TenantName = { applicationId: 'app1', schemaName: 'acme' };
const [day, nextDay] = ['2026-03-25', '2026-03-26'];

/** Entries in the stored format 3: each is in the due index, and their date is not. */
const earlierItems = (date: string, count: number, firstSequence = 1): RawItem[] =>
  backlogOf(acme, { date, count, firstSequence }).flatMap(({ key, items: [entry, marker] }) => [
    { ...entry, due_pk: 'DUE#3', due_sk: `${date}#${key.pk}#${key.sk}` },
    { ...marker },
  ]);

const openEarlierLedger = async () => {
  const ledger = await openTestLedger();
  await ledger.seed(...earlierItems(day, 100), ...earlierItems(nextDay, 2, 101));
  const isDue = ({ due_pk }: RawItem) => due_pk !== undefined;
  const listDue = async () =>
    (await ledger.scan()).filter(isDue).map(({ due_pk, sk }) => `${due_pk} ${sk}`.slice(0, 28));
  return { ...ledger, listDue };
};

test('due entries of the earlier format are converted and posted', async () => {
  const { table, scan, listDue } = await openEarlierLedger();
  const time = `${day}T00:05:00.000Z`;
  const handler = createHandler({
    ...postingStoresOf(table),
    clock: () => new Date(time),
    log: keepLog(),
    metrics: keepMetrics(),
  });
  const run = () => handler({ time } as Parameters<typeof handler>[0], lambdaContext(300_000));
  expect(await run()).toMatchObject({ converted: 100, posted: 100, due: 1, done: 1 });
  // Later entries keep their format until then, or until the table is migrated.
  expect(await listDue()).toEqual(['DUE#3 ENTRY#2026-03-20#MJ#00', 'DUE#3 ENTRY#2026-03-20#MJ#00']);
  expect(await run()).toMatchObject({ converted: 0, posted: 0, due: 0 });
  const posted = (await scan()).filter(
    ({ kind, status }) => kind === 'entry' && status === 'posted',
  );
  expect(posted).toHaveLength(100);
});

test('a migration converts all of them and no other item', async () => {
  const { table, scan } = await openEarlierLedger();
  const conversionsOf = async () => {
    const { convert, finish } = convertDueEntries.start();
    expect((await scan()).flatMap(convert)).toEqual([]);
    return finish?.() ?? [];
  };
  for (const actions of await conversionsOf()) {
    expect((await table.transact(actions)).committed).toBe(true);
  }
  const due = (await scan()).filter(({ due_pk }) => due_pk !== undefined);
  // A hundred entries take two transactions.
  expect(due.map(({ sk, revision }) => [sk, revision])).toEqual([
    ['DUEDATE#2026-03-25', 2],
    ['DUEDATE#2026-03-26', 1],
  ]);
  expect(await conversionsOf()).toEqual([]);
  expect(await table.get(dueDateKey(acme, day))).toMatchObject({
    due_sk: `${day}#APP#app1#TENANT#acme#DUEDATE#${day}`,
  });
});
