// Many processes post to one date at once. They combine their entries, while calls to the table
// fail and processes die.

import { describe, expect, test } from 'vitest';
import { openTable } from '#shared/table/table.ts';
import { openTestLedger } from '../support/builders/ledger.ts';
import { openRandom } from '../support/builders/random.ts';
import { euroEntry } from '../support/builders/requests.ts';
import { interceptedBy, openSilence, type TableCall } from '../support/dynamodb/table-calls.ts';
import { carryOut, faultsOf } from '../support/dynamodb/table-faults.ts';
import { callsOf, type Reply } from '../support/harnesses/calls.ts';
import { openInstance } from '../support/harnesses/instances.ts';
import { entryViolations } from '../support/readers/entry-invariants.ts';
import { type RawItem, sortItems } from '../support/readers/item-kinds.ts';
import { sliceSeed } from '../support/slices.ts';

const date = '2026-03-20';
const processCount = 24;
const timeout = 120_000;

const ledger = await openTestLedger();
const silence = await openSilence(50);
const random = openRandom(sliceSeed);

const start = Date.parse('2026-03-24T12:00:00Z') - performance.now();
const clock = () => new Date(start + performance.now());

/** A process with its own client. One call in `faultOnceIn` meets a fault; 0 for none. */
const openProcess = async (domain_url: string, faultOnceIn: number) => {
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
  const table = openTable(tableName, await interceptedBy(intercept, { endpoint, silence }));
  const { send } = callsOf(openInstance({ table, clock }), { domain_url });
  return {
    /** The reply; undefined if the process died. */
    post: (entry: object): Promise<Reply | undefined> =>
      Promise.race([send('createEntry', euroEntry({ date, ...entry })), death.promise]),
    close: table.close,
    late,
  };
};

/** Posts until it succeeds, in a new process after each refusal or death. */
const insist = async (domain_url: string, externalId: string, faultOnceIn: number) => {
  const late: (() => Promise<unknown>)[] = [];
  for (let attempt = 0; attempt < 12; attempt += 1) {
    const process = await openProcess(domain_url, attempt < 8 ? faultOnceIn : 0);
    const reply = await process.post({ external_id: externalId });
    late.push(...process.late);
    process.close();
    if (reply?.status === 200) return { externalId, data: reply.body.data, late };
    if (reply && !reply.body.error.retryable) throw new Error(JSON.stringify(reply.body));
  }
  throw new Error(`${externalId} was never posted`);
};

const entriesIn = (items: readonly RawItem[], { schemaName }: { schemaName: string }) =>
  items.filter(({ kind, pk }) => kind === 'entry' && String(pk).endsWith(`#${schemaName}`));

const isInbox = ({ sk, state }: RawItem): boolean =>
  String(sk).startsWith('INBOX#') && state === 'recorded';

describe('many processes post to one date at once', () => {
  test.each([
    ['all calls succeed', 0],
    ['one call in 30 fails', 30],
    ['one call in 8 fails', 8],
  ])('%s', { timeout }, async (title, faultOnceIn) => {
    const tenant = await ledger.createTenant(`One date where ${title}`);
    // Half of the requests have a twin with the same external_id.
    const ids = Array.from({ length: processCount }, (_, place) => `entry-${place % 16}`);
    const posted = await Promise.all(ids.map((id) => insist(tenant.prefix, id, faultOnceIn)));
    const before = entriesIn(await ledger.scan(), tenant);
    await Promise.all(posted.flatMap(({ late }) => late).map((send) => send().catch(() => {})));
    const items = await ledger.scan();
    const entries = entriesIn(items, tenant);
    expect(entries.map(({ externalId }) => externalId).sort()).toEqual([...new Set(ids)].sort());
    expect(entries, 'calls that arrive late change nothing').toEqual(before);
    const answers = posted.map(({ externalId, data }) => [externalId, data.journal_entry_id]);
    const idOf = new Map(entries.map((entry) => [entry.externalId, entry.entryId]));
    expect(answers).toEqual(ids.map((id) => [id, idOf.get(id)]));
    expect(entryViolations(sortItems(items), { dueUntil: undefined })).toEqual([]);
    expect(items.filter(isInbox).length, 'entries were combined').toBeGreaterThan(0);
  });
});

test('processes that post for a while get their turns alike', { timeout }, async () => {
  const { prefix } = await ledger.createTenant('Fair');
  const endsAt = performance.now() + 4_000;
  const counts = await Promise.all(
    Array.from({ length: 12 }, async () => {
      const process = await openProcess(prefix, 0);
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
