// The text that the local service prints: its addresses, and requests to copy.

import { functions } from '../manifest/manifest.ts';

export type Welcome = {
  baseUrl: string;
  callbackUrl: string;
  sandboxUrl: string;
  apiKey: string;
  latestRates: string;
  dataFolder: string;
};

/**
 * Requests for a shell, to copy together or one at a time. They run in bash, plain sh and zsh
 * (which accepts no `#` comments from a terminal), with the tools of Linux and macOS. They use
 * values from earlier replies, and a repetition creates no duplicates. POSIX has no `date -d`, so
 * TZ=UTC-24, a zone one day ahead, gives tomorrow's date.
 */
export const requestsToCopy = ({
  baseUrl,
  sandboxUrl,
  apiKey,
}: Pick<Welcome, 'baseUrl' | 'sandboxUrl' | 'apiKey'>): string => {
  const api = `${baseUrl}/external/v1`;
  const key = '-H "X-API-Key: $API_KEY"';
  const json = "-H 'Content-Type: application/json'";
  const field = (name: string): string => `sed 's/.*"${name}":"\\([^"]*\\)".*/\\1/'`;
  const entry = (fields: string): string =>
    `curl -sSw '\\n' ${api}/journal_entries/create/ ${key} \\
  ${json} -d @- <<END
{"domain_url":"$TENANT","date":"2026-03-23","memo":"March consulting",
 "transactionCurrency":"USD","reportingCurrency":"EUR",${fields},
 "entries":[{"account":"1010","debit":"1159.60","description":"Received"},
            {"account":"4010","credit":"1159.60","description":"Consulting"}]}
END`;
  return `API_KEY=${apiKey}

echo '1. A user and its id'
USER_ID=$(curl -sS ${api}/users/ensure/ ${key} \\
  ${json} -d @- <<END | ${field('user_id')}
{"email":"ada@example.com","password":"correct horse","first_name":"Ada","last_name":"Lovelace"}
END
)
echo "user $USER_ID"

echo '2. A company tenant and its prefix'
TENANT=$(curl -sS ${api}/tenants/create/ ${key} \\
  ${json} -H 'Idempotency-Key: analytical-engines' \\
  -d @- <<END | ${field('tenant_domain_url')}
{"user_id":"$USER_ID","platform":"manual","cash_flow_method":"indirect",
 "company_name":"Analytical Engines","currency":"EUR"}
END
)
echo "tenant $TENANT"

echo '3. A journal entry in dollars, reported in euro at the ECB rate of its date'
${entry('"external_id":"invoice-42"')}

echo '4. An entry that posts tomorrow (UTC), and the scheduled run of tomorrow'
TOMORROW=$(TZ=UTC-24 date +%Y-%m-%d)
${entry('"external_id":"accrual-42","accrual_date":"$TOMORROW"')}
curl -sS -X POST "${sandboxUrl}/schedules/post-scheduled-entries?time=\${TOMORROW}T00:05:00Z"

echo '5. The first entry by its external_id, and the trial balance with both entries'
curl -sSw '\\n' "${api}/journal_entries/get/?domain_url=$TENANT&external_id=invoice-42" ${key}
curl -sSw '\\n' "${api}/reports/trial_balance/?domain_url=$TENANT&as_of=$TOMORROW" ${key}

echo '6. The user and its tenants'
curl -sSw '\\n' ${api}/users/profile/ ${key} \\
  ${json} -d '{"email":"ada@example.com"}'

echo '7. An accounting platform: open the authorization_url in a browser'
curl -sSw '\\n' "${api}/oauth/platform_a/initiate/?user_id=$USER_ID&cash_flow_method=direct" \\
  ${key}

echo '8. The events of these requests, as the webhook of the demo application got them'
curl -sSw '\\n' "${api}/events/list/?domain_url=$TENANT" ${key}
sleep 2
curl -sSw '\\n' ${sandboxUrl}/inbox/deliveries`;
};

export const welcomeText = (welcome: Welcome): string => `
The ledger is ready.

  API                 ${welcome.baseUrl}
  Reference           ${welcome.baseUrl}/docs
  Books               ${welcome.baseUrl}/books
  OAuth callback      ${welcome.callbackUrl}
  Sandbox platform    ${welcome.sandboxUrl}
  Inbox of webhooks   ${welcome.sandboxUrl}/inbox
  API key (demo)      ${welcome.apiKey}
  Exchange rates      European Central Bank, up to ${welcome.latestRates} (for information only)
  Data                ${welcome.dataFolder}

Requests to copy into a shell, together or one at a time. Repeating them creates no duplicates:

${requestsToCopy(welcome)}

Stop with Ctrl-C. The data folder keeps the data.
`;

/** The message if newer exchange rates could not be fetched, for example without a network. */
export const ratesNote = (error: unknown): string => {
  const hours = functions['refresh-exchange-rates'].trigger.everyMinutes / 60;
  const reason = error instanceof Error ? error.message : String(error);
  return (
    'Could not fetch newer exchange rates, so entries get the latest stored ones. The next try ' +
    `is in ${hours} hours. (${reason})`
  );
};
