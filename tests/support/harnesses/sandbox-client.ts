// A client of the sandbox in the plain dialects, by slot, with a clock that a test moves.

import type { SandboxPlatformOptions } from '#infra/sandbox/server.ts';
import { basicAuthorization } from '#shared/platforms/http.ts';
import type { Slot } from '#shared/platforms/slots.ts';
import { apiHost, plainDialects } from '../servers/plain-dialect.ts';
import {
  type ConsentChoice,
  giveConsent,
  sandboxClients,
  startSandboxPlatform,
} from '../servers/sandbox.ts';

type Form = Record<string, string>;
type Reply = { status: number; body: Record<string, string> };
export type TokenFields = { access_token: string; refresh_token: string };

export const redirectUri = 'http://localhost:3001/callback?from=<b>"here"</b>';

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
  const start = Date.parse('2026-03-23T09:30:00Z');
  let now = start;
  const clock = () => new Date(now);
  const common = { clients: sandboxClients, dialects: plainDialects, clock };
  const sandbox = await startSandboxPlatform({ ...common, ...options });

  const endpoint = (slot: Slot, name: 'authorize' | 'token' | 'revoke'): string =>
    `${sandbox.baseUrl(slot)}/${plainDialects[slot].endpoints[name][0]}`;

  /** Sends the client's credentials where the platform wants them, and always in a header. */
  const token = (slot: Slot, form: Form, authorization = basicOf(slot)): Promise<Reply> =>
    post(
      endpoint(slot, 'token'),
      new URLSearchParams({
        ...(plainDialects[slot].takesQueryParameters && sandboxClients[slot]),
        ...form,
      }),
      authorization,
    );

  const authorizeUrl = (slot: Slot, changes: Record<string, string | undefined> = {}): string => {
    const query = {
      response_type: 'code',
      client_id: sandboxClients[slot].client_id,
      redirect_uri: redirectUri,
      scope: plainDialects[slot].scopes.join(plainDialects[slot].scopeSeparator),
      state: 'the state',
      ...changes,
    };
    const given = Object.entries(query).filter((it): it is [string, string] => it[1] !== undefined);
    return `${endpoint(slot, 'authorize')}?${new URLSearchParams(given)}`;
  };

  const consentToCode = async (slot: Slot, choice: ConsentChoice = {}, changes = {}) => {
    const { searchParams } = await giveConsent(authorizeUrl(slot, changes), choice);
    return searchParams.get('code') ?? '';
  };
  const redeem = (slot: Slot, code: string, changes: Form = {}): Promise<Reply> =>
    token(slot, { grant_type: 'authorization_code', code, redirect_uri: redirectUri, ...changes });

  return {
    ...sandbox,
    /** For a test to begin at. */
    resetClock: (): void => {
      now = start;
    },
    advance: (seconds: number): void => {
      now += seconds * 1000;
    },
    authorizeUrl,
    token,
    consentToCode,
    redeem,
    /** What a code is traded for. */
    connect: async (slot: Slot, choice: ConsentChoice = {}) =>
      (await redeem(slot, await consentToCode(slot, choice))).body as TokenFields,
    refresh: (slot: Slot, { refresh_token }: TokenFields): Promise<Reply> =>
      token(slot, { grant_type: 'refresh_token', refresh_token }),
    revoke: async (slot: Slot, body: string | URLSearchParams, authorization = basicOf(slot)) =>
      (await post(endpoint(slot, 'revoke'), body, authorization)).status,
    makeGrant: async (slot: Slot, choice: Form = {}): Promise<TokenFields> => {
      const { body } = await post(`${sandbox.baseUrl(slot)}/test-grants`, JSON.stringify(choice));
      return body as TokenFields;
    },
    /** Calls the API with a token, or with a whole header. */
    callApi: async (
      slot: Slot,
      by: TokenFields | string,
      { path = '/company', method = 'GET' } = {},
    ): Promise<[status: number, body: unknown]> => {
      const { tokenScheme } = plainDialects[slot];
      const Authorization = typeof by === 'string' ? by : `${tokenScheme} ${by.access_token}`;
      const url = `${sandbox.baseUrl(slot)}/${apiHost}${path}`;
      const reply = await fetch(url, { method, headers: { Authorization } });
      return [reply.status, await reply.json()];
    },
  };
};
