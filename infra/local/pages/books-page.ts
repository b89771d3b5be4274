// The page at /books: a tenant's accounts, entries, trial balance and statements, and an account's
// balance over time. It calls the public API. The browser loads its scripts from `books/`.

import { readFileSync } from 'node:fs';
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

const scripts = [
  'page.js',
  'views.js',
  'trial-balance.js',
  'revaluation.js',
  'statements.js',
  'account.js',
  'balance-check.js',
  'entry.js',
  'events.js',
  'accounts.js',
  'entries.js',
  'parts.js',
  'api.js',
  'elements.js',
  'plot.js',
];

/** Read at start: a missing file fails the start, not a request. */
const fileOf = (name: string): string =>
  readFileSync(new URL(`./books/${name}`, import.meta.url), 'utf8');

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
