// Imports after the first: complete imports, and imports of changes only.

import { describe, expect, test } from 'vitest';
import { positionReference } from '#shared/imports/import-report.ts';
import { PlatformFailure } from '#shared/platforms/platform.ts';
import { lockPeriod } from '../../support/builders/period-locks.ts';
import { openLaterImports } from '../../support/harnesses/later-imports.ts';
import {
  account,
  imported,
  journal,
  line,
  openTenantImports,
} from '../../support/harnesses/tenant-imports.ts';

const open = await openTenantImports();

const journalPages = [[journal('a'), journal('b')], [journal('c')]];
const everything = imported(['1', '2'], ['a', 'b', 'c']);
const unbalanced = (reference: string) =>
  journal(reference, { lines: [line('1', { debit: '5' }), line('2', { credit: '4' })] });
const edited = (reference: string) => journal(reference, { memo: 'Another memo' });

const importCompany = openLaterImports(open, journalPages);

const anHourBefore = '2026-03-23T08:30:00.000Z';

describe('a second complete import', () => {
  test('of unchanged books writes nothing to the ledger and reads no journal', async () => {
    const company = await importCompany();
    const before = await company.ledger();
    await company.again('request');
    expect(await company.ledger()).toEqual(before);
    expect(await company.state()).toEqual(everything);
    expect(company.fake.calls).not.toContain('readJournal');
  });

  test('adds new journals and updates accounts', async () => {
    const { fake, ...company } = await importCompany();
    fake.books.accountPages = [
      [account('1', { name: 'Renamed' }), account('2', { status: 'archived' })],
      [account('3')],
    ];
    fake.books.journalPages = [
      [journal('d'), ...(journalPages[0] ?? [])],
      [journal('c'), journal('e', { accounts: ['3', '1'], date: '2026-03-21' })],
    ];
    await company.again('request');
    const { journals, ...rest } = imported(['1', '2', '3'], ['a', 'b', 'c', 'd']);
    const later = ['IJ-20260321-0001', 'e'];
    expect(await company.state()).toEqual({
      ...rest,
      counts: [3, 5, 0],
      journals: [...journals, later],
    });
    expect(fake.calls.filter((call) => call === 'readJournal')).toHaveLength(2);
    const accounts = (await company.ledger()).filter(({ kind }) => kind === 'account');
    expect(accounts.map(({ code, name, status }) => [code, name, status])).toEqual([
      ['1', 'Renamed', 'active'],
      ['2', 'Account 2', 'archived'],
      ['3', 'Account 3', 'active'],
    ]);
  });
});

describe('an import of changes', () => {
  test('requests and adds only changes', async () => {
    const { fake, ...company } = await importCompany();
    fake.books.changedAccounts = [account('3'), account('2', { name: 'Renamed' })];
    fake.books.changedJournals = [journal('d', { accounts: ['1', '3'] })];
    await company.again();
    expect(company.since()).toEqual([anHourBefore, anHourBefore]);
    expect(await company.state()).toEqual(imported(['1', '2', '3'], ['a', 'b', 'c', 'd']));
  });

  test('becomes complete if the platform cannot list all changes', async () => {
    const { fake, ...company } = await importCompany();
    fake.plan('journalPage', new PlatformFailure('changes_incomplete'));
    fake.books.changedJournals = [journal('d')];
    fake.books.journalPages = [...journalPages, [journal('e')]];
    await company.again();
    expect(company.since().slice(-4)).toEqual(Array(4).fill(undefined));
    expect(await company.state()).toEqual(imported(['1', '2'], ['a', 'b', 'c', 'e']));
    expect(await open.imports.find(company.name)).toMatchObject({ modifiedSince: null });
  });

  test.each([
    [0, 0, ['company', 'accountPage', 'journalPage', 'journalPage'], undefined, undefined],
    [1, 0, ['company', 'accountPage', 'journalPage'], anHourBefore, anHourBefore],
    [2, 2, expect.any(Array), anHourBefore, undefined],
  ])(
    'of a platform that lists %i days of changes, after limits of %i days',
    async (maximumChangesDays, limits, calls, first, last) => {
      const { fake, ...company } = await importCompany();
      const day = new PlatformFailure('rate_limited', { retryAfterSeconds: 86_400 });
      fake.plan('journalPage', ...Array.from({ length: limits }, () => day));
      await company.request();
      const platform = { ...fake.platform, maximumChangesDays };
      await company.runToEnd({ platforms: { get: async () => platform } });
      expect([company.since()[0], company.since().at(-1)]).toEqual([first, last]);
      expect(fake.calls).toEqual(calls);
      expect(await company.state()).toEqual(everything);
    },
  );

  test('requests smaller pages if a run has no time to compare one', async () => {
    const pageSizes = { accounts: [100], journals: [100, 10] };
    const { fake, ...company } = await importCompany({ pageSizes });
    fake.books.changedJournals = [journal('a'), edited('b')];
    let left = 300_000;
    fake.plan('readJournal', () => {
      left = 20_000;
    });
    await company.request();
    await company.deliver({ remaining: () => left });
    expect(await company.state()).toMatchObject({ import: ['requested', null] });
    await company.deliver();
    expect(fake.pageRequests.map(({ rows }) => rows)).toEqual([100, 100, 10]);
    expect((await company.state()).journals).toContainEqual(['IJ-20260320-0005', 'b#2']);
  });

  test('reads the chart again for an unknown account', async () => {
    const { fake, ...company } = await importCompany();
    fake.books.changedJournals = [journal('d', { accounts: ['1', '3'] })];
    fake.plan('journalPage', () => void fake.books.changedAccounts.push(account('3')));
    await company.again();
    expect(await company.state()).toEqual(imported(['1', '2', '3'], ['a', 'b', 'c', 'd']));
  });

  test('reports a refused journal until it is accepted or voided', async () => {
    const { fake, ...company } = await importCompany({
      journalPages: [[journal('a'), unbalanced('x'), unbalanced('y')]],
    });
    fake.books.changedJournals = [journal('x'), unbalanced('z')];
    await company.again();
    expect(await company.state()).toMatchObject({
      tenant: ['active', 'records_refused'],
      counts: [2, 2, 2],
    });
    const reason = 'debits_must_equal_credits';
    expect((await company.report()).refused).toEqual([`y ${reason}`, `z ${reason}`]);
    fake.books.changedJournals = [unbalanced('z'), unbalanced('y')];
    fake.books.states.y = { state: 'voided' };
    await company.again();
    expect((await company.report()).refused).toEqual([`z ${reason}`]);
  });

  test('refuses journals of the locked period until the lock moves back', async () => {
    const { fake, name, ...company } = await importCompany({
      journalPages: [[journal('a'), journal('b', { date: '2026-02-28' })]],
    });
    await lockPeriod(open.table, name, '2026-02-28');
    const late = journal('late', { date: '2026-01-15' });
    fake.books.changedJournals = [late, journal('c'), journal('d', { date: '2026-03-01' })];
    fake.books.journalPages[0]?.push(...fake.books.changedJournals);
    await company.again();
    expect(await company.state()).toMatchObject({
      tenant: ['active', 'records_refused'],
      counts: [2, 4, 1],
    });
    fake.books.changedJournals = [];
    await company.again();
    expect(company.since()).toEqual(Array(2).fill('2026-03-23T08:31:00.000Z'));
    expect((await company.report()).refused).toEqual(['late period_locked']);
    await lockPeriod(open.table, name, '2025-12-31');
    await company.again();
    expect(company.since()).toEqual([undefined, undefined]);
    expect(await company.state()).toMatchObject({ tenant: ['active', null], counts: [2, 5, 0] });
  });

  test('drops a refused account from the report once it is unused', async () => {
    const { fake, ...company } = await importCompany();
    fake.books.refused = [{ kind: 'account', reference: '9', reason: 'odd', field: null }];
    await company.again();
    expect((await company.report()).refused).toEqual(['9 odd']);
    fake.books.refused = [];
    fake.books.unusedAccounts = ['9'];
    await company.again();
    expect((await company.report()).refused).toEqual([]);
  });

  test('is complete after a record without an id was refused', async () => {
    const { fake, ...company } = await importCompany();
    const reference = positionReference(7);
    fake.books.refused = [{ kind: 'journal', reference, reason: 'odd', field: null }];
    await company.again();
    fake.books.refused = [];
    await company.again();
    expect(company.since()).toEqual([undefined, undefined, undefined]);
    expect((await company.report()).refused).toEqual([]);
  });
});
