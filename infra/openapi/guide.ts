// The guide: sign up, connect, wait, post, read. Its requests are the examples of the endpoints.

import type { FunctionName } from '../manifest.ts';
import { documentedServer } from '../reference.ts';
import { codeBlock } from './markdown.ts';
import { type Endpoint, sampleOf } from './operations.ts';
import { type Keep, shellOf } from './samples.ts';

const shell = (text: string): string => codeBlock('sh', text);

export const guideOf = (endpoints: readonly Endpoint[]): string => {
  const request = (
    name: FunctionName,
    {
      values = {},
      headers = {},
      keep,
    }: { values?: object; headers?: Record<string, string>; keep?: Keep } = {},
  ): string => {
    const endpoint = endpoints.find((one) => one.name === name);
    if (endpoint === undefined) throw new Error(`the guide needs the endpoint ${name}`);
    return shellOf({ ...sampleOf(endpoint, values), headers }, keep);
  };

  return `## Guide

Five steps lead to a trial balance. All requests can be repeated safely.

### 1. Sign up

Register the user at every sign-up or login. If the user exists, the reply contains the existing
user. Store \`user_id\`.

${shell(request('ensure-user', { keep: { variable: 'USER_ID', field: 'user_id' } }))}

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
  request('create-tenant', {
    values: { user_id: '$USER_ID' },
    headers: { 'Idempotency-Key': 'company-1' },
    keep: { variable: 'TENANT', field: 'tenant_domain_url' },
  }),
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

[A year of books](${documentedServer}/docs/worked-year), a page of the service on a developer's
machine, follows a small company from its share capital to its financial statements.`;
};
