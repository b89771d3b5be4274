// Concurrent batches and single posts on one sheet. Each entry is recorded once, every client
// finishes, and the sheet is the sum of its entries.

import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { openJournalEntries } from '#shared/entries/journal-entries.store.ts';
import { sheetKey } from '#shared/table/keys.ts';
import type { Action, Table } from '#shared/table/table.ts';
import { openTestLedger } from '../support/builders/ledger.ts';
import { euroEntry, openPostingCalls, type PostingReply } from '../support/harnesses/posting.ts';
import { entryViolations } from '../support/readers/entry-invariants.ts';
import { sortItems } from '../support/readers/item-kinds.ts';

const ledger = await openTestLedger();
const timeout = 240_000;
const date = '2026-03-20';

type Made = { journal_entry_id: string; journal_number: string; replayed?: boolean };

/** Repeats a request until it succeeds, after the Retry-After of each refusal. */
const insist = async (send: () => Promise<PostingReply>): Promise<Made[]> => {
  for (;;) {
    const { status, headers, body } = await send();
    if (status === 200) {
      const { data } = body;
      const replayed = headers['Idempotent-Replayed'] === 'true';
      return data.journal_entries ?? [{ ...data, replayed }];
    }
    if (body.error.code !== 'contention') throw new Error(JSON.stringify(body));
    await pause(Number(headers['Retry-After']) * 1_000 * (1 + Math.random()));
  }
};

const entriesOf = (ids: readonly (string | undefined)[]) =>
  ids.map((external_id) => euroEntry({ date, external_id }));
const countTo = (count: number): number[] => Array.from({ length: count }, (_, index) => index);

/** Concurrent requests on one date, with their replies and the expected number of entries. */
const meet = async ({ post, postMany }: ReturnType<typeof openPostingCalls>) => {
  const batchOf = (name: string, size: number) =>
    entriesOf(countTo(size).map((place) => `${name}-${place}`));
  const batches = countTo(6).map((batch) => insist(() => postMany(batchOf(`own ${batch}`, 25))));
  const singles = countTo(12).map((single) =>
    insist(() => post(euroEntry({ date, external_id: `single-${single}` }))),
  );
  const equal = countTo(3).map(() => insist(() => postMany(batchOf('equal', 10))));
  const headers = { 'Idempotency-Key': 'all-of-them' };
  const byKey = countTo(3).map(() =>
    insist(() => postMany(entriesOf([undefined, undefined]), {}, { headers })),
  );
  const shared = [
    insist(() => postMany(batchOf('shared', 5))),
    ...countTo(5).map((place) =>
      insist(() => post(euroEntry({ date, external_id: `shared-${place}` }))),
    ),
  ];
  const all = [...batches, ...singles, ...equal, ...byKey, ...shared];
  await Promise.allSettled(all);
  return {
    made: (await Promise.all(all)).flat(),
    equal: await Promise.all(equal),
    byKey: await Promise.all(byKey),
    shared: await Promise.all(shared),
    expected: 6 * 25 + 12 + 10 + 2 + 5,
  };
};

const violations = async (): Promise<string[]> =>
  entryViolations(sortItems(await ledger.scan()), { dueUntil: undefined });

const idsOf = (made: readonly Made[]) => made.map(({ journal_entry_id }) => journal_entry_id);

test('batches and single posts, some of them the same', { timeout }, async () => {
  const tenant = await ledger.createTenant('Met');
  const met = await meet(openPostingCalls(ledger, tenant.prefix));
  for (const group of [met.equal, met.byKey]) {
    const fresh = group.filter((made) => made.some(({ replayed }) => !replayed));
    expect(fresh.map((made) => made.map(({ replayed }) => replayed))).toEqual([
      Array(group[0]?.length ?? 0).fill(false),
    ]);
    expect(new Set(group.map((made) => idsOf(made).join())).size).toBe(1);
  }
  const [batch = [], ...singles] = met.shared;
  expect(singles.flatMap(idsOf)).toEqual(idsOf(batch));
  expect(new Set(idsOf(met.made)).size).toBe(met.expected);
  const numbers = new Set(met.made.map((it) => Number(it.journal_number.split('-').at(-1))));
  expect([...numbers].sort((one, other) => one - other)).toEqual(
    countTo(met.expected).map((place) => place + 1),
  );
  const sheet = await ledger.table.get(sheetKey(tenant, { series: 'MJ', date }));
  expect(sheet).toMatchObject({ lastSequence: met.expected, counted: met.expected });
  expect(await violations()).toEqual([]);
});

test('a store that forgets the guards of some of a batch is found', { timeout }, async () => {
  const tenant = await ledger.createTenant('Forgetful');
  const isOfBatch = (actions: readonly Action[]): boolean =>
    actions.filter((it) => 'put' in it && /^ENTRY#/.test(String(it.put.sk))).length > 1;
  const isGuard = (it: Action) => 'put' in it && /^EXT#.*-[1-9]/.test(String(it.put.sk));
  const forgetful: Table = {
    ...ledger.table,
    tryTransact: ({ actions, ...transaction }) =>
      ledger.table.tryTransact({
        ...transaction,
        actions: isOfBatch(actions) ? actions.filter((it) => !isGuard(it)) : actions,
      }),
  };
  const stores = { ...ledger, journalEntries: openJournalEntries(forgetful) };
  // Posts alone: concurrent transactions would fail without the removed actions.
  const { postMany } = openPostingCalls(stores, tenant.prefix);
  await insist(() => postMany(entriesOf(countTo(3).map((place) => `alone-${place}`))));
  expect(await violations()).toContainEqual(expect.stringContaining('is not what'));
});
