// The guide of a first hour: sign up, connect, wait, post, read. Its requests are those that the
// endpoints show as examples.

import type { FunctionName } from '../manifest.ts';
import { codeBlock } from './markdown.ts';
import { type Endpoint, sampleOf } from './operations.ts';
import { curlOf, type SampleRequest } from './samples.ts';
import { harbourBakery, yearOfBooks } from './worked-books.ts';

/** What a step learns for those after it, in a variable of the shell. */
const keep = (variable: string, field: string, request: string): string =>
  [
    `${variable}=$(${request} \\`,
    `  | sed 's/.*"${field}":"\\([^"]*\\)".*/\\1/'); echo "$${variable}"`,
  ].join('\n');

/** A body stands in single quotes; a variable has to be outside of them. */
const withVariables = (request: string): string =>
  request.replaceAll('"$USER_ID"', `'"$USER_ID"'`).replaceAll(/"(\$TENANT|\$BAKERY)"/g, `"'"$1"'"`);

const shell = (text: string): string => codeBlock('sh', text);

/** A request that prints its reply and nothing else. */
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

Five steps from nothing to a trial balance. Each can be sent again without harm.

### 1. Sign up

Register the user at every sign-up or login. A user that is there is found; keep \`user_id\`.

${shell(keep('USER_ID', 'user_id', request('ensure-user')))}

### 2. Connect

To connect an accounting platform, get its consent page and send the user's browser there. On a
developer's machine a sandbox takes the platform's place.

${shell(request('initiate-oauth', { values: { user_id: '$USER_ID' } }))}

The browser comes back to your \`redirect_url\` with \`status\` and \`domain_url\`. **Do not take
the query's word for it**: anybody can type such an address, or send somebody a link. At the
redirect URL, check that the browser has the session in which your application started the
authorization, then ask for the profile of that session's user, and go on only if the tenant is
there. To be safe from a user who sends somebody else through the consent, start with
\`confirm_connection=true\` and confirm in that session: see "Who connects a company" below.

Or create a company without a platform, with a default chart of accounts. The
\`Idempotency-Key\` tells a repeat from a second company.

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

A connected tenant is \`importing\` until its accounts and journals are there. Ask for its import
every few seconds; go on when \`status\` is \`active\`. \`next\` says what happens otherwise, and
who can do something: tell your user so.

${shell(
  `while ${request('get-tenant-import', { values: { domain_url: '$TENANT' } })} \\
  | grep '"action":"continues"'; do sleep 2; done`,
)}

### 4. Post

Post a balanced entry to accounts of the tenant's chart, which this lists with their codes.

${shell(
  request('list-accounts', {
    values: { domain_url: '$TENANT', status: 'active', type: undefined, limit: 200 },
  }),
)}

\`external_id\` makes it safe to repeat the post.

${shell(request('create-journal-entry', { values: { domain_url: '$TENANT' } }))}

### 5. Read

The entry is found again by your own id of it,

${shell(request('get-journal-entry', { values: { domain_url: '$TENANT' } }))}

and counts in the next trial balance, in the tenant's currency and, by \`by_currency\`, in its own.

${shell(request('get-trial-balance', { values: { domain_url: '$TENANT' } }))}

list-journal-entries pages through all entries, and get-account-ledger through the lines of one
account. Look at \`coverage\` before you show a report of a connected tenant.

A year of books, the last part of this introduction, takes a small company
from its share capital to its statements.`;
};

/** A line of an entry stays on one line, and so does what belongs together above it. */
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

The books of a small company for 2025, with a bit of everything: capital and a loan, VAT, a machine
on credit, depreciation, a prepayment, dollars, a disposal, a mistake, tax and a dividend. The
figures of every report were worked out by hand beforehand, and a test compares them. Send the
requests in their order, after the first of the guide, which sets \`$USER_ID\`; each can be sent
again without harm.

### The company

${shell(keep('BAKERY', 'tenant_domain_url', silentCurlOf(createBakery)))}

${yearOfBooks
  .map(({ heading, text, requests }) => {
    const block = requests.map((request) => withShortLines(silentCurlOf(request))).join('\n');
    return `### ${heading}\n\n${text}\n\n${shell(block)}`;
  })
  .join('\n\n')}`;
