// The measured operations: their requests, and how their bare calls vary.

import { randomBytes } from 'node:crypto';
import { defaultChart } from '#shared/accounts/default-chart.ts';
import { laterDate } from '../support/builders/far-dates.ts';
import { authorizerEvent } from '../support/events/lambda-events.ts';
import type { Renewal } from './bare-calls.ts';
import { type BenchApplication, type Call, functionsOf } from './functions.ts';
import {
  digitsOf,
  entryBody,
  entryRenewal,
  externalIdOf,
  tenantBody,
  userBody,
} from './requests.ts';

export type Operation = {
  title: string;
  call: Call;
  /** The event of the nth call, counted from one. */
  event: (place: number) => object;
  /** Adapts the recorded commands to the nth bare calls. */
  renewal: (place: number) => Renewal;
  /** Takes fewer samples. */
  slow?: true;
};

const unchanged = (): Renewal => ({ text: (text) => text });

/** Numbers from here on are for bare calls, so that they never write an existing item. */
const bareFrom = 50_000_000;

const postings = async (application: BenchApplication, userId: string): Promise<Operation[]> => {
  const posting = async (title: string, options: Parameters<typeof entryBody>[1] = {}) => {
    const from = await application.createTenant(userId, `${title} A`);
    const to = await application.createTenant(userId, `${title} B`);
    const withExternalId = options.externalId !== undefined;
    const event = (prefix: string, place: number) =>
      application.event({
        body: entryBody(prefix, {
          ...options,
          ...(withExternalId && { externalId: externalIdOf(place) }),
        }),
      });
    // The bare calls continue after this entry.
    await functionsOf.createEntry(event(to.prefix, 1));
    return {
      title,
      call: functionsOf.createEntry,
      event: (place: number) => event(from.prefix, place),
      renewal: (place: number) => entryRenewal({ from, to }, place + 1),
    };
  };
  const codes = defaultChart.map(({ code }) => code);
  const tenant = await application.createTenant(userId, 'Replays');
  const replay = application.event({ body: entryBody(tenant.prefix, { externalId: 'once' }) });
  return [
    await posting('post an entry of two lines'),
    await posting('post with external_id', { externalId: externalIdOf(0) }),
    await posting('schedule an entry', { accrualDate: laterDate('12-31') }),
    { ...(await posting('post an entry of 500 lines', { lines: 500, codes })), slow: true },
    {
      title: 'replay an entry',
      call: functionsOf.createEntry,
      event: () => replay,
      renewal: unchanged,
    },
  ];
};

/** Creates the users and tenants, and returns all operations. */
export const openOperations = async (
  application: BenchApplication,
  apiKey: string,
): Promise<Operation[]> => {
  const userId = await application.createUser('ada@example.com');
  const ensure = (email: string) => application.event({ body: userBody(email) });
  const owner = await application.createUser('two@example.com');
  for (const name of ['Profile One', 'Profile Two']) await application.createTenant(owner, name);
  return [
    {
      title: 'authorize a key',
      call: functionsOf.authorize,
      event: () => authorizerEvent(apiKey),
      renewal: unchanged,
    },
    {
      title: 'ensure an existing user',
      call: functionsOf.ensureUser,
      event: () => ensure('ada@example.com'),
      renewal: unchanged,
    },
    {
      title: 'ensure a new user',
      call: functionsOf.ensureUser,
      event: (place) => ensure(`user-${digitsOf(place)}@example.com`),
      renewal: (place) => ({
        text: (text) =>
          text
            .replace(/user-\d{8}@/, `user-${digitsOf(bareFrom + place)}@`)
            .replace(/^(.*#USERID#)?\d{9,16}$/, `$1${10 ** 15 + place}`),
      }),
      slow: true,
    },
    {
      title: 'profile with two tenants',
      call: functionsOf.getProfile,
      event: () => application.event({ body: { email: 'two@example.com' } }),
      renewal: unchanged,
    },
    {
      title: 'create a manual tenant',
      call: functionsOf.createTenant,
      event: (place) => application.event({ body: tenantBody(userId, `Bench ${digitsOf(place)}`) }),
      renewal: (place) => ({
        text: (text) => text.replace(/(bench[ _-])\d{8}/gi, `$1${digitsOf(bareFrom + place)}`),
      }),
      slow: true,
    },
    {
      title: 'initiate OAuth',
      call: functionsOf.initiateOauth,
      event: () =>
        application.event({
          method: 'GET',
          resource: '/external/v1/oauth/{platform}/initiate',
          pathParameters: { platform: 'platform_a' },
          query: { user_id: userId, cash_flow_method: 'indirect' },
        }),
      renewal: () => ({
        text: (text) => text.replace(/^STATE#.*/, `STATE#${randomBytes(32).toString('base64url')}`),
      }),
    },
    ...(await postings(application, userId)),
  ];
};
