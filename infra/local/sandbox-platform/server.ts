// An accounting platform that stands in for the real ones: consent pages, OAuth 2.0, companies with
// charts of accounts, and failures on demand. It serves each slot as a platform of its own.

import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { PlatformClients } from '#shared/platforms/registry.ts';
import { slotNames } from '#shared/platforms/slots.ts';
import { readBody } from '../http-server.ts';
import { createApi } from './api.ts';
import { createDirect } from './direct.ts';
import { createFailCall, serverError } from './failures.ts';
import { createOAuth } from './oauth.ts';
import { contentSecurityPolicy, indexPage, problemPage } from './pages.ts';
import type { Reply, Request } from './replies.ts';
import { openGrants } from './state.ts';

export type SandboxPlatformOptions = {
  /** What each slot's platform expects its client to authenticate with. */
  clients: Required<PlatformClients>;
  /** Where grants outlive the process; without it they do not. */
  stateFile?: string | undefined;
  clock?: () => Date;
  /** How long a refresh token still works once it has been replaced. */
  refreshGraceSeconds?: number;
  /** How late a slow reply comes: later than any client should wait. */
  slowMilliseconds?: number;
};

const mostBytes = 64 * 1024;

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

const lost: Reply = {
  status: 404,
  page: problemPage('There is nothing here', 'The sandbox platform has no such page.'),
};

const routesOf = ({
  oauth,
  direct,
  api,
}: {
  oauth: ReturnType<typeof createOAuth>;
  direct: ReturnType<typeof createDirect>;
  api: ReturnType<typeof createApi>;
}) => {
  const fixed = new Map<string, Route>([
    ['GET /oauth/authorize', oauth.authorize],
    ['POST /oauth/consent', oauth.consent],
    ['POST /oauth/token', oauth.token],
    ['GET /oauth/direct', direct.show],
    ['POST /oauth/direct', direct.submit],
    ['POST /test-grants', direct.testGrant],
    ['GET /api/connections', api.connections],
  ]);
  return (methodAndPath: string): Route | undefined => {
    const match = /^GET \/api\/companies\/([^/]+)(\/accounts)?$/.exec(methodAndPath);
    if (match?.[1] === undefined) return fixed.get(methodAndPath);
    const [, companyId, accounts] = match;
    return (request) => api[accounts ? 'accounts' : 'company'](request, companyId);
  };
};

/** The platform without a port, to be served beside something else; `stop` ends slow replies. */
export const createSandboxPlatform = (
  options: SandboxPlatformOptions,
): { listener: RequestListener; stop: () => void } => {
  const { clients, clock = () => new Date(), stateFile } = options;
  const { refreshGraceSeconds = 30, slowMilliseconds = 12_000 } = options;
  const stopping = new AbortController();
  const grants = openGrants({ clock, refreshGraceSeconds, stateFile });
  const failCall = createFailCall({ slowMilliseconds, stopping: stopping.signal });
  const findRoute = routesOf({
    oauth: createOAuth({ grants, clients, failCall, clock }),
    direct: createDirect({ grants }),
    api: createApi({ grants, failCall }),
  });

  const answer = async (message: IncomingMessage): Promise<Reply> => {
    const { method, headers } = message;
    const body = await readBody(message, mostBytes);
    if (body === undefined) return { status: 413, json: { error: 'invalid_request' } };
    const { pathname, searchParams: query } = new URL(`http://sandbox${message.url}`);
    if (method === 'GET' && pathname === '/') return { status: 200, page: indexPage() };
    const slot = slotNames.find((name) => pathname.startsWith(`/${name}/`));
    if (slot === undefined) return lost;
    const route = findRoute(`${method} ${pathname.slice(slot.length + 1)}`);
    return route?.({ slot, query, headers, body: body.toString() }) ?? lost;
  };

  return {
    listener: async (message, response) => {
      try {
        send(response, await answer(message));
      } catch (error) {
        // A slow reply that the end of the platform broke off is no fault of it.
        if (stopping.signal.aborted) return response.destroy();
        console.error('the sandbox platform failed:', error);
        send(response, serverError);
      }
    },
    stop: () => stopping.abort(),
  };
};
