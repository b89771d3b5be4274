// Many requests post to one date at once, while calls to the table fail and processes die. Those of
// one process are recorded together, and processes record the entries of others in the inbox.

import { describe, expect, test } from 'vitest';
import { type Action, keyOfAction, openTable, type Table } from '#shared/table/table.ts';
import { openTestLedger } from '../support/builders/ledger.ts';
import { openRandom } from '../support/builders/random.ts';
import { euroEntry } from '../support/builders/requests.ts';
import { testAuthenticators } from '../support/builders/secrets.ts';
import { interceptedBy, openSilence, type TableCall } from '../support/dynamodb/table-calls.ts';
import { carryOut, faultsOf } from '../support/dynamodb/table-faults.ts';
import { callsOf, type Reply } from '../support/harnesses/calls.ts';
import { openInstance } from '../support/harnesses/instances.ts';
import { entryViolations } from '../support/readers/entry-invariants.ts';
import { type RawItem, sortItems } from '../support/readers/item-kinds.ts';
import { sliceSeed } from '../support/slices.ts';

const date = '2026-03-20';
const timeout = 120_000;

const ledger = await openTestLedger();
const silence = await openSilence(50);
const random = openRandom(sliceSeed);

const start = Date.parse('2026-03-24T12:00:00Z') - performance.now();
const clock = () => new Date(start + performance.now());

type Options = {
  domain_url: string;
  /** One call in so many meets a fault; 0 for none. */
  faultOnceIn: number;
  sabotage?: (table: Table) => Table;
};

/** A process with its own client of the table. */
const openProcess = async ({ domain_url, faultOnceIn, sabotage = (it) => it }: Options) => {
  const death = Promise.withResolvers<undefined>();
  const late: (() => Promise<unknown>)[] = [];
  let isDead = false;
  const crash = (): Promise<never> => {
    isDead = true;
    death.resolve(undefined);
    return new Promise(() => {});
  };
  const intercept = async (call: TableCall) => {
    if (isDead) return crash();
    if (faultOnceIn === 0 || !random.once(faultOnceIn)) return call.send();
    const action = random.below(call.request.TransactItems?.length || 1);
    const keepForLater = (send: () => Promise<unknown>) => void late.push(send);
    return carryOut(random.pick(faultsOf(call.operation)), call, { action, crash, keepForLater });
  };
  const { tableName, endpoint } = ledger;
  const table = openTable(tableName, await interceptedBy(intercept, { endpoint, silence }), {
    authenticators: testAuthenticators,
  });
  const { send } = callsOf(openInstance({ table: sabotage(table), clock }), { domain_url });
  return {
    /** The reply; undefined if the process died. */
    post: (entry: object): Promise<Reply | undefined> =>
      Promise.race([send('createEntry', euroEntry({ date, ...entry })), death.promise]),
    postMany: (journal_entries: object[]): Promise<Reply> =>
      send('createEntries', { journal_entries }),
    close: table.close,
    late,
    isDead: () => isDead,
  };
};

type Posted = { externalId: string; entryId: string };

/** Posts every id until it succeeds. A process that dies is replaced by a new one. */
const postAll = async (ids: readonly string[], options: Options) => {
  const processes = [await openProcess(options)];
  const current = async (attempt: number) => {
    const last = processes.at(-1);
    if (last !== undefined && !last.isDead()) return last;
    const faultOnceIn = attempt < 8 ? options.faultOnceIn : 0;
    const next = await openProcess({ ...options, faultOnceIn });
    processes.push(next);
    return next;
  };
  const insist = async (externalId: string): Promise<Posted> => {
    for (let attempt = 0; attempt < 40; attempt += 1) {
      const reply = await (await current(attempt)).post({ external_id: externalId });
      if (reply?.status === 200) return { externalId, entryId: reply.body.data.journal_entry_id };
      if (reply && !reply.body.error.retryable) throw new Error(JSON.stringify(reply.body));
    }
    throw new Error(`${externalId} was never posted`);
  };
  const posted = await Promise.all(ids.map(insist));
  for (const { close } of processes) close();
  return {
    posted,
    late: processes.flatMap(({ late }) => late),
  };
};

const isEndOfWait = (action: Action): boolean => keyOfAction(action).sk.startsWith('INBOX#');

/** Tells everybody that their transaction was committed. */
const takeAllForDone = (table: Table): Table => ({
  ...table,
  tryTransact: async ({ actions, ...transaction }) => {
    const ends = actions.filter(isEndOfWait);
    if (ends.length > 0) await table.transact(ends);
    const rest = actions.filter((action) => !isEndOfWait(action));
    await table.tryTransact({ ...transaction, actions: rest });
    return { committed: true };
  },
});

const itemsOf = (items: readonly RawItem[], { schemaName }: { schemaName: string }) =>
  items.filter(({ pk }) => String(pk).endsWith(`#${schemaName}`));
const entriesIn = (...found: Parameters<typeof itemsOf>) =>
  itemsOf(...found).filter(({ kind }) => kind === 'entry');

type Load = { processes: number; requests: number };

/** Half of the requests of a process, or of the processes, have a twin with the same id. */
const idsOf = (place: number, { processes, requests }: Load): string[] =>
  Array.from({ length: requests }, (_, index) =>
    requests === 1
      ? `entry-${place % ((processes * 3) / 4)}`
      : `entry-${(place * requests) / 2 + index}`,
  );

const postFromProcesses = async (
  title: string,
  load: Load,
  options: Omit<Options, 'domain_url'>,
) => {
  const tenant = await ledger.createTenant(title);
  const all = await Promise.all(
    Array.from({ length: load.processes }, (_, place) =>
      postAll(idsOf(place, load), { domain_url: tenant.prefix, ...options }),
    ),
  );
  const before = entriesIn(await ledger.scan(), tenant);
  await Promise.all(all.flatMap(({ late }) => late).map((send) => send().catch(() => {})));
  const items = await ledger.scan();
  return {
    before,
    entries: entriesIn(items, tenant),
    posted: all.flatMap((it) => it.posted),
    /** The number of transactions that changed the sheet. */
    revision: itemsOf(items, tenant).find(({ sk }) => sk === `SEQUENCE#${date}#MJ`)?.revision,
    waited: itemsOf(items, tenant).filter(
      ({ sk, state }) => String(sk).startsWith('INBOX#') && state === 'recorded',
    ).length,
    violations: entryViolations(sortItems(items), { dueUntil: undefined }).filter((it) =>
      it.includes(`#${tenant.schemaName} `),
    ),
  };
};

const few = { processes: 4, requests: 12 };
const many = { processes: 24, requests: 1 };

describe.each([
  ['processes of many requests', few],
  ['many processes of one request each', many],
])('%s post to one date at once', (kind, load) => {
  test.each([
    ['all calls succeed', 0],
    ['one call in 20 fails', 20],
    ['one call in 6 fails', 6],
  ])('%s', { timeout }, async (title, faultOnceIn) => {
    // The names of tenants differ in their first words, as their prefixes must.
    const name = `${faultOnceIn} ${kind}: ${title}`;
    const { posted, entries, ...found } = await postFromProcesses(name, load, { faultOnceIn });
    const ids = posted.map(({ externalId }) => externalId);
    expect(entries.map(({ externalId }) => externalId).sort()).toEqual([...new Set(ids)].sort());
    expect(entries, 'calls that arrive late change nothing').toEqual(found.before);
    const idOf = new Map(entries.map((entry) => [entry.externalId, entry.entryId]));
    expect(posted.map(({ entryId }) => entryId)).toEqual(ids.map((id) => idOf.get(id)));
    expect(found.violations).toEqual([]);
    const isShared = load === few ? Number(found.revision) < entries.length : found.waited > 0;
    if (faultOnceIn === 0) expect(isShared, 'entries were recorded together').toBe(true);
  });

  test('a process that tells results of failed transactions is found', { timeout }, async () => {
    const options = { faultOnceIn: 0, sabotage: takeAllForDone };
    const found = await postFromProcesses(`Sabotage of ${kind}`, load, options);
    const stored = new Set(found.entries.map(({ entryId }) => entryId));
    expect(found.posted.filter(({ entryId }) => !stored.has(entryId))).not.toEqual([]);
  });
});

test('processes that post for a while get their turns alike', { timeout }, async () => {
  const { prefix } = await ledger.createTenant('Fair');
  const endsAt = performance.now() + 4_000;
  const counts = await Promise.all(
    Array.from({ length: 10 }, async () => {
      const process = await openProcess({ domain_url: prefix, faultOnceIn: 0 });
      let count = 0;
      while (performance.now() < endsAt) {
        const reply = await process.post({});
        expect(reply?.status).toBe(200);
        count += 1;
      }
      process.close();
      return count;
    }),
  );
  expect(Math.max(...counts)).toBeLessThanOrEqual(3 * Math.min(...counts));
});

test('batches get their turns beside a process that posts single entries all the time', {
  timeout,
}, async () => {
  const { prefix } = await ledger.createTenant('Batches beside');
  const [busy, other] = [
    await openProcess({ domain_url: prefix, faultOnceIn: 0 }),
    await openProcess({ domain_url: prefix, faultOnceIn: 0 }),
  ];
  const endsAt = performance.now() + 4_000;
  let [singles, batches] = [0, 0];
  const postSingles = async () => {
    while (performance.now() < endsAt) {
      expect((await busy.post({}))?.status).toBe(200);
      singles += 1;
    }
  };
  const postBatches = async () => {
    while (performance.now() < endsAt) {
      const { status } = await other.postMany(
        Array.from({ length: 25 }, () => euroEntry({ date })),
      );
      expect(status).toBe(200);
      batches += 1;
    }
  };
  await Promise.all([...Array.from({ length: 4 }, postSingles), postBatches()]);
  busy.close();
  other.close();
  expect(batches).toBeGreaterThanOrEqual(4);
  expect(singles).toBeGreaterThanOrEqual(4 * batches);
});
