// Concurrent batches, single posts and due entries on one sheet. Each entry counts once, every
// client finishes, and the sheet is the sum of its entries.

import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from 'vitest';
import {
  maximumDueEntries,
  openScheduledEntries,
} from '#shared/entries/schedule/scheduled-entries.store.ts';
import { ApiError } from '#shared/errors.ts';
import { accountKey, entryKey, sheetKey, type TenantName } from '#shared/table/keys.ts';
import type { Action, Table } from '#shared/table/table.ts';
import { openTestLedger } from '../support/builders/ledger.ts';
import { euroEntry } from '../support/builders/requests.ts';
import type { ApiEventOptions } from '../support/events/lambda-events.ts';
import { callsOf, type Reply } from '../support/harnesses/calls.ts';
import { openInstance } from '../support/harnesses/instances.ts';
import { entryViolations } from '../support/readers/entry-invariants.ts';
import { sortItems } from '../support/readers/item-kinds.ts';

const ledger = await openTestLedger();
const series = 'MJ';
const date = '2026-03-20';

/** A starving client exceeds this limit, even on a busy machine. */
const timeout = 240_000;

/** The calls for a tenant at a time. */
const openCalls = (
  domain_url: string,
  { table = ledger.table, now = '2026-03-24T12:00:00Z' } = {},
) => {
  const { send } = callsOf(openInstance({ table, clock: () => new Date(now) }), { domain_url });
  return {
    post: (entry: object) => send('createEntry', entry),
    postMany: (journal_entries: object[], options?: ApiEventOptions) =>
      send('createEntries', { journal_entries }, options),
  };
};
type Calls = ReturnType<typeof openCalls>;
type Made = { journal_entry_id: string; journal_number: string; replayed?: boolean };

/** Repeats a request until it succeeds, after the Retry-After of each refusal. */
const insist = async (send: () => Promise<Reply>): Promise<Made[]> => {
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

const countTo = (count: number): number[] => Array.from({ length: count }, (_, index) => index);
const entriesOf = (ids: readonly (string | undefined)[]) =>
  ids.map((external_id) => euroEntry({ date, external_id }));
const idsOf = (made: readonly Made[]) => made.map(({ journal_entry_id }) => journal_entry_id);

const sheetOf = (name: TenantName, sheetDate: string) =>
  ledger.table.get(sheetKey(name, { series, date: sheetDate }));
const violations = async (dueUntil?: string): Promise<string[]> =>
  entryViolations(sortItems(await ledger.scan()), { dueUntil });

/** Posts an entry of 200 accounts. Its sheet is large for every later request. */
const postToManyAccounts = async (name: TenantName, { post }: Calls): Promise<void> => {
  const codes = countTo(200).map((account) => `7${account + 100}`);
  await ledger.seed(
    ...codes.map((code) => ({
      ...accountKey(name, code),
      kind: 'account',
      code,
      name: code,
      type: 'asset',
      status: 'active',
    })),
  );
  const entries = codes.map((account, index) => ({
    account,
    [index % 2 ? 'credit' : 'debit']: '1.00',
  }));
  await insist(() => post(euroEntry({ date, entries })));
};

/** Concurrent requests on one date, with their replies and the expected number of entries. */
const meet = async ({ post, postMany }: Calls) => {
  const batchOf = (name: string, size: number) =>
    entriesOf(countTo(size).map((place) => `${name}-${place}`));
  const single = (external_id: string) => insist(() => post(euroEntry({ date, external_id })));
  const batches = countTo(6).map((batch) => insist(() => postMany(batchOf(`own ${batch}`, 25))));
  const singles = countTo(48).map((place) => single(`single-${place}`));
  const equal = countTo(3).map(() => insist(() => postMany(batchOf('equal', 10))));
  const headers = { 'Idempotency-Key': 'all-of-them' };
  const byKey = countTo(3).map(() =>
    insist(() => postMany(entriesOf([undefined, undefined]), { headers })),
  );
  const shared = [
    insist(() => postMany(batchOf('shared', 5))),
    ...countTo(5).map((place) => single(`shared-${place}`)),
  ];
  const all = [...batches, ...singles, ...equal, ...byKey, ...shared];
  await Promise.allSettled(all);
  return {
    made: (await Promise.all(all)).flat(),
    equal: await Promise.all(equal),
    byKey: await Promise.all(byKey),
    shared: await Promise.all(shared),
    expected: 6 * 25 + 48 + 10 + 2 + 5,
  };
};

test('batches and single posts at once on a sheet of 200 accounts', { timeout }, async () => {
  const tenant = await ledger.createTenant('Met');
  const calls = openCalls(tenant.prefix);
  const { applicationId, schemaName } = tenant;
  await postToManyAccounts({ applicationId, schemaName }, calls);
  const met = await meet(calls);
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
  // Number 1 is the entry of 200 accounts.
  expect([...numbers].sort((one, other) => one - other)).toEqual(
    countTo(met.expected).map((place) => place + 2),
  );
  const total = met.expected + 1;
  expect(await sheetOf(tenant, date)).toMatchObject({ lastSequence: total, counted: total });
  expect(await violations()).toEqual([]);
});

const postingDate = '2026-04-01';
const scheduledCount = maximumDueEntries + 8;
const postCount = 24;

/** Two runs and many posts meet on one sheet. Returns how many entries the runs posted. */
const meetOnPostingDate = async (companyName: string, table: Table) => {
  const tenant = await ledger.createTenant(companyName);
  const { postMany } = openCalls(tenant.prefix);
  const half = Array(scheduledCount / 2).fill(euroEntry({ date, accrual_date: postingDate }));
  for (const entries of [half, half]) await insist(() => postMany(entries));

  const later = openCalls(tenant.prefix, { table, now: `${postingDate}T12:00:00Z` });
  const due = countTo(scheduledCount).map((place) => ({
    ...entryKey(tenant, { series, date, sequence: place + 1 }),
    postingDate,
  }));
  const groups = [due.slice(0, maximumDueEntries), due.slice(maximumDueEntries)];
  const scheduledEntries = openScheduledEntries(table);
  const postDue = async (group: typeof due): Promise<number> => {
    try {
      return (await scheduledEntries.post(group, `${postingDate}T00:05:00.000Z`)).posted;
    } catch (error) {
      // The next run repeats it.
      if (error instanceof ApiError && error.code === 'contention') return postDue(group);
      throw error;
    }
  };
  const posts = countTo(postCount).map(() =>
    insist(() => later.post(euroEntry({ date: postingDate }))),
  );
  const runs = [...groups, ...groups].map(postDue);
  await Promise.allSettled([...posts, ...runs]);
  await Promise.all(posts);
  const posted = (await Promise.all(runs)).reduce((sum, count) => sum + count, 0);
  return { tenant, posted };
};

test('posts and two runs at once on one posting date', { timeout }, async () => {
  const { tenant, posted } = await meetOnPostingDate('Due', ledger.table);
  expect(posted).toBe(scheduledCount);
  expect(await sheetOf(tenant, postingDate)).toMatchObject({
    lastSequence: postCount,
    counted: scheduledCount + postCount,
  });
  expect(await violations(postingDate)).toEqual([]);
});

test('find a store that ignores the revision of a sheet', { timeout }, async () => {
  const blind: Table = {
    ...ledger.table,
    tryTransact: ({ actions, ...transaction }) => {
      const isSheet = (it: Action) => 'put' in it && /^SEQUENCE#/.test(String(it.put.sk));
      const changed = actions.map((it) => ('put' in it && isSheet(it) ? { put: it.put } : it));
      return ledger.table.tryTransact({ ...transaction, actions: changed });
    },
  };
  // Clients with the same number fail.
  await meetOnPostingDate('Blind', blind).catch(() => {});
  expect(await violations()).toContainEqual(expect.stringContaining(`${postingDate}#MJ counts`));
});
