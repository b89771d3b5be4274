// The sandbox platform's API: the company that was consented to, and its chart of accounts.

import { accountsPerPage, companiesOf, type DemoCompany } from './companies.ts';
import { type FailCall, serverError, tooManyRequests } from './failures.ts';
import type { Reply, Request } from './replies.ts';
import type { Grant, Grants } from './state.ts';

/** RFC 6750 section 3. */
const unauthorized: Reply = {
  status: 401,
  headers: { 'WWW-Authenticate': 'Bearer error="invalid_token"' },
  json: { error: 'invalid_token' },
};

const notFound: Reply = { status: 404, json: { error: 'not_found' } };

const summaryOf = ({ id, name, currency }: DemoCompany) => ({ id, name, currency });

const pagesOf = ({ accounts }: DemoCompany): number => Math.ceil(accounts.length / accountsPerPage);

export const createApi = ({ grants, failCall }: { grants: Grants; failCall: FailCall }) => {
  /** Answers for the company of the bearer token's grant (RFC 6750 section 2.1). */
  const forGrant = async (
    { slot, headers }: Request,
    answer: (company: DemoCompany, grant: Grant) => Reply,
  ): Promise<Reply> => {
    const token = /^Bearer ([\w~+/.-]+=*)$/i.exec(headers.authorization ?? '')?.[1];
    const grant = token === undefined ? undefined : grants.findByAccessToken(slot, token);
    const company = companiesOf[slot].find(({ id }) => id === grant?.companyId);
    if (grant === undefined || company === undefined) return unauthorized;
    return (await failCall(grant.failure)) ?? answer(company, grant);
  };

  /** The failures that strike half-way: on page 2, or on the only page. */
  const failHalfWay = (grant: Grant): Reply | undefined => {
    if (grant.failure === 'accounts_error') return serverError;
    if (grant.failure === 'accounts_rate_limited') return tooManyRequests;
    const failsOnce = grant.failure === 'accounts_error_once';
    return failsOnce && grants.failsNow(grant) ? serverError : undefined;
  };

  return {
    connections: (request: Request): Promise<Reply> =>
      forGrant(request, (company) => ({ status: 200, json: [summaryOf(company)] })),

    company: (request: Request, companyId: string): Promise<Reply> =>
      forGrant(request, (company) =>
        company.id === companyId ? { status: 200, json: summaryOf(company) } : notFound,
      ),

    /** One page of the chart; `page` counts from 1, and `next_page` is null on the last. */
    accounts: (request: Request, companyId: string): Promise<Reply> =>
      forGrant(request, (company, grant) => {
        const page = Number(request.query.get('page') ?? 1);
        const pages = pagesOf(company);
        if (company.id !== companyId) return notFound;
        if (!Number.isInteger(page) || page < 1) {
          return { status: 400, json: { error: 'page_not_valid' } };
        }
        const failure = page === Math.min(2, pages) ? failHalfWay(grant) : undefined;
        if (failure) return failure;
        const accounts = company.accounts.slice(
          (page - 1) * accountsPerPage,
          page * accountsPerPage,
        );
        return { status: 200, json: { accounts, next_page: page < pages ? page + 1 : null } };
      }),
  };
};
