// Webhooks and their deliveries, with faults in the calls to the table.

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect } from 'vitest';
import { openFeedRecording } from '#shared/events/feed-recording.store.ts';
import type { Table } from '#shared/table/table.ts';
import { ledgerTime, type SmallLedger } from '../support/builders/small-ledger.ts';
import { lambdaContext } from '../support/events/lambda-events.ts';
import { callsOf } from '../support/harnesses/calls.ts';
import type { Scenario } from '../support/harnesses/fault-cases.ts';
import type { Instance } from '../support/harnesses/instances.ts';
import { requestScenario, type Verb } from './request-scenarios.ts';

/** The sequences that a receiver got, in a run of a case. */
const received = new Set<number>();
const receiver = createServer(async (request, response) => {
  received.add(JSON.parse(await text(request)).sequence);
  response.writeHead(204).end();
}).listen(0, '127.0.0.1');
receiver.unref();
const url = () => `http://localhost:${(receiver.address() as AddressInfo).port}/`;

const createWebhook = async (clean: Instance, applicationId: string): Promise<string> =>
  (await callsOf(clean, { applicationId }).call('createWebhook', { url: url() })).webhook_id;

const recordEvents = (table: Table, applicationId: string) =>
  openFeedRecording(table, { clock: () => new Date(ledgerTime) }).record(
    applicationId,
    [1, 2, 3].map((change) => ({
      source: { applicationId, partition: 'TENANT#x' },
      stream: 'x',
      sequenceNumber: String(change),
      events: [{ id: `evt_${change}`, type: 'tenant.updated', at: ledgerTime, data: {} }],
    })),
  );

/** A request about an existing webhook. */
export const webhookScenario = (
  ledger: SmallLedger,
  verb: Verb,
  { body = {}, isIdempotent = true }: { body?: object; isIdempotent?: boolean } = {},
): Scenario => {
  let webhook_id = '';
  const isRead = verb === 'listWebhooks';
  const scenario = requestScenario(ledger, {
    verb,
    isIdempotent,
    request: () =>
      isRead
        ? { method: 'GET', query: {} }
        : { body: verb === 'createWebhook' ? { url: url() } : { webhook_id, ...body } },
    prepare: async (clean) => {
      if (verb !== 'createWebhook') webhook_id = await createWebhook(clean, ledger.applicationId);
    },
    check: async ({ clean, outcomes }) => {
      const { applicationId } = ledger;
      const { webhooks } = await callsOf(clean, { applicationId }).call('listWebhooks', {});
      const isDone = outcomes.at(-1)?.done === true;
      if (isDone) expect(webhooks.length).toBe(verb === 'deleteWebhook' ? 0 : 1);
    },
  });
  return {
    ...scenario,
    send: async (given) => {
      const outcome = await scenario.send(given);
      // A repeated deletion finds no webhook.
      return outcome.value === 'webhook_not_found' ? { ...outcome, done: true } : outcome;
    },
  };
};

/** Lambda invokes it again until it ends; an hour later the next check does. */
export const deliveryScenario = (ledger: SmallLedger): Scenario => {
  const { applicationId } = ledger;
  let webhookId = '';
  let now = Date.parse(ledgerTime);
  return {
    ledger,
    isIdempotent: true,
    clock: () => new Date(now),
    begin: () => {
      received.clear();
      now = Date.parse(ledgerTime);
    },
    prepare: async (clean, table) => {
      webhookId = await createWebhook(clean, applicationId);
      await recordEvents(table, applicationId);
    },
    send: async ({ faulty }) => {
      // A lease of a run that died has ended.
      now += 61_000;
      try {
        await faulty.deliverEvents({ applicationId, webhookId }, lambdaContext(100_000));
        return { done: true, again: false, value: undefined };
      } catch {
        return { done: false, again: true, value: undefined };
      }
    },
    check: async ({ clean }) => {
      const { webhooks } = await callsOf(clean, { applicationId }).call('listWebhooks', {});
      expect(webhooks[0]).toMatchObject({ status: 'active', delivered_through: 3, parked: 0 });
      expect([...received].toSorted()).toEqual([1, 2, 3]);
    },
  };
};

export const deliveryResumptionScenario = (ledger: SmallLedger): Scenario => ({
  ledger,
  isIdempotent: true,
  prepare: (clean) => createWebhook(clean, ledger.applicationId),
  send: async ({ faulty }) => {
    try {
      const value = await faulty.resumeDeliveries({ time: ledgerTime }, lambdaContext(60_000));
      return { done: true, again: false, value };
    } catch {
      return { done: false, again: true, value: undefined };
    }
  },
});
