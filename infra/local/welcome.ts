// The text that the local service starts with: where it is, and requests to copy.

import { addDays, dateOf } from '#shared/domain/dates.ts';

export type Welcome = {
  baseUrl: string;
  callbackUrl: string;
  sandboxUrl: string;
  apiKey: string;
  latestRates: string;
};

/**
 * The requests name no id that only a reply could tell: each takes what it needs from the reply
 * before it, through the shell.
 */
export const requestsToCopy = ({ baseUrl, sandboxUrl, apiKey }: Welcome, now: Date): string => {
  const tomorrow = addDays(dateOf(now), 1);
  const key = `-H 'X-API-Key: ${apiKey}'`;
  const post = (path: string, body: string): string =>
    `curl -sw '\\n' ${baseUrl}/external/v1/${path}/ ${key} -H 'Content-Type: application/json' \\
  -d ${body}`;
  const field = (name: string): string => `sed 's/.*"${name}":"\\([^"]*\\)".*/\\1/'`;
  const user =
    `'{"email":"ada@example.com","password":"correct horse",` +
    `"first_name":"Ada","last_name":"Lovelace"}'`;
  const tenant =
    `'{"user_id":'$USER_ID',"platform":"manual","cash_flow_method":"indirect",` +
    `"company_name":"Analytical Engines","currency":"EUR"}'`;
  const lines =
    '[{"account":"1010","debit":"1159.60","description":"Received"},' +
    '{"account":"4010","credit":"1159.60","description":"Consulting"}]';
  const entry = (fields: string): string =>
    `'{"domain_url":"'$TENANT'","date":"2026-03-23","memo":"March consulting",` +
    `"transactionCurrency":"USD","reportingCurrency":"EUR",${fields}"entries":${lines}}'`;
  const initiate = 'oauth/platform_a/initiate/?user_id=$USER_ID&cash_flow_method=direct';
  return `# 1. A user, and its id
USER_ID=$(${post('users/ensure', user)} | ${field('user_id')}); echo "user $USER_ID"

# 2. A company tenant, and its prefix
TENANT=$(${post('tenants/create', tenant)} | ${field('tenant_domain_url')}); echo "tenant $TENANT"

# 3. A journal entry in dollars, reported in euro at the ECB rate of its date; send it twice
${post('journal_entries/create', entry('"external_id":"invoice-42",'))}

# 4. An entry that posts tomorrow; then let tomorrow's run come early, and send the first again
${post('journal_entries/create', entry(`"external_id":"accrual-42","accrual_date":"${tomorrow}",`))}
curl -s -X POST '${sandboxUrl}/schedules/post-scheduled-entries?time=${tomorrow}T00:05:00Z'

# 5. The user with its tenants
${post('users/profile', `'{"email":"ada@example.com"}'`)}

# 6. An accounting platform: open the authorization_url in a browser
curl -sw '\\n' "${baseUrl}/external/v1/${initiate}" ${key}`;
};

export const welcomeText = (welcome: Welcome, now: Date): string => `
The ledger is ready.

  API                 ${welcome.baseUrl}
  Reference           ${welcome.baseUrl}/docs
  OAuth callback      ${welcome.callbackUrl}
  Sandbox platform    ${welcome.sandboxUrl}
  API key (demo)      ${welcome.apiKey}
  Exchange rates      European Central Bank, up to ${welcome.latestRates} (for information only)

Requests to copy:

${requestsToCopy(welcome, now)}

Stop with Ctrl-C; the data stays.
`;
