// How Zoho Books speaks: several data centers that do not know of each other's tokens, a parameter
// that names the organization, pages that are counted from 1, and journals listed without lines.

import { createHash } from 'node:crypto';
import { zohoHosts } from '#shared/platforms/zoho-data-centers.ts';
import type { DemoAccount, DemoCompany } from '../demo-company.ts';
import type { Reply } from '../http-messages.ts';
import type { ApiCall, Dialect } from './dialect.ts';

const answer = (body: object): Reply => ({
  status: 200,
  json: { code: 0, message: 'success', ...body },
});

type Fault = { status: number; code: number; message: string };

const fault = ({ status, code, message }: Fault, headers: Record<string, string> = {}): Reply => ({
  status,
  headers,
  json: { code, message },
});

const unauthorized = fault({
  status: 401,
  code: 57,
  message: 'You are not authorized to perform this operation',
});

const faultOfPage = fault({ status: 400, code: 2, message: 'Invalid value passed for page' });

const missing = fault({ status: 404, code: 1002, message: 'Resource does not exist.' });

/** Eleven digits, the same ones for the same company. */
const organizationIdOf = ({ id }: DemoCompany): string => {
  const digest = createHash('sha256').update(id).digest().readUIntBE(0, 6);
  return `2${String(digest % 1e10).padStart(10, '0')}`;
};

/** What belongs to a company counts up behind the company's own digits; 1 and 2 are its kinds. */
const idOf = (company: DemoCompany, kind: 1 | 2, index: number): string =>
  `${organizationIdOf(company)}${kind}${String(index).padStart(7, '0')}`;

const accountIdOf = (company: DemoCompany, index: number): string => idOf(company, 1, index);
const journalIdOf = (company: DemoCompany, index: number): string => idOf(company, 2, index);

const defaultTypes: Record<DemoAccount['type'], string> = {
  asset: 'other_current_asset',
  liability: 'other_current_liability',
  equity: 'equity',
  revenue: 'income',
  expense: 'expense',
};

/** The types of accounts that every chart of the demo companies has. */
const typesByCode = new Map([
  ['1000', 'cash'],
  ['1010', 'bank'],
  ['1020', 'bank'],
  ['1100', 'accounts_receivable'],
  ['1200', 'stock'],
  ['1500', 'fixed_asset'],
  ['2000', 'accounts_payable'],
  ['2100', 'credit_card'],
  ['2500', 'long_term_liability'],
  ['4900', 'other_income'],
  ['5000', 'cost_of_goods_sold'],
]);

const accountAt = (company: DemoCompany, index: number) => {
  const { code, name, type, status } = company.accounts[index] as DemoAccount;
  return {
    account_id: accountIdOf(company, index),
    account_name: name,
    account_code: code ?? '',
    account_type: typesByCode.get(code ?? '') ?? defaultTypes[type],
    is_user_created: true,
    is_system_account: false,
    is_active: status === 'active',
    is_involved_in_transaction: true,
    current_balance: 0,
    parent_account_id: '',
    depth: 0,
    created_time: '2025-01-01T08:00:00+0000',
    last_modified_time: '2025-01-01T08:00:00+0000',
  };
};

/**
 * What a journal has in a list and by itself; that lists have its status is not documented. A float
 * holds every amount as it is written.
 */
const journalAt = (company: DemoCompany, index: number) => {
  const { date, memo, status, lines } = company.journalAt(index);
  const total = lines.reduce((cents, { debit }) => cents + Math.round(Number(debit) * 100), 0);
  return {
    journal_id: journalIdOf(company, index),
    journal_date: date,
    entry_number: String(index + 1),
    reference_number: '',
    notes: memo,
    journal_type: 'both',
    entity_type: 'journal',
    status: status === 'posted' ? 'published' : 'draft',
    total: total / 100,
  };
};

const wholeJournalAt = (company: DemoCompany, index: number) => {
  const { lines, currency, exchangeRate } = company.journalAt(index);
  return {
    ...journalAt(company, index),
    currency_code: currency,
    exchange_rate: Number(exchangeRate ?? '1'),
    line_items: lines.map(({ account, description, debit, credit }, place) => {
      const isDebit = Number(debit) > 0;
      return {
        line_id: `${journalIdOf(company, index)}${place}`,
        account_id: accountIdOf(company, account),
        account_name: company.accounts[account]?.name,
        description,
        debit_or_credit: isDebit ? 'debit' : 'credit',
        amount: Number(isDebit ? debit : credit),
      };
    }),
    taxes: [],
  };
};

const organizationsReply = ({ company }: ApiCall): Reply =>
  answer({
    organizations: [
      {
        organization_id: organizationIdOf(company),
        name: company.name,
        contact_name: 'Demo User',
        is_default_org: true,
        language_code: 'en',
        account_created_date: '2025-01-01',
        is_org_active: true,
        currency_code: company.currency,
        price_precision: 2,
      },
    ],
  });

type List = { of: 'accounts' | 'journals'; node: string; count: number };

/** A page of a list: of 200 rows where nothing is asked for, and here never of more. */
const pageOf = (
  { query, injectFailure, repeatsPages }: ApiCall,
  { of, node, count }: List,
  rowAt: (index: number) => object,
): Reply => {
  const [page, size] = [Number(query.get('page') ?? 1), Number(query.get('per_page') ?? 200)];
  const isWhole = Number.isInteger(page) && Number.isInteger(size);
  if (!isWhole || page < 1 || size < 1 || size > 200) return faultOfPage;
  const failure = injectFailure({ of, page, pages: Math.ceil(count / size) });
  if (failure) return failure;
  const first = repeatsPages ? 0 : (page - 1) * size;
  const length = Math.max(0, Math.min(size, count - first));
  return answer({
    [node]: Array.from({ length }, (_, place) => rowAt(first + place)),
    page_context: { page, per_page: size, has_more_page: repeatsPages || page * size < count },
  });
};

/** Those that are not active come only to who asks for all. */
const accountsReply = (call: ApiCall): Reply => {
  const { company, query } = call;
  const all = query.get('filter_by') === 'AccountType.All';
  const indexes = [...company.accounts.keys()].filter(
    (index) => all || company.accounts[index]?.status === 'active',
  );
  const list = { of: 'accounts', node: 'chartofaccounts', count: indexes.length } as const;
  return pageOf(call, list, (place) => accountAt(company, indexes[place] as number));
};

const journalsReply = (call: ApiCall): Reply => {
  const { company } = call;
  const list = { of: 'journals', node: 'journals', count: company.journalCount } as const;
  return pageOf(call, list, (index) => journalAt(company, index));
};

const journalReply = ({ company }: ApiCall, journalId: string): Reply => {
  const index = Number(journalId.slice(-7));
  const isKnown = index < company.journalCount && journalId === journalIdOf(company, index);
  return isKnown ? answer({ journal: wholeJournalAt(company, index) }) : missing;
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
  const [, resource, id] = /^\/books\/v3\/(\w+)(?:\/([^/]+))?$/.exec(path) ?? [];
  if (method !== 'GET' || resource === undefined) return undefined;
  if (resource === 'organizations' && id === undefined) return organizationsReply(call);
  const organizationId = query.get('organization_id');
  if (organizationId !== organizationIdOf(company)) {
    const message = `This user is not associated with the CompanyID/CompanyName:${organizationId}.`;
    return fault({ status: 400, code: 6041, message });
  }
  if (resource === 'journals')
    return id === undefined ? journalsReply(call) : journalReply(call, id);
  return resource === 'chartofaccounts' && id === undefined ? accountsReply(call) : undefined;
};

/** Zoho has its own word for a code or a refresh token that is not good, and no error status. */
const tokenError = (error: string): Reply => ({
  status: 200,
  json: { error: error === 'invalid_grant' ? 'invalid_code' : error },
});

const limits: Record<'minute' | 'day', Fault> = {
  minute: {
    status: 429,
    code: 44,
    message:
      'For security reasons your organization has been blocked as it have exceeded the maximum ' +
      'number of requests per minute that can originate from an organization.',
  },
  day: {
    status: 429,
    code: 45,
    message: 'The API call for this organization has exceeded the maximum call rate limit of 1000.',
  },
};

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
  clientAuthentication: 'form',
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
  tokenError,
  companyIdOf: organizationIdOf,
  accountIdOf,
  unauthorized,
  serverError: fault({ status: 500, code: 1000, message: 'Internal error' }),
  // Zoho documents neither a wait nor a header for it. The header is here so that whoever tries
  // this out is not kept waiting.
  tooManyRequests: (limit, retryAfterSeconds) =>
    fault(limits[limit], { 'Retry-After': String(retryAfterSeconds) }),
  api,
};
