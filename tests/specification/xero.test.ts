import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { companiesOf } from '#infra/sandbox/companies.ts';
import type { DemoCompany } from '#infra/sandbox/demo-company.ts';
import { codeChallengeOf } from '#shared/connections/authorization-states.ts';
import type { CompanyChoice, PageRequest, Platform } from '#shared/platforms/platform.ts';
import { createXero } from '#shared/platforms/xero/xero.ts';
import { giveConsent, sandboxClients, startSandboxPlatform } from '../support/servers/sandbox.ts';
import { startForwarding, startPrism } from './prism.ts';

/**
 * The adapter calls a router instead of the sandbox. The router sends calls to the Accounting API
 * and to connections through Prism, which validates each with Xero's document. Prism forwards valid
 * calls to the sandbox, through a server that can spoil the reply. No document has the OAuth
 * endpoints, so the router sends those calls directly.
 *
 * Prism distinguishes /connections from /Connections, the path in the document. Xero does not, so
 * the router changes the case.
 */
const documents = 'tests/data/xero';

const slot = '/platform_a';
const accounting = `${slot}/api.xero.com/api.xro/2.0`;
const connections = `${slot}/api.xero.com/connections`;
const cedar = companiesOf.platform_a.find(({ id }) => id === 'cedar-interiors') as DemoCompany;

const stops: (() => unknown)[] = [];
let spoil = (body: string): string => body;
let routed: Awaited<ReturnType<typeof startForwarding>>;
let platform: Platform;

beforeAll(async () => {
  const sandbox = await startSandboxPlatform({ clients: sandboxClients });
  const spoiler = await startForwarding({
    route: (path) => sandbox.url + path,
    edit: (body) => spoil(body),
  });
  stops.push(sandbox.stop, spoiler.stop);
  const [books, identity] = await Promise.all([
    startPrism({
      document: `${documents}/xero-accounting.yaml`,
      upstream: spoiler.url + accounting,
    }),
    startPrism({
      document: `${documents}/xero-identity.yaml`,
      upstream: `${spoiler.url + slot}/api.xero.com`,
    }),
  ]);
  stops.push(books.stop, identity.stop);
  routed = await startForwarding({
    route: (path) => {
      if (path.startsWith(accounting)) return books.url + path.slice(accounting.length);
      if (!path.startsWith(connections)) return sandbox.url + path;
      return `${identity.url}/Connections${path.slice(connections.length)}`;
    },
  });
  stops.push(routed.stop);
  const { client_id: clientId, client_secret: clientSecret } = sandboxClients.platform_a;
  platform = createXero({ clientId, clientSecret, baseUrlOverride: routed.url + slot });
});
afterAll(async () => {
  for (const stop of stops.reverse()) await stop();
});
beforeEach(() => {
  spoil = (body) => body;
  routed.passages.length = 0;
});

const redirectUri = 'http://localhost:3001/oauth/platform_a/callback';

const codeVerifier = 'v'.repeat(43);

const connect = async () => {
  const authorizationUrl = platform.authorizationUrl({
    redirectUri,
    state: 'State',
    codeChallenge: codeChallengeOf(codeVerifier),
  });
  const callback = (await giveConsent(authorizationUrl, { company: cedar.id })).searchParams;
  const code = callback.get('code') ?? '';
  const { tokens, choices } = await platform.connect({ code, codeVerifier, redirectUri, callback });
  const [choice] = choices as [CompanyChoice];
  return { ...tokens, choice, companyId: choice.companyId, dataCenter: null };
};

/** The first page of a list, of the largest size. */
const pageOf = (list: 'accounts' | 'journals'): PageRequest => ({
  cursor: null,
  rows: platform.pageSizes[list][0] as number,
  modifiedSince: null,
  timeoutMilliseconds: 10_000,
});

/** The calls that Prism forwarded. Fails if one violates the document. */
const passages = () =>
  routed.passages
    .filter(({ to }) => !to.includes(slot))
    .map(({ to, status, violations }) => {
      expect(violations).toBeNull();
      return `${status} ${to.replace(/http:\/\/[^/]+/, '')}`;
    });

describe('the specification of Xero', () => {
  test('describes all calls of the adapter and all replies of the sandbox', async () => {
    const access = await connect();
    const { companyId, choice } = access;
    const { name, currency } = cedar;
    expect(choice).toEqual({ companyId, dataCenter: null, name });
    expect(await platform.company(access)).toEqual({
      ...choice,
      currency,
      financialYearEnd: '12-31',
    });
    const { accounts, refused } = await platform.accountPage(access, pageOf('accounts'));
    expect(accounts.length + refused.length).toBe(cedar.accounts.length);

    const page = pageOf('journals');
    const { journals, next } = await platform.journalPage(access, { ...page, rows: 125 });
    const others = await platform.journalPage(access, { ...page, rows: 125, cursor: next });
    const references = [...journals, ...others.journals].map(({ reference }) => reference);
    expect(new Set(references).size).toBe(Math.min(cedar.journalCount, 250));
    await platform.journalPage(access, { ...page, modifiedSince: new Date('2026-01-31') });

    const date = '2026-02-28';
    const fiscalYearStart = '2026-01-01';
    const request = { date, fiscalYearStart, timeoutMilliseconds: 10_000 };
    expect((await platform.trialBalance(access, request)).rows).not.toEqual([]);

    await platform.disconnect(access);
    const pageCall = (number: number, rows: number) =>
      `200 GET /ManualJournals?page=${number}&pageSize=${rows}&order=ManualJournalID+ASC`;
    const tax = '200 GET /Accounts?where=SystemAccount%3D%3D%22GST%22';
    expect(passages()).toEqual([
      expect.stringMatching(/^200 GET \/Connections\?authEventId=[0-9a-f-]{36}$/),
      '200 GET /Organisation',
      '200 GET /Accounts',
      pageCall(1, 125),
      tax,
      pageCall(2, 125),
      pageCall(1, 1000),
      '200 GET /Reports/TrialBalance?date=2026-02-28&paymentsOnly=false',
      '200 GET /Connections',
      expect.stringMatching(/^204 DELETE \/Connections\/[0-9a-f-]{36}$/),
    ]);
  });

  test('describes the filter for a consent, and the reply for an unknown connection', async () => {
    const { accessToken, companyId } = await connect();
    const headers = { Authorization: `Bearer ${accessToken}` };
    const ask = (rest: string, method = 'GET') =>
      fetch(`${routed.url}${connections}${rest}`, { method, headers });
    const [connection] = (await (await ask('')).json()) as { authEventId: string }[];
    const consented = await ask(`?authEventId=${connection?.authEventId}`);
    expect(await consented.json()).toEqual([connection]);
    expect(await (await ask(`?authEventId=${companyId}`)).json()).toEqual([]);
    expect((await ask(`/${companyId}`, 'DELETE')).status).toBe(404);
    expect(passages()).toHaveLength(5);
  });
});

type ApiError = { title: string; validation?: { location: string[] }[] };

/** Prism's reply to a call that it refuses: the status, the reason and the place. */
const violationOf = async (path: string, { without = '', spoilt = spoil } = {}) => {
  const { accessToken, companyId } = await connect();
  spoil = spoilt;
  const all = { Authorization: `Bearer ${accessToken}`, 'xero-tenant-id': companyId };
  const headers = Object.entries(all).filter(([name]) => name !== without);
  const reply = await fetch(routed.url + path, { headers });
  const { title, validation = [] } = (await reply.json()) as ApiError;
  const places = validation.map(({ location }) => location.join('.'));
  return [reply.status, title, ...places].join(' | ');
};

test('a request without a tenant is refused', async () => {
  const violation = await violationOf(`${accounting}/ManualJournals`, {
    without: 'xero-tenant-id',
  });
  expect(violation).toBe('422 | Invalid request | header');
});

test.each<[string, RegExp, string, string]>([
  [`${accounting}/Accounts`, /"AccountID":"[^"]*"/, '"AccountID":"1"', 'Accounts.0.AccountID'],
  // A time without a time zone. Xero itself writes such times.
  [connections, /(T[\d:.]+)Z/, '$1', '0.createdDateUtc'],
])('a reply of %s with %s made %s is refused', async (path, part, other, place) => {
  const spoilt = (body: string) => {
    expect(body).toMatch(part);
    return body.replace(part, other);
  };
  const violation = `500 | Request/Response not valid | response.body.${place}`;
  expect(await violationOf(path, { spoilt })).toBe(violation);
});
