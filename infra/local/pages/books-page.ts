// The page at /books: a tenant's accounts, entries, trial balance and statements, and an account's
// balance over time. It calls the public API. The browser loads its scripts from `books/`.

import { readdirSync, readFileSync } from 'node:fs';
import type { Resource } from './page-resources.ts';

const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ');

const folder = new URL('./books/', import.meta.url);

const scripts = readdirSync(folder).filter((name) => name.endsWith('.js'));

/** Read at start: a missing file fails the start, not a request. */
const fileOf = (name: string): string => readFileSync(new URL(name, folder), 'utf8');

/** The page contains the API key. Pages of other origins cannot read it. */
const pageWith = (apiKey: string): string =>
  fileOf('page.html').replace('id="settings">{}<', `id="settings">${JSON.stringify({ apiKey })}<`);

export const booksResources = ({ apiKey }: { apiKey: string }): [string, Resource][] => {
  const resource = (contentType: string, body: string): Resource => ({
    contentType: `${contentType}; charset=utf-8`,
    body,
    contentSecurityPolicy,
  });
  const page = resource('text/html', pageWith(apiKey));
  return [
    ['/books', page],
    ['/books/', page],
    ['/books/assets/style.css', resource('text/css', fileOf('style.css'))],
    ...scripts.map((name): [string, Resource] => [
      `/books/assets/${name}`,
      resource('text/javascript', fileOf(name)),
    ]),
  ];
};
