// Parts of several views: links, columns, growing lists, the coverage and dates of a report, its
// CSV file.

import { getCsv } from './api.js';
import { h, tableOf } from './elements.js';

export const accountAddress = (code) => `#/account/${encodeURIComponent(code)}`;
/** @param dates the last date of the account's view, or its first and last; defaults to today */
export const accountLink = (code, dates = {}) => {
  const { from = '', to = '' } = typeof dates === 'string' ? { to: dates } : dates;
  const period = to === '' ? [] : [from, to];
  return h('a', { href: [accountAddress(code), ...period].join('/') }, code);
};
/** @param name number or id of an entry */
export const entryLink = (name) => h('a', { href: `#/entry/${encodeURIComponent(name)}` }, name);

export const eventsLink = (id) => h('a', { href: `#/events/${id}` }, 'Events of this entry');

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

/** Says whether two amounts are equal. */
export const equalityOf = ([one, amount], [other, otherAmount]) =>
  amount === otherAmount ? `${one} and ${other} are equal.` : `${one} and ${other} DIFFER.`;

/** A button whose action runs once at a time. A note beside it shows errors. */
const actionButton = (title, act) => {
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

/** A table with a button for the next page. The button shows errors. */
export const growing = ({ read, field, empty, ...table }) => {
  const place = h('div');
  const append = async (cursor) => {
    const page = await read(cursor);
    const more = tableOf({ ...table, rows: page[field] });
    const rows = place.querySelector('tbody');
    if (rows) rows.append(...more.querySelectorAll('tbody tr'));
    else if (page[field].length > 0) place.prepend(more);
    else if (page.next_cursor === null) place.append(h('p', {}, empty));
    if (page.next_cursor !== null) place.append(buttonTo(page.next_cursor));
  };
  const buttonTo = (cursor) => {
    const paragraph = actionButton('More', async () => {
      await append(cursor);
      paragraph.remove();
      place.querySelector('button')?.focus();
    });
    return paragraph;
  };
  return { place, begin: () => append(undefined) };
};

export const dateInput = (name, value, attributes = {}) =>
  h('input', { type: 'date', name, value, ...attributes });
const requiredDate = (name, value) => dateInput(name, value, { required: '' });
export const textInput = (name, value) =>
  h('input', { type: 'text', name, value, autocomplete: 'off' });

/** @param options the titles by value */
export const selectOf = (name, options, chosen) =>
  h(
    'select',
    { name },
    Object.entries(options).map(([value, title]) =>
      h('option', { value, selected: value === chosen && '' }, title),
    ),
  );

/** Fields for the parameters of a view. A change sets the address, which changes the view. */
export const choiceOf = (view, fields) => {
  const labels = fields.map(([title, field]) => h('label', {}, title, field));
  const form = h('form', {}, labels, h('button', { type: 'submit' }, 'Show'));
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    const values = fields.map(([, field]) => encodeURIComponent(field.value.trim()));
    location.hash = [view, ...values].join('/').replace(/\/+$/, '');
  });
  return form;
};

/** @param fields more fields after the date, each with its title */
export const dateChoice = (view, asOf, fields = []) =>
  choiceOf(view, [['As of', requiredDate('as_of', asOf)], ...fields]);

/** @param fields more fields after both dates, each with its title */
export const periodChoice = (view, { from, to }, fields = []) => {
  const [first, last] = [dateInput('from', from), requiredDate('to', to)];
  const limit = () => last.setAttribute('min', first.value);
  first.addEventListener('change', limit);
  limit();
  return choiceOf(view, [['From', first], ['To', last], ...fields]);
};

export const today = () => new Date().toISOString().slice(0, 10);
