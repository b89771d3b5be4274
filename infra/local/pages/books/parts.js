// Parts of several views: links, columns, the coverage and dates of a report, its CSV file.

import { getCsv } from './api.js';
import { h } from './elements.js';

export const accountAddress = (code) => `#/account/${encodeURIComponent(code)}`;
/** @param asOf the date of the account's view; defaults to today */
export const accountLink = (code, asOf) =>
  h('a', { href: [accountAddress(code), asOf].filter(Boolean).join('/') }, code);
/** @param name number or id of an entry */
export const entryLink = (name) => h('a', { href: `#/entry/${encodeURIComponent(name)}` }, name);

export const figure = (title, cell) => ({ title, className: 'figure', cell });
export const text = (title, cell) => ({ title, cell });
/** A column that phones hide, because another place has its values. */
export const wide = ({ className, ...column }) => ({
  ...column,
  className: [className, 'wide'].filter(Boolean).join(' '),
});
/** A text without line breaks, for example a date. */
export const whole = (title, cell) => ({ title, className: 'whole', cell });

const journalsOnly =
  'Manual journals only: invoices, bills, payments and bank transactions of the accounting ' +
  'platform are not here, so these are not all of the books.';

const checkAddress = '#/platform-check';

/** The note about entries that a report omits, before its figures. */
export const coverageOf = ({ coverage, covered_to: until, checked_at: at }) => {
  if (coverage === 'all_entries') return false;
  const link = h('a', { href: checkAddress }, 'See the check.');
  if (coverage === 'platform_balances') {
    return h('p', {}, `Equal to the accounting platform, which was read at ${at}. `, link);
  }
  const since = until === null ? '' : `After ${until}: `;
  return h('p', {}, h('strong', {}, since + journalsOnly), ' ', link);
};

/** A button whose action runs once at a time. A note beside it shows errors. */
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

/** Downloads a file with this name. */
const save = (file, name) => {
  const address = URL.createObjectURL(file);
  h('a', { href: address, download: name }).click();
  // The browser can read it after the click.
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
};

/** A button that downloads a report as CSV. */
export const csvButton = (path, query) => {
  const { domain_url: tenant, ...parameters } = query;
  const words = [
    path.replace('reports/', ''),
    tenant,
    ...Object.values(parameters).filter(Boolean),
  ];
  return actionButton('Download csv', async () =>
    save(await getCsv(path, query), `${words.join('-').replaceAll('_', '-')}.csv`),
  );
};

const dateInput = (name, value) => h('input', { type: 'date', name, value, required: '' });

/** Fields for the parameters of a view. A change sets the address, which changes the view. */
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

/** @param fields more fields after both dates, each with its title */
export const periodChoice = (view, { from, to }, fields = []) => {
  const [first, last] = [dateInput('from', from), dateInput('to', to)];
  const limit = () => last.setAttribute('min', first.value);
  first.addEventListener('change', limit);
  limit();
  return choiceOf(view, [['From', first], ['To', last], ...fields]);
};

export const today = () => new Date().toISOString().slice(0, 10);
