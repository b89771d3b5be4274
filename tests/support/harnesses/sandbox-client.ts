// A client of the sandbox, with a clock that a test moves.

import { localDialects as dialects } from '#infra/sandbox/dialects.ts';
import type { SandboxPlatformOptions } from '#infra/sandbox/server.ts';
import { basicAuthorization } from '#shared/platforms/oauth.ts';
import type { Slot } from '#shared/platforms/slots.ts';
import {
  bySlot,
  type ConsentChoice,
  giveConsent,
  sandboxClients,
  startSandboxPlatform,
} from '../servers/sandbox.ts';

type Form = Record<string, string>;
type Reply = { status: number; body: Record<string, string> };
export type TokenFields = { access_token: string; refresh_token: string };

export const redirectUri = 'http://localhost:3001/callback?from=<b>"here"</b>';

/** An address for each platform that lists the companies of an access token. */
const companyLists: Record<Slot, string> = {
  platform_a: 'api.xero.com/connections',
  platform_b: 'quickbooks.api.intuit.com/v3/company/0/preferences',
  platform_c: 'www.zohoapis.eu/books/v3/organizations',
};

/** Hosts in Zoho's data center for Europe, and the only ones of the other platforms. */
const endpoint = (slot: Slot, name: 'authorize' | 'token'): string => {
  const addresses = dialects[slot].endpoints[name];
  return addresses.find((address) => address.startsWith('accounts.zoho.eu')) ?? addresses[0] ?? '';
};

export const basicOf = (slot: Slot): string => {
  const { client_id: clientId, client_secret: clientSecret } = sandboxClients[slot];
  return basicAuthorization({ clientId, clientSecret });
};

const post = async (url: string, body: string | URLSearchParams, authorization = '') => {
  const headers = { Authorization: authorization };
  const reply = await fetch(url, { method: 'POST', headers, body });
  return { status: reply.status, body: (await reply.json()) as Record<string, string> };
};

export const openSandboxClient = async (options: Partial<SandboxPlatformOptions> = {}) => {
  let now = Date.parse('2026-03-23T09:30:00Z');
  const clock = () => new Date(now);
  const sandbox = await startSandboxPlatform({ clients: sandboxClients, clock, ...options });
  const urlOf = (slot: Slot, name: Parameters<typeof endpoint>[1]): string =>
    `${sandbox.baseUrl(slot)}/${endpoint(slot, name)}`;

  /** Authenticates as the platform's client: at Zoho in the form, elsewhere in the header. */
  const token = (slot: Slot, form: Form, authorization = basicOf(slot)): Promise<Reply> => {
    const credentials = slot === 'platform_c' ? sandboxClients[slot] : {};
    return post(
      urlOf(slot, 'token'),
      new URLSearchParams({ ...credentials, ...form }),
      authorization,
    );
  };

  const authorizeUrl = (slot: Slot, changes: Record<string, string | undefined> = {}): string => {
    const { scopes, scopeSeparator } = dialects[slot];
    const query = {
      response_type: 'code',
      client_id: sandboxClients[slot].client_id,
      redirect_uri: redirectUri,
      scope: scopes.join(scopeSeparator),
      state: 'the state',
      ...changes,
    };
    const present = Object.entries(query).filter(
      (it): it is [string, string] => it[1] !== undefined,
    );
    return `${urlOf(slot, 'authorize')}?${new URLSearchParams(present)}`;
  };

  const consentToCode = async (slot: Slot, choice: ConsentChoice = {}, changes = {}) => {
    const { searchParams } = await giveConsent(authorizeUrl(slot, changes), choice);
    return searchParams.get('code') ?? '';
  };
  const redeem = (slot: Slot, code: string, changes: Form = {}): Promise<Reply> =>
    token(slot, { grant_type: 'authorization_code', code, redirect_uri: redirectUri, ...changes });
  const companyOf = bySlot((slot) => (slot === 'platform_c' ? 'fjord-fish' : ''));

  return {
    ...sandbox,
    advance: (seconds: number): void => {
      now += seconds * 1000;
    },
    authorizeUrl,
    token,
    consentToCode,
    redeem,
    /** The tokens of a consent. */
    connect: async (slot: Slot, choice: ConsentChoice = {}) =>
      (await redeem(slot, await consentToCode(slot, choice))).body as TokenFields,
    refresh: (slot: Slot, { refresh_token }: TokenFields): Promise<Reply> =>
      token(slot, { grant_type: 'refresh_token', refresh_token }),
    testTokens: async (slot: Slot, choice: Form = {}): Promise<TokenFields & Form> => {
      const url = `${sandbox.baseUrl(slot)}/test-tokens`;
      const company_id = companyOf[slot];
      const body = JSON.stringify({ ...(company_id && { company_id }), ...choice });
      return (await post(url, body)).body as TokenFields & Form;
    },
    /** The status of a call with a token, or with a whole Authorization header. */
    statusOf: async (slot: Slot, by: TokenFields | string): Promise<number> => {
      const { tokenScheme } = dialects[slot];
      const Authorization = typeof by === 'string' ? by : `${tokenScheme} ${by.access_token}`;
      const url = `${sandbox.baseUrl(slot)}/${companyLists[slot]}`;
      const reply = await fetch(url, { headers: { Authorization } });
      await reply.text();
      return reply.status;
    },
  };
};
