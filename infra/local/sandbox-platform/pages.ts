// The sandbox platform's pages: plain HTML without scripts or anything from elsewhere.

import { createHash } from 'node:crypto';
import { type Slot, slotNames } from '#shared/platforms/slots.ts';
import { companiesOf, type DemoCompany } from './companies.ts';
import { DirectFailure, Failure, failures } from './failures.ts';

/** Text that is HTML already. All other text is escaped where a template takes it in. */
class Html {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

const escapeHtml = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);

const textOf = (value: string | Html | Html[]): string => {
  if (typeof value === 'string') return escapeHtml(value);
  return [value]
    .flat()
    .map(({ text }) => text)
    .join('');
};

const html = (texts: TemplateStringsArray, ...values: (string | Html | Html[])[]): Html =>
  new Html(String.raw({ raw: texts }, ...values.map(textOf)));

const style = `
  :root { color-scheme: light dark; --edge: light-dark(#767676, #8e918f);
    --accent: light-dark(#0b57d0, #a8c7fa); --on-accent: light-dark(#ffffff, #062e6f) }
  * { box-sizing: border-box }
  body { margin: 0 auto; max-width: 40rem; padding: 1.5rem 1rem 4rem;
    font: 1.0625rem/1.5 system-ui, sans-serif; overflow-wrap: break-word }
  h1 { line-height: 1.2 }
  .note { border: 1px solid var(--edge); border-radius: .5rem; padding: .5rem .75rem }
  fieldset { border: 1px solid var(--edge); border-radius: .5rem; margin: 1.25rem 0;
    padding: .5rem 1rem 1rem; min-width: 0 }
  legend { font-weight: 600; padding: 0 .4rem }
  .choice { display: flex; gap: .75rem; align-items: center; min-height: 2.75rem }
  .choice input { width: 1.25rem; height: 1.25rem; flex: none; accent-color: var(--accent) }
  label { display: block }
  select { font: inherit; width: 100%; min-height: 2.75rem; margin-top: .25rem }
  .actions { display: flex; flex-wrap: wrap; gap: .75rem }
  button { font: inherit; font-weight: 600; flex: 1 1 10rem; min-height: 3rem; cursor: pointer;
    border: 2px solid var(--accent); border-radius: .5rem; padding: 0 1rem;
    background: transparent; color: var(--accent) }
  button.first { background: var(--accent); color: var(--on-accent) }
  :focus-visible { outline: 3px solid var(--accent); outline-offset: 3px }
  pre { white-space: pre-wrap; overflow-wrap: anywhere; padding: .75rem;
    border: 1px solid var(--edge); border-radius: .5rem }
`;

/**
 * The pages' Content-Security-Policy. It has no form-action: browsers apply that to each redirect
 * that follows a form, and consent ends at an address that only the client knows.
 */
export const contentSecurityPolicy = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'`,
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

const page = (title: string, content: Html): string =>
  html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} - Sandbox accounting platform</title>
<style>${new Html(style)}</style>
</head>
<body>
<main>
<h1>${title}</h1>
${content}
</main>
</body>
</html>
`.text;

const companyChoice = (companies: readonly DemoCompany[]): Html => html`
<fieldset>
<legend>Company</legend>
${companies.map(
  ({ id, name, currency, accounts }, index) => html`<label class="choice">
<input type="radio" name="company" value="${id}" required${new Html(index === 0 ? ' checked' : '')}>
<span>${name} (${currency}, ${String(accounts.length)} accounts)</span>
</label>
`,
)}</fieldset>`;

const failureChoice = (choices: readonly Failure[]): Html => html`
<fieldset>
<legend>Make something go wrong</legend>
<label for="failure">What goes wrong after this</label>
<select id="failure" name="failure">
${choices.map((name) => html`<option value="${name}">${failures[name]}</option>\n`)}</select>
</fieldset>`;

const sandboxNote = html`<p class="note">This is a sandbox. Its companies are made up, and what you
choose here reaches no real books.</p>`;

/** Asks for consent (RFC 6749 section 4.1.1). */
export const consentPage = (consent: {
  slot: Slot;
  consentId: string;
  clientId: string;
  redirectUri: string;
}): string =>
  page(
    'Connect a company',
    html`${sandboxNote}
<p><strong>${consent.clientId}</strong> asks to read one company's name, currency and chart of
accounts at <strong>${consent.slot}</strong>, now and later on while you are away.</p>
<p>Afterwards your browser goes to <strong>${new URL(consent.redirectUri).origin}</strong>.</p>
<form method="post" action="consent">
<input type="hidden" name="consent" value="${consent.consentId}">
${companyChoice(companiesOf[consent.slot])}
${failureChoice(Failure.options)}
<div class="actions">
<button class="first" name="decision" value="approve">Approve</button>
<button name="decision" value="deny" formnovalidate>Deny</button>
</div>
</form>`,
  );

/** Makes tokens without a client's redirect, to be pasted into a request. */
export const directPage = (slot: Slot): string =>
  page(
    'Make tokens',
    html`${sandboxNote}
<p>Makes the credentials that a caller who holds its own tokens sends when it creates a tenant on
<strong>${slot}</strong>.</p>
<form method="post" action="direct">
${companyChoice(companiesOf[slot])}
${failureChoice(DirectFailure.options)}
<div class="actions"><button class="first">Make tokens</button></div>
</form>`,
  );

export const tokensPage = (slot: Slot, tokens: Record<string, string | number>): string =>
  page(
    'Tokens',
    html`<p>Send these fields when you create a tenant on <strong>${slot}</strong>. They are shown
this once.</p>
<pre role="region" tabindex="0" aria-label="Fields">${JSON.stringify(tokens, null, 2)}</pre>
<p><a href="direct">Make other tokens</a></p>`,
  );

/** A page for a request that cannot go on, and must not lead the browser anywhere. */
export const problemPage = (title: string, text: string): string =>
  page(title, html`<p>${text}</p>`);

const platformSection = (slot: Slot): Html => html`
<h2>${slot}</h2>
<ul>
${companiesOf[slot].map(
  ({ id, name, currency, accounts }) => html`<li><code>${id}</code>: ${name}, ${currency},
${String(accounts.length)} accounts</li>
`,
)}</ul>
<p><a href="/${slot}/oauth/direct">Make tokens for ${slot}</a>, or let a program make them:
<code>POST /${slot}/test-grants</code> with JSON <code>{"company_id", "failure"}</code>, both
optional.</p>`;

export const indexPage = (): string =>
  page(
    'Sandbox accounting platform',
    html`<p>It stands in for three accounting platforms, so that connecting a company can be tried
without an account at a real one. Start an authorization at the service and open the URL that it
returns: the consent page is here. There you choose a company, approve or deny, and choose what goes
wrong afterwards, if anything.</p>
${slotNames.map(platformSection)}`,
  );
