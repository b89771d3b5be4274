// Calls of a platform's API: whose they are, what was chosen to go wrong, and the dialect's answer.

import type { Slot } from '#shared/platforms/slots.ts';
import { companiesOf } from './companies.ts';
import type { Dialect } from './dialects/dialect.ts';
import { type CallFailureInjector, pageFailureInjectorOf } from './failure-injection.ts';
import type { Grants } from './grants.ts';
import type { Reply, Request } from './http-messages.ts';

const notFound: Reply = { status: 404, json: { error: 'not_found' } };

export const createApiCalls = ({
  grants,
  dialects,
  injectCallFailure,
}: {
  grants: Grants;
  dialects: Readonly<Record<Slot, Dialect>>;
  injectCallFailure: CallFailureInjector;
}) => {
  const findGrant = (slot: Slot, header = '') => {
    const [scheme, token, ...rest] = header.split(' ');
    const isMeant = scheme?.toLowerCase() === dialects[slot].tokenScheme.toLowerCase();
    if (!isMeant || token === undefined || rest.length > 0) return undefined;
    return grants.findByAccessToken(slot, token);
  };

  /** Answers for the company of the access token's grant. */
  return async (request: Request): Promise<Reply> => {
    const { slot, method, host, path, query, headers, body } = request;
    const dialect = dialects[slot];
    const grant = findGrant(slot, headers.authorization);
    const company = companiesOf[slot].find(({ id }) => id === grant?.companyId);
    if (grant === undefined || company === undefined) return dialect.unauthorized;
    const { failure } = grant;
    const failed = await injectCallFailure(dialect, failure);
    if (failed) return failed;
    const reply = dialect.api({
      method,
      host,
      path,
      query,
      headers,
      body,
      company,
      injectFailure: pageFailureInjectorOf(dialect, {
        failure,
        takeOneTimeFailure: () => grants.takeOneTimeFailure(grant),
      }),
      repeatsPages: failure === 'pages_repeat',
      endGrant: () => grants.end(grant),
    });
    return reply ?? notFound;
  };
};
