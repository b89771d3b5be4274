// How to call the API from TypeScript with the types of its replies; a test compiles and runs it.

import { apiKeyPlaceholder, documentedServer } from '../reference.ts';
import { codeBlock } from './markdown.ts';

/** A caller's module: signs up, makes a company, posts an entry and reads the trial balance. */
export const typeScriptSample = `import createClient from 'openapi-fetch';
import type { Failure, paths } from './ledger.d.ts';

const ledger = createClient<paths, 'application/json'>({
  baseUrl: '${documentedServer}',
  headers: { 'X-API-Key': '${apiKeyPlaceholder}' },
});

/** The data of a reply; a failure is thrown. */
const dataOf = <Data>({ data, error }: { data?: { data: Data }; error?: Failure }): Data => {
  if (data === undefined) throw new Error(error?.error.code, { cause: error });
  return data.data;
};

const user = { email: 'ada@example.com', first_name: 'Ada', last_name: 'Lovelace' };
const ensured = await ledger.POST('/external/v1/users/ensure/', {
  body: { ...user, password: 'the quick brown fox' },
});
const { user_id } = dataOf(ensured);

const company = { company_name: 'Analytical Engines', currency: 'EUR' };
const created = await ledger.POST('/external/v1/tenants/create/', {
  params: { header: { 'Idempotency-Key': 'company-2' } },
  body: { user_id, platform: 'manual', cash_flow_method: 'direct', ...company },
});
const { tenant_domain_url: domain_url } = dataOf(created);

const posted = await ledger.POST('/external/v1/journal_entries/create/', {
  body: {
    domain_url,
    external_id: 'invoice-43',
    date: '2026-03-23',
    memo: 'March consulting',
    transactionCurrency: 'EUR',
    reportingCurrency: 'EUR',
    entries: [
      { account: '1010', debit: '1159.60' },
      { account: '4010', credit: '1159.60' },
    ],
  },
});
for (const { code, pointer, message, params } of posted.error?.error.details ?? []) {
  if (code === 'account_not_found') console.error(\`First open account \${params?.account}.\`);
  else console.error(\`\${pointer}: \${message}\`);
}
console.log(dataOf(posted).journal_number);

const balance = await ledger.GET('/external/v1/reports/trial_balance/', {
  params: { query: { domain_url } },
});
for (const { account, closing } of dataOf(balance).rows) {
  console.log(account, closing.debit, closing.credit);
}`;

export const typeScriptSection = `## TypeScript

The types of all requests, replies and codes are made from this document. The service on a
developer's machine has them; they fit a deployed one of the same version too.

${codeBlock('bash', `curl -s ${documentedServer}/openapi.d.ts -o ledger.d.ts`)}

They need no package, and any client can have them. This is one with \`openapi-fetch\`, which is
\`fetch\` with these types; \`application/json\` leaves out the CSV that some reports have too.
Beside \`components\` and \`paths\`, each schema has a name of its own: \`JournalEntry\`,
\`TrialBalance\`, \`Failure\`, \`Problem\`.

${codeBlock('ts', typeScriptSample)}

The types know the codes of their day; a newer service may answer others. So let what decides on a
code have a branch for all the rest, as above.`;
