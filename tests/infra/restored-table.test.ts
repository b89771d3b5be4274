// The effects of a restored table on the books. The runbook's drill runs on the embedded engine,
// with a copy of all items instead of a restore.

import type { ScheduledEvent } from 'aws-lambda';
import { expect, test } from 'vitest';
import { createHandler as createResumeHandler } from '#functions/resume-imports/handler.ts';
import { openApplications } from '#shared/applications/applications.store.ts';
import { openDueWork } from '#shared/background/due-index.store.ts';
import { openImports } from '#shared/imports/imports.store.ts';
import type { Table } from '#shared/table/table.ts';
import type { Tenant } from '#shared/tenants/tenants.ts';
import { openTestLedger } from '../support/builders/ledger.ts';
import { at, openImportStates } from '../support/builders/platforms/import-states.ts';
import { dollarEntry } from '../support/builders/requests.ts';
import { openTestTable } from '../support/dynamodb/test-table.ts';
import { lambdaContext } from '../support/events/lambda-events.ts';
import { callsOf } from '../support/harnesses/calls.ts';
import { openInstance } from '../support/harnesses/instances.ts';
import { keepLog } from '../support/recorders/log.ts';
import { keepMetrics } from '../support/recorders/metrics.ts';

const telemetry = () => ({ log: keepLog(), metrics: keepMetrics() });

/** Posts to a tenant on a table, as functions do that are bound to it. */
const postOn = (table: Table, tenant: Tenant) => {
  const { send } = callsOf(openInstance({ table, clock: () => new Date('2026-03-24T12:00:00Z') }));
  return async (externalId: string) => {
    const body = { ...dollarEntry, domain_url: tenant.prefix, external_id: externalId };
    const { body: reply, headers } = await send('createEntry', body);
    const { journal_entry_id: id, journal_number: number } = reply.data;
    return { id, number, replayed: 'Idempotent-Replayed' in headers };
  };
};

test('replays entries of the backup and posts later entries again once', async () => {
  const ledger = await openTestLedger();
  const tenant = await ledger.createTenant('Restored');
  const post = postOn(ledger.table, tenant);
  const before = await post('before');
  const items = await ledger.scan();
  const lost = [await post('second'), await post('third')];

  const restored = await openTestTable({ items });
  const repeat = postOn(restored.table, tenant);
  expect(await repeat('before')).toEqual({ ...before, replayed: true });
  // Applications may repeat lost entries in any order. Each entry gets a new id, and may get the
  // former number of another entry.
  const third = await repeat('third');
  const second = await repeat('second');
  expect([third, second]).toMatchObject([
    { number: 'MJ-20260323-0002', replayed: false },
    { number: 'MJ-20260323-0003', replayed: false },
  ]);
  expect(lost.map(({ number }) => number)).toEqual(['MJ-20260323-0002', 'MJ-20260323-0003']);
  expect(lost.map(({ id }) => id)).not.toContain(third.id);
  expect(await repeat('second')).toEqual({ ...second, replayed: true });
});

test('imports that had not ended go on, though the stream that began them is gone', async () => {
  const states = await openImportStates();
  const names = await Promise.all(
    (['requested', 'running', 'waiting'] as const).map(states.create),
  );
  const restored = await openTestTable({ items: await states.scan() });
  const imports = openImports(restored.table);
  const resume = createResumeHandler({
    applications: openApplications(restored.table),
    imports,
    dueWork: openDueWork(restored.table),
    clock: () => at('11:00:00'),
    ...telemetry(),
  });
  const event = { time: at('11:00:00').toISOString() } as ScheduledEvent;
  expect(await resume(event, lambdaContext(60_000))).toMatchObject({ resumed: 3, stuck: 0 });
  const found = await Promise.all(names.map((name) => imports.find(name)));
  expect(found.map((it) => it?.status)).toEqual(['requested', 'requested', 'requested']);
});
