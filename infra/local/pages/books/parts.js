// What several views have: links, columns, what a report covers, what dates it is of, and its csv.

import { getCsv } from './api.js';
import { h } from './elements.js';

export const accountAddress = (code) => `#/account/${encodeURIComponent(code)}`;
/** @param asOf a date, where the account is not to be shown as of today */
export const accountLink = (code, asOf) =>
  h('a', { href: [accountAddress(code), asOf].filter(Boolean).join('/') }, code);
/** @param name number or id of an entry */
export const entryLink = (name) => h('a', { href: `#/entry/${encodeURIComponent(name)}` }, name);

export const figure = (title, cell) => ({ title, className: 'figure', cell });
export const text = (title, cell) => ({ title, cell });
/** A column that a phone has no room for, of what is shown elsewhere too. */
export const wide = ({ className, ...column }) => ({
  ...column,
  className: [className, 'wide'].filter(Boolean).join(' '),
});
/** A date, say, which is not to be broken. */
export const whole = (title, cell) => ({ title, className: 'whole', cell });

const journalsOnly =
  'Manual journals only: invoices, bills, payments and bank transactions of the accounting ' +
  'platform are not here, so these are not all of the books.';

/** What a report leaves out stands before its figures. */
export const coverageOf = ({ coverage }) =>
  coverage === 'journals_only' && h('p', {}, h('strong', {}, journalsOnly));

/** A button that does something once at a time, and says beside it what went wrong. */
export const actionButton = (title, act) => {
  const failure = h('span', { role: 'alert', class: 'failed' });
  const button = h('button', { type: 'button' }, title);
  button.addEventListener('click', async () => {
    button.disabled = true;
    failure.textContent = '';
    try {
      await act();
    } catch (error) {
      failure.textContent = error.message;
    }
    button.disabled = false;
  });
  return h('p', {}, button, ' ', failure);
};

/** Hands a file to the browser, which keeps it under this name. */
const save = (file, name) => {
  const address = URL.createObjectURL(file);
  h('a', { href: address, download: name }).click();
  // A browser may come to read it only after the click.
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
};

/** A button by which a report is kept as csv, as the API makes it. */
export const csvButton = (path, query) => {
  const { domain_url: tenant, ...asked } = query;
  const words = [path.replace('reports/', ''), tenant, ...Object.values(asked).filter(Boolean)];
  return actionButton('Download csv', async () =>
    save(await getCsv(path, query), `${words.join('-').replaceAll('_', '-')}.csv`),
  );
};

const dateInput = (name, value) => h('input', { type: 'date', name, value, required: '' });

/** Fields that say what a view is of; they change the address, and with it the view. */
const choiceOf = (view, fields) => {
  const labels = fields.map(([title, field]) => h('label', {}, title, field));
  const form = h('form', {}, labels, h('button', { type: 'submit' }, 'Show'));
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    location.hash = [view, ...fields.map(([, field]) => field.value)].join('/');
  });
  return form;
};

export const dateChoice = (view, asOf) => choiceOf(view, [['As of', dateInput('as_of', asOf)]]);

/** @param fields further ones behind both dates, each with its title */
export const periodChoice = (view, { from, to }, fields = []) => {
  const [first, last] = [dateInput('from', from), dateInput('to', to)];
  const limit = () => last.setAttribute('min', first.value);
  first.addEventListener('change', limit);
  limit();
  return choiceOf(view, [['From', first], ['To', last], ...fields]);
};

export const today = () => new Date().toISOString().slice(0, 10);
