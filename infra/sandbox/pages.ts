// The sandbox's pages: the overview and the consent page.

import { type Slot, slotNames } from '#shared/platforms/slots.ts';
import { companiesOf } from './companies.ts';
import type { DemoCompany } from './demo-company.ts';
import type { Dialect } from './dialects/dialect.ts';
import { Failure, failures } from './failures.ts';
import { Html, html, page } from './page-layout.ts';

/** The size of a company, because it decides how long an import takes. */
const contentsOf = ({ isActive, currency, accounts, journalCount }: DemoCompany): string => {
  const counts = [accounts.length, journalCount].map((count) => count.toLocaleString('en'));
  const status = isActive ? '' : 'not active, ';
  return `${status}${currency}, ${counts[0]} accounts, ${counts[1]} manual journals`;
};

/** One choice for one or several companies. Its value is the first company's id. */
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

const companyLegends = {
  one: 'Company',
  several: 'Companies, one or several',
  all: 'Companies: all of one user',
};

const companyChoice = (slot: Slot, consentTo: Dialect['consentTo']): Html => {
  const groups = Object.groupBy(companiesOf[slot], ({ id, owner }) =>
    consentTo === 'all' ? owner : id,
  );
  const choices = Object.values(groups).map((companies = []) => companies);
  const isSeveral = consentTo === 'several';
  // The empty value tells a form without a selected checkbox from one without checkboxes.
  const empty = new Html(isSeveral ? '<input type="hidden" name="company" value="">' : '');
  return html`
<fieldset>
<legend>${companyLegends[consentTo]}</legend>
${empty}
${choices.map(choiceOf(isSeveral ? 'checkbox' : 'radio'))}</fieldset>`;
};

const failureOptions = Failure.options.map(
  (name) => html`<option value="${name}">${failures[name]}</option>
`,
);

/** RFC 6749 section 4.1.1. */
export const consentPage = ({
  slot,
  dialect: { title, consentTo },
  consentId,
  clientId,
  redirectUri,
}: {
  slot: Slot;
  dialect: Dialect;
  consentId: string;
  clientId: string;
  redirectUri: string;
}): string =>
  page(
    `Connect a company at ${title}`,
    html`<p class="note">This sandbox replaces ${title}. Its companies are fictitious, and your
choices here do not reach ${title} or any real books.</p>
<p><strong>${clientId}</strong> requests permission to read the name and currency of the company,
its chart of accounts and its manual journals, now and while you are away.</p>
<p>Afterwards your browser returns to <strong>${new URL(redirectUri).origin}</strong>.</p>
<form method="post" action="/${slot}/oauth/consent">
<input type="hidden" name="consent" value="${consentId}">
${companyChoice(slot, consentTo)}
<fieldset>
<legend>Failure</legend>
<label for="failure">What fails afterwards</label>
<select id="failure" name="failure">
${failureOptions}</select>
</fieldset>
<div class="actions">
<button class="first" name="decision" value="approve">Approve</button>
<button name="decision" value="deny" formnovalidate>Deny</button>
</div>
</form>`,
  );

/** For a request that the sandbox refuses and must not redirect. */
export const problemPage = (title: string, text: string): string =>
  page(title, html`<p>${text}</p>`);

const platformSection = (slot: Slot, { title }: Dialect): Html => html`
<h2>${title} (${slot})</h2>
<ul>
${companiesOf[slot].map(
  (company) => html`<li>${company.name} (<code>${company.id}</code>): ${contentsOf(company)}</li>
`,
)}</ul>
<p>To create a tenant with tokens of your own, send <code>POST /${slot}/test-tokens</code> with
JSON: <code>{"company_id", "failure"}</code>, both optional.</p>`;

export const indexPage = (dialects: Readonly<Record<Slot, Dialect>>): string =>
  page(
    'Sandbox accounting platforms',
    html`<p>The sandbox replaces three accounting platforms, so you can try to connect a company
without an account at a real one. Start an authorization at the service and open the URL that it
returns. On the consent page, choose a company and a failure, and approve or deny.</p>
<p>The <a href="/inbox">inbox</a> shows the events that the demo application's webhook gets.</p>
${slotNames.map((slot) => platformSection(slot, dialects[slot]))}
<h2>Failures</h2>
<p>The consent page shows the text of a failure. A program sends its name.</p>
<ul>
${Failure.options.map(
  (name) => html`<li><code>${name}</code> ${failures[name]}</li>
`,
)}</ul>`,
  );
