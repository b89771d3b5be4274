// Grants without a browser's redirect, for callers who hold a platform's tokens themselves.

import * as z from 'zod/mini';
import type { Slot } from '#shared/platforms/slots.ts';
import { companiesOf } from './companies.ts';
import { consentFor } from './consents.ts';
import type { Dialect } from './dialects/dialect.ts';
import { TestGrantFailure } from './failure-injection.ts';
import type { Grants } from './grants.ts';
import type { Reply, Request } from './http-messages.ts';
import { problemPage, testGrantPage, tokensPage } from './pages.ts';

const Choice = z.strictObject({
  company_id: z.optional(z.string()),
  failure: z._default(TestGrantFailure, 'none'),
});

export const createTestGrants = ({
  grants,
  dialects,
}: {
  grants: Grants;
  dialects: Readonly<Record<Slot, Dialect>>;
}) => {
  /** The fields of a request that creates a tenant, or nothing for a choice that cannot be. */
  const issueTokens = (slot: Slot, wanted: unknown) => {
    const choice = Choice.safeParse(wanted).data;
    const companies = companiesOf[slot];
    const company = companies.find(({ id }) => id === (choice?.company_id ?? companies[0]?.id));
    if (choice === undefined || company === undefined) return undefined;
    const { failure } = choice;
    const dialect = dialects[slot];
    const { scopes, companyIdOf, callbackParameters } = dialect;
    const consented = consentFor([company], { slot, dialect, user: '' });
    if (consented === undefined) return undefined;
    const consent = { slot, ...consented, failure, scope: scopes.join(' ') };
    // What a callback would say of the data center, where the platform has several.
    const { location } = callbackParameters(company);
    return {
      ...grants.createTestGrant(consent),
      platform_company_id: companyIdOf(company),
      ...(location !== undefined && { data_center: location }),
      // The contract has every tenant of platform_c created with both.
      ...(slot === 'platform_c' && { company_name: company.name, currency: company.currency }),
    };
  };

  const parseJson = (text: string): unknown => {
    try {
      return JSON.parse(text || '{}');
    } catch {
      return undefined;
    }
  };

  const platformOf = (slot: Slot) => ({ slot, title: dialects[slot].title });

  return {
    show: ({ slot }: Request): Reply => ({ status: 200, page: testGrantPage(platformOf(slot)) }),

    submit: ({ slot, body }: Request): Reply => {
      const { company: company_id, ...form } = Object.fromEntries(new URLSearchParams(body));
      const tokens = issueTokens(slot, { ...form, ...(company_id && { company_id }) });
      if (tokens) return { status: 200, page: tokensPage(platformOf(slot), tokens) };
      const text = 'There is no such company or failure here. Go back and choose again.';
      return { status: 400, page: problemPage('That cannot be', text) };
    },

    /** JSON `{company_id?, failure?}`; by default the first company, and nothing goes wrong. */
    create: ({ slot, body }: Request): Reply => {
      const tokens = issueTokens(slot, parseJson(body));
      if (tokens) return { status: 200, json: tokens };
      const description = 'Send JSON with company_id and failure, or neither. They must exist.';
      return { status: 400, json: { error: 'invalid_request', error_description: description } };
    },
  };
};
