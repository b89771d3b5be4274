// The public API, as any application calls it, with the key that the page was given.

const { apiKey } = JSON.parse(document.getElementById('settings').textContent);

/** The refusal of a request in its own words. */
const refusalOf = ({ error }) => {
  const details = error.details.map(({ pointer, message }) => `${pointer}: ${message}`);
  return new Error([error.message, ...details].join(' '));
};

const request = async (path, options = {}) => {
  const response = await fetch(`/external/v1/${path}`, {
    ...options,
    headers: { 'X-API-Key': apiKey, ...options.headers },
  });
  if (!response.ok) throw refusalOf(await response.json());
  return response;
};

const send = async (path, options) => (await (await request(path, options)).json()).data;

/** @param query parameters; those without a value are left out */
const withQuery = (path, query) => {
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== '');
  return `${path}/?${new URLSearchParams(given)}`;
};

/** What a GET of the API returns. */
export const get = (path, query) => send(withQuery(path, query));

/** The same as csv, in a file. */
export const getCsv = async (path, query) => {
  const response = await request(withQuery(path, query), { headers: { Accept: 'text/csv' } });
  return response.blob();
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
