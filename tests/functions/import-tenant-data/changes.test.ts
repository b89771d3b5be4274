import Big from 'big.js';
import { describe, expect, test } from 'vitest';
import { contentHashOf } from '#functions/import-tenant-data/content-hash.ts';
import { positionReference } from '#shared/imports/import-report.ts';
import { PlatformFailure, type PlatformJournal } from '#shared/platforms/platform.ts';
import { journalReferenceKey } from '#shared/table/keys.ts';
import { lockPeriod } from '../../support/builders/period-locks.ts';
import {
  account,
  imported,
  journal,
  line,
  openTenantImports,
  type TenantImports,
} from '../../support/harnesses/tenant-imports.ts';

const open = await openTenantImports();

const journalPages = [[journal('a'), journal('b')], [journal('c')]];
const everything = imported(['1', '2'], ['a', 'b', 'c']);
const unbalanced = (reference: string) =>
  journal(reference, { lines: [line('1', { debit: '5' }), line('2', { credit: '4' })] });
const edited = (reference: string) => journal(reference, { memo: 'Another memo' });

/** A company that was imported, and imports of it that follow. */
const importCompany = async (options: Parameters<TenantImports['connectCompany']>[0] = {}) => {
  const company = await open.connectCompany({ journalPages, ...options });
  await company.deliver();
  let imports = 1;
  const ask = async (how: 'request' | 'requestChanges') => {
    imports += 1;
    company.world.now += 60_000;
    company.fake.calls.length = 0;
    company.fake.pageRequests.length = 0;
    const requestedAt = company.clock().toISOString();
    const asked = { importId: `import-${imports}`, requestedAt };
    const lockDate = (await open.tenants.find(company.name))?.lockDate;
    await (how === 'request'
      ? open.imports.request(company.name, asked)
      : open.imports.requestChanges(company.name, { ...asked, lockDate }));
  };
  const again = async (how: 'request' | 'requestChanges' = 'requestChanges') => {
    await ask(how);
    await company.runToEnd();
  };
  const report = async () => {
    const { checkpoint } = (await open.imports.find(company.name)) ?? {};
    return {
      refused: checkpoint?.refused.map(({ reference, reason }) => `${reference} ${reason}`),
      assumed: checkpoint?.assumptions.map((it) => `${it.reference} ${it.assumption}`),
      changes: checkpoint?.changes.map(({ reference, change }) => `${reference} ${change}`),
    };
  };
  /** Since when changes were asked for, page by page. */
  const since = () => company.fake.pageRequests.map((it) => it.modifiedSince?.toISOString());
  return { ...company, ask, again, report, since };
};

describe('an import of what is new or changed', () => {
  test('asks for no more, and adds it to what is there', async () => {
    const { fake, ...company } = await importCompany();
    fake.books.changedAccounts = [account('3'), account('2', { name: 'Renamed' })];
    fake.books.changedJournals = [journal('d', { accounts: ['1', '3'] })];
    await company.again();
    const anHourBefore = '2026-03-23T08:30:00.000Z';
    expect(company.since()).toEqual([anHourBefore, anHourBefore]);
    expect(await company.state()).toEqual(imported(['1', '2', '3'], ['a', 'b', 'c', 'd']));
  });

  test('of nothing costs two pages', async () => {
    const { fake, ...company } = await importCompany();
    await company.again();
    expect(fake.calls).toEqual(['company', 'accountPage', 'journalPage']);
    expect(await company.state()).toEqual(everything);
  });

  test('goes on as a complete one where the platform cannot list all changes', async () => {
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
    [0, [undefined, undefined, undefined]],
    [1, ['2026-03-23T08:30:00.000Z', '2026-03-23T08:30:00.000Z']],
  ])('of a platform that lists those of %i days asks for no others', async (days, since) => {
    const { fake, ...company } = await importCompany();
    const platform = { ...fake.platform, maximumChangesDays: days };
    await company.ask('requestChanges');
    await company.deliver({ platforms: { get: async () => platform } });
    expect(company.since()).toEqual(since);
    expect(await company.state()).toEqual(everything);
  });

  test('does so too where it waited until they go back too far', async () => {
    const { fake, ...company } = await importCompany();
    const platforms = { get: async () => ({ ...fake.platform, maximumChangesDays: 2 }) };
    const limit = new PlatformFailure('rate_limited', { retryAfterSeconds: 86_400 });
    fake.plan('journalPage', limit, limit);
    await company.ask('requestChanges');
    await company.runToEnd({ platforms });
    const asked = company.since();
    expect([asked[0], asked.at(-1)]).toEqual(['2026-03-23T08:30:00.000Z', undefined]);
    expect(await company.state()).toEqual(everything);
  });

  test('gets smaller pages where no run has the time to look at one', async () => {
    const { fake, ...company } = await importCompany({
      pageSizes: { accounts: [100], journals: [100, 10] },
    });
    fake.books.changedJournals = [journal('a'), edited('b')];
    let left = 300_000;
    fake.plan('readJournal', () => {
      left = 20_000;
    });
    await company.ask('requestChanges');
    await company.deliver({ remaining: () => left });
    expect(await company.state()).toMatchObject({ import: ['requested', null] });
    await company.deliver();
    expect(fake.pageRequests.map(({ rows }) => rows)).toEqual([100, 100, 10]);
    expect((await company.report()).changes).toEqual(['b edited']);
  });

  test('reads the chart again for an account that came meanwhile', async () => {
    const { fake, ...company } = await importCompany();
    fake.books.changedJournals = [journal('d', { accounts: ['1', '3'] })];
    fake.plan('journalPage', () => void fake.books.changedAccounts.push(account('3')));
    await company.again();
    expect(await company.state()).toEqual(imported(['1', '2', '3'], ['a', 'b', 'c', 'd']));
  });

  test('keeps what was refused before, until it is accepted', async () => {
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
    fake.books.changedJournals = [unbalanced('z')];
    fake.books.states.y = { state: 'voided' };
    fake.books.changedJournals.push(unbalanced('y'));
    await company.again();
    expect((await company.report()).refused).toEqual([`z ${reason}`]);
  });

  test('leaves out what is in the locked period, until the lock is moved back', async () => {
    const { fake, name, ...company } = await importCompany({
      journalPages: [[journal('a'), journal('b', { date: '2026-02-28' })]],
    });
    const { journals } = await company.state();
    expect(journals).toHaveLength(2);
    await lockPeriod(open.table, name, '2026-02-28');
    const late = journal('late', { date: '2026-01-15' });
    fake.books.changedJournals = [late, journal('c'), journal('d', { date: '2026-03-01' })];
    fake.books.journalPages[0]?.push(...fake.books.changedJournals);
    await company.again();
    expect(await company.state()).toMatchObject({
      tenant: ['active', 'records_refused'],
      counts: [2, 4, 1],
    });
    expect((await company.report()).refused).toEqual(['late period_locked']);
    fake.books.changedJournals = [];
    await company.again();
    expect(company.since()).toEqual(['2026-03-23T08:31:00.000Z', '2026-03-23T08:31:00.000Z']);
    expect((await company.report()).refused).toEqual(['late period_locked']);
    await lockPeriod(open.table, name, '2025-12-31');
    await company.again();
    expect(company.since()).toEqual([undefined, undefined]);
    expect(await company.state()).toMatchObject({ tenant: ['active', null], counts: [2, 5, 0] });
  });

  test('forgets a refused account that the platform has no more use for', async () => {
    const { fake, ...company } = await importCompany();
    const refused = { kind: 'account', reference: '9', reason: 'odd', field: null } as const;
    fake.books.refused = [refused];
    await company.again();
    expect((await company.report()).refused).toEqual(['9 odd']);
    fake.books.refused = [];
    fake.books.unusedAccounts = ['9'];
    await company.again();
    expect((await company.report()).refused).toEqual([]);
  });

  test('is not asked for after a record without an id was refused', async () => {
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

describe('a journal that was imported and is another at its platform', () => {
  test('is reported once where it is listed as changed, and stays as it was', async () => {
    const { fake, ...company } = await importCompany();
    fake.books.changedJournals = [edited('a'), journal('b'), journal('c')];
    fake.books.states.c = { state: 'voided' };
    await company.again();
    await company.again();
    expect(await company.state()).toEqual(everything);
    expect((await company.report()).changes).toEqual(['a edited', 'c voided']);
    fake.books.changedJournals = [journal('a')];
    await company.again();
    expect((await company.report()).changes).toEqual(['c voided']);
    // A complete list has nothing of it.
    fake.plan('company', new PlatformFailure('reply_not_understood'));
    await company.again();
    await company.again();
    expect(company.since()).toEqual([undefined, undefined, undefined]);
    expect((await company.report()).changes).toEqual(['c voided']);
  });

  test.each([
    [true, ['a edited', 'b voided', 'c edited']],
    [false, []],
  ])('is seen among all that are listed whole (%s), at no cost', async (isWhole, changes) => {
    const { fake, ...company } = await importCompany({ isWhole });
    fake.books.journalPages = [[edited('a'), journal('b')], [journal('c')]];
    fake.books.states.b = { state: 'not_posted' };
    fake.books.states.c = { state: 'refused', reason: 'record_not_understood', field: 'date' };
    await company.again('request');
    expect(fake.calls).not.toContain('readJournal');
    expect(await company.state()).toEqual(everything);
    expect((await company.report()).changes).toEqual(changes);
  });

  test.each([
    ['nobody knows what it was', 'REMOVE contentHash', {}],
    ['it was read in another way', 'SET contentHash = :hash', { values: { ':hash': '0:abc' } }],
  ])('is not called edited where %s', async (_, expression, more) => {
    const { fake, ...company } = await importCompany();
    await open.table.update({
      update: journalReferenceKey(company.name, 'a'),
      condition: 'attribute_exists(contentHash)',
      ...{ expression, ...more },
    });
    fake.books.changedJournals = [edited('a')];
    await company.again();
    expect((await company.report()).changes).toEqual([]);
  });
});

describe('the content of a journal', () => {
  const foreign = { currency: 'USD', exchangeRate: new Big('0.9') };
  const lines = [line('1', { debit: '100' }), line('2', { credit: '100' })];
  const same = { lines, memo: 'memo' };

  test.each<[string, Partial<PlatformJournal>, Partial<PlatformJournal>]>([
    ['the order of its lines', same, { ...same, lines: lines.toReversed() }],
    [
      'how its own currency is called',
      same,
      { ...same, currency: 'EUR', exchangeRate: new Big(1) },
    ],
    [
      'how amounts are written',
      same,
      { ...same, lines: [line('1', { debit: '100.00' }), ...lines.slice(1)] },
    ],
    [
      'the account of a tax that it does not name',
      { ...same, lines: [line('tax', { debit: '100' }), ...lines.slice(1)] },
      { ...same, lines: [line({ id: '9', isTax: true }, { debit: '100' }), ...lines.slice(1)] },
    ],
  ])('is the same whatever %s', (_, one, other) => {
    expect(contentHashOf(journal('a', one), 'EUR')).toBe(contentHashOf(journal('b', other), 'EUR'));
  });

  test.each<[string, Partial<PlatformJournal>, Partial<PlatformJournal>]>([
    ['date', same, { ...same, date: '2026-03-21' }],
    ['memo', same, { ...same, memo: 'another' }],
    ['currency', same, { ...same, ...foreign }],
    ['rate', { ...same, ...foreign }, { ...same, ...foreign, exchangeRate: new Big('0.91') }],
    ['number of lines', same, { ...same, lines: [...lines, ...lines] }],
    [
      'account',
      same,
      { ...same, lines: [line({ code: '1' }, { debit: '100' }), ...lines.slice(1)] },
    ],
    [
      'sides',
      same,
      { ...same, lines: [line('2', { debit: '100' }), line('1', { credit: '100' })] },
    ],
    [
      'descriptions',
      same,
      { ...same, lines: [line('1', { debit: '100', description: 'x' }), ...lines.slice(1)] },
    ],
  ])('is another with another %s', (_, one, other) => {
    const hashes = [one, other].map((it) => contentHashOf(journal('a', it), 'EUR'));
    expect(hashes[0]).not.toBe(hashes[1]);
  });
});
