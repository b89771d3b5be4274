// Creates elements from data. Data of the API become text, never markup.

/** @param children elements, texts, and lists of these; null and false are ignored */
const fill = (element, attributes, children) => {
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== undefined && value !== false) element.setAttribute(name, value);
  }
  element.append(
    ...children.flat(Number.POSITIVE_INFINITY).filter((child) => child !== null && child !== false),
  );
  return element;
};

export const h = (name, attributes = {}, ...children) =>
  fill(document.createElement(name), attributes, children);

export const svg = (name, attributes = {}, ...children) =>
  fill(document.createElementNS('http://www.w3.org/2000/svg', name), attributes, children);

/** The exact amount with thousands separators. Zero becomes an empty text. */
export const amountText = (amount) =>
  amount === null || amount === undefined || /^-?0\.0+$/.test(amount)
    ? ''
    : amount.replace('-', '\u2212').replace(/\B(?=(\d{3})+\.)/g, '\u202f');

/** The same, but shows zero. */
export const wholeAmount = (amount) => amountText(amount) || '0.00';

/** On a phone, rows are not laid out as a table. Then only their roles say what they are. */
const roles = {
  TABLE: 'table',
  THEAD: 'rowgroup',
  TBODY: 'rowgroup',
  TFOOT: 'rowgroup',
  TR: 'row',
};
const roleOf = ({ tagName, scope }) => {
  if (tagName === 'TD') return 'cell';
  if (tagName === 'TH') return scope === 'col' ? 'columnheader' : 'rowheader';
  return roles[tagName];
};

const withRoles = (table) => {
  for (const part of [table, ...table.querySelectorAll('thead, tbody, tfoot, tr, th, td')]) {
    part.setAttribute('role', roleOf(part));
  }
  return table;
};

const headCell = ({ title, className }) => h('th', { scope: 'col', class: className }, title);

/**
 * A table of these bodies. A wide table scrolls, also with the keyboard.
 * @param columns each with `title` and an optional `className`
 */
export const tableWith = ({ caption, columns, className }, ...bodies) =>
  h(
    'div',
    { class: 'scrolls', tabindex: '0', role: 'region', 'aria-label': caption },
    withRoles(
      h(
        'table',
        { class: className },
        h('caption', {}, caption),
        h('thead', {}, h('tr', {}, columns.map(headCell))),
        bodies,
      ),
    ),
  );

/** The first two columns name a row. On a phone, the others show their titles. */
const namingColumns = 2;

/** @param columns each with a function `cell` of the row, too */
export const tableOf = ({ caption, columns, rows, footer }) => {
  const cellOf = (row) => (column, place) => {
    const content = column.cell(row) ?? '';
    const title = place < namingColumns || content === '' ? undefined : column.title;
    const attributes = { class: column.className, 'data-title': title };
    return place === 0
      ? h('th', { scope: 'row', ...attributes }, content)
      : h('td', attributes, content);
  };
  const rowOf = (row) => h('tr', {}, columns.map(cellOf(row)));
  return tableWith(
    { caption, columns },
    h('tbody', {}, rows.map(rowOf)),
    footer ? h('tfoot', {}, rowOf(footer)) : null,
  );
};

/** A list of names and values. */
export const factsOf = (facts) =>
  h(
    'dl',
    {},
    facts
      .filter(([, value]) => value !== null && value !== undefined && value !== '')
      .map(([name, value]) => [h('dt', {}, name), h('dd', {}, value)]),
  );
