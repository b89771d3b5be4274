// The guide: sign up, connect, wait, post, read. Its requests are the examples of the endpoints.

import type { FunctionName } from '../manifest.ts';
import { codeBlock } from './markdown.ts';
import { type Endpoint, sampleOf } from './operations.ts';
import { curlOf, type SampleRequest } from './samples.ts';
import { harbourBakery, yearOfBooks } from './worked-books.ts';

/** Stores a field of a reply in a shell variable for later steps. */
const keep = (variable: string, field: string, request: string): string =>
  [
    `${variable}=$(${request} \\`,
    `  | sed 's/.*"${field}":"\\([^"]*\\)".*/\\1/'); echo "$${variable}"`,
  ].join('\n');

/** Bodies are in single quotes; the shell expands variables only outside quotes. */
const withVariables = (request: string): string =>
  request.replaceAll('"$USER_ID"', `'"$USER_ID"'`).replaceAll(/"(\$TENANT|\$BAKERY)"/g, `"'"$1"'"`);

const shell = (text: string): string => codeBlock('sh', text);

const silentCurlOf = (request: SampleRequest): string =>
  withVariables(curlOf(request)).replace('curl ', 'curl -s ');

export const guideOf = (endpoints: readonly Endpoint[]): string => {
  const request = (
    name: FunctionName,
    { values = {}, headers = {} }: { values?: object; headers?: Record<string, string> } = {},
  ): string => {
    const endpoint = endpoints.find((one) => one.name === name);
    if (endpoint === undefined) throw new Error(`the guide needs the endpoint ${name}`);
    return silentCurlOf({ ...sampleOf(endpoint, values), headers });
  };

  return `## Guide

Five steps lead to a trial balance. All requests can be repeated safely.

### 1. Sign up

Register the user at every sign-up or login. If the user exists, the reply contains the existing
user. Store \`user_id\`.

${shell(keep('USER_ID', 'user_id', request('ensure-user')))}

### 2. Connect

To connect an accounting platform, get the URL of the consent page and send the user's browser
there. On a developer's machine, a sandbox replaces the platform.

${shell(request('initiate-oauth', { values: { user_id: '$USER_ID' } }))}

The browser returns to your \`redirect_url\` with \`status\` and \`domain_url\`. **Do not trust the
query parameters**: anyone can type the URL or send a link. Check that the browser has the session
that started the authorization. Then read the profile of the session's user, and continue only if it
contains the tenant. To prevent users from sending someone else through the consent, start with
\`confirm_connection=true\` and confirm in that session: see "Who connects a company" below.

Alternatively, create a company without a platform. It starts with a default chart of accounts. The
\`Idempotency-Key\` ensures that a repeated request does not create a second company.

${shell(
  keep(
    'TENANT',
    'tenant_domain_url',
    request('create-tenant', {
      values: { user_id: '$USER_ID' },
      headers: { 'Idempotency-Key': 'company-1' },
    }),
  ),
)}

### 3. Wait

A connected tenant is \`importing\` until its accounts and journals have been copied. Poll the
import every few seconds until \`status\` is \`active\`. If the import needs attention, \`next\`
names the next step and who can take it: tell your user.

${shell(
  `while ${request('get-tenant-import', { values: { domain_url: '$TENANT' } })} \\
  | grep '"action":"continues"'; do sleep 2; done`,
)}

### 4. Post

List the accounts of the tenant's chart with their codes:

${shell(
  request('list-accounts', {
    values: { domain_url: '$TENANT', status: 'active', type: undefined, limit: 200 },
  }),
)}

Post a balanced entry. \`external_id\` makes the request safe to repeat.

${shell(request('create-journal-entry', { values: { domain_url: '$TENANT' } }))}

### 5. Read

Find the entry by your own id:

${shell(request('get-journal-entry', { values: { domain_url: '$TENANT' } }))}

The next trial balance contains it in the tenant's currency. With \`by_currency\`, it also shows the
entry's own currency.

${shell(request('get-trial-balance', { values: { domain_url: '$TENANT' } }))}

list-journal-entries returns all entries, and get-account-ledger the lines of one account, page by
page. Check \`coverage\` before you show a report of a connected tenant.

The last part of the introduction, "A year of books", follows a small company from its share
capital to its financial statements.`;
};

/** Puts each line of an entry on one line of text, and related fields above it together. */
const withShortLines = (request: string): string =>
  request
    .replaceAll(
      /\{\s*("account": [^{}]+?)\s*\}/g,
      (_, fields: string) => `{ ${fields.replaceAll(/\s+/g, ' ')} }`,
    )
    .replaceAll(/,\n\s+("(?:date|accrual_date|reportingCurrency)":)/g, ', $1');

const createBakery: SampleRequest = {
  method: 'POST',
  pathAndQuery: '/external/v1/tenants/create/',
  headers: { 'Idempotency-Key': 'harbour-bakery' },
  body: { user_id: '$USER_ID', ...harbourBakery },
};

export const yearOfBooksSection = `## A year of books

The books of a small company for 2025 cover share capital and a loan, VAT, a machine on credit,
depreciation, a prepayment, dollars, a disposal, a correction, tax and a dividend. The figures of
every report were worked out by hand first, and a test compares them. Send the first request of the
guide, which sets \`$USER_ID\`, then these requests in order. All can be repeated safely.

### The company

${shell(keep('BAKERY', 'tenant_domain_url', silentCurlOf(createBakery)))}

${yearOfBooks
  .map(({ heading, text, requests }) => {
    const block = requests.map((request) => withShortLines(silentCurlOf(request))).join('\n');
    return `### ${heading}\n\n${text}\n\n${shell(block)}`;
  })
  .join('\n\n')}`;
