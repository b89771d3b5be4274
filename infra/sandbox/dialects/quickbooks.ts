// How QuickBooks Online speaks: numeric ids, queries in a language of its own, and faults.

import { createHash, randomUUID } from 'node:crypto';
import type { DemoAccount, DemoCompany } from '../demo-company.ts';
import type { Reply } from '../http-messages.ts';
import { platformLimits } from '../limits.ts';
import type { ApiCall, Dialect } from './dialect.ts';

const apiHosts = ['quickbooks.api.intuit.com', 'sandbox-quickbooks.api.intuit.com'];

/** Every reply has an id, which Intuit's support asks for. */
const replyWith = (status: number, json: unknown, headers: Record<string, string> = {}): Reply => ({
  status,
  headers: { intuit_tid: randomUUID(), ...headers },
  json,
});

const answer = (body: object): Reply => replyWith(200, { ...body, time: new Date().toISOString() });

type FaultError = { status: number; type: string; code: string; message: string; detail: string };

const fault = ({ status, type, code, message, detail }: FaultError): Reply =>
  replyWith(status, {
    Fault: { Error: [{ Message: message, Detail: detail, code }], type },
    time: new Date().toISOString(),
  });

/** What answers before the API does has other capitals. */
const gatewayFault = (
  { status, type, code, message, detail }: Omit<FaultError, 'detail'> & { detail: string | null },
  headers?: Record<string, string>,
): Reply =>
  replyWith(
    status,
    {
      warnings: null,
      intuitObject: null,
      fault: { error: [{ message, detail, code, element: null }], type },
      report: null,
      queryResponse: null,
      time: Date.now(),
    },
    headers,
  );

const queryFault = (detail: string): Reply =>
  fault({
    status: 400,
    type: 'ValidationFault',
    code: '4000',
    message: 'Error parsing query',
    detail: `QueryParserError: ${detail}`,
  });

const companyFault = (): Reply =>
  gatewayFault({
    status: 403,
    type: 'SERVICE',
    code: '3100',
    message: 'message=ApplicationAuthorizationFailed; errorCode=003100; statusCode=403',
    detail: null,
  });

/** Sixteen digits, the same ones for the same company. */
const realmIdOf = ({ id }: DemoCompany): string => {
  const digest = createHash('sha256').update(id).digest().readUIntBE(0, 6);
  return `9341${String(digest % 1e12).padStart(12, '0')}`;
};

const accountIdOf = (index: number): string => String(index + 1);
const entryIdOf = (index: number): string => String(index + 20_001);

const kinds: Record<DemoAccount['type'], { Classification: string; AccountType: string }> = {
  asset: { Classification: 'Asset', AccountType: 'Other Current Asset' },
  liability: { Classification: 'Liability', AccountType: 'Other Current Liability' },
  equity: { Classification: 'Equity', AccountType: 'Equity' },
  revenue: { Classification: 'Revenue', AccountType: 'Income' },
  expense: { Classification: 'Expense', AccountType: 'Expense' },
};

const madeAt = {
  CreateTime: '2025-01-01T08:00:00-08:00',
  LastUpdatedTime: '2025-01-01T08:00:00-08:00',
};

const entityOf = (id: string) => ({
  domain: 'QBO',
  sparse: false,
  Id: id,
  SyncToken: '0',
  MetaData: madeAt,
});

const accountAt = ({ accounts, currency }: DemoCompany, index: number) => {
  const { code, name, type, status } = accounts[index] as DemoAccount;
  return {
    Name: name,
    SubAccount: false,
    FullyQualifiedName: name,
    Active: status === 'active',
    ...kinds[type],
    ...(code !== null && { AcctNum: code }),
    CurrentBalance: 0,
    CurrencyRef: { value: currency },
    ...entityOf(accountIdOf(index)),
  };
};

/** A float holds every amount and rate of the demo journals as it is written. */
const entryAt = (company: DemoCompany, index: number) => {
  const { date, memo, lines, currency, exchangeRate } = company.journalAt(index);
  return {
    Adjustment: false,
    ...entityOf(entryIdOf(index)),
    TxnDate: date,
    CurrencyRef: { value: currency },
    ...(exchangeRate !== null && { ExchangeRate: Number(exchangeRate) }),
    PrivateNote: memo,
    Line: lines.map(({ account, description, debit, credit }, place) => {
      const isDebit = Number(debit) > 0;
      return {
        Id: String(place),
        ...(description !== '' && { Description: description }),
        Amount: Number(isDebit ? debit : credit),
        DetailType: 'JournalEntryLineDetail',
        JournalEntryLineDetail: {
          PostingType: isDebit ? 'Debit' : 'Credit',
          AccountRef: { value: accountIdOf(account), name: company.accounts[account]?.name },
        },
      };
    }),
    TxnTaxDetail: {},
  };
};

/** Where a company's entries are among its journals. QuickBooks has no drafts of entries. */
const entryIndexes = new WeakMap<DemoCompany, number[]>();

const entryIndexesOf = (company: DemoCompany): number[] => {
  const known = entryIndexes.get(company);
  if (known) return known;
  const found = Array.from({ length: company.journalCount }, (_, index) => index).filter(
    (index) => company.journalAt(index).status === 'posted',
  );
  entryIndexes.set(company, found);
  return found;
};

const activeIndexesOf = ({ accounts }: DemoCompany): number[] =>
  [...accounts.keys()].filter((index) => accounts[index]?.status === 'active');

/** Names of entities have capitals that matter; the words of the language do not. */
const queryPattern = new RegExp(
  [
    /^select \* from (?<entity>\w+)/,
    /(?<where> where Active in ?\( ?true ?, ?false ?\))?/,
    /(?: orderby Id)?/,
    /(?: startposition (?<start>[1-9]\d*))?(?: maxresults (?<most>[1-9]\d*))?$/,
  ]
    .map(({ source }) => source)
    .join(''),
  'i',
);

type Rows = { indexes: number[]; of: 'accounts' | 'journals'; rowAt: (index: number) => object };

const rowsOf = (
  company: DemoCompany,
  { entity, where }: { entity?: string; where?: string },
): Rows | undefined => {
  if (entity === 'Account') {
    const indexes = where ? [...company.accounts.keys()] : activeIndexesOf(company);
    return { of: 'accounts', indexes, rowAt: (index) => accountAt(company, index) };
  }
  if (entity !== 'JournalEntry' || where) return undefined;
  const indexes = entryIndexesOf(company);
  return { of: 'journals', indexes, rowAt: (index) => entryAt(company, index) };
};

/** A full page is what says that another one follows, so only one that is full can repeat. */
const queryReply = ({ company, query, injectFailure, repeatsPages }: ApiCall): Reply => {
  const statement = query.get('query') ?? '';
  const clauses = queryPattern.exec(statement)?.groups ?? {};
  const { entity = '', start = '1', most = '100' } = clauses;
  const rows = rowsOf(company, clauses);
  const size = Number(most);
  if (rows === undefined || size > 1000) return queryFault(`cannot read "${statement}"`);

  const { indexes, of, rowAt } = rows;
  const page = Math.ceil(Number(start) / size);
  const failure = injectFailure({ of, page, pages: Math.ceil(indexes.length / size), size });
  if (failure) return failure;
  const first = repeatsPages ? 0 : Number(start) - 1;
  const found = indexes.slice(first, first + size).map(rowAt);
  if (found.length === 0) return answer({ QueryResponse: {} });
  const position = { startPosition: Number(start), maxResults: found.length };
  return answer({ QueryResponse: { [entity]: found, ...position } });
};

const companyInfoReply = ({ name }: DemoCompany): Reply =>
  answer({ CompanyInfo: { CompanyName: name, LegalName: name, ...entityOf('1') } });

const preferencesReply = (company: DemoCompany): Reply =>
  answer({
    Preferences: {
      CurrencyPrefs: { HomeCurrency: { value: company.currency }, MultiCurrencyEnabled: true },
      ...entityOf('1'),
    },
  });

const api = (call: ApiCall): Reply | undefined => {
  const { method, host, path, company } = call;
  const [, realmId, resource] = /^\/v3\/company\/([^/]+)\/(.+)$/.exec(path) ?? [];
  if (method !== 'GET' || !apiHosts.includes(host) || realmId === undefined) return undefined;
  if (realmId !== realmIdOf(company)) return companyFault();
  if (resource === `companyinfo/${realmId}`) return companyInfoReply(company);
  if (resource === 'preferences') return preferencesReply(company);
  return resource === 'query' ? queryReply(call) : undefined;
};

const oneDay = 24 * 60 * 60;

const userInfo = 'platform.intuit.com/v1/openid_connect/userinfo';

export const quickbooks: Dialect = {
  title: 'QuickBooks Online',
  scopes: ['com.intuit.quickbooks.accounting'],
  scopeSeparator: ' ',
  // Those of `scopes` in intuit-oauth's OAuthClient.js.
  otherScopes:
    /^(openid|profile|email|phone|address|com\.intuit\.quickbooks\.payment|(payroll|project-management|app-foundations|time-tracking|indirect-tax)\.[a-z.-]+)$/,
  endpoints: {
    authorize: ['appcenter.intuit.com/connect/oauth2'],
    token: ['oauth.platform.intuit.com/oauth2/v1/tokens/bearer'],
    revoke: ['developer.api.intuit.com/v2/oauth2/tokens/revoke'],
  },
  openId: {
    issuer: 'https://oauth.platform.intuit.com/op/v1',
    // Both hosts are in the platform's own clients: intuit-oauth of PyPI and node-quickbooks.
    discovery: Object.fromEntries(
      ['developer.api.intuit.com', 'developer.intuit.com'].flatMap((host) => [
        [`${host}/.well-known/openid_configuration`, `accounts.${userInfo}`],
        [`${host}/.well-known/openid_sandbox_configuration`, `sandbox-accounts.${userInfo}`],
      ]),
    ),
    keys: 'oauth.platform.intuit.com/op/v1/jwks',
    // Its own clients look for theirs in a list.
    idTokenClaims: ({ clientId, company }) => ({ aud: [clientId], realmid: realmIdOf(company) }),
    accessTokenClaims: null,
  },
  consentTo: 'one',
  clientAuthentication: ['basic'],
  takesQueryParameters: false,
  takesPkce: false,
  tokenScheme: 'Bearer',
  // Not verified: we know of no page of Intuit's that says how long a code lasts.
  codeSeconds: 600,
  accessTokenSeconds: 3600,
  refreshTokenSeconds: 100 * oneDay,
  rotationGraceSeconds: oneDay,
  revocationBody: 'json',
  callbackParameters: (company) => ({ realmId: realmIdOf(company) }),
  tokenReplyExtras: (_company, headers) => ({
    x_refresh_token_expires_in: 101 * oneDay,
    // Intuit tells of the day on which the consent ends to who asks for it (intuit-oauth 4.2.4).
    ...(headers['x-include-refresh-token-hard-expires-in'] === 'true' && {
      x_refresh_token_hard_expires_in: 5 * 365 * oneDay,
    }),
  }),
  isHomeOf: () => true,
  tokenError: (error) => replyWith(error === 'invalid_client' ? 401 : 400, { error }),
  limits: platformLimits.quickbooks,
  limitHeaders: () => ({}),
  tooManyTokens: null,
  companyIdOf: realmIdOf,
  companyIdIn: ({ path }) => /^\/v3\/company\/([^/]+)/.exec(path)?.[1],
  accountIdOf: (_company, index) => accountIdOf(index),
  get unauthorized() {
    return gatewayFault({
      status: 401,
      type: 'AUTHENTICATION',
      code: '3200',
      message: 'message=AuthenticationFailed; errorCode=003200; statusCode=401',
      detail: 'Token expired',
    });
  },
  get serverError() {
    return fault({
      status: 500,
      type: 'SystemFault',
      code: '10000',
      message: 'An application error has occurred while processing your request',
      detail: 'System Failure Error',
    });
  },
  // Intuit documents a wait of 60 seconds and no header for it. The header is where a failure was
  // chosen, so that whoever tries this out is not kept waiting.
  tooManyRequests: (_limit, retryAfterSeconds) =>
    gatewayFault(
      {
        status: 429,
        type: 'SERVICE',
        code: '3001',
        message: 'message=ThrottleExceeded; errorCode=003001; statusCode=429',
        detail: null,
      },
      retryAfterSeconds === null ? {} : { 'Retry-After': String(retryAfterSeconds) },
    ),
  api,
};
