// Xero's dialect: a list of connections, and a header that names the organisation.

import type { DemoCompany } from '../demo-company.ts';
import type { Reply } from '../http-messages.ts';
import type { ApiCall, Dialect } from './dialect.ts';
import { accountIdOf, uuidOf } from './xero-books.ts';
import { answer, listReply, lists, problem } from './xero-lists.ts';
import { reportScope, trialBalanceReply } from './xero-reports.ts';

const apiHost = 'api.xero.com';

const tenantIdOf = (company: DemoCompany): string => uuidOf(company, 'organisation');

const financialYearEndOf = ({ fiscalYearStart }: DemoCompany) => {
  const lastDay = new Date(Date.UTC(2025, fiscalYearStart - 1, 0));
  return {
    FinancialYearEndDay: lastDay.getUTCDate(),
    FinancialYearEndMonth: lastDay.getUTCMonth() + 1,
  };
};

const organisationReply = (company: DemoCompany): Reply =>
  answer({
    Organisations: [
      {
        Name: company.name,
        BaseCurrency: company.currency,
        ...financialYearEndOf(company),
        OrganisationID: tenantIdOf(company),
      },
    ],
  });

const connectionIdOf = (company: DemoCompany, user: string): string =>
  uuidOf(company, `connection of ${user}`);

/** Xero writes these moments without a time zone, contrary to its specification. */
const connectionOf = (company: DemoCompany, { user, consentId }: ApiCall) => ({
  id: connectionIdOf(company, user),
  authEventId: consentId,
  tenantId: tenantIdOf(company),
  tenantType: 'ORGANISATION',
  tenantName: company.name,
  createdDateUtc: '2026-01-15T08:30:00.5165400Z',
  updatedDateUtc: '2026-01-15T08:30:00.5187840Z',
});

const connectionsReply = (call: ApiCall): Reply => {
  const consentId = call.query.get('authEventId') ?? call.consentId;
  const listed = consentId === call.consentId ? call.companies : [];
  return { status: 200, json: listed.map((company) => connectionOf(company, call)) };
};

const disconnectReply = ({ companies, user, disconnect }: ApiCall, id: string): Reply => {
  const company = companies.find((one) => id === connectionIdOf(one, user));
  if (company === undefined) return problem('notFound');
  disconnect(company);
  return { status: 204, json: undefined };
};

/** The specification writes /Connections; Xero's documentation and SDKs write /connections. */
const api = (call: ApiCall): Reply | undefined => {
  const { method, host, path, company } = call;
  if (host !== apiHost) return undefined;
  const [isConnections, connectionId] = /^\/connections(?:\/([^/]+))?$/i.exec(path) ?? [];
  if (connectionId !== undefined && method === 'DELETE') return disconnectReply(call, connectionId);
  if (method !== 'GET') return undefined;
  if (isConnections && connectionId === undefined) return connectionsReply(call);
  if (path === '/api.xro/2.0/Reports/TrialBalance') {
    return company ? trialBalanceReply({ ...call, company }) : problem('forbidden');
  }
  const [, resource, id] = /^\/api\.xro\/2\.0\/(\w+)(?:\/([\w-]+))?$/.exec(path) ?? [];
  const list = lists.find(({ name }) => name === resource);
  if (list === undefined && resource !== 'Organisation') return undefined;
  if (company === undefined) return problem('forbidden');
  return list ? listReply({ ...call, company }, list, id) : organisationReply(company);
};

export const xero: Dialect = {
  title: 'Xero',
  scopes: [
    'offline_access',
    'accounting.settings.read',
    'accounting.manualjournals.read',
    reportScope,
  ],
  scopeSeparator: ' ',
  endpoints: {
    authorize: ['login.xero.com/identity/connect/authorize'],
    token: ['identity.xero.com/connect/token'],
    revoke: ['identity.xero.com/connect/revocation'],
  },
  openId: {
    issuer: 'https://identity.xero.com',
    discovery: ['identity.xero.com/.well-known/openid-configuration'],
    keys: 'identity.xero.com/.well-known/openid-configuration/jwks',
    userInfo: 'identity.xero.com/connect/userinfo',
    idTokenClaims: () => ({}),
    accessTokenClaims: ({ clientId, user, consentId, scopes }) => ({
      iss: 'https://identity.xero.com',
      client_id: clientId,
      sub: user,
      authentication_event_id: consentId,
      scope: scopes,
    }),
  },
  // Source: scribehow.com/shared/How_to_Login_and_Grant_User_Consent_in_Xero_Accounting_Software__
  // DSKYIB6NSNCeVtQ2LXo4jQ
  consentTo: 'several',
  // xero-node sends the header, xero-python the form.
  clientAuthentication: ['basic', 'form'],
  takesPkce: true,
  tokenScheme: 'Bearer',
  codeSeconds: 5 * 60,
  accessTokenSeconds: 30 * 60,
  refreshTokenSeconds: 60 * 24 * 60 * 60,
  rotationGraceSeconds: 30 * 60,
  revocationBody: 'form',
  tokenError: (error) => ({ status: 400, json: { error } }),
  // Source: developer.xero.com/faq/limits
  limits: {
    perMinute: 60,
    perDay: 5_000,
    concurrent: 5,
    tokensPerTenMinutes: Infinity,
    statesWait: true,
  },
  // Unverified: the name `concurrent`, and that its refusal does not state the wait.
  tooManyRequests: (limit) => problem('tooManyRequests', { 'X-Rate-Limit-Problem': limit }),
  companyIdOf: tenantIdOf,
  companyIdIn: ({ headers }) => String(headers['xero-tenant-id']).toLowerCase(),
  accountIdOf,
  unauthorized: () => problem('unauthorized', { 'WWW-Authenticate': 'Bearer error=invalid_token' }),
  serverError: () => problem('serverError'),
  api,
};
