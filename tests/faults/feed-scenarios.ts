// The recording of events and reads of the feed, with faults in the calls to the table.

import { expect } from 'vitest';
import { openHeldChanges } from '#shared/events/held-changes.store.ts';
import { feedHoldKey } from '#shared/table/event-keys.ts';
import { entryPrefix, tenantKey } from '#shared/table/keys.ts';
import { prefixRange } from '#shared/table/sort-ranges.ts';
import type { Table } from '#shared/table/table.ts';
import { euroEntry } from '../support/builders/requests.ts';
import { ledgerTime, type SmallLedger } from '../support/builders/small-ledger.ts';
import { lambdaContext } from '../support/events/lambda-events.ts';
import { streamEvent } from '../support/events/stream-events.ts';
import { callsOf } from '../support/harnesses/calls.ts';
import type { Scenario } from '../support/harnesses/fault-cases.ts';
import type { Instance } from '../support/harnesses/instances.ts';
import { requestScenario } from './request-scenarios.ts';

const domain_url = 'acme-k7m2xq';

/** Posts two entries, and records the first. Returns the event with both. */
const prepareEntries = async (
  clean: Instance,
  { applicationId, table }: { applicationId: string; table: Table },
) => {
  const { call } = callsOf(clean, { applicationId, domain_url });
  for (const external_id of ['one', 'two']) {
    await call('createEntry', { ...euroEntry(), external_id });
  }
  const name = { applicationId, schemaName: 'acme_k7m2xq' };
  return streamEvent(...(await table.query(prefixRange(tenantKey(name).pk, entryPrefix))));
};

const eventsOf = async (clean: Instance, applicationId: string) =>
  (await callsOf(clean, { applicationId }).call('listEvents', {})).events.map(
    ({ sequence, data }: { sequence: number; data: { external_id: string } }) => [
      sequence,
      data.external_id,
    ],
  );

/** Lambda delivers the batch again until it is handled. */
export const recordingScenario = (ledger: SmallLedger): Scenario => {
  const { applicationId } = ledger;
  let event: Awaited<ReturnType<typeof prepareEntries>>;
  return {
    ledger,
    isIdempotent: true,
    isFinal: true,
    prepare: async (clean, table) => {
      event = await prepareEntries(clean, { applicationId, table });
      const [first] = event.Records;
      await clean.recordEvents({ Records: first ? [first] : [] }, lambdaContext());
    },
    send: async ({ faulty }) => {
      const { batchItemFailures } = await faulty.recordEvents(event, lambdaContext());
      const done = batchItemFailures.length === 0;
      return { done, again: !done, value: undefined };
    },
    check: async ({ clean }) => {
      expect(await eventsOf(clean, applicationId)).toEqual([
        [1, 'one'],
        [2, 'two'],
      ]);
    },
  };
};

const holdFeed = (applicationId: string, table: Table) =>
  openHeldChanges(table).hold(
    [
      {
        source: { applicationId, partition: 'TENANT#x' },
        stream: '2026-03-22',
        sequenceNumber: '1',
        events: [],
      },
    ],
    new Date(ledgerTime),
  );

const resume = (instance: Instance) =>
  instance.resumeDeliveries({ time: ledgerTime }, lambdaContext(60_000));

/** The changes of a held feed wait, and are recorded when it is resumed. */
export const holdingScenario = (ledger: SmallLedger): Scenario => {
  const { applicationId } = ledger;
  const recording = recordingScenario(ledger);
  return {
    ...recording,
    isFinal: false,
    prepare: async (clean, table) => {
      await recording.prepare?.(clean, table);
      await holdFeed(applicationId, table);
    },
    check: async (end) => {
      expect(await eventsOf(end.clean, applicationId)).toEqual([[1, 'one']]);
      await resume(end.clean);
      await recording.check?.(end);
    },
  };
};

export const heldFeedScenario = (ledger: SmallLedger): Scenario => {
  const { applicationId } = ledger;
  return {
    ledger,
    isIdempotent: true,
    prepare: async (clean, table) => {
      const event = await prepareEntries(clean, { applicationId, table });
      await holdFeed(applicationId, table);
      await clean.recordEvents(event, lambdaContext());
    },
    send: async ({ faulty, table }) => {
      const end = await resume(faulty).catch(() => 'failed' as const);
      const isHeld = (await table.get(feedHoldKey(applicationId))) !== undefined;
      const done = !isHeld && end !== 'failed';
      return { done, again: !done, value: undefined };
    },
    check: async ({ clean }) => {
      expect(await eventsOf(clean, applicationId)).toEqual([
        [1, 'one'],
        [2, 'two'],
      ]);
    },
  };
};

export const feedScenario = (ledger: SmallLedger): Scenario => {
  const { applicationId } = ledger;
  return requestScenario(ledger, {
    verb: 'listEvents',
    request: () => ({ method: 'GET', query: { after: '1', domain_url } }),
    prepare: async (clean, table) => {
      const event = await prepareEntries(clean, { applicationId, table });
      await clean.recordEvents(event, lambdaContext());
    },
    check: ({ outcomes }) =>
      expect(outcomes.at(-1)?.value).toMatchObject({
        events: [{ sequence: 2, data: { external_id: 'two' } }],
        next_after: 2,
        has_more: false,
      }),
  });
};
