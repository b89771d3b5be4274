// Whatever is scheduled, cancelled, run and killed at the same time: nothing is lost, and nothing
// is posted twice.

import type { ScheduledEvent } from 'aws-lambda';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createHandler } from '#functions/post-scheduled-entries/handler.ts';
import type { JournalEntry } from '#shared/entries/journal-entry.ts';
import { openEntryCancellations } from '#shared/entries/schedule/cancellations.store.ts';
import type { TenantName } from '#shared/table/keys.ts';
import type { Table } from '#shared/table/table.ts';
import { expectedEntry } from '../../support/builders/journal-entry.ts';
import { openTestLedger } from '../../support/builders/ledger.ts';
import { recordEntry } from '../../support/builders/recorded-entries.ts';
import { lambdaContext } from '../../support/events/lambda-events.ts';
import { postingStoresOf } from '../../support/readers/due-entries.ts';
import { sheetViolationsIn } from '../../support/readers/sheet-invariants.ts';
import { readEntries } from '../../support/readers/tenant-entries.ts';
import { keepLog } from '../../support/recorders/log.ts';
import { keepMetrics } from '../../support/recorders/metrics.ts';

const ledger = await openTestLedger();
const days = ['2026-03-25', '2026-03-26'] as const;

const step = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...days).map((day) => ({ schedule: day })) },
  { weight: 2, arbitrary: fc.nat(10).map((place) => ({ cancel: place })) },
  { weight: 3, arbitrary: fc.nat(12).map((calls) => ({ killAfter: calls })) },
  { weight: 1, arbitrary: fc.constant({ killAfter: Number.POSITIVE_INFINITY }) },
);
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

let tenants = 0;

/** A tenant of its own application, so that the runs of others do not count. */
const openBooks = () => {
  tenants += 1;
  const name: TenantName = { applicationId: `app${tenants}`, schemaName: `books_${tenants}` };
  const recorded: JournalEntry[] = [];
  const cancelled = new Set<string>();

  const run = async (killAfter = Number.POSITIVE_INFINITY): Promise<void> => {
    let left = killAfter;
    const { table } = ledger;
    const mortal = <Parameters extends unknown[], Result>(
      call: (...parameters: Parameters) => Promise<Result>,
    ) => {
      return (...parameters: Parameters): Promise<Result> => {
        left -= 1;
        return left < 0 ? new Promise(() => {}) : call(...parameters);
      };
    };
    const dying: Table = {
      ...table,
      ...{ get: mortal(table.get), getMany: mortal(table.getMany) },
      ...{ update: mortal(table.update), consume: mortal(table.consume) },
      ...{ tryTransact: mortal(table.tryTransact), queryPage: mortal(table.queryPage) },
    };
    const time = `${days[1]}T00:05:00.000Z`;
    const handler = createHandler({
      ...postingStoresOf(dying),
      ...{ clock: () => new Date(time), log: keepLog(), metrics: keepMetrics() },
    });
    const running = handler({ time } as ScheduledEvent, lambdaContext(300_000));
    // A killed run never ends; its last call is not answered.
    const killed = new Promise<void>((resolve) => {
      const watch = setInterval(() => {
        if (left >= 0) return;
        clearInterval(watch);
        resolve();
      }, 5);
      running.finally(() => clearInterval(watch)).catch(() => {});
    });
    await Promise.race([running, killed]);
  };

  const take = async (it: Step): Promise<void> => {
    if ('killAfter' in it) return run(it.killAfter);
    if ('schedule' in it) {
      const { entry } = await recordEntry(ledger.journalEntries, name, {
        ...{ ...expectedEntry, status: 'scheduled', externalId: null, postedAt: null },
        ...{ accrualDate: it.schedule, postingDate: it.schedule },
      });
      recorded.push(entry);
      return;
    }
    const entry = recorded[it.cancel % Math.max(1, recorded.length)];
    if (entry === undefined) return;
    const result = await openEntryCancellations(ledger.table).cancel(name, entry, {
      ...{ cancelledAt: `${days[0]}T00:00:00.000Z`, budget: {} },
    });
    if (result !== 'not_scheduled') cancelled.add(entry.entryId);
  };
  return { name, recorded, cancelled, run, take };
};

test('nothing is lost, and nothing is posted twice', { timeout: 240_000 }, async () => {
  const steps = fc.array(step, { minLength: 3, maxLength: 12 });
  const property = fc.asyncProperty(steps, fc.integer({ min: 1, max: 4 }), async (all, atOnce) => {
    const { name, recorded, cancelled, run, take } = openBooks();
    for (let first = 0; first < all.length; first += atOnce) {
      await Promise.all(all.slice(first, first + atOnce).map(take));
    }
    await run();
    const entries = await readEntries(ledger.table, name);
    expect(entries.map(({ entryId }) => entryId).sort()).toEqual(
      recorded.map(({ entryId }) => entryId).sort(),
    );
    for (const { entryId, status } of entries) {
      expect(status).toBe(cancelled.has(entryId) ? 'cancelled' : 'posted');
    }
    const items = (await ledger.scan()).filter(({ pk }) =>
      String(pk).endsWith(`#${name.schemaName}`),
    );
    expect(sheetViolationsIn(items)).toEqual([]);
    expect(items.filter(({ sk }) => /^(DUE|SCHED)/.test(String(sk)))).toEqual([]);
  });
  await fc.assert(property, { numRuns: 15 });
});
