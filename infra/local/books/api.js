// The public API, as any application calls it, with the key that the page was given.

const { apiKey } = JSON.parse(document.getElementById('settings').textContent);

/** The refusal of a request in its own words. */
const refusalOf = ({ error }) => {
  const details = error.details.map(({ pointer, message }) => `${pointer}: ${message}`);
  return new Error([error.message, ...details].join(' '));
};

const send = async (path, options = {}) => {
  const response = await fetch(`/external/v1/${path}`, {
    ...options,
    headers: { 'X-API-Key': apiKey, ...options.headers },
  });
  const body = await response.json();
  if (!response.ok) throw refusalOf(body);
  return body.data;
};

/** What a GET of the API returns. @param query parameters; those without a value are left out */
export const get = (path, query) => {
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== '');
  return send(`${path}/?${new URLSearchParams(given)}`);
};

export const profileOf = (email) =>
  send('users/profile/', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ email }),
  });

/** All pages of a list, up to so many items. @param field that of the items */
export const getAll = async (path, query, { field, most }) => {
  let page = await get(path, query);
  const items = [...page[field]];
  while (page.next_cursor !== null && items.length < most) {
    page = await get(path, { ...query, cursor: page.next_cursor });
    items.push(...page[field]);
  }
  return { ...page, [field]: items };
};
