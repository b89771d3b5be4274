// The dialect of Zoho Books: separate data centers, a parameter that names the organization, and
// journals listed without their lines.

import { zohoHosts } from '#shared/platforms/zoho/zoho-data-centers.ts';
import type { DemoCompany } from '../demo-company.ts';
import type { Reply } from '../http-messages.ts';
import type { LimitName } from '../limits.ts';
import type { ApiCall, Dialect } from './dialect.ts';
import { idOf, organizationIdOf, taxesOf } from './zoho-books.ts';
import { accountsReply, answer, fault, journalReply, journalsReply } from './zoho-lists.ts';

const callsPerDay = 10_000;

const organizationOf = (company: DemoCompany, index: number) => ({
  organization_id: organizationIdOf(company),
  name: company.name,
  is_default_org: index === 0,
  fiscal_year_start_month: company.fiscalYearStart - 1,
  is_org_active: company.isActive,
  currency_code: company.currency,
});

const unauthorized = (): Reply =>
  fault({
    status: 401,
    code: 57,
    message: 'You are not authorized to perform this operation',
  });

/**
 * Source: github.com/qutubkothari/salesmate-ai, ZOHO_TRIAL_EXPIRATION_ISSUE.md. Unverified: the
 * status, and that every inactive organization has this error.
 */
const lapsed = fault({
  status: 400,
  code: 103001,
  message: 'Your trial of Zoho Books is over. Please upgrade to a paid plan',
});

const otherOrganization = (organizationId: string | null): Reply =>
  fault({
    status: 400,
    code: 6041,
    message: `This user is not associated with the CompanyID/CompanyName:${organizationId}.`,
  });

/** Source: www.zoho.com/books/api/v3/introduction. */
const limitFaults: Record<LimitName, [code: number, message: string]> = {
  minute: [
    44,
    'For security reasons your organization has been blocked as it have exceeded the maximum ' +
      'number of requests per minute that can originate from an organization.',
  ],
  day: [
    45,
    'The API call for this organization has exceeded the maximum call rate limit of ' +
      `${callsPerDay}.`,
  ],
  concurrent: [
    1070,
    'You have reached the maximum number of in process requests allowed. Kindly try again ' +
      'after some time.',
  ],
};

/**
 * The words are from replies to other programs. Unverified: the status. Their notes have 400;
 * help.zoho.com/portal/en/community/topic/kaizen-43-tokens-and-limitations has 200.
 */
const tooManyTokens: Reply = {
  status: 400,
  json: {
    error_description:
      'You have made too many requests continuously. Please try again after some time.',
    error: 'Access Denied',
    status: 'failure',
  },
};

/** The hosts of the company's data center. */
const hostsOf = ({ dataCenter }: DemoCompany): { accounts: string; api: string } => {
  const hosts = Object.entries(zohoHosts).find(([name]) => name === dataCenter)?.[1];
  if (hosts === undefined) throw new Error(`Zoho has no data center ${dataCenter}`);
  return hosts;
};

const taxesReply = (company: DemoCompany): Reply =>
  answer({
    taxes: taxesOf(company),
    page_context: { page: 1, per_page: 200, has_more_page: false },
  });

const api = (call: ApiCall): Reply | undefined => {
  const { method, host, path, query, companies, company } = call;
  if (!Object.values(zohoHosts).some((hosts) => hosts.api === host)) return undefined;
  // All companies of a user are in one data center.
  if (host !== hostsOf(companies[0]).api) return unauthorized();
  const [, resource, id] = /^\/books\/v3\/(settings\/taxes|\w+)(?:\/([^/]+))?$/.exec(path) ?? [];
  if (method !== 'GET' || resource === undefined) return undefined;
  if (resource === 'organizations') return answer({ organizations: companies.map(organizationOf) });
  if (company === undefined) return otherOrganization(query.get('organization_id'));
  if (!company.isActive) return lapsed;
  const companyCall = { ...call, company };
  if (resource === 'journals' && id !== undefined) return journalReply(companyCall, id);
  if (resource === 'journals') return journalsReply(companyCall);
  if (resource === 'chartofaccounts') return accountsReply(companyCall);
  return resource === 'settings/taxes' ? taxesReply(company) : undefined;
};

/** Zoho has its own error for an invalid code or refresh token, and no error status. */
const tokenError = (error: string): Reply => ({
  status: 200,
  json: { error: error === 'invalid_grant' ? 'invalid_code' : error },
});

const endpointAtEach = (path: string): string[] =>
  Object.values(zohoHosts).map(({ accounts }) => `${accounts}${path}`);

export const zoho: Dialect = {
  title: 'Zoho Books',
  scopes: ['ZohoBooks.settings.READ', 'ZohoBooks.accountants.READ'],
  scopeSeparator: ',',
  endpoints: {
    authorize: endpointAtEach('/oauth/v2/auth'),
    token: endpointAtEach('/oauth/v2/token'),
    revoke: endpointAtEach('/oauth/v2/token/revoke'),
  },
  openId: null,
  consentTo: 'all',
  clientAuthentication: ['form'],
  takesPkce: true,
  tokenScheme: 'Zoho-oauthtoken',
  // Zoho's pages state one, two or three minutes.
  codeSeconds: 60,
  accessTokenSeconds: 3600,
  // Refresh tokens do not expire. These are a hundred years.
  refreshTokenSeconds: 100 * 365 * 24 * 60 * 60,
  rotationGraceSeconds: null,
  revocationBody: 'form',
  callbackParameters: (company) => ({
    location: company.dataCenter,
    'accounts-server': `https://${hostsOf(company).accounts}`,
  }),
  tokenReplyExtras: (company) => ({ api_domain: `https://${hostsOf(company).api}` }),
  // A data center does not know the tokens of another.
  isHomeOf: (company, host) => hostsOf(company).accounts === host,
  tokenError,
  // Sources: www.zoho.com/books/api/v3/introduction for calls of the Premium plan, and
  // www.zoho.com/crm/developer/docs/api/v8/token-validity.html for tokens.
  limits: {
    perMinute: 100,
    perDay: callsPerDay,
    concurrent: 10,
    tokensPerTenMinutes: 10,
    statesWait: false,
  },
  // The headers are for the daily limit, in seconds (github.com/Weble/ZohoBooksApi/issues/38).
  // Unverified: that every reply for an organization has them.
  limitHeaders: ({ day }) =>
    day === undefined
      ? {}
      : {
          'X-Rate-Limit-Limit': String(day.most),
          'X-Rate-Limit-Remaining': String(day.left),
          'X-Rate-Limit-Reset': String(day.waitSeconds),
        },
  // Zoho documents no wait and no header. A chosen failure has the header, so that a person waits
  // only briefly.
  tooManyRequests: (limit, retryAfterSeconds) => {
    const [code, message] = limitFaults[limit];
    const wait = retryAfterSeconds === null ? {} : { 'Retry-After': String(retryAfterSeconds) };
    return fault({ status: 429, code, message }, wait);
  },
  tooManyTokens,
  companyIdOf: organizationIdOf,
  companyIdIn: ({ query }) => query.get('organization_id') ?? undefined,
  accountIdOf: (company, index) => idOf(company, { kind: 'account', index }),
  unauthorized,
  serverError: () => fault({ status: 500, code: 1000, message: 'Internal error' }),
  api,
};
