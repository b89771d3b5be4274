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

const postJson = (path, body) =>
  send(path, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  });

/** All pages, up to so many items. @param field that of the items */
const allPages = async (readPage, { field, most = Number.POSITIVE_INFINITY }) => {
  let page = await readPage({});
  const items = [...page[field]];
  while (page.next_cursor !== null && items.length < most) {
    page = await readPage({ cursor: page.next_cursor });
    items.push(...page[field]);
  }
  return { ...page, [field]: items };
};

/** A user with all its tenants. */
export const profileOf = (email) =>
  allPages((position) => postJson('users/profile/', { email, ...position }), { field: 'tenants' });

/** All pages of a list, up to so many items. @param options.field that of the items */
export const getAll = (path, query, options) =>
  allPages((position) => get(path, { ...query, ...position }), options);
