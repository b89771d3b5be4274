// A local stand-in for the accounting platforms: consent pages, OAuth 2.0, companies with accounts
// and journals, and failures on demand. Each slot serves its platform's API below
// /<slot>/<the platform's host>/ and the sandbox's own pages directly below /<slot>/. An inbox for
// webhooks is below /inbox.

import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { PlatformClients } from '#shared/platforms/registry.ts';
import { type Slot, slotNames } from '#shared/platforms/slots.ts';
import { readBody } from '../http-server.ts';
import { type ApiCallOptions, createApiCalls } from './api-calls.ts';
import { createBookChanges } from './change-endpoint.ts';
import { createAuthorizationPages, createTestTokens } from './consent-endpoints.ts';
import { type Consent, newSecret, openConsents } from './consents.ts';
import { localDialects as dialects } from './dialects.ts';
import { createFailCall } from './failures.ts';
import { Refusal, type Reply, type Request } from './http-messages.ts';
import { openInbox } from './inbox.ts';
import { createLimiter } from './limits.ts';
import { createTokenEndpoints, holderOf } from './oauth.ts';
import { createOpenId } from './openid.ts';
import { contentSecurityPolicy } from './page-layout.ts';
import { indexPage, problemPage } from './pages.ts';

export type SandboxPlatformOptions = {
  /** The client credentials that each slot accepts. */
  clients: Required<PlatformClients>;
  /** The redirect URIs that each slot's client may name. Without this, it may name any. */
  redirectUris?: (slot: Slot) => readonly string[];
  /** Keeps the consents after a restart. Without it they are in memory only. */
  stateFile?: string | undefined;
  clock?: () => Date;
  /** The delay of a slow reply, longer than any client waits. */
  slowMilliseconds?: number;
  /** The secret of the webhook that sends to the inbox. */
  webhookSecret?: string | undefined;
  /** Whether the platforms' limits on calls and tokens apply. They do by default. */
  limits?: 'enforced' | 'off';
};

const maximumBytes = 64 * 1024;

/** Real platforms take longer. */
const enforcedCallMilliseconds = 20;

const commonHeaders = {
  'Cache-Control': 'no-store',
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
};

const send = (response: ServerResponse, reply: Reply): void => {
  if ('redirectTo' in reply) {
    response.writeHead(303, { ...commonHeaders, Location: reply.redirectTo }).end();
  } else if ('page' in reply) {
    const headers = {
      ...commonHeaders,
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Security-Policy': contentSecurityPolicy,
    };
    response.writeHead(reply.status, headers).end(reply.page);
  } else {
    const headers = { ...commonHeaders, 'Content-Type': 'application/json', ...reply.headers };
    response.writeHead(reply.status, headers).end(JSON.stringify(reply.json));
  }
};

type Route = (request: Request) => Reply | Promise<Reply>;

const pageNotFound: Reply = {
  status: 404,
  page: problemPage('Page not found', 'The sandbox has no such page.'),
};

/** Opaque tokens, or signed ones if the platform's access tokens have claims. */
const accessTokensFrom =
  ({ clients, openId, clock }: Pick<ApiCallOptions, 'clients' | 'openId' | 'clock'>) =>
  (consent: Consent, endsAt: number): string => {
    const claimsOf = dialects[consent.slot].openId?.accessTokenClaims;
    const holder = holderOf(consent, clients);
    if (!claimsOf || holder === undefined) return newSecret();
    const [nbf, exp] = [clock().getTime(), endsAt].map((moment) => Math.floor(moment / 1000));
    return openId.signToken({ nbf, exp, jti: newSecret(), ...claimsOf(holder) });
  };

const createRoutes = (options: ApiCallOptions) => {
  const { authorize, consent } = createAuthorizationPages(options);
  const { token, revoke } = createTokenEndpoints(options);
  const callApi = createApiCalls(options);
  const ownPages = new Map<string, Route>([
    ['POST /oauth/consent', consent],
    ['POST /test-tokens', createTestTokens(options)],
    ['POST /changes', createBookChanges(options)],
  ]);
  const endpoints = [
    { name: 'authorize', method: 'GET', route: authorize },
    { name: 'token', method: 'POST', route: token },
    { name: 'revoke', method: 'POST', route: revoke },
  ] as const;

  return ({ slot, method, host, path }: Request): Route | undefined => {
    if (host === '') return ownPages.get(`${method} ${path}`);
    const endpoint = endpoints.find(({ name }) =>
      dialects[slot].endpoints[name].includes(host + path),
    );
    if (endpoint === undefined) return callApi;
    return endpoint.method === method ? endpoint.route : undefined;
  };
};

/** A host contains a dot; the first part of an own page's path does not. */
const readPath = (pathname: string): Pick<Request, 'slot' | 'host' | 'path'> | undefined => {
  const slot = slotNames.find((name) => pathname.startsWith(`/${name}/`));
  if (slot === undefined) return undefined;
  const rest = pathname.slice(slot.length + 1);
  const [, host = '', path = rest] = /^\/([a-z0-9-]+(?:\.[a-z0-9-]+)+)(\/.*)$/.exec(rest) ?? [];
  return { slot, host, path };
};

/** Returns a listener, because other pages share the port. `stop` interrupts slow replies. */
export const createSandboxPlatform = (
  options: SandboxPlatformOptions,
): { listener: RequestListener; stop: () => void } => {
  const { clients, clock = () => new Date(), stateFile, redirectUris } = options;
  const { slowMilliseconds = 12_000, limits = 'enforced' } = options;
  const stopping = new AbortController();
  const { signal } = stopping;
  const openId = createOpenId({ clock });
  const newAccessToken = accessTokensFrom({ clients, openId, clock });
  const findRoute = createRoutes({
    consents: openConsents({ clock, dialects, newAccessToken, stateFile }),
    clients,
    dialects,
    clock,
    redirectUris,
    openId,
    failCall: createFailCall({ slowMilliseconds, signal }),
    limiter: createLimiter({ clock, mode: limits }),
    callMilliseconds: limits === 'enforced' ? enforcedCallMilliseconds : 0,
    signal,
  });

  const inbox = openInbox({ secret: options.webhookSecret, clock, signal });

  const answer = async (message: IncomingMessage): Promise<Reply> => {
    const { method = 'GET', headers } = message;
    const body = await readBody(message, maximumBytes);
    if (body === undefined) return { status: 413, json: { error: 'invalid_request' } };
    const { pathname, searchParams: query } = new URL(`http://sandbox${message.url}`);
    if (method === 'GET' && pathname === '/') return { status: 200, page: indexPage(dialects) };
    const ofInbox = { method, path: pathname, headers, body: body.toString() };
    const inboxReply = await inbox.answer(ofInbox);
    if (inboxReply !== undefined) return inboxReply;
    const address = readPath(pathname);
    if (address === undefined) return pageNotFound;
    const request = { ...address, method, query, headers, body: body.toString() };
    return (await findRoute(request)?.(request)) ?? pageNotFound;
  };

  const answerFailure = (error: unknown): Reply => {
    if (error instanceof Refusal) return error.reply;
    console.error('the sandbox failed:', error);
    return { status: 500, json: { error: 'server_error' } };
  };

  return {
    listener: async (message, response) => {
      try {
        send(response, await answer(message));
      } catch (error) {
        // Stopping the sandbox interrupts slow replies.
        if (signal.aborted) response.destroy();
        else send(response, answerFailure(error));
      }
    },
    stop: () => stopping.abort(),
  };
};
