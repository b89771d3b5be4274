// A consent that covers several companies: the application or the user chooses one of them.

import { beforeEach, describe, expect, test } from 'vitest';
import { maximumChoices } from '#shared/connections/held-consents.store.ts';
import type { PendingAuthorization } from '#shared/connections/oauth-states.store.ts';
import { readForm, readPage } from '../../support/events/url-events.ts';
import {
  callbackPath,
  goBack,
  newCompany,
  noLongerWorks,
  now,
  openCallbacks,
  redirectUri,
  redirectUrl,
} from '../../support/harnesses/callbacks.ts';
import { openFakePlatform } from '../../support/servers/fake-platform.ts';

const callbacks = await openCallbacks();
const { database, tenants, connections, applications, world, begin, visit, newState } = callbacks;

const openCompanies = (count = 3, name?: string) => {
  const [company = newCompany(), ...furtherCompanies] = Array.from({ length: count }, () => ({
    ...newCompany(),
    ...(name && { name }),
  }));
  world.fake = openFakePlatform({ company, furtherCompanies, reconnectInSeconds: 3600 });
  return [company, ...furtherCompanies];
};
let companies: ReturnType<typeof openCompanies>;
beforeEach(() => {
  callbacks.beginTest();
  companies = openCompanies();
});
const idOf = (place: number) => companies[place]?.companyId ?? '';

/** The page after consent, and the hidden fields of its form. */
const arrive = async (changes: Partial<PendingAuthorization> = {}) => {
  const state = await begin(changes);
  const query = { code: world.fake.issueCode(redirectUri), state };
  const result = await visit(query);
  return { state, query, result, hidden: readForm(result).hidden };
};

type Options = Parameters<typeof visit>[1];
const choose = (hidden: Record<string, string>, fields: Record<string, string>, more?: Options) =>
  visit('', { form: { ...hidden, ...fields }, ...more });
const first = () => ({ company: idOf(0), decision: 'submit' });

const tenantOf = async (companyId: string) => {
  const items = await database.scan();
  const entry = items.find(({ pk }) => String(pk).endsWith(companyId));
  const name = { applicationId: 'app1', schemaName: String(entry?.schemaName) };
  return entry && { name, tenant: await tenants.find(name) };
};
const countConnected = async () =>
  (await Promise.all(companies.map(({ companyId }) => tenantOf(companyId)))).filter(Boolean).length;

const failedAt = (code: string) => `${redirectUrl}?status=error&error=${code}`;
const chosenAlready = {
  status: 200,
  location: undefined,
  title: 'A company was already chosen',
  text: `Connecting it takes a few seconds. ${goBack}`,
};

test('a company that the application names is connected without a question', async () => {
  const { result } = await arrive({ companyId: idOf(1) });
  const { tenant } = (await tenantOf(idOf(1))) ?? {};
  expect(tenant?.companyName).toBe(companies[1]?.name);
  const location = `${redirectUrl}?status=success&domain_url=${tenant?.prefix}`;
  expect(readPage(result).location).toBe(location);
  expect(await countConnected()).toBe(1);
});

test('no company is connected if the consent does not cover the named one', async () => {
  const { result } = await arrive({ companyId: 'another' });
  expect(readPage(result).location).toBe(failedAt('company_not_consented'));
  const { result: page } = await arrive({ companyId: 'another', redirectUrl: null });
  expect(readPage(page)).toMatchObject({
    status: 403,
    text: expect.stringContaining('does not include the company that the application requested.'),
  });
  expect(await countConnected()).toBe(0);
});

describe('a consent for several companies', () => {
  test('lets the user choose, and keeps the tokens sealed', async () => {
    const { state, hidden, result } = await arrive();
    expect(readPage(result)).toMatchObject({
      status: 200,
      location: undefined,
      title: 'Which company do you want to connect?',
    });
    expect(readForm(result)).toEqual({
      action: callbackPath,
      hidden: { state, proof: expect.stringMatching(/^[\w-]{43}$/) },
      choices: companies.map(({ companyId }) => companyId),
    });
    for (const { name } of companies) expect(result.body).toContain(name);
    expect(await countConnected()).toBe(0);
    const kept = JSON.stringify([world.log.lines, await database.scan()]);
    for (const secret of ['secret-', state, hidden.proof]) expect(kept).not.toContain(secret);
  });

  test('connects the chosen company, once, and says so afterwards', async () => {
    const { hidden, query, result: page } = await arrive();
    expect((await visit(query)).body).toBe(page.body);
    const fields = { company: idOf(1), decision: 'submit' };
    const result = await choose(hidden, fields);
    const { name, tenant } = (await tenantOf(idOf(1))) ?? {};
    const location = `${redirectUrl}?status=success&domain_url=${tenant?.prefix}`;
    expect(readPage(result)).toMatchObject({ status: 303, location });
    expect(tenant).toMatchObject({
      companyName: companies[1]?.name,
      status: 'importing',
      reconnectBy: '2026-03-23T10:30:00.000Z',
    });
    expect(name && (await connections.find(name))).toMatchObject({
      companyId: idOf(1),
      tokens: { expiresAt: '2026-03-23T10:00:00.000Z' },
    });
    for (const again of [await visit(query), await choose(hidden, fields)]) {
      expect(readPage(again).title).toBe('The company is already connected');
    }
    expect(world.fake.calls).toEqual(['connect', 'company']);
    expect(await countConnected()).toBe(1);
  });

  test('counts one of 16 concurrent choices', async () => {
    const { hidden } = await arrive();
    const choices = Array.from({ length: 16 }, (_, place) => idOf(place % 3));
    const pages = (
      await Promise.all(choices.map((company) => choose(hidden, { company, decision: 'submit' })))
    ).map(readPage);
    const others = pages.filter(({ status }) => status !== 303).map(({ title }) => title);
    expect(others).toHaveLength(15);
    expect(others.filter((title) => !/ already (connected|chosen)$/.test(String(title)))).toEqual(
      [],
    );
    expect(await countConnected()).toBe(1);
  });

  test.each<[string, Record<string, string>]>([
    ['no company', { decision: 'submit' }],
    ['an unlisted company', { company: 'another', decision: 'submit' }],
    ['an empty company', { company: '' }],
  ])('asks again after %s', async (_, fields) => {
    const { hidden } = await arrive();
    const result = await choose(hidden, fields);
    expect(readPage(result)).toMatchObject({
      status: 400,
      text: expect.stringMatching(/^Choose one of these companies\./),
    });
    expect(readForm(result).hidden).toEqual(hidden);
    expect(readPage(await choose(hidden, first())).location).toContain('status=success');
  });

  const suspended = async (hidden: Record<string, string>) => {
    await applications.setStatus('app1', { status: 'suspended', now });
    const result = await choose(hidden, first());
    await applications.setStatus('app1', { status: 'active', now });
    return result;
  };
  const revoked = async (hidden: Record<string, string>) => {
    world.fake.revokeGrant('secret-refresh-1');
    return choose(hidden, first());
  };
  const other = openFakePlatform({ adapter: 'zoho' });

  test.each<[string, string, (hidden: Record<string, string>) => ReturnType<typeof visit>]>([
    ['access_denied', 'it is cancelled', (hidden) => choose(hidden, { decision: 'cancel' })],
    ['authorization_failed', 'the platform revokes the grant', revoked],
    ['application_suspended', 'the application is suspended', suspended],
    [
      'internal_error',
      'the slot gets another adapter',
      (hidden) => choose(hidden, first(), { platforms: other.platforms }),
    ],
  ])('ends with %s if %s', async (code, _, end) => {
    const { hidden, query } = await arrive();
    expect(readPage(await end(hidden))).toMatchObject({ status: 303, location: failedAt(code) });
    const again = [await choose(hidden, first()), await visit(query)];
    expect(again.map(readPage)).toEqual([chosenAlready, chosenAlready]);
    expect(await countConnected()).toBe(0);
    expect(other.calls).toEqual([]);
  });

  test('lists as many companies as fit; for more the application must name one', async () => {
    companies = openCompanies(maximumChoices, '🏢'.repeat(500));
    const { result, hidden } = await arrive();
    expect(readForm(result).choices).toHaveLength(maximumChoices);
    expect(readPage(await choose(hidden, first())).location).toContain('status=success');
    companies = openCompanies(maximumChoices + 1, '🏢'.repeat(500));
    const many = await arrive();
    expect(readPage(many.result).location).toBe(failedAt('too_many_companies'));
    const named = await arrive({ companyId: idOf(0) });
    expect(readPage(named.result).location).toContain('status=success');
  });
});

describe('the form', () => {
  const fresh = async () => (await arrive()).hidden;
  /** Sends the form of a consent with changes. */
  const send = async (
    changes: Record<string, string> = {},
    more: Options & { text?: string } = {},
  ) => {
    const { text = '', ...options } = more;
    const form = new URLSearchParams({ ...(await fresh()), ...first(), ...changes });
    return visit('', { form: `${form}${text}`, ...options });
  };
  const later = { clock: () => new Date(now.getTime() + 600_000) };

  test.each<[string, () => ReturnType<typeof visit>]>([
    ['without a state', () => visit('', { form: first() })],
    ['with an invented state', () => send({ state: 'x'.repeat(43) })],
    ['with a changed state', async () => send({ state: `${await begin()}A` })],
    ['with an unknown state', async () => send({ state: await newState() })],
    ['with a state before its callback', async () => send({ state: await begin() })],
    ['without a proof', () => send({ proof: '' })],
    ['with the proof of another consent', async () => send({ proof: (await fresh()).proof ?? '' })],
    ['with its state in the query', async () => visit(await fresh(), { form: first() })],
    ['with two states', async () => send({}, { text: `&state=${await newState()}` })],
    ['at another callback', () => send({}, { path: '/oauth/platform_b/callback' })],
    ['after ten minutes', () => send({}, later)],
  ])('is refused %s', async (_, result) => {
    expect(readPage(await result())).toEqual(noLongerWorks);
    expect(world.fake.calls).not.toContain('company');
  });

  test('is not shown for the state alone, which the initiator knows', async () => {
    const { state, query } = await arrive();
    for (const stolen of [{ state }, { state, code: 'made-up' }, { state, code: '' }]) {
      expect(readPage(await visit(stolen))).toEqual(noLongerWorks);
    }
    expect(readForm(await visit(query)).choices).toHaveLength(3);
  });

  test('is valid for ten minutes after it was shown', async () => {
    const late = new Date(now.getTime() + 599_000);
    const query = { code: world.fake.issueCode(redirectUri), state: await begin() };
    const { hidden } = readForm(await visit(query, { clock: () => late }));
    const clock = () => new Date(late.getTime() + 599_000);
    expect(readPage(await choose(hidden, first(), { clock })).location).toContain('status=success');
  });
});
