// How Xero speaks: a list of connections, a header that names the organisation, filters and orders,
// pages counted from 1, and refusals in two shapes.

import { randomUUID } from 'node:crypto';
import type { DemoCompany } from '../demo-company.ts';
import type { Reply } from '../http-messages.ts';
import type { ApiCall, Dialect } from './dialect.ts';
import { accountAt, accountIdOf, journalAt, madeAt, uuidOf } from './xero-books.ts';

const apiHost = 'api.xero.com';

/** The calls that are left, which here are always the same. */
const limitHeaders = {
  'X-AppMinLimit-Remaining': '9999',
  'X-DayLimit-Remaining': '4999',
  'X-MinLimit-Remaining': '59',
};

const answer = (json: unknown): Reply => ({ status: 200, headers: limitHeaders, json });

/** What stands in front of the API refuses in these words. */
const problem = (
  { status, title, detail }: { status: number; title: string; detail: string },
  headers: Record<string, string> = {},
): Reply => ({
  status,
  headers,
  json: {
    Type: null,
    Title: title,
    Status: status,
    Detail: detail,
    Instance: randomUUID(),
    Extensions: {},
  },
});

/** The API itself refuses in others: `Error` of the specification. */
const queryFault = (message: string): Reply => ({
  status: 400,
  headers: limitHeaders,
  json: { ErrorNumber: 16, Type: 'QueryParseException', Message: message },
});

const tenantFault = (): Reply =>
  problem({ status: 403, title: 'Forbidden', detail: 'AuthenticationUnsuccessful' });

const tenantIdOf = (company: DemoCompany): string => uuidOf(company, 'organisation');
const connectionIdOf = (company: DemoCompany): string => uuidOf(company, 'connection');
/** What every reply of the Accounting API begins with. */
const envelope = () => ({
  Id: randomUUID(),
  Status: 'OK',
  ProviderName: 'Ledger',
  DateTimeUTC: `/Date(${Date.now()})/`,
});

const accountsReply = ({ company, query, injectFailure }: ApiCall): Reply => {
  const where = query.get('where');
  const systemAccount = /^SystemAccount=="([A-Z]+)"$/.exec(where ?? '')?.[1];
  if (where !== null && systemAccount === undefined) {
    return queryFault('The sandbox can filter accounts by SystemAccount=="..." only');
  }
  const failure = where === null ? injectFailure({ of: 'accounts', page: 1, pages: 1 }) : undefined;
  if (failure) return failure;
  const accounts = company.accounts.map((_, index) => accountAt(company, index));
  const found =
    where === null ? accounts : accounts.filter((it) => it.SystemAccount === systemAccount);
  return answer({ ...envelope(), Accounts: found });
};

/** Journals are in the order of their dates and of their ids alike. */
const knownOrder = /^(ManualJournalID|Date)( ASC)?$/;

const journalsReply = ({ company, query, injectFailure, repeatsPages }: ApiCall): Reply => {
  const [page, pageSize] = [Number(query.get('page')), Number(query.get('pageSize') ?? 100)];
  const isWhole = Number.isInteger(page) && Number.isInteger(pageSize);
  if (!isWhole || page < 1 || pageSize < 1 || pageSize > 1000) {
    return queryFault('The sandbox lists journals by page, with a pageSize of at most 1000');
  }
  if (query.has('where') || !knownOrder.test(query.get('order') ?? 'Date')) {
    return queryFault('The sandbox lists all journals, in the order of their ids or dates');
  }
  const { journalCount: itemCount } = company;
  const pages = Math.ceil(itemCount / pageSize);
  const failure = injectFailure({ of: 'journals', page, pages });
  if (failure) return failure;
  const first = repeatsPages ? 0 : (page - 1) * pageSize;
  const listed = Math.max(0, Math.min(pageSize, itemCount - first));
  return answer({
    ...envelope(),
    pagination: { page, pageSize, pageCount: repeatsPages ? page + 1 : pages, itemCount },
    ManualJournals: Array.from({ length: listed }, (_, place) => journalAt(company, first + place)),
  });
};

const organisationReply = ({ company }: ApiCall): Reply =>
  answer({
    ...envelope(),
    Organisations: [
      {
        Name: company.name,
        LegalName: company.name,
        PaysTax: true,
        Version: 'GLOBAL',
        OrganisationType: 'COMPANY',
        BaseCurrency: company.currency,
        OrganisationStatus: 'ACTIVE',
        FinancialYearEndDay: 31,
        FinancialYearEndMonth: 12,
        CreatedDateUTC: `/Date(${madeAt})/`,
        OrganisationID: tenantIdOf(company),
        Edition: 'BUSINESS',
        Class: 'PREMIUM',
        Addresses: [],
        Phones: [],
        ExternalLinks: [],
        PaymentTerms: {},
      },
    ],
  });

/** Xero writes these moments without a time zone, which the specification does not allow. */
const connectionOf = (company: DemoCompany) => ({
  id: connectionIdOf(company),
  authEventId: uuidOf(company, 'consent'),
  tenantId: tenantIdOf(company),
  tenantType: 'ORGANISATION',
  tenantName: company.name,
  createdDateUtc: '2026-01-15T08:30:00.5165400Z',
  updatedDateUtc: '2026-01-15T08:30:00.5187840Z',
});

const connectionsReply = ({ company, query }: ApiCall): Reply => {
  const connection = connectionOf(company);
  const isAskedFor =
    (query.get('authEventId') ?? connection.authEventId) === connection.authEventId;
  return answer(isAskedFor ? [connection] : []);
};

const disconnectReply = ({ company, endGrant }: ApiCall, connectionId: string): Reply => {
  if (connectionId !== connectionIdOf(company)) {
    return problem({ status: 404, title: 'Not Found', detail: 'The resource was not found' });
  }
  endGrant();
  return { status: 204, json: undefined };
};

const resources = new Map<string, (call: ApiCall) => Reply>([
  ['Organisation', organisationReply],
  ['Accounts', accountsReply],
  ['ManualJournals', journalsReply],
]);

/** The specification writes /Connections, Xero's documentation and SDKs /connections. */
const api = (call: ApiCall): Reply | undefined => {
  const { method, host, path, company, headers } = call;
  if (host !== apiHost) return undefined;
  const [isConnections, connectionId] = /^\/connections(?:\/([^/]+))?$/i.exec(path) ?? [];
  if (isConnections && connectionId === undefined && method === 'GET')
    return connectionsReply(call);
  if (connectionId !== undefined && method === 'DELETE') return disconnectReply(call, connectionId);
  const resource = resources.get(/^\/api\.xro\/2\.0\/(\w+)$/.exec(path)?.[1] ?? '');
  if (method !== 'GET' || resource === undefined) return undefined;
  return headers['xero-tenant-id'] === tenantIdOf(company) ? resource(call) : tenantFault();
};

export const xero: Dialect = {
  title: 'Xero',
  scopes: ['offline_access', 'accounting.settings.read', 'accounting.manualjournals.read'],
  scopeSeparator: ' ',
  endpoints: {
    authorize: ['login.xero.com/identity/connect/authorize'],
    token: ['identity.xero.com/connect/token'],
    revoke: ['identity.xero.com/connect/revocation'],
  },
  clientAuthentication: 'basic',
  takesPkce: true,
  tokenScheme: 'Bearer',
  codeSeconds: 5 * 60,
  accessTokenSeconds: 30 * 60,
  refreshTokenSeconds: 60 * 24 * 60 * 60,
  rotationGraceSeconds: 30 * 60,
  revocationBody: 'form',
  callbackParameters: () => ({}),
  tokenReplyExtras: () => ({}),
  tokenError: (error) => ({ status: 400, json: { error } }),
  companyIdOf: tenantIdOf,
  accountIdOf,
  get unauthorized() {
    return problem(
      { status: 401, title: 'Unauthorized', detail: 'AuthenticationUnsuccessful' },
      { 'WWW-Authenticate': 'Bearer error=invalid_token' },
    );
  },
  get serverError() {
    const detail =
      'An error occurred in Xero. Check the API Status page for current service status.';
    return problem({ status: 500, title: 'An error occurred', detail });
  },
  tooManyRequests: (limit, retryAfterSeconds) =>
    problem(
      { status: 429, title: 'Too Many Requests', detail: 'RateLimitExceeded' },
      {
        ...limitHeaders,
        [limit === 'day' ? 'X-DayLimit-Remaining' : 'X-MinLimit-Remaining']: '0',
        'X-Rate-Limit-Problem': limit,
        'Retry-After': String(retryAfterSeconds),
      },
    ),
  api,
};
