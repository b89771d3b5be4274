// An accounting platform that stands in for the real ones: consent pages, OAuth 2.0, companies with
// charts of accounts and journals, and failures on demand. Each slot speaks its platform's dialect
// below /<slot>/<the platform's host>/; what is the sandbox's own is directly below /<slot>/.

import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { PlatformClients } from '#shared/platforms/registry.ts';
import { type Slot, slotNames } from '#shared/platforms/slots.ts';
import { readBody } from '../http-server.ts';
import { type ApiCallOptions, createApiCalls } from './api-calls.ts';
import { createConsents } from './consents.ts';
import type { Dialect } from './dialects/dialect.ts';
import { localDialects } from './dialects.ts';
import { createCallFailureInjector } from './failure-injection.ts';
import { type Grant, newSecret, openGrants, type TokenRules } from './grants.ts';
import type { Reply, Request } from './http-messages.ts';
import { createLimiter } from './limits.ts';
import { createTokens, holderOf, type OAuthOptions } from './oauth.ts';
import { createOpenId } from './openid.ts';
import { contentSecurityPolicy } from './page-layout.ts';
import { indexPage, problemPage } from './pages.ts';
import { createTestGrants } from './test-grants.ts';

export type SandboxPlatformOptions = {
  /** What each slot's platform expects its client to authenticate with. */
  clients: Required<PlatformClients>;
  dialects?: Readonly<Record<Slot, Dialect>>;
  /** The only redirect URIs that each slot's client may name; without it any will do. */
  redirectUris?: (slot: Slot) => readonly string[];
  /** Where grants outlive the process; without it they do not. */
  stateFile?: string | undefined;
  clock?: () => Date;
  /** Instead of each dialect's own, where that one replaces refresh tokens. */
  refreshGraceSeconds?: number;
  /** Instead of each dialect's own. */
  accessTokenSeconds?: number;
  /** How late a slow reply comes: later than any client should wait. */
  slowMilliseconds?: number;
  /** Whether the platforms' limits of calls and tokens hold; they do unless this says otherwise. */
  limits?: 'enforced' | 'off';
};

const maximumBytes = 64 * 1024;

/** Real platforms take longer. Without any, no two calls would ever be under way together. */
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
  page: problemPage('There is nothing here', 'The sandbox platform has no such page.'),
};

/** The dialect's rules, or what the sandbox was started with in their place. */
const rulesFrom =
  ({ dialects = localDialects, ...options }: SandboxPlatformOptions) =>
  (slot: Slot): TokenRules => {
    const rules = dialects[slot];
    const { accessTokenSeconds = rules.accessTokenSeconds } = options;
    const { refreshGraceSeconds = rules.rotationGraceSeconds } = options;
    const rotates = rules.rotationGraceSeconds !== null;
    const rotationGraceSeconds = rotates ? refreshGraceSeconds : null;
    return { ...rules, accessTokenSeconds, rotationGraceSeconds };
  };

/** Tokens that mean nothing to their holder, and at some platforms such that can be read. */
const accessTokensFrom =
  ({
    clients,
    dialects,
    openId,
    clock,
  }: Pick<OAuthOptions, 'clients' | 'dialects' | 'openId' | 'clock'>) =>
  (grant: Grant, endsAt: number): string => {
    const claimsOf = dialects[grant.slot].openId?.accessTokenClaims;
    const holder = holderOf(grant, clients);
    if (!claimsOf || holder === undefined) return newSecret();
    const [nbf, exp] = [clock().getTime(), endsAt].map((moment) => Math.floor(moment / 1000));
    return openId.signToken({ nbf, exp, jti: newSecret(), ...claimsOf(holder) });
  };

/** Finds what answers: a page of the sandbox's own, an endpoint of OAuth, or the platform's API. */
const openRoutes = (options: ApiCallOptions) => {
  const { authorize, consent } = createConsents(options);
  const { token, revoke } = createTokens(options);
  const testGrants = createTestGrants(options);
  const call = createApiCalls(options);
  const own = new Map<string, Route>([
    ['POST /oauth/consent', consent],
    ['GET /oauth/direct', testGrants.show],
    ['POST /oauth/direct', testGrants.submit],
    ['POST /test-grants', testGrants.create],
  ]);
  const endpoints = [
    { name: 'authorize', method: 'GET', route: authorize },
    { name: 'token', method: 'POST', route: token },
    { name: 'revoke', method: 'POST', route: revoke },
  ] as const;

  return ({ slot, method, host, path }: Request): Route | undefined => {
    if (host === '') return own.get(`${method} ${path}`);
    const endpoint = endpoints.find(({ name }) =>
      options.dialects[slot].endpoints[name].includes(host + path),
    );
    if (endpoint === undefined) return call;
    return endpoint.method === method ? endpoint.route : undefined;
  };
};

/** A host has a dot in it, which none of the sandbox's own pages has in its place. */
const readPath = (pathname: string): Pick<Request, 'slot' | 'host' | 'path'> | undefined => {
  const slot = slotNames.find((name) => pathname.startsWith(`/${name}/`));
  if (slot === undefined) return undefined;
  const rest = pathname.slice(slot.length + 1);
  const [, host = '', path = rest] = /^\/([a-z0-9-]+(?:\.[a-z0-9-]+)+)(\/.*)$/.exec(rest) ?? [];
  return { slot, host, path };
};

/** The platform without a port, to be served beside something else; `stop` ends slow replies. */
export const createSandboxPlatform = (
  options: SandboxPlatformOptions,
): { listener: RequestListener; stop: () => void } => {
  const { clients, clock = () => new Date(), stateFile, redirectUris } = options;
  const { dialects = localDialects, slowMilliseconds = 12_000, limits = 'enforced' } = options;
  const stopping = new AbortController();
  const { signal } = stopping;
  const openId = createOpenId({ clock });
  const grants = openGrants({
    clock,
    rulesOf: rulesFrom(options),
    newAccessToken: accessTokensFrom({ clients, dialects, openId, clock }),
    stateFile,
  });
  const findRoute = openRoutes({
    ...{ grants, clients, dialects, clock, redirectUris, openId, slowMilliseconds },
    injectCallFailure: createCallFailureInjector({ slowMilliseconds, stopping: signal }),
    limiter: createLimiter({ clock, mode: limits }),
    callMilliseconds: limits === 'enforced' ? enforcedCallMilliseconds : 0,
    stopping: signal,
  });

  const answer = async (message: IncomingMessage): Promise<Reply> => {
    const { method = 'GET', headers } = message;
    const body = await readBody(message, maximumBytes);
    if (body === undefined) return { status: 413, json: { error: 'invalid_request' } };
    const { pathname, searchParams: query } = new URL(`http://sandbox${message.url}`);
    if (method === 'GET' && pathname === '/') return { status: 200, page: indexPage(dialects) };
    const place = readPath(pathname);
    if (place === undefined) return pageNotFound;
    const request = { ...place, method, query, headers, body: body.toString() };
    return (await findRoute(request)?.(request)) ?? pageNotFound;
  };

  return {
    listener: async (message, response) => {
      try {
        send(response, await answer(message));
      } catch (error) {
        // A slow reply that the end of the platform broke off is no fault of it.
        if (stopping.signal.aborted) return response.destroy();
        console.error('the sandbox platform failed:', error);
        send(response, { status: 500, json: { error: 'server_error' } });
      }
    },
    stop: () => stopping.abort(),
  };
};
