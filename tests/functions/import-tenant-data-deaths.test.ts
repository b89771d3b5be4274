import { beforeAll, describe, expect, test } from 'vitest';
import { type Fate, openMortalProcess } from '../support/mortal-process.ts';
import {
  account,
  broughtAgain,
  done,
  journal,
  openTenantImports,
  type TenantImports,
} from '../support/tenant-imports.ts';

const mortal = openMortalProcess();
let open: TenantImports;

beforeAll(async () => {
  open = await openTenantImports(mortal.config);
});

/**
 * Two pages of accounts and three of journals. The access token ends after the first of them; then
 * an account is added that the last journal names, so that the chart is read twice.
 */
const connectCompany = async () => {
  const accountPages = [[account('1'), account('2')], [account('3', { code: null })]];
  const company = open.newCompany({
    accountPages,
    journalPages: [
      [journal('a'), journal('b', { date: '2026-03-21' })],
      [journal('c', { accounts: ['1', '3'] }), journal('d')],
      [journal('e', { accounts: ['4', '1'], date: '2026-03-21' })],
    ],
  });
  const tokens = company.fake.issueTokens();
  company.fake.plan('accountPage', () => company.fake.revokeAccess(tokens.accessToken));
  company.fake.plan('journalPage', () => {
    company.fake.books.accountPages = [...accountPages, [account('4')]];
  });
  await company.connect({ tokens });
  const platform = mortal.mortal(company.fake.platform);
  return { ...company, platforms: { get: async () => platform } };
};

const everything = {
  tenant: ['active', null],
  import: ['complete', null],
  counts: [4, 5, 0],
  accounts: ['1', '2', '4', 'ID-3'],
  journals: [
    ['IJ-20260320-0001', 'a'],
    ['IJ-20260320-0002', 'c'],
    ['IJ-20260320-0003', 'd'],
    ['IJ-20260321-0001', 'b'],
    ['IJ-20260321-0002', 'e'],
  ],
};

/** How an import ended whose first process met this fate at this call, and which call that was. */
const importWith = async (end?: { fate: Fate; at: number }) => {
  const { platforms, name, fake, ...company } = await connectCompany();
  mortal.start(end);
  await company.deliver({ platforms });
  const calls = [...mortal.calls()];
  mortal.start();
  await company.runToEnd({ platforms });
  const refreshToken = (await open.connections.find(name))?.tokens.refreshToken ?? '';
  const isConnected = fake.isRefreshable(refreshToken);
  return { calls, ending: { state: await company.state(), isConnected } };
};

describe('an import whose process', () => {
  let calls: readonly string[];

  beforeAll(async () => {
    const unharmed = await importWith();
    expect(unharmed.ending).toEqual({ state: everything, isConnected: true });
    calls = unharmed.calls;
  });

  test('is followed here makes calls of every kind', () => {
    expect(calls.length).toBeGreaterThan(55);
    expect(new Set(calls)).toEqual(
      new Set([
        ...['GetItem', 'BatchGetItem', 'UpdateItem', 'TransactWriteItems'],
        ...['refresh', 'company', 'accountPage', 'journalPage', 'readJournal'],
      ]),
    );
  });

  test.each<Fate>(['dies before it', 'dies after it', 'lives on without its answer'])(
    'makes any call and %s, ends as if nothing had been',
    async (fate) => {
      for (let at = 1; at <= calls.length; at += 1) {
        const found = await importWith({ fate, at });
        const where = `call ${at}, ${calls[at - 1]}`;
        expect(found.calls.slice(0, at), where).toEqual(calls.slice(0, at));
        expect(found.ending, where).toEqual({ state: everything, isConnected: true });
      }
    },
  );

  test('dies in five runs that recorded nothing is given up by the sixth', async () => {
    const { platforms, ...company } = await connectCompany();
    for (let runs = 1; runs <= 5; runs += 1) {
      mortal.start({ fate: 'dies before it', at: 6 });
      expect(await company.deliver({ platforms })).toEqual(broughtAgain);
      expect(mortal.calls().slice(4)).toEqual(['company', 'UpdateItem']);
      expect((await company.state()).import).toEqual(['running', null]);
      await company.resumeWhenDue();
    }
    mortal.start();
    expect(await company.deliver({ platforms })).toEqual(done);
    expect(await company.state()).toEqual({
      tenant: ['import_failed', 'gave_up'],
      import: ['failed', 'gave_up'],
      counts: [0, 0, 0],
      accounts: [],
      journals: [],
    });
    expect(company.fake.calls).toEqual(Array.from({ length: 5 }, () => 'company'));
    expect(company.metrics.events).toContainEqual(['importFailed']);
  });
});
