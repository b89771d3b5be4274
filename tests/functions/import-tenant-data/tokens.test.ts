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

/** A company whose access token lasts so long, and users of its connection beside its import. */
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
const allCalls = ['company', 'accountPage', 'journalPage', 'readJournal'];
const everything = imported(['1', '2'], ['a']);
const nothing = { counts: [0, 0, 0], accounts: [], journals: [] };
const disconnected = {
  tenant: ['disconnected', 'credentials_refused'],
  import: ['failed', 'credentials_refused'],
};

describe('an access token', () => {
  test.each([
    ['ends in 61 seconds is used', 61, allCalls, 1],
    ['ends in 60 seconds is refreshed first', 60, ['refresh', ...allCalls], 2],
    ['has ended is refreshed first', -5, ['refresh', ...allCalls], 2],
  ])('that %s', async (_, expiresInSeconds, calls, version) => {
    const { fake, connection, isConnected, ...company } = await connectCompany(expiresInSeconds);
    await company.deliver();
    expect(fake.calls).toEqual(calls);
    expect(await company.state()).toEqual(everything);
    expect((await connection())?.version).toBe(version);
    expect(await isConnected()).toBe(true);
  });

  test('that ends during a run is refreshed then', async () => {
    const { fake, world, ...company } = await connectCompany();
    fake.plan('accountPage', () => {
      world.now += 29 * minute;
    });
    await company.deliver();
    expect(fake.calls).toEqual(['company', 'accountPage', 'refresh', 'journalPage', 'readJournal']);
    expect(await company.state()).toEqual(everything);
  });

  test('that is refused is refreshed once, and the import goes on', async () => {
    const { fake, tokens, isConnected, ...company } = await connectCompany();
    fake.plan('company', () => fake.revokeAccess(tokens.accessToken));
    await company.deliver();
    expect(fake.calls).toEqual([
      ...['company', 'accountPage', 'refresh'],
      ...['accountPage', 'journalPage', 'readJournal'],
    ]);
    expect(await company.state()).toEqual(everything);
    expect(await isConnected()).toBe(true);
  });

  test('that is refused when it is new is not refreshed again', async () => {
    const { fake, ...company } = await connectCompany();
    const refused = () => new PlatformFailure('credentials_refused');
    fake.plan('company', refused(), refused(), refused());
    expect(await company.deliver()).toEqual(done);
    expect(fake.calls).toEqual(['company', 'refresh', 'company']);
    expect(await company.state()).toEqual({ ...disconnected, ...nothing });
  });
});

describe('a refresh', () => {
  test('that the platform refuses disconnects the tenant until it is connected', async () => {
    const { fake, tokens, isConnected, ...company } = await connectCompany(0);
    fake.revokeGrant(tokens.refreshToken);
    expect(await company.deliver()).toEqual(done);
    expect(fake.calls).toEqual(['refresh']);
    expect(await company.state()).toEqual({ ...disconnected, ...nothing });
    expect(company.log.lines).toMatchObject([
      ['the import met a failure', { error: { reason: 'credentials_refused' } }],
      ['invocation', { outcome: 'credentials_refused' }],
    ]);
    await company.connect({ importId: 'import-2' });
    expect((await company.state()).tenant).toEqual(['importing', null]);
    await company.deliver();
    expect(await company.state()).toEqual(everything);
    expect(await isConnected()).toBe(true);
  });

  test('that fails for a while is tried again, and holds nobody up', async () => {
    const { fake, ...company } = await connectCompany(0);
    fake.plan('refresh', new PlatformFailure('platform_unavailable'));
    await company.deliver();
    expect(company.world.pauses).toEqual([1000]);
    expect(fake.calls).toEqual(['refresh', 'refresh', ...allCalls]);
    expect(await company.state()).toEqual(everything);
  });

  test.each([
    ['a token that has ended', 0],
    ['a token that is refused', 1800],
  ])('of %s is done once for twenty users at once, who all get its tokens', async (_, seconds) => {
    const { fake, tokens, connection, useToken } = await connectCompany(seconds);
    fake.revokeAccess(tokens.accessToken);
    fake.plan('refresh', () => pause(50));
    const used = await Promise.all(Array.from({ length: 20 }, () => useToken()));
    expect(fake.calls.filter((call) => call === 'refresh')).toHaveLength(1);
    expect(new Set(used)).toEqual(new Set([(await connection())?.tokens.accessToken]));
    expect((await connection())?.version).toBe(2);
  });

  test('that somebody else is at is waited for, until he must be dead', async () => {
    const { fake, name, world, ...company } = await connectCompany(0);
    const until = new Date(world.now + 30_000);
    await open.connections.acquireRefreshLease(name, { version: 1, now: company.clock(), until });
    await company.deliver();
    expect(new Set(world.pauses)).toEqual(new Set([500]));
    expect(world.pauses).toHaveLength(60);
    expect(fake.calls).toEqual(['refresh', ...allCalls]);
    expect(await company.state()).toEqual(everything);
  });

  test('that a clock far ahead of ours has leased is not waited for', async () => {
    const { fake, name, clock, connection, useToken } = await connectCompany(0);
    const inAnHour = new Date(clock().getTime() + 60 * minute);
    await open.connections.acquireRefreshLease(name, { version: 1, now: clock(), until: inAnHour });
    const sleep = () => Promise.reject(new Error('there is nothing to wait for'));
    expect(await useToken(sleep)).toBe((await connection())?.tokens.accessToken);
    expect(fake.calls).toEqual(['refresh', 'company']);
  });

  test('gives the tokens of a connection that was renewed meanwhile, not its own', async () => {
    const { fake, useToken, connection, ...company } = await connectCompany(0);
    const renewed = fake.issueTokens();
    fake.plan('refresh', () => company.connect({ tokens: renewed, importId: 'import-2' }));
    const sleep = () => Promise.reject(new Error('there is nothing to wait for'));
    expect(await useToken(sleep)).toBe(renewed.accessToken);
    expect(fake.calls).toEqual(['refresh', 'company']);
    expect((await connection())?.tokens).toEqual(withExpiry(renewed, company.clock()));
    expect((await company.state()).import).toEqual(['requested', null]);
  });

  test('that was refused does not disconnect a connection that was renewed meanwhile', async () => {
    const { fake, tokens, ...company } = await connectCompany(0);
    const renewed = fake.issueTokens();
    const { platform } = fake;
    const refresh: typeof platform.refresh = async (held) => {
      await company.connect({ tokens: renewed, importId: 'import-2' });
      fake.revokeGrant(tokens.refreshToken);
      return platform.refresh(held);
    };
    await company.deliver({ platforms: { get: async () => ({ ...platform, refresh }) } });
    expect((await company.state()).tenant).toEqual(['importing', null]);
    await company.deliver();
    expect(await company.state()).toEqual(everything);
  });
});

describe('a connection that is given up during a run', () => {
  const reason = 'disconnected_by_operator';
  const operations = ['company', 'accountPage', 'journalPage', 'readJournal'] as const;

  /** As the operator's command does it: nobody is to renew the tokens while they are given up. */
  const disconnect = async ({ name, ...company }: Awaited<ReturnType<typeof connectCompany>>) => {
    const finishedAt = company.clock().toISOString();
    const end = { importId: 'import-1', finishedAt, reason, tenantStatus: 'disconnected' } as const;
    expect(await open.imports.finish(name, end)).toBe(true);
    const version = (await company.connection())?.version ?? 0;
    expect(await open.connections.giveUp(name, { version, reason })).toBe(true);
  };

  test.each(operations.flatMap((at) => [[at, true] as const, [at, false] as const]))(
    'ends the run: at %s, whose access token still works: %s',
    async (at, works) => {
      const company = await connectCompany();
      const { fake, tokens } = company;
      fake.plan(at, async () => {
        await disconnect(company);
        if (works) return;
        fake.revokeGrant(tokens.refreshToken);
        throw new PlatformFailure('credentials_refused');
      });
      expect(await company.deliver()).toEqual(done);
      expect(await company.state()).toMatchObject({
        tenant: ['disconnected', reason],
        import: ['failed', reason],
      });
      // What was begun with a page is read and recorded; nothing follows it.
      const later = fake.calls.slice(fake.calls.indexOf(at) + 1);
      expect(later).toEqual(at === 'journalPage' && works ? ['readJournal'] : []);
      expect(company.outcomes()).toEqual(['superseded']);
    },
  );

  test('without an end of the import disconnects it at the next refresh, not later', async () => {
    const company = await connectCompany();
    company.fake.plan('accountPage', async () => {
      await open.connections.giveUp(company.name, { version: 1, reason });
      company.world.now += 29 * minute;
    });
    expect(await company.deliver()).toEqual(done);
    expect(company.fake.calls).toEqual(['company', 'accountPage']);
    expect(await company.state()).toMatchObject(disconnected);
  });
});
