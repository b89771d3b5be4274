// Runs of a schedule, with faults in the calls to the table. The next run does the remaining work.

import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ScheduledEvent } from 'aws-lambda';
import { expect } from 'vitest';
import { createHandler as createRefresher } from '#functions/refresh-exchange-rates/handler.ts';
import type { RunSummary } from '#shared/endpoint/schedule.ts';
import { openImports } from '#shared/imports/imports.store.ts';
import { slotNames } from '#shared/platforms/slots.ts';
import { openExchangeRates } from '#shared/rates/exchange-rates.store.ts';
import {
  connectionKey,
  importKey,
  ratesPartitions,
  type TenantName,
  tenantKey,
} from '#shared/table/keys.ts';
import type { Table } from '#shared/table/table.ts';
import { historyXml, realDaysBetween } from '../support/builders/ecb-files.ts';
import { someRates } from '../support/builders/ledger.ts';
import { nothingDue } from '../support/builders/run-summaries.ts';
import { ledgerTime, type SmallLedger } from '../support/builders/small-ledger.ts';
import { lambdaContext } from '../support/events/lambda-events.ts';
import type { Outcome, Scenario } from '../support/harnesses/fault-cases.ts';
import { findViolations } from '../support/readers/invariants.ts';
import type { RawItem } from '../support/readers/item-kinds.ts';
import { keepLog } from '../support/recorders/log.ts';
import { keepMetrics } from '../support/recorders/metrics.ts';
import { importId, leaveOut, openCompanies } from './connected-companies.ts';

const minute = 60_000;
const month = 31 * 24 * 60 * minute;
const after = (minutes: number): Date => new Date(Date.parse(ledgerTime) + minutes * minute);

const at = (items: readonly RawItem[], { pk, sk }: { pk: string; sk: string }): RawItem =>
  items.find((item) => item.pk === pk && item.sk === sk) ?? {};

const nothingDone = {
  renewed: 0,
  disconnected: 0,
  not_renewed: 0,
  not_due: 0,
  ...nothingDue,
};

/** A failed run is repeated at the next time of its schedule. */
const outcomeOfRun = (run: Promise<RunSummary>): Promise<Outcome> =>
  run.then(
    (value) => ({ done: true, again: false, value }),
    (error: unknown) => ({ done: false, again: true, value: String(error) }),
  );

/** Of two companies one is renewed, and one has lost its grant. */
export const renewalScenario = (ledger: SmallLedger): Scenario => {
  const companies = openCompanies(ledger);
  const { world, functionsOn, runAt } = companies;
  const nobody: TenantName = { applicationId: '', schemaName: '' };
  const names = { sound: nobody, dead: nobody };

  const run = (table: Table) => {
    world.now += 10 * minute;
    return functionsOn(table).renewConnections(...runAt(world.now));
  };

  return {
    ledger,
    begin: () => {
      companies.begin();
      world.fake.issueTokens();
      world.fake.revokeGrant(world.fake.issueTokens().refreshToken);
      world.now += month;
    },
    prepare: async (_, table) => {
      companies.begin();
      names.sound = await companies.connect(table, 'platform_a');
      names.dead = await companies.connect(table, 'platform_b');
    },
    isIdempotent: true,
    isFinal: true,
    leaveOut,
    send: ({ faultyTable }) => outcomeOfRun(run(faultyTable)),
    violationOptions: {},
    check: async ({ table, scan }) => {
      expect(await run(table), 'there is nothing left to do').toEqual(nothingDone);
      const items = await scan();
      expect(findViolations(items)).toEqual([]);
      expect(at(items, tenantKey(names.sound)).status).toBe('importing');
      expect(at(items, tenantKey(names.dead)).status).toBe('disconnected');
      expect(at(items, connectionKey(names.dead))).not.toHaveProperty('sealedTokens');
      await companies.expectConnected(table, names.sound);
    },
  };
};

/** An import whose run died, one that waited, and one that is not due yet. */
const standImports = async (table: Table, names: readonly TenantName[]): Promise<void> => {
  const imports = openImports(table);
  const lease = { importId, runId: 'run', now: after(6), runsWithoutProgress: 1 };
  const delay = { ...lease, reason: 'rate_limited' };
  const [died, waited, waits] = names as [TenantName, TenantName, TenantName];
  for (const name of [died, waited, waits]) await imports.acquireLease(name, lease);
  await imports.defer(waited, { ...delay, until: after(30) });
  await imports.defer(waits, { ...delay, until: after(600) });
};

export const resumptionScenario = (ledger: SmallLedger): Scenario => {
  const companies = openCompanies(ledger);
  const { world, functionsOn, runAt } = companies;
  const names: TenantName[] = [];
  /** When each import is due, each time that somebody looked: who asks for it moves that on. */
  const seen: unknown[][] = [];
  const noteDues = (items: readonly RawItem[]): void =>
    void seen.push(names.map((name) => at(items, importKey(name)).due_sk));
  const timesMoved = (place: number): number =>
    seen.filter((dues, look) => look > 0 && dues[place] !== seen[look - 1]?.[place]).length;

  /** Asks for the same import twice at once. */
  const deliverTwice = async (table: Table, name: TenantName): Promise<void> => {
    const record = (await table.get(importKey(name))) ?? {};
    await Promise.all(
      [1, 2].map(() => functionsOn(table).runImport(record, lambdaContext(300_000))),
    );
  };

  return {
    ledger,
    begin: () => {
      companies.begin();
      seen.length = 0;
      for (const _ of names) world.fake.issueTokens();
      world.now = after(60).getTime();
    },
    prepare: async (_, table) => {
      companies.begin();
      names.length = 0;
      for (const slot of slotNames) names.push(await companies.connect(table, slot));
      await standImports(table, names);
    },
    isIdempotent: true,
    isFinal: true,
    leaveOut,
    send: async ({ faultyTable, scan }) => {
      noteDues(await scan());
      world.now += 2 * minute;
      return outcomeOfRun(functionsOn(faultyTable).resumeImports(...runAt(world.now)));
    },
    violationOptions: {},
    check: async ({ table, scan, items }) => {
      noteDues(items);
      expect(names.map((_, place) => timesMoved(place))).toEqual([1, 1, 0]);
      expect(names.map((name) => at(items, importKey(name)).status)).toEqual([
        'requested',
        'requested',
        'waiting',
      ]);
      const [died] = names;
      if (died === undefined) throw new Error('no import stands here');
      await deliverTwice(table, died);
      const afterwards = await scan();
      expect(findViolations(afterwards)).toEqual([]);
      expect(at(afterwards, tenantKey(died)).status).toBe('active');
    },
  };
};

/** The published rates: two of these days are stored, and there is a gap before them. */
const publishedDays = [
  ...realDaysBetween('2025-10-20', '2026-03-19').map(({ date, rates: { USD = '', JPY = '' } }) => ({
    date,
    rates: { USD, JPY },
  })),
  ...someRates,
  { date: '2026-03-24', rates: { USD: '1.1601', JPY: '184.02' } },
];

/** The bank's site: its file of recent days lacks most of those in the gap. */
export const openBank = async () => {
  const files: Record<string, string> = {
    '/eurofxref-hist-90d.xml': historyXml(publishedDays.slice(-8)),
    '/eurofxref-hist.xml': historyXml(publishedDays),
  };
  const site = createServer((request, response) => {
    response.end(files[request.url ?? ''] ?? '[]');
  }).listen(0, '127.0.0.1');
  await once(site, 'listening');
  site.unref();
  return `http://127.0.0.1:${(site.address() as AddressInfo).port}`;
};

export const ratesScenario = (
  ledger: SmallLedger,
  { sourceUrl }: { sourceUrl: string },
): Scenario => {
  let runs = 0;
  const run = (table: Table): Promise<RunSummary> => {
    runs += 1;
    const refresh = createRefresher({
      exchangeRates: openExchangeRates(table, { maximumAgeDays: undefined }),
      sourceUrl,
      nbpUrl: sourceUrl,
      timeoutSeconds: { recentDays: 10, allDays: 10, tables: 10 },
      log: keepLog(),
      metrics: keepMetrics(),
    });
    return refresh({ time: after(180 * runs).toISOString() } as ScheduledEvent, lambdaContext());
  };
  return {
    ledger,
    begin: () => {
      runs = 0;
    },
    isIdempotent: true,
    isFinal: true,
    leaveOut,
    send: ({ faultyTable }) => outcomeOfRun(run(faultyTable)),
    // The first action puts the state, each of the others a day that must be new.
    actionsInConflict: (count) => [0, 1, count - 1],
    violationOptions: {},
    check: ({ items }) => {
      const stored = items
        .filter(({ pk }) => pk === ratesPartitions.ecb)
        .map(({ date, rates }) => ({ date: String(date), rates }))
        .toSorted((one, other) => (one.date < other.date ? -1 : 1));
      expect(stored).toEqual(publishedDays);
    },
  };
};
