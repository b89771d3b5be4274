// Elements of the page, made of data: what comes from the API is text and never markup.

/** @param children elements, texts, and lists of these; what is null or false is left out */
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

/** An amount with its thousands apart, exactly as it came; nothing where it is zero. */
export const amountText = (amount) =>
  amount === null || amount === undefined || /^-?0\.00$/.test(amount)
    ? ''
    : amount.replace('-', '\u2212').replace(/\B(?=(\d{3})+\.)/g, '\u202f');

/**
 * A table that scrolls by itself where it is too wide, also by the keyboard.
 * @param columns each with `title`, `cell` of a row, and perhaps a `className`
 */
export const tableOf = ({ caption, columns, rows, footer }) => {
  const head = columns.map((it) => h('th', { scope: 'col', class: it.className }, it.title));
  const cellOf = (row) => (column, place) => {
    const content = column.cell(row) ?? '';
    const attributes = { class: column.className };
    return place === 0
      ? h('th', { scope: 'row', ...attributes }, content)
      : h('td', attributes, content);
  };
  const bodyRows = rows.map((row) => h('tr', {}, columns.map(cellOf(row))));
  const foot = footer && h('tfoot', {}, h('tr', {}, columns.map(cellOf(footer))));
  return h(
    'div',
    { class: 'scrolls', tabindex: '0', role: 'region', 'aria-label': caption },
    h(
      'table',
      {},
      h('caption', {}, caption),
      h('thead', {}, h('tr', {}, head)),
      h('tbody', {}, bodyRows),
      foot ?? null,
    ),
  );
};

/** Names and values of one thing. */
export const factsOf = (facts) =>
  h(
    'dl',
    {},
    facts
      .filter(([, value]) => value !== null && value !== undefined && value !== '')
      .map(([name, value]) => [h('dt', {}, name), h('dd', {}, value)]),
  );
