// A connection that waits for its application's confirmation, in the session of its user.

import { beforeEach, describe, expect, test } from 'vitest';
import { resealConnection } from '#shared/connections/connections.store.ts';
import type { PendingAuthorization } from '#shared/connections/oauth-states.store.ts';
import { openImports } from '#shared/imports/imports.store.ts';
import { summaryOf } from '../support/builders/tenants.ts';
import { unlinkUser } from '../support/builders/user-links.ts';
import { readForm, readPage } from '../support/events/url-events.ts';
import {
  newCompany,
  noLongerWorks,
  now,
  openCallbacks,
  redirectUri,
  redirectUrl,
} from '../support/harnesses/callbacks.ts';
import { callsOf } from '../support/harnesses/calls.ts';
import { openInstance } from '../support/harnesses/instances.ts';
import { changeActors } from '../support/readers/change-actors.ts';
import { problemsOf, success } from '../support/readers/replies.ts';
import { openFakePlatform } from '../support/servers/fake-platform.ts';

const callbacks = await openCallbacks();
const { database, connections, tenants, ada, world, begin, visit, visitWithCode } = callbacks;
const imports = openImports(database.table);
const bob = await database.newOwner('bob@example.com');
const foreign = await database.newOwner('ada@example.com', 'app2');

beforeEach(callbacks.beginTest);

const minutesLater = (minutes: number): Date => new Date(now.getTime() + minutes * 60_000);

type Asked = { user_id: string; domain_url: string; confirmation_code: string };

let importCount = 0;
/** The functions at a time. */
const callsAt = (at: Date) => {
  const ids = { newImportId: () => `confirmed-${++importCount}` };
  return callsOf(openInstance({ table: database.table, clock: () => at, ids }));
};
const confirm = (body: object, { applicationId = 'app1', at = minutesLater(1) } = {}) =>
  callsAt(at).send('confirm', body, { applicationId });
const profileOf = (email: string, at = minutesLater(1)) =>
  callsAt(at).call('getProfile', { email });

const shownOf = async (email: string, { domain_url }: Asked, at?: Date) =>
  (await profileOf(email, at)).tenants.find(
    (tenant: { tenant_domain_url: string }) => tenant.tenant_domain_url === domain_url,
  );

const nameOf = ({ domain_url }: Asked) => ({
  applicationId: 'app1',
  schemaName: domain_url.replaceAll('-', '_'),
});

/** The tenant in replies once it is confirmed. */
const confirmed = (asked: Asked) => ({
  ...summaryOf(
    { prefix: asked.domain_url, schemaName: nameOf(asked).schemaName },
    { company_name: world.fake.company.name },
  ),
  financial_year_end: '06-30',
});

/** The application's request after the redirect, in the session of this user. */
const askedFrom = (location: unknown, user_id: string): Asked => {
  const { status, ...brought } = Object.fromEntries(new URL(String(location)).searchParams);
  expect([status, Object.keys(brought)]).toEqual(['success', ['domain_url', 'confirmation_code']]);
  return { user_id, ...brought } as Asked;
};

/** A consent to the company of this test, in an authorization of ada's. */
const consent = async (changes: Partial<PendingAuthorization> = {}): Promise<Asked> => {
  const { location } = await visitWithCode({ confirmConnection: true, ...changes });
  return askedFrom(location, ada.userId);
};

const storedOf = async (asked: Asked) => {
  const companies = (await database.scan()).filter(({ sk }) => sk === 'COMPANY');
  const name = nameOf(asked);
  return {
    tenant: await tenants.find(name),
    connection: await connections.find(name),
    import: await imports.find(name),
    company: companies.find(({ schemaName }) => schemaName === name.schemaName),
  };
};
const nothing = {
  tenant: undefined,
  connection: undefined,
  import: undefined,
  company: undefined,
};

const notFound = [404, 'confirmation_not_found', []];
const codeOf = async (...parameters: Parameters<typeof confirm>) => {
  const { status, body } = await confirm(...parameters);
  return [status, body.error.code, body.error.details];
};

describe('a pending connection', () => {
  test('has no tenant, tokens, import or company, and its secrets are not stored', async () => {
    const asked = await consent();
    expect(asked.domain_url).toMatch(/^company-[a-z2-9]{6}$/);
    expect(await storedOf(asked)).toEqual(nothing);
    expect(world.fake.calls).toEqual(['connect', 'company']);
    const kept = JSON.stringify([world.log.lines, await database.scan()]);
    expect(kept).not.toContain('secret-');
    expect(kept).not.toContain(asked.confirmation_code);
  });

  test('is in the profile of its user, without the company', async () => {
    const asked = await consent();
    expect(await shownOf(ada.email, asked)).toEqual({
      ...confirmed(asked),
      company_name: 'Unconfirmed company',
      currency: 'XXX',
      financial_year_end: '12-31',
      status: 'pending',
    });
    const { tenant_count, tenants: shown } = await profileOf(ada.email);
    expect(shown).toHaveLength(tenant_count);
    expect(JSON.stringify(shown)).not.toContain(world.fake.company.name);
    expect(await shownOf(bob.email, asked)).toBeUndefined();
  });

  test('can be of a company that the user chose', async () => {
    const other = newCompany();
    world.fake = openFakePlatform({ company: newCompany(), furtherCompanies: [other] });
    const state = await begin({ confirmConnection: true });
    const code = world.fake.issueCode(redirectUri);
    const { hidden } = readForm(await visit({ state, code }));
    const form = { ...hidden, company: other.companyId };
    const { location } = readPage(await visit({}, { method: 'POST', form }));
    const reply = await confirm(askedFrom(location, ada.userId));
    expect(reply.body.data).toMatchObject({ company_name: other.name, status: 'importing' });
  });

  test('gives its code once, at the first callback', async () => {
    const state = await begin({ confirmConnection: true });
    const code = world.fake.issueCode(redirectUri);
    expect(readPage(await visit({ state, code })).location).toContain('confirmation_code=');
    expect(readPage(await visit({ state, code }))).toEqual(noLongerWorks);
  });

  test('is refused for a company that another user has connected', async () => {
    await visitWithCode({ email: bob.email });
    const error = 'company_connected_by_another_user';
    const { location } = await visitWithCode({ confirmConnection: true });
    expect(location).toBe(`${redirectUrl}?status=error&error=${error}`);
  });

  test('ends after an hour without a trace', async () => {
    const asked = await consent();
    const lastSecond = new Date(minutesLater(60).getTime() - 1000);
    expect(await shownOf(ada.email, asked, lastSecond)).toMatchObject({ status: 'pending' });
    expect(await shownOf(ada.email, asked, minutesLater(60))).toBeUndefined();
    expect(await codeOf(asked, { at: minutesLater(60) })).toEqual(notFound);
    expect(await storedOf(asked)).toEqual(nothing);
    const { schemaName } = nameOf(asked);
    const left = (await database.scan()).filter((item) =>
      JSON.stringify(item).includes(schemaName),
    );
    const expiresAt = minutesLater(60).getTime() / 1000;
    expect(left.map((item) => [item.sk, item.expiresAt]).sort()).toEqual([
      ['DOMAIN', expiresAt],
      ['PENDING-CONNECTION', expiresAt],
      [`TENANT#${schemaName}`, expiresAt],
    ]);
  });
});

describe('a confirmation', () => {
  test('connects the tenant and requests its import', async () => {
    const asked = await consent();
    const domain_url = `${asked.domain_url.toUpperCase()}.Ledger.Example`;
    expect(await confirm({ ...asked, domain_url })).toEqual(
      success({ ...confirmed(asked), replayed: false }),
    );
    expect(await shownOf(ada.email, asked)).toEqual(confirmed(asked));
    const { connection, import: requested, company } = await storedOf(asked);
    expect(connection).toEqual({
      adapter: 'xero',
      companyId: world.fake.company.companyId,
      dataCenter: null,
      tokens: {
        accessToken: expect.stringMatching(/^secret-access-\d+$/),
        refreshToken: expect.stringMatching(/^secret-refresh-\d+$/),
        expiresAt: '2026-03-23T10:00:00.000Z',
      },
      version: 1,
    });
    expect(requested).toMatchObject({
      status: 'requested',
      requestedAt: minutesLater(1).toISOString(),
    });
    expect(company).toBeDefined();
    // Only the rest of the pending connection expires.
    const { schemaName } = nameOf(asked);
    const ending = (await database.scan()).filter(
      (item) => 'expiresAt' in item && JSON.stringify(item).includes(schemaName),
    );
    expect(ending.map(({ sk }) => sk)).toEqual(['PENDING-CONNECTION']);
    expect(ending[0]).not.toHaveProperty('sealedTokens');
  });

  test('can be repeated, also at the same time, and requests one import', async () => {
    const asked = await consent();
    const replies = await Promise.all(Array.from({ length: 8 }, () => confirm(asked)));
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200]));
    const repeats = replies.filter(({ headers }) => headers['Idempotent-Replayed'] === 'true');
    expect(repeats).toHaveLength(7);
    const { importId } = (await imports.find(nameOf(asked))) ?? {};
    const later = await confirm(asked, { at: minutesLater(59) });
    expect(later.headers['Idempotent-Replayed']).toBe('true');
    expect((await imports.find(nameOf(asked)))?.importId).toBe(importId);
    expect((await connections.find(nameOf(asked)))?.version).toBe(1);
    expect(await codeOf(asked, { at: minutesLater(60) })).toEqual(notFound);
  });

  test('leads to the tenant when the company is connected again without one', async () => {
    const asked = await consent();
    await confirm(asked);
    const { location } = await visitWithCode();
    expect(location).toBe(`${redirectUrl}?status=success&domain_url=${asked.domain_url}`);
  });

  test('works after the sealing key was rotated', async () => {
    const asked = await consent();
    const { table, nextSealing } = database;
    const toSeal = { name: nameOf(asked), version: '2' };
    expect(await resealConnection(table, nextSealing, toSeal)).toBe(true);
    expect(await resealConnection(table, nextSealing, toSeal)).toBe(false);
    await confirm(asked);
    const { refreshToken } = (await connections.find(nameOf(asked)))?.tokens ?? {};
    expect(world.fake.isRefreshable(refreshToken ?? '')).toBe(true);
  });

  test('is refused once another confirmation has connected the company', async () => {
    const [first, second] = [await consent(), await consent()];
    expect(first.domain_url).not.toBe(second.domain_url);
    await confirm(first);
    const before = await database.scan();
    expect(await codeOf(second)).toEqual([409, 'company_connected_meanwhile', []]);
    expect(await database.scan()).toEqual(before);
  });

  test('is not found if any part is wrong', async () => {
    const asked = await consent();
    const others = await consent();
    const before = await database.scan();
    const refused: [object, { applicationId: string }?][] = [
      [{ ...asked, confirmation_code: 'x' }],
      [{ ...asked, confirmation_code: others.confirmation_code }],
      [{ ...asked, user_id: bob.userId }],
      [{ ...asked, user_id: '44' }],
      [{ ...asked, user_id: foreign.userId }],
      [{ ...asked, user_id: foreign.userId }, { applicationId: 'app2' }],
      [asked, { applicationId: 'app2' }],
      [{ ...asked, domain_url: others.domain_url }],
      [{ ...asked, domain_url: 'no-such-books' }],
      [{ ...asked, domain_url: `${asked.domain_url}.other.example` }],
    ];
    for (const parameters of refused) expect(await codeOf(...parameters)).toEqual(notFound);
    expect(await database.scan()).toEqual(before);
    expect((await confirm(asked)).status).toBe(200);
  });

  test('is refused with all problems', async () => {
    const reply = await confirm({
      domain_url: 'a b',
      user_id: '0',
      confirmation_code: 'x'.repeat(256),
      extra: 1,
    });
    expect([reply.status, problemsOf(reply)]).toEqual([
      422,
      [
        'domain_not_valid /domain_url',
        'user_id_not_valid /user_id',
        'too_long /confirmation_code',
        'unknown_field /extra',
      ],
    ]);
  });
});

describe('a pending reconnection', () => {
  /** The company of this test, connected by ada, and a second consent. */
  const reconnect = async (changes: Partial<PendingAuthorization> = {}) => {
    const { location } = await visitWithCode();
    const prefix = new URL(location ?? '').searchParams.get('domain_url');
    const asked = await consent(changes);
    expect(asked.domain_url).toBe(prefix);
    const tokens = async () => (await connections.find(nameOf(asked)))?.tokens.refreshToken;
    return { asked, tokens, tenant: () => tenants.find(nameOf(asked)) };
  };

  test('changes tokens, import and settings only when it is confirmed', async () => {
    const { asked, tokens, tenant } = await reconnect({ cashFlowMethod: 'indirect' });
    const [refreshToken, requested] = [await tokens(), await imports.find(nameOf(asked))];
    expect(await tenant()).toMatchObject({ status: 'importing', cashFlowMethod: 'direct' });
    expect(await shownOf(ada.email, asked)).toMatchObject({
      company_name: world.fake.company.name,
    });
    const reply = await confirm(asked);
    expect(reply.body.data).toMatchObject({ status: 'importing', cash_flow_method: 'indirect' });
    expect(await tokens()).not.toBe(refreshToken);
    expect((await connections.find(nameOf(asked)))?.version).toBe(2);
    expect((await imports.find(nameOf(asked)))?.importId).not.toBe(requested?.importId);
    expect((await changeActors(database.table, nameOf(asked))).at(-1)).toEqual([
      'company_connected',
      ...['api_key', 'app1-key', ada.userId],
    ]);
  });

  test('revives a disconnected tenant', async () => {
    const { asked, tenant } = await reconnect();
    await connections.giveUp(nameOf(asked), { version: 1, reason: 'credentials_refused' });
    await confirm(asked);
    expect(await tenant()).toMatchObject({ status: 'importing', statusReason: null });
  });

  test('leaves the old tokens if nobody confirms', async () => {
    const { asked, tokens, tenant } = await reconnect();
    const before = [await tokens(), await tenant()];
    expect(await codeOf(asked, { at: minutesLater(60) })).toEqual(notFound);
    expect([await tokens(), await tenant()]).toEqual(before);
    expect(await shownOf(ada.email, asked, minutesLater(61))).toBeDefined();
  });

  test('accepts the code of the last consent only', async () => {
    const { asked } = await reconnect();
    const last = await consent();
    expect(await codeOf(asked)).toEqual(notFound);
    expect((await confirm(last)).status).toBe(200);
  });

  test('cannot be confirmed by a user who was unlinked', async () => {
    const { asked, tokens } = await reconnect();
    const before = await tokens();
    await unlinkUser(database.table, ada, nameOf(asked));
    expect(await codeOf(asked)).toEqual(notFound);
    expect(await tokens()).toBe(before);
  });
});
