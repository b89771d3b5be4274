// How Xero speaks: a list of connections, a header that names the organisation, filters and orders,
// pages counted from 1, and refusals in two shapes.

import type { DemoCompany } from '../demo-company.ts';
import type { Reply } from '../http-messages.ts';
import { platformLimits } from '../limits.ts';
import type { ApiCall, Connection, Dialect } from './dialect.ts';
import { accountIdOf, madeAt, uuidOf } from './xero-books.ts';
import { accountsReply, journalsReply, recordReply } from './xero-lists.ts';
import { answer, envelope, notFound, problem } from './xero-replies.ts';

const apiHost = 'api.xero.com';

const tenantFault = (): Reply =>
  problem({ status: 403, title: 'Forbidden', detail: 'AuthenticationUnsuccessful' });

const tenantIdOf = (company: DemoCompany): string => uuidOf(company, 'organisation');

const financialYearEndOf = ({ fiscalYearStart }: DemoCompany) => {
  const lastDay = new Date(Date.UTC(2025, fiscalYearStart - 1, 0));
  return {
    FinancialYearEndDay: lastDay.getUTCDate(),
    FinancialYearEndMonth: lastDay.getUTCMonth() + 1,
  };
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
        ...financialYearEndOf(company),
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

/** A user's connection to a company is one, however often consent is given. */
const connectionIdOf = ({ company, user }: { company: DemoCompany; user: string }): string =>
  uuidOf(company, `connection of ${user}`);

/** Xero writes these moments without a time zone, which the specification does not allow. */
const connectionOf = ({ company, consentId }: Connection, user: string) => ({
  id: connectionIdOf({ company, user }),
  authEventId: consentId,
  tenantId: tenantIdOf(company),
  tenantType: 'ORGANISATION',
  tenantName: company.name,
  createdDateUtc: '2026-01-15T08:30:00.5165400Z',
  updatedDateUtc: '2026-01-15T08:30:00.5187840Z',
});

const connectionsReply = ({ connections, user, query }: ApiCall): Reply => {
  const listed = connections.map((connection) => connectionOf(connection, user));
  const consent = query.get('authEventId');
  return answer(listed.filter(({ authEventId }) => consent === null || authEventId === consent));
};

const disconnectReply = (call: ApiCall, connectionId: string): Reply => {
  const { connections, user, disconnect } = call;
  const found = connections.find(
    ({ company }) => connectionId === connectionIdOf({ company, user }),
  );
  if (found === undefined) return notFound();
  disconnect(found.company);
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
  const [, resource = '', id] = /^\/api\.xro\/2\.0\/(\w+)(?:\/([\w-]+))?$/.exec(path) ?? [];
  const replyOf = resources.get(resource);
  if (method !== 'GET' || replyOf === undefined) return undefined;
  if (headers['xero-tenant-id'] !== tenantIdOf(company)) return tenantFault();
  return id === undefined ? replyOf(call) : recordReply(call, { resource, id });
};

export const xero: Dialect = {
  title: 'Xero',
  scopes: ['offline_access', 'accounting.settings.read', 'accounting.manualjournals.read'],
  scopeSeparator: ' ',
  // Those of the specification, and those that took their place in 2026: no list of ours is whole.
  otherScopes: /^(openid|profile|email|(accounting|assets|files|payroll|projects)(\.[a-z]+)*)$/,
  endpoints: {
    authorize: ['login.xero.com/identity/connect/authorize'],
    token: ['identity.xero.com/connect/token'],
    revoke: ['identity.xero.com/connect/revocation'],
  },
  openId: {
    issuer: 'https://identity.xero.com',
    discovery: {
      'identity.xero.com/.well-known/openid-configuration': 'identity.xero.com/connect/userinfo',
    },
    keys: 'identity.xero.com/.well-known/openid-configuration/jwks',
    idTokenClaims: ({ user }) => ({ xero_userid: user }),
    accessTokenClaims: ({ clientId, user, consentId, scopes }) => ({
      iss: 'https://identity.xero.com',
      aud: 'https://identity.xero.com/resources',
      client_id: clientId,
      sub: user,
      xero_userid: user,
      authentication_event_id: consentId,
      scope: scopes,
    }),
  },
  // As many as the user picks (scribehow.com/shared/How_to_Login_and_Grant_User_Consent_in_Xero_
  // Accounting_Software__DSKYIB6NSNCeVtQ2LXo4jQ).
  consentTo: 'several',
  // xero-node sends the header, xero-python the form.
  clientAuthentication: ['basic', 'form'],
  takesQueryParameters: false,
  takesPkce: true,
  tokenScheme: 'Bearer',
  codeSeconds: 5 * 60,
  accessTokenSeconds: 30 * 60,
  refreshTokenSeconds: 60 * 24 * 60 * 60,
  rotationGraceSeconds: 30 * 60,
  revocationBody: 'form',
  callbackParameters: () => ({}),
  tokenReplyExtras: () => ({}),
  isHomeOf: () => true,
  tokenError: (error) => ({ status: 400, json: { error } }),
  limits: platformLimits.xero,
  // Only calls about an organisation have its headers (github.com/XeroAPI/xero-ruby/issues/128).
  limitHeaders: ({ minute, day, 'client minute': clientMinute }) => ({
    ...(clientMinute && { 'X-AppMinLimit-Remaining': String(clientMinute.left) }),
    ...(day && { 'X-DayLimit-Remaining': String(day.left) }),
    ...(minute && { 'X-MinLimit-Remaining': String(minute.left) }),
  }),
  tooManyTokens: null,
  companyIdOf: tenantIdOf,
  companyIdIn: ({ headers }) => String(headers['xero-tenant-id']).toLowerCase(),
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
  // Not verified: the words for the two limits but `minute` and `day`, and that no header says how
  // long too many calls at once are to wait.
  tooManyRequests: (limit, retryAfterSeconds) =>
    problem(
      { status: 429, title: 'Too Many Requests', detail: 'RateLimitExceeded' },
      {
        ...(limit === 'day' && { 'X-DayLimit-Remaining': '0' }),
        ...(limit === 'minute' && { 'X-MinLimit-Remaining': '0' }),
        ...(limit === 'client minute' && { 'X-AppMinLimit-Remaining': '0' }),
        'X-Rate-Limit-Problem': limit === 'client minute' ? 'appminute' : limit,
        ...(retryAfterSeconds !== null && { 'Retry-After': String(retryAfterSeconds) }),
      },
    ),
  api,
};
