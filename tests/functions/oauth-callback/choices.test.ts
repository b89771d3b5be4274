// A consent that is good for several companies: the application or the user chooses one of them.

import { beforeEach, describe, expect, test } from 'vitest';
import { maximumChoices } from '#shared/connections/held-consents.store.ts';
import type { PendingAuthorization } from '#shared/connections/oauth-states.store.ts';
import { testSlots } from '../../support/builders/slots.ts';
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

let companies: ReturnType<typeof newCompany>[];
beforeEach(() => {
  callbacks.beginTest();
  companies = [newCompany(), newCompany(), newCompany()];
  const [company, ...furtherCompanies] = companies as [ReturnType<typeof newCompany>];
  world.fake = openFakePlatform({ company, furtherCompanies, reconnectInSeconds: 3600 });
});
const idOf = (place: number) => companies[place]?.companyId ?? '';

/** Comes back from the platform, to the page that asks; `asked` is what its form has in it. */
const arrive = async (changes: Partial<PendingAuthorization> = {}) => {
  const state = await begin(changes);
  const query = { code: world.fake.issueCode(redirectUri), state };
  const result = await visit(query);
  return { state, query, result, asked: readForm(result).hidden };
};

type Options = Parameters<typeof visit>[1];
const choose = (asked: Record<string, string>, fields: Record<string, string>, options?: Options) =>
  visit('', { form: { ...asked, ...fields }, ...options });

const tenantOf = async (companyId: string) => {
  const items = await database.scan();
  const entry = items.find(({ pk }) => String(pk).endsWith(companyId));
  const name = { applicationId: 'app1', schemaName: String(entry?.schemaName) };
  return entry && { name, tenant: await tenants.find(name) };
};
const connected = async () =>
  (await Promise.all(companies.map(({ companyId }) => tenantOf(companyId)))).filter(Boolean).length;

const errorAt = (code: string) => `${redirectUrl}?status=error&error=${code}`;
const chosenAlready = {
  status: 200,
  location: undefined,
  title: 'A company was chosen already',
  text: `It takes some seconds to connect one. ${goBack}`,
};

describe('the company that the application names', () => {
  test('is connected, and nobody is asked', async () => {
    const { result } = await arrive({ companyId: idOf(1) });
    const { tenant } = (await tenantOf(idOf(1))) ?? {};
    expect(tenant?.companyName).toBe(companies[1]?.name);
    const location = `${redirectUrl}?status=success&domain_url=${tenant?.prefix}`;
    expect(readPage(result).location).toBe(location);
    expect(await connected()).toBe(1);
  });

  test('is not connected where the consent is for others', async () => {
    const { result } = await arrive({ companyId: 'another' });
    expect(readPage(result).location).toBe(errorAt('company_not_consented'));
    const { result: page } = await arrive({ companyId: 'another', redirectUrl: null });
    expect(readPage(page)).toMatchObject({
      status: 403,
      text: expect.stringContaining('not for the company that the application asked for.'),
    });
    expect(await connected()).toBe(0);
  });
});

describe('a consent for several companies', () => {
  test('asks for one of them, with the tokens sealed', async () => {
    const { state, asked, result } = await arrive();
    expect(readPage(result)).toMatchObject({
      status: 200,
      location: undefined,
      title: 'Which company is to be connected?',
    });
    expect(readForm(result)).toEqual({
      action: callbackPath,
      hidden: { state, proof: expect.stringMatching(/^[\w-]{43}$/) },
      choices: companies.map(({ companyId }) => companyId),
    });
    for (const { name } of companies) expect(result.body).toContain(name);
    expect(await connected()).toBe(0);
    const kept = JSON.stringify([world.log.lines, await database.scan()]);
    for (const secret of ['secret-', state, asked.proof]) expect(kept).not.toContain(secret);
  });

  test('connects the one that is chosen as if it had been the only one', async () => {
    const { asked } = await arrive();
    const result = await choose(asked, { company: idOf(1), decision: 'submit' });
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
    expect(await connected()).toBe(1);
  });

  test('counts one of 16 choices, and tells the others so', async () => {
    const { asked } = await arrive();
    const choices = Array.from({ length: 16 }, (_, place) => idOf(place % 3));
    const pages = (
      await Promise.all(choices.map((company) => choose(asked, { company, decision: 'submit' })))
    ).map(readPage);
    expect(pages.filter(({ status }) => status === 303)).toHaveLength(1);
    const others = pages.filter(({ status }) => status !== 303).map(({ title }) => title);
    expect(others.filter((title) => !/already$/.test(String(title)))).toEqual([]);
    expect(await connected()).toBe(1);
  });

  test('asks again after a reload, and says that it is connected once it is', async () => {
    const { asked, query, result } = await arrive();
    expect((await visit(query)).body).toBe(result.body);
    const fields = { company: idOf(0), decision: 'submit' };
    await choose(asked, fields);
    for (const again of [await visit(query), await choose(asked, fields)]) {
      expect(readPage(again).title).toBe('The company is connected already');
    }
    expect(world.fake.calls).toEqual(['connect', 'company']);
  });

  test('ends as a denial where it is cancelled, and nothing can be chosen then', async () => {
    const { asked, query } = await arrive();
    const result = await choose(asked, { decision: 'cancel' });
    expect(readPage(result)).toMatchObject({ status: 303, location: errorAt('access_denied') });
    const again = await choose(asked, { company: idOf(0), decision: 'submit' });
    expect([readPage(again), readPage(await visit(query))]).toEqual([chosenAlready, chosenAlready]);
    expect(await connected()).toBe(0);
  });

  test.each<[string, Record<string, string>]>([
    ['no company', { decision: 'submit' }],
    ['a company that is not in the list', { company: 'another', decision: 'submit' }],
    ['an empty one', { company: '' }],
  ])('asks again where %s is sent, and uses nothing up', async (_, fields) => {
    const { asked } = await arrive();
    const result = await choose(asked, fields);
    expect(readPage(result)).toMatchObject({
      status: 400,
      text: expect.stringMatching(/^Choose one of these companies\./),
    });
    expect(readForm(result).hidden).toEqual(asked);
    const good = await choose(asked, { company: idOf(2), decision: 'submit' });
    expect(readPage(good).location).toContain('status=success');
  });

  test('goes back with a failure of the platform, and nothing can be chosen then', async () => {
    const { asked } = await arrive();
    world.fake.revokeGrant('secret-refresh-1');
    const fields = { company: idOf(0), decision: 'submit' };
    const result = await choose(asked, fields);
    expect(readPage(result).location).toBe(errorAt('authorization_failed'));
    expect(readPage(await choose(asked, fields))).toEqual(chosenAlready);
  });

  test('is refused to an application that was suspended meanwhile', async () => {
    const { asked } = await arrive();
    await applications.setStatus('app1', { status: 'suspended', now });
    const result = await choose(asked, { company: idOf(0), decision: 'submit' });
    await applications.setStatus('app1', { status: 'active', now });
    expect(readPage(result).location).toBe(errorAt('application_suspended'));
    expect(await connected()).toBe(0);
  });

  test('shows its tokens to no other platform, where the slot was bound anew', async () => {
    const { asked } = await arrive();
    const other = openFakePlatform({ adapter: 'zoho' });
    const fields = { company: idOf(0), decision: 'submit' };
    const result = await choose(asked, fields, { platforms: other.platforms });
    expect(readPage(result).location).toBe(errorAt('internal_error'));
    expect(other.calls).toEqual([]);
  });
});

describe('a consent for a great many companies', () => {
  const arriveWith = (count: number, changes: Partial<PendingAuthorization> = {}) => {
    const furtherCompanies = Array.from({ length: count - 1 }, () => ({
      ...newCompany(),
      name: '🏢'.repeat(500),
    }));
    const [company] = companies as [ReturnType<typeof newCompany>];
    world.fake = openFakePlatform({ company, furtherCompanies });
    return arrive(changes);
  };

  test('asks for one of as many as fit, however long their names are', async () => {
    const { result, asked } = await arriveWith(maximumChoices);
    expect(readForm(result).choices).toHaveLength(maximumChoices);
    const chosen = await choose(asked, { company: idOf(0), decision: 'submit' });
    expect(readPage(chosen).location).toContain('status=success');
  });

  test('asks for none of more, unless the application names one', async () => {
    const { result } = await arriveWith(maximumChoices + 1);
    expect(readPage(result).location).toBe(errorAt('too_many_companies'));
    const named = await arriveWith(maximumChoices + 1, { companyId: idOf(0) });
    expect(readPage(named.result).location).toContain('status=success');
  });
});

describe('a form', () => {
  const fields = () => ({ company: idOf(0), decision: 'submit' });
  const begun = async () => (await arrive()).asked;
  /** Sends the form of a consent with something else in it. */
  const changed = async (other: Record<string, string | undefined>, added = '') => {
    const form = new URLSearchParams({ ...(await begun()), ...fields(), ...other } as Record<
      string,
      string
    >);
    return visit('', { form: `${form}${added}` });
  };

  test.each<[string, () => Promise<Awaited<ReturnType<typeof visit>>>]>([
    ['without a state', async () => visit('', { form: fields() })],
    ['with a made-up state', async () => changed({ state: 'x'.repeat(43) })],
    ['with a state that was changed', async () => changed({ state: `${await begin()}A` })],
    ['with a state of ours that is unknown', async () => changed({ state: await newState() })],
    ['with a state that has not come back yet', async () => changed({ state: await begin() })],
    ['without the proof of who came back', async () => changed({ proof: '' })],
    ['with the proof of another consent', async () => changed({ proof: (await begun()).proof })],
    ['with its state in the query', async () => visit(await begun(), { form: fields() })],
    ['with two states', async () => changed({}, `&state=${await newState()}`)],
    [
      'at the callback of another platform',
      async () => choose(await begun(), fields(), { path: '/oauth/platform_b/callback' }),
    ],
    [
      'after ten minutes',
      async () =>
        choose(await begun(), fields(), { clock: () => new Date(now.getTime() + 600_000) }),
    ],
  ])('%s is a link that does not work', async (_, send) => {
    expect(readPage(await send())).toEqual(noLongerWorks);
    expect(world.fake.calls).not.toContain('company');
  });

  test('is shown to nobody who has the state alone, as whoever began has', async () => {
    const { state, query } = await arrive();
    for (const stolen of [{ state }, { state, code: 'made-up' }, { state, code: '' }]) {
      expect(readPage(await visit(stolen))).toEqual(noLongerWorks);
    }
    expect(readForm(await visit(query)).choices).toHaveLength(3);
  });

  test('has ten minutes of its own, from the page on', async () => {
    const late = new Date(now.getTime() + 599_000);
    const query = { code: world.fake.issueCode(redirectUri), state: await begin() };
    const { hidden: asked } = readForm(await visit(query, { clock: () => late }));
    const clock = () => new Date(late.getTime() + 599_000);
    const result = await choose(asked, fields(), { clock, slots: testSlots() });
    expect(readPage(result).location).toContain('status=success');
  });
});
