// Injected faults and the checks after them find wrong stores: those that only a fault shows, and
// one for each kind of request. The simulation finds the other saboteurs.

import { expect, test } from 'vitest';
import type { Action, Table, UpdateAction } from '#shared/table/table.ts';
import { euroEntry } from '../support/builders/requests.ts';
import { openSmallLedger } from '../support/builders/small-ledger.ts';
import { openTenantCalls } from '../support/harnesses/calls.ts';
import { casesOf, type Scenario, someFail } from '../support/harnesses/fault-cases.ts';
import { reversalSaboteurs, type Saboteur, saboteurs } from '../support/harnesses/saboteurs.ts';
import { findViolations } from '../support/readers/invariants.ts';
import { openSlice } from '../support/slices.ts';
import { batches, batchScenario } from './batch-scenarios.ts';
import { cancellationScenario, reversalScenario, reversals } from './correction-scenarios.ts';
import { importScenario, wholeRun } from './import-scenario.ts';
import { userScenario } from './request-scenarios.ts';
import {
  callbackScenario,
  carryScenario,
  entries,
  entryScenario,
  postingScenario,
  tenantScenario,
} from './scenarios.ts';
import { openBank, ratesScenario, renewalScenario, resumptionScenario } from './scheduled-runs.ts';

const ledger = await openSmallLedger();
const emptyLedger = await openSmallLedger({ withTenant: false });

const entry = entryScenario(ledger, entries['with an external_id']);
const many = batchScenario(ledger, batches['with external_ids and an Idempotency-Key']);
const posting = postingScenario(ledger);
const reversal = reversalScenario(ledger, reversals['at once']);
const cancellation = cancellationScenario(ledger);
const tenant = tenantScenario(emptyLedger, { kind: 'connected', idempotencyKey: 'key-1' });
const anImport = importScenario(emptyLedger, wholeRun);
const renewal = renewalScenario(emptyLedger);
const resumption = resumptionScenario(emptyLedger);
const carrying = carryScenario(ledger);
const rates = ratesScenario(emptyLedger, { sourceUrl: await openBank() });

/** Changes the updates that contain a text. If there is no update left, reports success. */
const changeUpdates =
  (said: string, change: (action: UpdateAction) => UpdateAction | undefined) =>
  (table: Table): Table => ({
    ...table,
    update: async (action) => {
      const changed = action.expression.includes(said) ? change(action) : action;
      return changed === undefined || table.update(changed);
    },
  });

const keepOldTokens = changeUpdates('sealedTokens', () => undefined);
const hourLater = (moment: unknown): string =>
  new Date(Date.parse(String(moment)) + 60 * 60_000).toISOString();

/** Leases a refresh for longer than it takes, and never gives the lease back. */
const hoardLeases = (table: Table): Table => {
  const until = ':refreshLeaseUntil';
  const longer = changeUpdates('SET #refreshLeaseUntil', (action) => ({
    ...action,
    values: { ...action.values, [until]: hourLater(action.values?.[until]) },
  }));
  const forever = changeUpdates(' REMOVE #refreshLeaseUntil, ', (action) => {
    const { '#refreshLeaseUntil': _, ...names } = action.names ?? {};
    const expression = action.expression.replace('#refreshLeaseUntil, ', '');
    return { ...action, expression, names };
  });
  return forever(longer(table));
};

/** Changes imports, connections and due items without their conditions. */
const changeBlindly = changeUpdates('', (action) => ({
  ...action,
  condition: `(${action.condition}) OR attribute_exists(pk)`,
}));

/** Leaves the late rows pending that it adds to totals. */
const addLateRowsTwice = (table: Table): Table => ({
  ...table,
  tryTransact: ({ actions, ...transaction }) => {
    const withPending = (action: Action): Action => {
      if (!('put' in action)) return action;
      const { carriedOn: _, late, ...item } = action.put;
      const pending = Array.isArray(late) && { late: late.map(({ rows }) => ({ rows })) };
      return { ...action, put: { ...item, ...pending } };
    };
    return table.tryTransact({ ...transaction, actions: actions.map(withPending) });
  },
});

/** Records entries without the Idempotency-Key of their request. */
const forgetKeys = (table: Table): Table => ({
  ...table,
  tryTransact: ({ actions, ...transaction }) => {
    const isKey = (it: Action) => 'put' in it && /^IDEMPOTENCY#/.test(String(it.put.sk));
    return table.tryTransact({ ...transaction, actions: actions.filter((it) => !isKey(it)) });
  },
});

type Row = [
  store: string,
  victim: Scenario,
  /** Defaults to the saboteur of this name. */
  sabotage?: Saboteur | ((table: Table) => Table) | undefined,
  /** The titles of the cases to try. Defaults to all. */
  cases?: RegExp,
];

const rows: Row[] = [
  ['writes one by one', entry],
  ['forgets the guards of many', many, 'forgets the guard of an external_id'],
  ['forgets the key of many', many, forgetKeys],
  ['writes many one by one', many, 'writes one by one', /crash after .* TransactWriteItems/],
  ['reports failed writes as done', entry],
  ['forgets the pointer of a user id', userScenario(ledger, 'grace@example.com')],
  ['forgets the Idempotency-Key', tenant],
  ['forgets the company of a connection', callbackScenario(emptyLedger)],
  ['removes dates that still have entries', posting],
  ['forgets to mark the original', reversal, reversalSaboteurs['forgets to mark the original']],
  ['reverses by halves', reversal, 'writes one by one', /crash after .* TransactWriteItems/],
  ['cancels by halves', cancellation, 'writes one by one', /TransactWriteItems/],
  [
    'writes journals one by one',
    anImport,
    'writes one by one',
    /crash after .* TransactWriteItems/,
  ],
  [
    'records journals blindly',
    anImport,
    'writes without conditions',
    /arrives late 3 times .* TransactWriteItems/,
  ],
  ['moves imports on blindly', anImport, changeBlindly, /arrives late/],
  [
    'reports failed writes of an import as done',
    anImport,
    'reports failed writes as done',
    /throttled 3 times .* TransactWriteItems/,
  ],
  ['keeps tokens that are used up', anImport, keepOldTokens],
  ['renews tokens and keeps the old ones', renewal, keepOldTokens],
  ['hoards leases', renewal, hoardLeases],
  ['renews blindly', renewal, changeBlindly, /arrives late/],
  ['disconnects by halves', renewal, 'writes one by one', /TransactWriteItems/],
  ['does not resume dead imports', resumption],
  ['adds late rows twice', carrying, addLateRowsTwice, /^throttled at call/],
  ['loses days of rates', rates, 'reports failed writes as done', /TransactWriteItems/],
];

test.each(openSlice()(rows, 3))(
  'a store that %s',
  async (store, victim, given = store as Saboteur, wanted = /./) => {
    const sabotage = typeof given === 'string' ? saboteurs[given] : given;
    const broken = { ...victim, sabotage };
    const cases = (await casesOf(broken)).filter(({ title }) => wanted.test(title));
    expect(await someFail(broken, cases)).toBe(true);
  },
);

test('a store that reverses an entry twice is found by those who come at once', async () => {
  const { ledger, call, callsOn } = await openTenantCalls();
  const { table, chartCodes } = ledger;
  const reverseAtOnce = async (date: string, on: Table) => {
    const { journal_entry_id } = await call('createEntry', euroEntry({ date }));
    const { send } = callsOn(on);
    const dates = Array.from({ length: 8 }, (_, day) => `2026-03-${String(10 + day)}`);
    await Promise.all(dates.map((it) => send('reverseEntry', { journal_entry_id, date: it })));
    return findViolations(await ledger.scan(), { chartCodes });
  };
  expect(await reverseAtOnce('2026-03-01', table)).toEqual([]);
  const broken = reversalSaboteurs['marks an original twice'](table);
  // Some groups of requests happen to come one after the other.
  const found: string[] = [];
  for (let day = 2; found.length === 0 && day < 9; day += 1) {
    found.push(...(await reverseAtOnce(`2026-03-0${day}`, broken)));
  }
  expect(found).not.toEqual([]);
});
