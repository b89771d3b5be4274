// Calls the public API with the API key in the page.

const { apiKey } = JSON.parse(document.getElementById('settings').textContent);

/** The message of a refused request. */
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

/** @param query parameters; the URL omits parameters without a value */
const withQuery = (path, query) => {
  const parameters = Object.entries(query).filter(
    ([, value]) => value !== undefined && value !== '',
  );
  return `${path}/?${new URLSearchParams(parameters)}`;
};

/** The data of a GET request. */
export const get = (path, query) => send(withQuery(path, query));

/** The report as a CSV file. */
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

/** All pages, up to a maximum of items. @param field the field of the items */
const allPages = async (readPage, { field, most = Number.POSITIVE_INFINITY }) => {
  let page = await readPage({});
  const items = [...page[field]];
  while (page.next_cursor !== null && items.length < most) {
    page = await readPage({ cursor: page.next_cursor });
    items.push(...page[field]);
  }
  return { ...page, [field]: items };
};

/** A user with all tenants. */
export const profileOf = (email) =>
  allPages((position) => postJson('users/profile/', { email, ...position }), { field: 'tenants' });

/** All pages of a list, up to a maximum of items. @param options.field the field of the items */
export const getAll = (path, query, options) =>
  allPages((position) => get(path, { ...query, ...position }), options);
