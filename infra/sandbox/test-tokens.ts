// Tokens without a browser's redirect, for callers who hold a platform's tokens themselves.

import * as z from 'zod/mini';
import type { Slot } from '#shared/platforms/slots.ts';
import { consentTo } from './authorization-pages.ts';
import { companiesOf } from './companies.ts';
import { TestTokenFailure } from './failures.ts';
import type { Reply, Request } from './http-messages.ts';
import type { OAuthOptions } from './oauth.ts';

const Choice = z.strictObject({
  company_id: z.optional(z.string()),
  failure: z._default(TestTokenFailure, 'none'),
});

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text || '{}');
  } catch {
    return undefined;
  }
};

export const createTestTokens = ({
  consents,
  dialects,
}: Pick<OAuthOptions, 'consents' | 'dialects'>) => {
  /** The fields of a request that creates a tenant; `undefined` for an invalid choice. */
  const issueTokens = (slot: Slot, body: unknown) => {
    const choice = Choice.safeParse(body).data;
    const dialect = dialects[slot];
    const companies = companiesOf[slot];
    const company = companies.find(({ id }) => id === (choice?.company_id ?? companies[0]?.id));
    const terms = company && consentTo([company], { slot, dialect });
    if (!choice || !company || !terms) return undefined;
    const { failure } = choice;
    const { scopes, companyIdOf, callbackParameters } = dialect;
    // The callback of a platform with several data centers names one.
    const { location } = callbackParameters(company);
    const request = { redirectUri: '', codeChallenge: null, codeVerifier: null };
    const code = consents.record({ slot, ...terms, failure, scope: scopes.join(' ') }, request);
    const consent = consents.findByCode(slot, code);
    return {
      ...(consent && consents.redeemCode(consent, request)),
      platform_company_id: companyIdOf(company),
      ...(location !== undefined && { data_center: location }),
      // The contract requires both for a tenant of platform_c.
      ...(slot === 'platform_c' && { company_name: company.name, currency: company.currency }),
    };
  };

  /** JSON `{company_id?, failure?}`. The defaults are the first company and no failure. */
  return ({ slot, body }: Request): Reply => {
    const tokens = issueTokens(slot, parseJson(body));
    if (tokens) return { status: 200, json: tokens };
    const description = 'Send JSON. company_id and failure are optional and must exist.';
    return { status: 400, json: { error: 'invalid_request', error_description: description } };
  };
};
