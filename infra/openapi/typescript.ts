// How to call the API from TypeScript with typed replies. `npm run test:clients` compiles and runs
// the sample.

import { apiKeyPlaceholder, documentedServer } from '../reference.ts';
import { codeBlock } from './markdown.ts';

/** Registers a user, creates a company, posts an entry and reads the trial balance. */
export const typeScriptSample = `import createClient from 'openapi-fetch';
import type { components, paths } from './ledger.d.ts';

type Failure = components['schemas']['Failure'];

const ledger = createClient<paths, 'application/json'>({
  baseUrl: '${documentedServer}',
  headers: { 'X-API-Key': '${apiKeyPlaceholder}' },
});

/** Returns the data of a reply. Throws if the request failed. */
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

Generate the types of all requests, replies and codes from this document:

${codeBlock('bash', `npx openapi-typescript ${documentedServer}/openapi.json -o ledger.d.ts`)}

The types work with any client and also fit a deployed service of the same version. This example
uses \`openapi-fetch\`, a typed wrapper of \`fetch\`. \`application/json\` excludes the CSV replies
of some reports. \`components['schemas']\` has each schema by its name: \`JournalEntry\`,
\`TrialBalance\`, \`Failure\`, \`Problem\`.

${codeBlock('ts', typeScriptSample)}

A newer service may return codes that your copy of the types does not list. Handle unknown codes, as
above.`;
