// The dialect of Zoho Books: separate data centers, a parameter that names the organization, pages
// counted from 1, and journals listed without their lines.

import { dataCenterOf, zohoHosts } from '#shared/platforms/zoho/zoho-data-centers.ts';
import type { DemoCompany } from '../demo-company.ts';
import { Refusal, type Reply } from '../http-messages.ts';
import { findRecord, type Resource, readPage, type Selection } from '../lists.ts';
import type { ApiCall, CompanyCall, Dialect } from './dialect.ts';
import {
  accountAt,
  idOf,
  indexIn,
  journalAt,
  organizationIdOf,
  taxesOf,
  wholeJournalAt,
} from './zoho-books.ts';
import { reportScope, trialBalanceOf } from './zoho-reports.ts';

const callsPerDay = 10_000;

const answer = (body: object): Reply => ({
  status: 200,
  json: { code: 0, message: 'success', ...body },
});

/**
 * Sources: www.zoho.com/books/api/v3/introduction for the limits, and for `lapsed`
 * github.com/qutubkothari/salesmate-ai, ZOHO_TRIAL_EXPIRATION_ISSUE.md. Unverified: the status of
 * `lapsed`, and that every inactive organization has this error.
 */
const faults = {
  parameter: [400, 2, 'Invalid value passed for '],
  unauthorized: [401, 57, 'You are not authorized to perform this operation'],
  notFound: [404, 1002, 'Resource does not exist.'],
  otherOrganization: [400, 6041, 'This user is not associated with the CompanyID/CompanyName:'],
  lapsed: [400, 103001, 'Your trial of Zoho Books is over. Please upgrade to a paid plan'],
  minute: [429, 44, 'For security reasons your organization has been blocked'],
  day: [429, 45, `The API call for this organization has exceeded the limit of ${callsPerDay}.`],
  concurrent: [429, 1070, 'You have reached the maximum number of in process requests allowed.'],
  serverError: [500, 1000, 'Internal error'],
} as const;

const fault = (name: keyof typeof faults, detail = ''): Reply => {
  const [status, code, message] = faults[name];
  return { status, json: { code, message: message + detail } };
};

const refusal = (parameter: string): Refusal => new Refusal(fault('parameter', parameter));

/**
 * Seen by other programs. Unverified: the status. Their notes have 400;
 * help.zoho.com/portal/en/community/topic/kaizen-43-tokens-and-limitations has 200.
 */
const tooManyTokens = { status: 400, json: { error: 'Access Denied', status: 'failure' } };

const accounts: Resource = {
  name: 'chartofaccounts',
  records: 'accounts',
  rowAt: accountAt,
  idField: 'account_id',
  indexIn,
  fields: ['is_active'],
  ascendingFields: [],
  comparable: (_field, value) => String(value),
};

/** Zoho does not list deleted journals. Only a journal read by its id has lines. */
const journals: Resource = {
  name: 'journals',
  records: 'journals',
  statuses: ['draft', 'posted'],
  rowAt: journalAt,
  recordAt: wholeJournalAt,
  idField: 'journal_id',
  indexIn,
  fields: ['journal_date', 'last_modified_time'],
  ascendingFields: ['journal_date'],
};

const maximumPageSize = 200;

const pageReply = (
  call: CompanyCall,
  list: Resource,
  { context = {}, ...selection }: Selection & { context?: object },
): Reply => {
  const { query } = call;
  const page = Number(query.get('page') ?? 1);
  const size = Number(query.get('per_page') ?? maximumPageSize);
  const isWhole = Number.isInteger(page) && Number.isInteger(size);
  if (!isWhole || page < 1 || size < 1 || size > maximumPageSize) throw refusal('page');
  const first = (page - 1) * size;
  const { rows, total } = readPage(call, list, { ...selection, first, size });
  const position = { page, per_page: size, has_more_page: first + size < total };
  return answer({ [list.name]: rows, page_context: { ...position, ...context } });
};

/** Without `AccountType.All`, inactive accounts are not listed. */
const accountsReply = (call: CompanyCall): Reply => {
  const filter = call.query.get('filter_by') ?? 'AccountType.Active';
  if (filter === 'AccountType.All')
    return pageReply(call, accounts, { conditions: [], order: null });
  if (filter !== 'AccountType.Active') throw refusal('filter_by');
  const isActive = { field: 'is_active', operator: '=', values: ['true'] } as const;
  return pageReply(call, accounts, { conditions: [isActive], order: null });
};

const journalsReply = (call: CompanyCall): Reply => {
  const field = call.query.get('sort_column') ?? 'journal_date';
  const direction = call.query.get('sort_order') ?? 'A';
  if (!journals.fields.includes(field)) throw refusal('sort_column');
  if (!['A', 'D'].includes(direction)) throw refusal('sort_order');
  return pageReply(call, journals, {
    conditions: [],
    order: { field, isDescending: direction === 'D' },
    context: { sort_column: field, sort_order: direction },
  });
};

const organizationOf = (company: DemoCompany) => ({
  organization_id: organizationIdOf(company),
  name: company.name,
  fiscal_year_start_month: company.fiscalYearStart - 1,
  is_org_active: company.isActive,
  currency_code: company.currency,
});

/** The hosts of the company's data center. */
const hostsOf = ({ dataCenter }: DemoCompany) => zohoHosts[dataCenterOf(dataCenter)];

const taxesReply = (company: DemoCompany): Reply =>
  answer({
    taxes: taxesOf(company),
    page_context: { page: 1, per_page: 200, has_more_page: false },
  });

const api = (call: ApiCall): Reply | undefined => {
  const { method, host, path, query, companies, company } = call;
  if (!Object.values(zohoHosts).some((hosts) => hosts.api === host)) return undefined;
  // All companies of a user are in one data center.
  if (host !== hostsOf(companies[0]).api) return fault('unauthorized');
  const [, resource, id] =
    /^\/books\/v3\/(settings\/taxes|reports\/trialbalance|\w+)(?:\/([^/]+))?$/.exec(path) ?? [];
  if (method !== 'GET' || resource === undefined) return undefined;
  if (resource === 'organizations') return answer({ organizations: companies.map(organizationOf) });
  if (company === undefined) return fault('otherOrganization', query.get('organization_id') ?? '');
  if (!company.isActive) return fault('lapsed');
  const companyCall = { ...call, company };
  if (resource === 'journals' && id !== undefined) {
    const journal = findRecord(company, journals, id);
    return journal ? answer({ journal }) : fault('notFound');
  }
  if (resource === 'journals') return journalsReply(companyCall);
  if (resource === 'reports/trialbalance') {
    const report = trialBalanceOf(companyCall);
    return report ? answer(report) : fault('unauthorized');
  }
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
  scopes: ['ZohoBooks.settings.READ', 'ZohoBooks.accountants.READ', reportScope],
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
  limitHeaders: ({ most, left, waitSeconds }) => ({
    'X-Rate-Limit-Limit': String(most),
    'X-Rate-Limit-Remaining': String(left),
    'X-Rate-Limit-Reset': String(waitSeconds),
  }),
  tooManyRequests: (limit) => fault(limit),
  tooManyTokens,
  companyIdOf: organizationIdOf,
  companyIdIn: ({ query }) => query.get('organization_id') ?? undefined,
  accountIdOf: (company, index) => idOf(company, { kind: 'account', index }),
  unauthorized: () => fault('unauthorized'),
  serverError: () => fault('serverError'),
  api,
};
