// Access tokens and their refresh, in an import and by other users of the connection.

import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { openPlatformAccess } from '#shared/connections/access.service.ts';
import { PlatformFailure, type PlatformTokens, withExpiry } from '#shared/platforms/platform.ts';
import {
  account,
  done,
  imported,
  journal,
  openTenantImports,
} from '../../support/harnesses/tenant-imports.ts';

const open = await openTenantImports();
const minute = 60_000;

/** A company whose access token is valid for this time, and another user of its connection. */
const connectCompany = async (expiresInSeconds = 1800) => {
  const company = open.newCompany({
    accountPages: [[account('1'), account('2')]],
    journalPages: [[journal('a')]],
  });
  const tokens: PlatformTokens = { ...company.fake.issueTokens(), expiresInSeconds };
  await company.connect({ tokens });
  const { fake, name, clock } = company;
  const connection = () => open.connections.find(name);
  const isConnected = async () =>
    fake.isRefreshable((await connection())?.tokens.refreshToken ?? '');
  const useToken = async (sleep: () => Promise<unknown> = () => pause(5)) => {
    const { connections } = open;
    const { platform } = fake;
    const access = await openPlatformAccess(name, { connections, platform, clock, sleep });
    return access?.use(async (it) => {
      await platform.company(it);
      return it.accessToken;
    });
  };
  return { ...company, tokens, connection, isConnected, useToken };
};
type Company = Awaited<ReturnType<typeof connectCompany>>;

const calls = ['company', 'accountPage', 'journalPage', 'readJournal'];
const everything = imported(['1', '2'], ['a']);
const disconnected = {
  tenant: ['disconnected', 'credentials_refused'],
  import: ['failed', 'credentials_refused'],
  counts: [0, 0, 0],
  accounts: [],
  journals: [],
};
const noSleep = () => Promise.reject(new Error('this must not wait'));

describe('an import', () => {
  const waitHalfAnHour = ({ fake, world }: Company) =>
    fake.plan('accountPage', () => {
      world.now += 29 * minute;
    });
  const revoke = ({ fake, tokens }: Company) =>
    fake.plan('company', () => fake.revokeAccess(tokens.accessToken));
  const failOnce = ({ fake }: Company) =>
    fake.plan('refresh', new PlatformFailure('platform_unavailable'));

  test.each<[string, seconds: number, calls: string[], (company: Company) => unknown]>([
    ['uses a token that is valid for 61 seconds', 61, calls, () => {}],
    ['refreshes a token that is valid for 60 seconds', 60, ['refresh', ...calls], () => {}],
    ['refreshes an expired token', -5, ['refresh', ...calls], () => {}],
    [
      'refreshes a token that expires during the run',
      1800,
      calls.toSpliced(2, 0, 'refresh'),
      waitHalfAnHour,
    ],
    [
      'refreshes a refused token and repeats the call',
      1800,
      calls.toSpliced(2, 0, 'refresh', 'accountPage'),
      revoke,
    ],
    ['repeats a failed refresh', 0, ['refresh', 'refresh', ...calls], failOnce],
  ])('%s', async (_, expiresInSeconds, expected, prepare) => {
    const company = await connectCompany(expiresInSeconds);
    prepare(company);
    await company.deliver();
    expect(company.fake.calls).toEqual(expected);
    expect(await company.state()).toEqual(everything);
    expect((await company.connection())?.version).toBe(expected.includes('refresh') ? 2 : 1);
    expect(await company.isConnected()).toBe(true);
    expect(company.world.pauses).toEqual(prepare === failOnce ? [1000] : []);
  });

  test('does not refresh a new token that is refused', async () => {
    const { fake, ...company } = await connectCompany();
    const refused = () => new PlatformFailure('credentials_refused');
    fake.plan('company', refused(), refused(), refused());
    expect(await company.deliver()).toEqual(done);
    expect(fake.calls).toEqual(['company', 'refresh', 'company']);
    expect(await company.state()).toEqual(disconnected);
  });

  test('disconnects the tenant if the refresh is refused, until it is connected', async () => {
    const { fake, tokens, isConnected, ...company } = await connectCompany(0);
    fake.revokeGrant(tokens.refreshToken);
    expect(await company.deliver()).toEqual(done);
    expect(fake.calls).toEqual(['refresh']);
    expect(await company.state()).toEqual(disconnected);
    expect(company.log.lines).toMatchObject([
      ['the import run failed', { error: { reason: 'credentials_refused' } }],
      ['invocation', { outcome: 'credentials_refused' }],
    ]);
    await company.connect({ importId: 'import-2' });
    await company.deliver();
    expect(await company.state()).toEqual(everything);
    expect(await isConnected()).toBe(true);
  });

  test("waits for another user's refresh until its lease ends", async () => {
    const { fake, name, world, ...company } = await connectCompany(0);
    const until = new Date(world.now + 30_000);
    await open.connections.acquireRefreshLease(name, { version: 1, now: company.clock(), until });
    await company.deliver();
    expect(world.pauses).toEqual(Array(60).fill(500));
    expect(fake.calls).toEqual(['refresh', ...calls]);
    expect(await company.state()).toEqual(everything);
  });

  test('does not disconnect a tenant that was connected again during the refresh', async () => {
    const { fake, tokens, ...company } = await connectCompany(0);
    const { platform } = fake;
    const refresh: typeof platform.refresh = async (held) => {
      await company.connect({ tokens: fake.issueTokens(), importId: 'import-2' });
      fake.revokeGrant(tokens.refreshToken);
      return platform.refresh(held);
    };
    await company.deliver({ platforms: { get: async () => ({ ...platform, refresh }) } });
    expect((await company.state()).tenant).toEqual(['importing', null]);
    await company.deliver();
    expect(await company.state()).toEqual(everything);
  });
});

describe('a user of the connection', () => {
  test.each([
    ['an expired token', 0],
    ['a refused token', 1800],
  ])('is one of twenty that share one refresh of %s', async (_, seconds) => {
    const { fake, tokens, connection, useToken } = await connectCompany(seconds);
    fake.revokeAccess(tokens.accessToken);
    fake.plan('refresh', () => pause(50));
    const used = await Promise.all(Array.from({ length: 20 }, () => useToken()));
    expect(fake.calls.filter((call) => call === 'refresh')).toHaveLength(1);
    expect(new Set(used)).toEqual(new Set([(await connection())?.tokens.accessToken]));
    expect((await connection())?.version).toBe(2);
  });

  test('does not wait for a lease of a clock that is far ahead', async () => {
    const { fake, name, clock, connection, useToken } = await connectCompany(0);
    const until = new Date(clock().getTime() + 60 * minute);
    await open.connections.acquireRefreshLease(name, { version: 1, now: clock(), until });
    expect(await useToken(noSleep)).toBe((await connection())?.tokens.accessToken);
    expect(fake.calls).toEqual(['refresh', 'company']);
  });

  test('gets the tokens of a connection that was renewed during its refresh', async () => {
    const { fake, useToken, connection, ...company } = await connectCompany(0);
    const renewed = fake.issueTokens();
    fake.plan('refresh', () => company.connect({ tokens: renewed, importId: 'import-2' }));
    expect(await useToken(noSleep)).toBe(renewed.accessToken);
    expect(fake.calls).toEqual(['refresh', 'company']);
    expect((await connection())?.tokens).toEqual(withExpiry(renewed, company.clock()));
    expect((await company.state()).import).toEqual(['requested', null]);
  });
});
