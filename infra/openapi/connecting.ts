// The introduction's section on connecting a company: what binds a callback to its authorization at
// each platform, and how an application confirms a connection.

import { codeBlock, table } from './markdown.ts';

/** The adapters enforce these bindings; tests/security runs the attacks. */
const bindings = table(
  [
    'the callback is bound to',
    '`platform_a` (Xero)',
    '`platform_b` (QuickBooks)',
    '`platform_c` (Zoho)',
  ],
  [
    ['the authorization, by a single-use `state`', 'yes', 'yes', 'yes'],
    ['the platform, by a separate callback path', 'yes', 'yes', 'yes'],
    ['the code, by PKCE', 'yes', 'no: Intuit offers none', 'yes'],
    [
      'the company',
      'read from the platform with the tokens',
      '`realmId` in the query, verified with the tokens',
      'read from the platform with the tokens',
    ],
    ['the browser, by a cookie', 'no', 'no', 'no'],
    ['the user, by `confirm_connection`', 'optional', 'optional', 'optional'],
  ],
);

const example = `app.get('/connected', requireLogin, async (request, response) => {
  const { status, domain_url, confirmation_code } = request.query;
  if (status !== 'success') return response.redirect('/connect-failed');
  const reply = await fetch(\`\${ledger}/external/v1/tenants/confirm/\`, {
    method: 'POST',
    headers: { 'X-API-Key': apiKey, 'Content-Type': 'application/json' },
        // The current session's user, even if another user started the authorization.
    body: JSON.stringify({ domain_url, confirmation_code, user_id: request.session.userId }),
  });
  // After a 404 show "You did not start this", and nothing about the company.
  response.redirect(reply.ok ? '/companies' : '/connect-failed');
});`;

export const connectingSection = `## Who connects a company

An authorization URL works in any browser. Anyone who opens it and consents connects the company for
the user who started the authorization. So one of your users can send the URL to a stranger, who
sees the platform's genuine consent page, and can then read the stranger's books (RFC 9700 section
4.7). The service cannot detect this. It sees neither your session nor the browser before the
callback, and it cannot set a cookie because the URL is on the platform's host. Only your
application knows which user a session belongs to.

${bindings}

To prevent this, send \`confirm_connection=true\` to initiate-oauth. Nothing is then imported, and
nothing about the company is shown, until you confirm. The browser returns to your \`redirect_url\`
with a \`confirmation_code\`, \`status\` and \`domain_url\`. Send the code to confirm-tenant
together with the user of the browser's session:

${codeBlock('js', example)}

- If the browser belongs to another user, the service refuses and deletes the tokens.
- The user who started the authorization can read \`domain_url\` in the profile, but not the code:
  only the browser that consented has it. Opening your \`redirect_url\` by hand confirms nothing.
  Redirect the browser immediately, so that your pages do not have the code in their addresses.
- The prefix of an unconfirmed tenant starts with \`company-\` instead of the company's name,
  because the user could read the name in the profile before the confirmation.

One attack remains. At QuickBooks, an attacker can steal an unused code and return it with the state
of another user's authorization. It then connects for that user (RFC 9700 section 4.5). PKCE
prevents this at Xero and Zoho. \`confirm_connection\` does not, because the attacker's own browser
returns the code. Codes are valid for minutes and for one use, and no reply, page or log of the
service contains one. If you know which company to expect, send its \`platform_company_id\` to
initiate-oauth: all other companies are refused. An ID token from Intuit would not help. Its \`sub\`
identifies the Intuit user who consented, but the service cannot know which one should have.`;
