// The sandbox platform's pages: what it offers, consent, and tokens without a client's redirect.

import { type Slot, slotNames } from '#shared/platforms/slots.ts';
import { companiesOf } from './companies.ts';
import type { DemoCompany } from './demo-company.ts';
import type { Dialect } from './dialects/dialect.ts';
import { Failure, failures, TestGrantFailure } from './failure-injection.ts';
import { Html, html, page } from './page-layout.ts';

/** A slot with the name that people know its platform by. */
type TitledSlot = { slot: Slot; title: string };

/** An import of more journals than this is worth a warning. */
const manyJournals = 10_000;

const count = (number: number, [one, many]: [one: string, many: string]): string =>
  `${number.toLocaleString('en')} ${number === 1 ? one : many}`;

/** What a company holds: it says how much an import of it is to do. */
const contentsOf = ({ isActive, currency, accounts, journalCount }: DemoCompany): string =>
  [
    ...(isActive ? [] : ['not active']),
    currency,
    count(accounts.length, ['account', 'accounts']),
    count(journalCount, ['manual journal', 'manual journals']),
    ...(journalCount > manyJournals ? ['which take long to import'] : []),
  ].join(', ');

/** One choice: its value is the first company's. */
const choiceOf =
  (type: 'radio' | 'checkbox') =>
  (companies: readonly DemoCompany[], index: number): Html =>
    html`<label class="choice">
<input type="${type}" name="company" value="${companies[0]?.id ?? ''}"
${new Html(`${type === 'radio' ? 'required' : ''} ${index === 0 ? 'checked' : ''}`)}>
<span>${companies.map(
      (company, place) => html`${new Html(place === 0 ? '' : '<br>')}${company.name}<br>
<small>${contentsOf(company)}</small>`,
    )}</span>
</label>
`;

/** Consent is to the companies one by one, or to all of a user at once. */
const companyChoice = (slot: Slot, consentTo: Dialect['consentTo']): Html => {
  const companies = companiesOf[slot];
  const choices = companies.map((company) => [company]);
  const users = Object.values(Object.groupBy(companies, ({ owner }) => owner)).map(
    (it) => it ?? [],
  );
  if (consentTo === 'several') {
    return html`
<fieldset>
<legend>Companies, one or several</legend>
<input type="hidden" name="company" value="">
${choices.map(choiceOf('checkbox'))}</fieldset>
<fieldset>
<legend>Who you are</legend>
<label for="user">Leave this empty to be somebody new. By a name that you give here you can come
back and consent to other companies, beside those that you have consented to before.</label>
<input id="user" name="user" autocomplete="off" maxlength="40" pattern="[a-z0-9]*">
</fieldset>`;
  }
  return html`
<fieldset>
<legend>${consentTo === 'all' ? 'Companies: all of one user' : 'Company'}</legend>
${(consentTo === 'all' ? users : choices).map(choiceOf('radio'))}</fieldset>`;
};

const failureChoice = (choices: readonly Failure[]): Html => html`
<fieldset>
<legend>Make something go wrong</legend>
<label for="failure">What goes wrong after this</label>
<select id="failure" name="failure">
${choices.map((name) => html`<option value="${name}">${failures[name]}</option>\n`)}</select>
</fieldset>`;

const sandboxNote = (title: string): Html => html`<p class="note">This is a sandbox that stands in
for ${title}. Its companies are made up, and nothing that you choose here reaches ${title} or any
real books.</p>`;

/** Asks for consent (RFC 6749 section 4.1.1). */
export const consentPage = ({
  slot,
  title,
  consentTo,
  consentId,
  clientId,
  redirectUri,
}: TitledSlot & {
  consentTo: Dialect['consentTo'];
  consentId: string;
  clientId: string;
  redirectUri: string;
}): string =>
  page(
    `Connect a company at ${title}`,
    html`${sandboxNote(title)}
<p><strong>${clientId}</strong> asks to read, now and later on while you are away:</p>
<ul>
<li>the name and the currency of what you choose</li>
<li>the chart of accounts</li>
<li>the manual journals</li>
</ul>
<p>Afterwards your browser goes to <strong>${new URL(redirectUri).origin}</strong>.</p>
<form method="post" action="/${slot}/oauth/consent">
<input type="hidden" name="consent" value="${consentId}">
${companyChoice(slot, consentTo)}
${failureChoice(Failure.options)}
<div class="actions">
<button class="first" name="decision" value="approve">Approve</button>
<button name="decision" value="deny" formnovalidate>Deny</button>
</div>
</form>`,
  );

/** Makes tokens without a client's redirect, to be pasted into a request. */
export const testGrantPage = ({ slot, title }: TitledSlot): string =>
  page(
    `Make tokens for ${title}`,
    html`${sandboxNote(title)}
<p>Makes the credentials that a caller who holds its own tokens sends when it creates a tenant on
<strong>${slot}</strong>. They let the service read the company, its chart of accounts and its
manual journals.</p>
<form method="post" action="/${slot}/oauth/direct">
${companyChoice(slot, 'one')}
${failureChoice(TestGrantFailure.options)}
<div class="actions"><button class="first">Make tokens</button></div>
</form>
<p><a href="/">All platforms of the sandbox</a></p>`,
  );

export const tokensPage = (
  { slot, title }: TitledSlot,
  tokens: Record<string, string | number>,
): string =>
  page(
    `Tokens for ${title}`,
    html`<p>Send these fields, besides the user and the cash-flow method, when you create a tenant
on <strong>${slot}</strong>. They are shown this once.</p>
<pre role="region" tabindex="0" aria-label="Fields">${JSON.stringify(tokens, null, 2)}</pre>
<p><a href="/${slot}/oauth/direct">Make other tokens</a></p>`,
  );

/** A page for a request that cannot go on, and must not lead the browser anywhere. */
export const problemPage = (title: string, text: string): string =>
  page(title, html`<p>${text}</p>`);

const platformSection = ({ slot, title }: TitledSlot): Html => html`
<section aria-labelledby="${slot}">
<h2 id="${slot}">${title} (${slot})</h2>
<ul>
${companiesOf[slot].map(
  (company) => html`<li>${company.name} (<code>${company.id}</code>): ${contentsOf(company)}</li>
`,
)}</ul>
<p><a href="/${slot}/oauth/direct">Make tokens for ${title}</a>, or let a program make them:
<code>POST /${slot}/test-grants</code> with JSON <code>{"company_id", "failure"}</code>, both
optional.</p>
</section>`;

export const indexPage = (dialects: Readonly<Record<Slot, Dialect>>): string => {
  const platforms = slotNames.map((slot) => ({ slot, title: dialects[slot].title }));
  return page(
    'Sandbox accounting platforms',
    html`<p>They stand in for three accounting platforms and speak as those do, so that connecting a
company can be tried without an account at a real one. Start an authorization at the service and
open the URL that it returns: the consent page is here. There you choose a company, approve or deny,
and choose what goes wrong afterwards, if anything.</p>
<nav aria-label="On this page">
<ul>
${platforms.map(
  ({ slot, title }) => html`<li><a href="#${slot}">${title} (${slot})</a></li>
`,
)}<li><a href="#failures">What can go wrong</a></li>
</ul>
</nav>
${platforms.map(platformSection)}
<section aria-labelledby="failures">
<h2 id="failures">What can go wrong</h2>
<p>The forms offer these failures; a program chooses one by its name.</p>
<ul>
${Failure.options.map(
  (name) => html`<li><code>${name}</code> ${failures[name]}</li>
`,
)}</ul>
</section>`,
  );
};
