// Webhooks and their deliveries, with faults in the calls to the table.

import { expect } from 'vitest';
import { ledgerTime, type SmallLedger } from '../support/builders/small-ledger.ts';
import { openTestFeed } from '../support/events/feed-events.ts';
import { lambdaContext } from '../support/events/lambda-events.ts';
import { callsOf } from '../support/harnesses/calls.ts';
import type { Scenario } from '../support/harnesses/fault-cases.ts';
import type { Instance } from '../support/harnesses/instances.ts';
import { openReceiver } from '../support/servers/webhook-receiver.ts';
import { requestScenario, type Verb } from './request-scenarios.ts';

const receiver = await openReceiver();
receiver.unref();
const { url } = receiver;

const createWebhook = async (clean: Instance, applicationId: string): Promise<string> =>
  (await callsOf(clean, { applicationId }).call('createWebhook', { url })).webhook_id;

/** A request about an existing webhook. */
export const webhookScenario = (
  ledger: SmallLedger,
  verb: Verb,
  {
    body = {},
    isIdempotent = true,
    headers = {},
  }: { body?: object; isIdempotent?: boolean; headers?: Record<string, string> } = {},
): Scenario => {
  let webhook_id = '';
  const isRead = verb === 'listWebhooks';
  const scenario = requestScenario(ledger, {
    verb,
    isIdempotent,
    request: () =>
      isRead
        ? { method: 'GET', query: {} }
        : { body: verb === 'createWebhook' ? { url } : { webhook_id, ...body }, headers },
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
      receiver.reset();
      now = Date.parse(ledgerTime);
    },
    prepare: async (clean, table) => {
      webhookId = await createWebhook(clean, applicationId);
      const clock = () => new Date(ledgerTime);
      await openTestFeed(table, { applicationId, clock }).recordMany(3);
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
      expect([...new Set(receiver.sequences())].toSorted()).toEqual([1, 2, 3]);
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
