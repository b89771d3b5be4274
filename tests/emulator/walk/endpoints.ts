// Every endpoint of the manifest with its documented examples, with and without the last slash.

import assert from 'node:assert/strict';
import type { EndpointSchema } from '#infra/docs/operations.ts';
import { functionsOfKind } from '#infra/manifest/manifest.ts';
import { exampleCancelled } from '#shared/entries/journal-entry-example.view.ts';
import { exampleWebhook } from '#shared/events/webhook.view.ts';
import { addDays, dateOf } from '#shared/money/dates.ts';
import { type Slot, slotNames } from '#shared/platforms/slots.ts';
import { ada, dollarEntry, manualTenant } from '../../support/builders/requests.ts';
import type { Emulator } from '../emulator.ts';
import type { Report } from '../report.ts';
import { call, dataOf } from './calls.ts';
import { connect } from './connections.ts';
import type { Deployed } from './deployed.ts';

type Shown = Record<string, unknown>;

export type Endpoint = { method: 'GET' | 'POST'; path: string; schema: EndpointSchema };

const prefix = '/external/v1/';
const [firstSlot, secondSlot, thirdSlot] = slotNames;

/** The endpoints, with a platform's name in their paths; without the last slash. */
export const readEndpoints = ({ settings }: Emulator): Promise<Endpoint[]> =>
  Promise.all(
    functionsOfKind('api').map(async ({ name, trigger: { method, path } }) => ({
      method,
      path: path.slice(prefix.length).replace('{platform}', settings.platforms[firstSlot].name),
      schema: (await import(`../../../functions/${name}/schema.ts`)) as EndpointSchema,
    })),
  );

/** The user, the tenants and the webhook of the examples. */
type Cast = {
  user_id: string;
  /** Another user, whom an example erases. */
  leaving: string;
  manual: string;
  connected: string;
  /** A connected tenant that no example disconnects. */
  compared: string;
  webhook_id: string;
  /** The connection that waits for its confirmation. */
  unconfirmed: Awaited<ReturnType<typeof connect>>;
};

/** A tenant with a connection, by tokens that the application holds. */
const connectTenant = async (
  { outside, settings }: Emulator,
  { deployed, user_id, slot }: { deployed: Deployed; user_id: string; slot: Slot },
): Promise<string> => {
  const platform = settings.platforms[slot].name;
  const tokens = await outside.grant(slot);
  const body = { user_id, platform, cash_flow_method: 'direct', ...tokens };
  return dataOf(await call(deployed, 'tenants/create/', { body })).tenant_domain_url;
};

/** Schedules the entry that is cancelled in an example. */
const scheduleShown = async (deployed: Deployed, domain_url: string): Promise<void> => {
  const { external_id } = exampleCancelled;
  const accrual_date = addDays(dateOf(new Date()), 30);
  const body = { ...dollarEntry, domain_url, external_id, accrual_date };
  dataOf(await call(deployed, 'journal_entries/create/', { body }));
};

const createWebhook = async (deployed: Deployed): Promise<string> => {
  const body = { url: exampleWebhook.url };
  return dataOf(await call(deployed, 'webhooks/create/', { body })).webhook_id;
};

const assembleCast = async (emulator: Emulator, deployed: Deployed): Promise<Cast> => {
  const ensure = (body: typeof ada) => call(deployed, 'users/ensure/', { body });
  const { user_id } = dataOf(await ensure(ada));
  const leaving = dataOf(await ensure({ ...ada, email: 'leaving@example.com' })).user_id;
  const body = { ...manualTenant, user_id };
  const manual = dataOf(await call(deployed, 'tenants/create/', { body })).tenant_domain_url;
  const connected = await connectTenant(emulator, { deployed, user_id, slot: firstSlot });
  const compared = await connectTenant(emulator, { deployed, user_id, slot: thirdSlot });
  await scheduleShown(deployed, manual);
  const unconfirmed = await connect(emulator, { deployed, slot: secondSlot, toConfirm: true });
  const webhook_id = await createWebhook(deployed);
  return { user_id, leaving, manual, connected, compared, webhook_id, unconfirmed };
};

/** A documented request, with the names of real users and tenants. */
const requestOf = async (
  { outside, settings }: Emulator,
  { request, data }: { request: unknown; data: unknown },
  { user_id, manual, connected, webhook_id, unconfirmed }: Cast,
): Promise<Shown> => {
  const platforms: string[] = Object.values(settings.platforms).map(({ name }) => name);
  const { platform } = data as { platform?: string };
  const isConnected = platform !== undefined && platforms.includes(platform);
  const there = {
    ...(await outside.grant(firstSlot)),
    user_id,
    webhook_id,
    domain_url: isConnected ? connected : manual,
    ...('confirmation_code' in (request as Shown) && unconfirmed),
  };
  const shown = request as Shown;
  const fields = Object.entries(there).filter(([field]) => field in shown);
  return { ...shown, ...Object.fromEntries(fields) };
};

const checkEndpoint = async (
  emulator: Emulator,
  { method, path, schema }: Endpoint,
  { deployed, cast }: { deployed: Deployed; cast: Cast },
): Promise<void> => {
  for (const example of schema.documentation.examples) {
    for (const form of [path, `${path}/`]) {
      const user_id = path === 'users/erase' ? cast.leaving : cast.user_id;
      const webhook_id =
        path === 'webhooks/delete' ? await createWebhook(deployed) : cast.webhook_id;
      const manual = path === 'tenants/balances' ? cast.compared : cast.manual;
      const sent = await requestOf(emulator, example, { ...cast, user_id, webhook_id, manual });
      const query = new URLSearchParams(sent as Record<string, string>);
      const reply = await (method === 'GET'
        ? call(deployed, `${form}?${query}`)
        : call(deployed, form, { body: sent }));
      const fields = Object.keys(dataOf(reply)).sort();
      assert.deepEqual(fields, Object.keys(example.data as Shown).sort(), example.name);
    }
  }
};

export const walkEndpoints = async (
  emulator: Emulator,
  { deployed, report }: { deployed: Deployed; report: Report },
): Promise<void> => {
  report.heading('Endpoints');
  const cast = await report.step('a user, a tenant kept by hand and a connected one', () =>
    assembleCast(emulator, deployed),
  );
  for (const endpoint of await readEndpoints(emulator)) {
    const { method, path, schema } = endpoint;
    const count = schema.documentation.examples.length;
    const title = `${method} ${path}[/]: ${count} example${count === 1 ? '' : 's'}`;
    await report.check(title, () => checkEndpoint(emulator, endpoint, { deployed, cast }));
  }
};
