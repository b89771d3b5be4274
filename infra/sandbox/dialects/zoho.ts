// How Zoho Books speaks: several data centers that do not know of each other's tokens, a parameter
// that names the organization, pages that are counted from 1, and journals listed without lines.

import { zohoHosts } from '#shared/platforms/zoho/zoho-data-centers.ts';
import type { DemoCompany } from '../demo-company.ts';
import type { Reply } from '../http-messages.ts';
import { platformLimits } from '../limits.ts';
import type { ApiCall, Dialect } from './dialect.ts';
import { idOf, organizationIdOf } from './zoho-books.ts';
import {
  accountReply,
  accountsReply,
  journalReply,
  journalsReply,
  taxesReply,
} from './zoho-lists.ts';
import {
  answer,
  fault,
  lapsed,
  limitFaults,
  missing,
  stranger,
  tooManyTokens,
  unauthorized,
} from './zoho-replies.ts';

const organizationOf = (company: DemoCompany, { isDefault }: { isDefault: boolean }) => ({
  organization_id: organizationIdOf(company),
  name: company.name,
  contact_name: 'Demo User',
  email: `${company.owner}@example.com`,
  is_default_org: isDefault,
  language_code: 'en',
  fiscal_year_start_month: company.fiscalYearStart - 1,
  account_created_date: '2025-01-01',
  is_org_active: company.isActive,
  currency_code: company.currency,
  price_precision: 2,
});

/** Of several, the first one is the default, whatever has become of it. */
const organizationsReply = ({ connections }: ApiCall): Reply =>
  answer({
    organizations: connections.map(({ company }, index) =>
      organizationOf(company, { isDefault: index === 0 }),
    ),
  });

const organizationReply = ({ connections }: ApiCall, id: string): Reply => {
  const index = connections.findIndex(({ company }) => organizationIdOf(company) === id);
  const found = connections[index]?.company;
  return found
    ? answer({ organization: organizationOf(found, { isDefault: index === 0 }) })
    : missing;
};

/** The hosts of the company's data center. */
const hostsOf = ({ dataCenter }: DemoCompany): { accounts: string; api: string } => {
  const hosts = Object.entries(zohoHosts).find(([name]) => name === dataCenter)?.[1];
  if (hosts === undefined) throw new Error(`Zoho has no data center ${dataCenter}`);
  return hosts;
};

const api = (call: ApiCall): Reply | undefined => {
  const { method, host, path, query, company } = call;
  if (!Object.values(zohoHosts).some((hosts) => hosts.api === host)) return undefined;
  if (host !== hostsOf(company).api) return unauthorized;
  const [, resource, id] = /^\/books\/v3\/(settings\/taxes|\w+)(?:\/([^/]+))?$/.exec(path) ?? [];
  if (method !== 'GET' || resource === undefined) return undefined;
  if (resource === 'organizations') {
    return id === undefined ? organizationsReply(call) : organizationReply(call, id);
  }
  const organizationId = query.get('organization_id');
  if (organizationId !== organizationIdOf(company)) return stranger(organizationId);
  if (!company.isActive) return lapsed;
  if (resource === 'settings/taxes' && id === undefined) return taxesReply(call);
  if (resource === 'journals') {
    return id === undefined ? journalsReply(call) : journalReply(call, id);
  }
  if (resource !== 'chartofaccounts') return undefined;
  return id === undefined ? accountsReply(call) : accountReply(call, id);
};

/** Zoho has its own word for a code or a refresh token that is not good, and no error status. */
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
  // Others of Zoho Books, and those for a user's particulars.
  otherScopes: /^(ZohoBooks\.\w+\.\w+|AaaServer\.profile\.READ|openid|profile|email)$/i,
  endpoints: {
    authorize: endpointAtEach('/oauth/v2/auth'),
    token: endpointAtEach('/oauth/v2/token'),
    revoke: endpointAtEach('/oauth/v2/token/revoke'),
  },
  // Zoho has discovery documents; which of its services answer by them is not known to us.
  openId: null,
  consentTo: 'all',
  clientAuthentication: ['form'],
  // Zoho documents all parameters of these endpoints in the query
  // (www.zoho.com/books/api/v3/oauth).
  takesQueryParameters: true,
  takesPkce: true,
  tokenScheme: 'Zoho-oauthtoken',
  // Zoho's pages differ: one, two or three minutes.
  codeSeconds: 60,
  accessTokenSeconds: 3600,
  refreshTokenSeconds: null,
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
  limits: platformLimits.zoho,
  // They are of the day, and count seconds (github.com/Weble/ZohoBooksApi/issues/38). Unverified:
  // that they come with every call about an organization.
  limitHeaders: ({ day }) =>
    day === undefined
      ? {}
      : {
          'X-Rate-Limit-Limit': String(day.most),
          'X-Rate-Limit-Remaining': String(day.left),
          'X-Rate-Limit-Reset': String(day.waitSeconds),
        },
  tooManyTokens,
  companyIdOf: organizationIdOf,
  companyIdIn: ({ query }) => query.get('organization_id') ?? undefined,
  accountIdOf: (company, index) => idOf(company, { kind: 'account', index }),
  unauthorized,
  serverError: fault({ status: 500, code: 1000, message: 'Internal error' }),
  // Zoho documents neither a wait nor a header for it. The header is where a failure was chosen, so
  // that whoever tries this out is not kept waiting.
  tooManyRequests: (limit, retryAfterSeconds) =>
    fault(
      limitFaults[limit],
      retryAfterSeconds === null ? {} : { 'Retry-After': String(retryAfterSeconds) },
    ),
  api,
};
