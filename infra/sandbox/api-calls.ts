// Calls of a platform's API: whose they are, whether there are too many, what was chosen to go
// wrong, and the dialect's answer.

import { setTimeout as pause } from 'node:timers/promises';
import type { Slot } from '#shared/platforms/slots.ts';
import { companiesOf } from './companies.ts';
import type { Connection, Dialect } from './dialects/dialect.ts';
import { pageFailureInjectorOf } from './failure-injection.ts';
import type { Grant } from './grants.ts';
import type { Reply, Request } from './http-messages.ts';
import type { OAuthOptions } from './oauth.ts';

const notFound: Reply = { status: 404, json: { error: 'not_found' } };

const withHeaders = (reply: Reply, headers: Record<string, string>): Reply =>
  'json' in reply ? { ...reply, headers: { ...headers, ...reply.headers } } : reply;

export type ApiCallOptions = OAuthOptions & {
  /** How long a call takes at the least, so that calls at the same time are under way together. */
  callMilliseconds: number;
  slowMilliseconds: number;
  stopping: AbortSignal;
};

export const createApiCalls = (options: ApiCallOptions) => {
  const { grants, dialects, injectCallFailure, limiter, openId } = options;
  const { callMilliseconds, slowMilliseconds, stopping: signal } = options;

  const findGrant = (slot: Slot, header = '') => {
    const [scheme, token, ...rest] = header.split(' ');
    const isMeant = scheme?.toLowerCase() === dialects[slot].tokenScheme.toLowerCase();
    if (!isMeant || token === undefined || rest.length > 0) return undefined;
    return grants.findByAccessToken(slot, token);
  };

  /** A token is good for what its consent is for, or for all that its user has connected so far. */
  const connectionsOf = (grant: Grant, { consentTo }: Dialect): Connection[] => {
    const { slot, id, companyIds } = grant;
    const consents =
      consentTo === 'several'
        ? grants.connectionsOfUser(grant)
        : new Map(companyIds.map((companyId) => [companyId, { id }]));
    return companiesOf[slot].flatMap((company) => {
      const consent = consents.get(company.id);
      return consent ? [{ company, consentId: consent.id }] : [];
    });
  };

  const answer = async (
    { method, host, path, query, headers, body }: Request,
    about: { grant: Grant; dialect: Dialect; connections: Connection[]; named: Connection },
  ): Promise<Reply> => {
    const { grant, dialect, connections, named } = about;
    const { failure, user } = grant;
    const failed = await injectCallFailure(dialect, failure);
    if (failed) return failed;
    const page = pageFailureInjectorOf(dialect, {
      failure,
      takeOneTimeFailure: () => grants.takeOneTimeFailure(grant),
    });
    const reply = dialect.api({
      ...{ method, host, path, query, headers, body },
      connections,
      user,
      company: named.company,
      injectFailure: page.inject,
      repeatsPages: failure === 'pages_repeat',
      orderIgnoresPages: failure === 'order_ignores_pages',
      disconnect: ({ id }) => grants.disconnect(grant, id),
    });
    if (page.isTooLarge()) await pause(slowMilliseconds, undefined, { signal });
    return reply ?? notFound;
  };

  /** Answers about a company of the access token's grant, or about its user. */
  return async (request: Request): Promise<Reply> => {
    const { slot, host, path, headers } = request;
    const dialect = dialects[slot];
    const isOpen = openId.answer(request, dialect);
    if (isOpen) return isOpen;
    const grant = findGrant(slot, headers.authorization);
    if (grant === undefined) return dialect.unauthorized;
    if (openId.isUserInfo(dialect, host + path)) return openId.userInfo(grant.user);
    const connections = connectionsOf(grant, dialect);
    const companyId = dialect.companyIdIn(request);
    const isNamed = ({ company }: Connection) => dialect.companyIdOf(company) === companyId;
    const found = connections.find(isNamed);
    const named = found ?? connections[0];
    if (named === undefined) return dialect.unauthorized;
    const organization = found?.company.id;
    const entered = limiter.enter({ limits: dialect.limits, platform: slot, organization });
    if ('refusal' in entered) {
      const { limit, retryAfterSeconds } = entered.refusal;
      return dialect.tooManyRequests(limit, retryAfterSeconds);
    }
    try {
      if (callMilliseconds > 0) await pause(callMilliseconds, undefined, { signal });
      const reply = await answer(request, { grant, dialect, connections, named });
      return withHeaders(reply, dialect.limitHeaders(entered.allowance));
    } finally {
      entered.leave();
    }
  };
};
