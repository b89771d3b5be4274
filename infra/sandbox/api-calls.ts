// Calls of a platform's API: finds the consent, enforces the limits, fails as the user chose, and
// lets the dialect answer.

import { setTimeout as pause } from 'node:timers/promises';
import type { Slot } from '#shared/platforms/slots.ts';
import { companiesOf } from './companies.ts';
import type { Consent } from './consents.ts';
import type { DemoCompany } from './demo-company.ts';
import type { ApiCall } from './dialects/dialect.ts';
import { failPage } from './failures.ts';
import { Refusal, type Reply, type Request, withHeaders, withRetryAfter } from './http-messages.ts';
import type { OAuthOptions } from './oauth.ts';

const notFound: Reply = { status: 404, json: { error: 'not_found' } };

export type ApiCallOptions = OAuthOptions & {
  /** The minimum duration of a call. With 0, no two calls would ever be concurrent. */
  callMilliseconds: number;
  signal: AbortSignal;
};

export const createApiCalls = (options: ApiCallOptions) => {
  const { consents, dialects, failCall, limiter, openId, callMilliseconds, signal } = options;

  const findConsent = (slot: Slot, header = ''): Consent | undefined => {
    const [scheme, token, ...rest] = header.split(' ');
    const isExpected = scheme?.toLowerCase() === dialects[slot].tokenScheme.toLowerCase();
    if (!isExpected || token === undefined || rest.length > 0) return undefined;
    return consents.findByToken(slot, { token, kinds: ['accessTokens'] });
  };

  const answer = async (
    { slot, ...request }: Request,
    about: Pick<ApiCall, 'companies' | 'company'> & { consent: Consent },
  ): Promise<Reply> => {
    const dialect = dialects[slot];
    const { consent, companies, company } = about;
    const { id: consentId, user, failure, scope } = consent;
    const takeOneTimeFailure = () => consents.takeOneTimeFailure(consent);
    try {
      await failCall(dialect, failure);
      const call: ApiCall = {
        ...request,
        consentId,
        user,
        scopes: scope.split(' '),
        failure,
        companies,
        company,
        failPage: (page) => failPage(page, { dialect, failure, takeOneTimeFailure }),
        disconnect: ({ id }) => consents.disconnect(consent, id),
      };
      return dialect.api(call) ?? notFound;
    } catch (error) {
      if (error instanceof Refusal) return error.reply;
      throw error;
    }
  };

  return async (request: Request): Promise<Reply> => {
    const { slot, headers } = request;
    const dialect = dialects[slot];
    const publicReply = openId.answer(request, dialect);
    if (publicReply) return publicReply;
    const consent = findConsent(slot, headers.authorization);
    const isCovered = ({ id }: DemoCompany) => consent?.companyIds.includes(id);
    const [first, ...others] = companiesOf[slot].filter(isCovered);
    if (consent === undefined || first === undefined) return dialect.unauthorized();
    const companies = [first, ...others] as const;
    const companyId = dialect.companyIdIn(request);
    const company = companies.find((one) => dialect.companyIdOf(one) === companyId);
    if (company === undefined) return answer(request, { consent, companies, company });
    const entered = limiter.enter(`${slot} ${company.id}`, dialect.limits);
    if ('refusal' in entered) {
      const { limit, retryAfterSeconds } = entered.refusal;
      return withRetryAfter(dialect.tooManyRequests(limit), retryAfterSeconds);
    }
    try {
      if (callMilliseconds > 0) await pause(callMilliseconds, undefined, { signal });
      const reply = await answer(request, { consent, companies, company });
      return withHeaders(reply, (entered.day && dialect.limitHeaders?.(entered.day)) ?? {});
    } finally {
      entered.leave();
    }
  };
};
