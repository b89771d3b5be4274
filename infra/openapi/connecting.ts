// The part of the introduction that says who connects a company: what is bound to what, at each
// platform, and how an application confirms a connection.

import { codeBlock, table } from './markdown.ts';

/** Their adapters hold each to this; tests/security plays the attacks. */
const bindings = table(
  ['at the callback', '`platform_a` (Xero)', '`platform_b` (QuickBooks)', '`platform_c` (Zoho)'],
  [
    ['the authorization, by a single-use `state`', 'yes', 'yes', 'yes'],
    ['the platform, by a callback of its own', 'yes', 'yes', 'yes'],
    ['the code, by PKCE', 'yes', 'no: Intuit offers none', 'yes'],
    [
      'the company',
      'asked of the platform with the tokens',
      '`realmId` of the query, read with the tokens',
      'asked of the platform with the tokens',
    ],
    ['the browser, by a cookie', 'no', 'no', 'no'],
    [
      'the user, by `confirm_connection`',
      'if you ask for it',
      'if you ask for it',
      'if you ask for it',
    ],
  ],
);

const example = `app.get('/connected', requireLogin, async (request, response) => {
  const { status, domain_url, confirmation_code } = request.query;
  if (status !== 'success') return response.redirect('/connect-failed');
  const reply = await fetch(\`\${ledger}/external/v1/tenants/confirm/\`, {
    method: 'POST',
    headers: { 'X-API-Key': apiKey, 'Content-Type': 'application/json' },
    // The user of this session, whoever started the authorization.
    body: JSON.stringify({ domain_url, confirmation_code, user_id: request.session.userId }),
  });
  // After 404 show "You did not start this", and nothing of the company.
  response.redirect(reply.ok ? '/companies' : '/connect-failed');
});`;

export const connectingSection = `## Who connects a company

An authorization URL works in any browser. Whoever opens it and consents connects the company for
the user for whom you started. So a user of yours can send the URL to somebody else, who sees a
genuine consent page of the platform, and can read that company's books (RFC 9700 section 4.7). The
service sees neither your session nor the browser before the callback: the URL is on the platform's
host, so that no cookie of the service can be set on the way. Only your application knows whose
session it is.

${bindings}

With \`confirm_connection=true\` at initiate-oauth nothing is imported and nothing of the company is
shown until you confirm. The browser brings a \`confirmation_code\` to your \`redirect_url\`, beside
\`status\` and \`domain_url\`. Send it with confirm-tenant, and with the user of the session in
which the browser arrived:

${codeBlock('js', example)}

- A victim's session has another user: the service refuses, and the tokens are forgotten.
- The user who started knows the \`domain_url\`, from the profile, but not the code, which only the
  browser that consented has. To open your \`redirect_url\` by hand confirms nothing. Lead the
  browser on at once, so that no page of yours has the code in its address.
- The prefix of such a tenant begins with \`company-\` and not with the company's name, which the
  user could read in the profile before anybody has confirmed.

What is left: at QuickBooks a code that was stolen before it was used, and is brought back with the
state of another user's authorization, connects for that user (RFC 9700 section 4.5). PKCE ends this
at Xero and Zoho. \`confirm_connection\` does not, since the attacker's own browser brings such a
code. Codes are good for minutes and for one use, and no reply, page or log of the service has one.
If you know which company it should be, give initiate-oauth its \`platform_company_id\`: any other
is refused. The service does not ask Intuit for an ID token: its \`sub\` says which Intuit user has
consented, but nobody knows which one should.`;
