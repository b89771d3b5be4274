// What happens at the platform to journals that were imported: they are edited, voided, deleted and
// restored. The books follow, unless the tenant does not want it.

import Big from 'big.js';
import { afterAll, describe, expect, test } from 'vitest';
import { keyOfEntryId } from '#shared/entries/entry-lookups.store.ts';
import { openRecordedBooks } from '#shared/operator/recorded-books.store.ts';
import { openRecordedTotals } from '#shared/operator/recorded-totals.store.ts';
import type { PlatformJournal } from '#shared/platforms/platform.ts';
import { journalReferenceKey } from '#shared/table/keys.ts';
import { openTenantSettings } from '#shared/tenants/tenant-settings.store.ts';
import { verifyTenant } from '#shared/verification/verify-tenant.service.ts';
import { lockPeriod } from '../../support/builders/period-locks.ts';
import { openLaterImports } from '../../support/harnesses/later-imports.ts';
import {
  account,
  imported,
  journal,
  line,
  openTenantImports,
} from '../../support/harnesses/tenant-imports.ts';
import { findViolations } from '../../support/readers/invariants.ts';
import { readEntries } from '../../support/readers/tenant-entries.ts';

const open = await openTenantImports();
const settings = openTenantSettings(open.table);

const journalPages = [[journal('a'), journal('b')], [journal('c')]];
const everything = imported(['1', '2'], ['a', 'b', 'c']);
const importCompany = openLaterImports(open, journalPages);
type Company = Awaited<ReturnType<typeof importCompany>>;

const edited = (reference: string, more: Parameters<typeof journal>[1] = {}) =>
  journal(reference, { memo: 'Another memo', ...more });
const unbalanced = (reference: string) =>
  journal(reference, { lines: [line('1', { debit: '5' }), line('2', { credit: '4' })] });

/** The journals that the import has recorded after the first three, with their numbers. */
const later = async ({ state }: Company): Promise<string[]> =>
  (await state()).journals
    .map(([number, reference]) => `${number} ${reference}`)
    .filter((it) => !/ [abc]$/.test(it));

/** The edits and voided journals that the import has counted. */
const counted = async ({ name }: Company) => {
  const { checkpoint } = (await open.imports.find(name)) ?? {};
  return [checkpoint?.journalsImported, checkpoint?.journalsRevised, checkpoint?.journalsVoided];
};

const unfollowed = { refused: [], changes: [] };

afterAll(async () => {
  const violations = findViolations(await open.scan());
  // The harness has no application.
  expect(violations.filter((it) => !it.endsWith('without APP#app1 / APP'))).toEqual([]);
});

describe('an edited journal', () => {
  test('is reversed on its date, and its new version is imported on its own date', async () => {
    const company = await importCompany({ accountPages: [[account('1'), account('2')]] });
    company.fake.books.changedAccounts = [account('3')];
    company.fake.books.changedJournals = [
      edited('a', {
        date: '2026-02-10',
        currency: 'USD',
        exchangeRate: new Big('0.5'),
        accounts: ['3', '2'],
      }),
    ];
    await company.again();
    const entries = await readEntries(open.table, company.name);
    const [revised, original, , , reversal] = entries;
    const metadata = { platform_reference: 'a', platform_revision: '2' };
    expect(entries).toHaveLength(5);
    expect(original).toMatchObject({ platformReference: 'a', reversedBy: reversal?.entryId });
    expect(reversal).toMatchObject({
      journalNumber: 'IJ-20260320-0004',
      platformReference: 'a#2#reversal',
      memo: 'Reversal of IJ-20260320-0001, edited at the platform',
      reverses: original?.entryId,
      metadata,
      lines: [
        { account: '1', debit: '0.00', credit: '100.00' },
        { account: '2', debit: '100.00', credit: '0.00' },
      ],
    });
    expect(revised).toMatchObject({
      journalNumber: 'IJ-20260210-0001',
      platformReference: 'a#2',
      memo: 'Another memo',
      transactionCurrency: 'USD',
      bookAmount: '50.00',
      reverses: null,
      metadata,
      lines: [{ account: '3', debit: '100.00' }, { account: '2' }],
    });
    expect(await company.report()).toEqual(unfollowed);
    expect(await counted(company)).toEqual([3, 1, 0]);
    const { checkpoint } = (await open.imports.find(company.name)) ?? {};
    expect(checkpoint?.changedFrom).toBe('2026-02-10');
  });

  test('that is edited back and forth is followed once each time', async () => {
    const company = await importCompany();
    const versions = [edited('a'), journal('a'), edited('a'), journal('a', { date: '2026-01-01' })];
    for (const version of versions) {
      company.fake.books.changedJournals = [version];
      await company.again();
      const before = await company.ledger();
      await company.again();
      expect(await company.ledger()).toEqual(before);
    }
    expect(await later(company)).toEqual([
      'IJ-20260101-0001 a#5',
      ...['IJ-20260320-0004 a#2#reversal', 'IJ-20260320-0005 a#2'],
      ...['IJ-20260320-0006 a#3#reversal', 'IJ-20260320-0007 a#3'],
      ...['IJ-20260320-0008 a#4#reversal', 'IJ-20260320-0009 a#4'],
      'IJ-20260320-0010 a#5#reversal',
    ]);
    expect(await counted(company)).toEqual([3, 4, 0]);
    const verified = await verifyTenant(company.name, {
      books: openRecordedBooks(open.table),
      recordedTotals: async () => openRecordedTotals(open.table),
      sleep: async () => {},
      repair: false,
      isStopped: () => false,
    });
    expect(verified).toMatchObject({ entries: 11, differences: [] });
  });

  test('that the ledger cannot have is refused, and the entry stays until it can', async () => {
    const company = await importCompany();
    company.fake.books.changedJournals = [unbalanced('a'), edited('b', { accounts: ['1', '9'] })];
    company.fake.books.states.c = { state: 'refused', reason: 'record_not_understood', field: 'x' };
    company.fake.books.changedJournals.push(journal('c'));
    await company.again();
    expect(await company.report()).toEqual({
      refused: ['c record_not_understood', 'a debits_must_equal_credits', 'b account_not_found'],
      changes: ['a edited', 'b edited', 'c edited'],
    });
    expect(await company.state()).toMatchObject({
      tenant: ['active', 'records_refused'],
      journals: everything.journals,
    });
    company.fake.books.accountPages.push([account('9')]);
    company.fake.books.journalPages = [[edited('a'), edited('b', { accounts: ['1', '9'] })], []];
    company.fake.books.states = {};
    await company.again();
    // The list names no lines, so only the reported journals are read.
    expect(company.fake.calls.filter((call) => call === 'readJournal')).toHaveLength(2);
    expect(await later(company)).toEqual([
      ...['IJ-20260320-0004 a#2#reversal', 'IJ-20260320-0005 a#2'],
      ...['IJ-20260320-0006 b#2#reversal', 'IJ-20260320-0007 b#2'],
    ]);
  });

  test('that is too large for one transaction is followed in two, also after a kill', async () => {
    const wide = (memo: string, lines: number): PlatformJournal => ({
      ...journal('a', { memo }),
      lines: [
        line('2', { credit: String(lines - 1) }),
        ...Array.from({ length: lines - 1 }, () => line('1', { debit: '1' })),
      ],
    });
    const company = await importCompany({ journalPages: [[wide('Wide', 1_000)]] });
    company.fake.books.changedJournals = [wide('Wider', 1_200)];
    await company.request();
    const { revise } = open.stores.journals;
    // The reversal is recorded as if the journal was voided, and the run dies.
    const dies: typeof revise = async (name, change) => {
      await revise(name, { ...change, next: null });
      throw new Error('the run was killed');
    };
    await company.deliver({ journals: { ...open.stores.journals, revise: dies } });
    await company.runToEnd();
    const wanted = ['IJ-20260320-0002 a#2#reversal', 'IJ-20260320-0003 a#3'];
    expect(await later(company)).toEqual(wanted);
    const whole = await importCompany({ journalPages: [[wide('Wide', 1_000)]] });
    whole.fake.books.changedJournals = [wide('Wider', 1_200)];
    await whole.again();
    expect(await later(whole)).toEqual(wanted);
    expect(await counted(whole)).toEqual([1, 1, 0]);
  });

  test('has the assumptions of its new version', async () => {
    const taxed = (memo: string) => {
      const { lines, ...rest } = journal('a', { memo });
      return {
        ...rest,
        lines: [...lines, line('tax', { debit: '1' }), line('1', { credit: '1' })],
      };
    };
    const company = await importCompany({ journalPages: [[taxed('Taxed')]] });
    const assumed = async () => {
      const { checkpoint } = (await open.imports.find(company.name)) ?? {};
      return [checkpoint?.assumptionCount, checkpoint?.assumptions.length];
    };
    for (const [version, expected] of [
      [taxed('Other'), [1, 1]],
      [edited('a'), [0, 0]],
      [taxed('Again'), [1, 1]],
    ] as const) {
      company.fake.books.changedJournals = [version];
      await company.again();
      expect(await assumed()).toEqual(expected);
    }
  });
});

describe('a journal that is gone at the platform', () => {
  test.each(['voided', 'not_posted'] as const)('is reversed if it is %s', async (state) => {
    const company = await importCompany();
    company.fake.books.changedJournals = [journal('b')];
    company.fake.books.states.b = { state };
    await company.again();
    await company.again();
    expect(await later(company)).toEqual(['IJ-20260320-0004 b#2#reversal']);
    expect(await counted(company)).toEqual([3, 0, 1]);
    // It is posted again, and then it is gone again.
    company.fake.books.states = {};
    await company.again();
    company.fake.books.states.b = { state };
    await company.again();
    expect((await later(company)).slice(1)).toEqual([
      'IJ-20260320-0005 b#3',
      'IJ-20260320-0006 b#4#reversal',
    ]);
    expect(await counted(company)).toEqual([3, 1, 2]);
    expect(await company.report()).toEqual(unfollowed);
  });

  test('is found by a complete import if no list has it, and the platform confirms', async () => {
    const company = await importCompany({ listsRemoved: false });
    const { books, calls } = company.fake;
    // The list lacks c, which is still there.
    books.journalPages = [[journal('a')], [journal('d')]];
    books.states.c = { state: 'posted', journal: journal('c') };
    await company.again();
    expect(await later(company)).toEqual([]);
    await company.again('request');
    expect(calls.slice(-3)).toEqual(['readJournal', 'readJournal', 'readJournal']);
    expect(await later(company)).toEqual(['IJ-20260320-0004 d', 'IJ-20260320-0005 b#2#reversal']);
    expect(await counted(company)).toEqual([4, 0, 1]);
    expect(await company.report()).toEqual(unfollowed);
    await company.again('request');
    expect(await counted(company)).toEqual([4, 0, 1]);
  });
});

describe('in the locked period', () => {
  test.each<[string, PlatformJournal | 'voided']>([
    ['an edit', edited('a')],
    ['a journal that moves out of it', journal('a', { date: '2026-03-22' })],
    ['a voided journal', 'voided'],
  ])('%s is refused, and followed once the lock has moved back', async (_, version) => {
    const company = await importCompany();
    await lockPeriod(open.table, company.name, '2026-03-20');
    company.fake.books.changedJournals = [version === 'voided' ? journal('a') : version];
    company.fake.books.journalPages = [company.fake.books.changedJournals, []];
    if (version === 'voided') company.fake.books.states.a = { state: 'voided' };
    await company.again();
    expect(await later(company)).toEqual([]);
    const change = version === 'voided' ? 'a voided' : 'a edited';
    const refused = { refused: ['a period_locked'], changes: [change] };
    expect(await company.report()).toEqual(refused);
    expect((await company.state()).tenant).toEqual(['active', 'records_refused']);
    company.fake.books.changedJournals = [];
    await company.again();
    expect(await company.report()).toEqual(refused);
    await lockPeriod(open.table, company.name, '2026-03-19');
    await company.again();
    expect((await later(company)).at(0)).toBe('IJ-20260320-0004 a#2#reversal');
    expect(await company.report()).toEqual(unfollowed);
    expect((await company.state()).tenant).toEqual(['active', null]);
  });

  test('a journal that moves into it stays where it is', async () => {
    const company = await importCompany();
    await lockPeriod(open.table, company.name, '2026-02-28');
    company.fake.books.changedJournals = [journal('a', { date: '2026-02-28' })];
    await company.again();
    expect(await later(company)).toEqual([]);
    expect((await company.report()).refused).toEqual(['a period_locked']);
    // It moves back at the platform.
    company.fake.books.changedJournals = [journal('a')];
    await company.again();
    expect(await company.report()).toEqual(unfollowed);
    expect(await later(company)).toEqual([]);
  });
});

test('an entry that the application has reversed stays reversed', async () => {
  const company = await importCompany();
  const [original] = await readEntries(open.table, company.name);
  const key = keyOfEntryId(company.name, original?.entryId ?? '');
  const before = await open.table.get(key);
  await open.seed({ ...before, reversedBy: 'another' });
  company.fake.books.changedJournals = [edited('a'), edited('b')];
  await company.again();
  expect(await later(company)).toEqual(['IJ-20260320-0004 b#2#reversal', 'IJ-20260320-0005 b#2']);
  expect(await company.report()).toEqual({ refused: [], changes: ['a edited'] });
  await open.seed({ ...before });
});

describe('without following', () => {
  const importReporting = (more: Parameters<typeof importCompany>[0] = {}) =>
    importCompany({ followPlatformEdits: false, ...more });

  test('a change is reported once, and the entry does not change', async () => {
    const company = await importReporting();
    company.fake.books.changedJournals = [edited('a'), journal('b'), journal('c')];
    company.fake.books.states.c = { state: 'voided' };
    await company.again();
    await company.again();
    expect(await company.state()).toEqual(everything);
    expect((await company.report()).changes).toEqual(['a edited', 'c voided']);
    company.fake.books.changedJournals = [journal('a')];
    await company.again();
    expect((await company.report()).changes).toEqual(['c voided']);
  });

  test.each([true, false])(
    'changes are followed from the import on that follows the setting, lists whole: %s',
    async (isWhole) => {
      const company = await importReporting({ isWhole });
      company.fake.books.journalPages = [[edited('a'), journal('b')], [journal('c')]];
      company.fake.books.changedJournals = [edited('a'), journal('b')];
      company.fake.books.states.b = { state: 'voided' };
      await company.again();
      expect((await company.report()).changes).toEqual(['a edited', 'b voided']);
      const { tenant, state } = (await settings.find(company.name)) ?? {};
      if (tenant === undefined || state === undefined) throw new Error('there is no tenant');
      const by = { actor: 'service', actorId: null, at: company.clock().toISOString() } as const;
      const changes = { followPlatformEdits: true };
      const opened = await settings.opened(company.name, state);
      await settings.change(company.name, { tenant, changes, state: opened, by });
      await company.again();
      expect(await later(company)).toEqual([
        ...['IJ-20260320-0004 a#2#reversal', 'IJ-20260320-0005 a#2'],
        'IJ-20260320-0006 b#2#reversal',
      ]);
      expect(await company.report()).toEqual(unfollowed);
    },
  );

  test('a deleted journal is reported by a complete import', async () => {
    const company = await importReporting({ listsRemoved: false });
    company.fake.books.journalPages = [[journal('a')], [journal('c')]];
    await company.again('request');
    expect(await company.state()).toEqual(everything);
    expect((await company.report()).changes).toEqual(['b voided']);
  });
});

test.each<[string, object]>([
  ['has no hash', { contentHash: undefined }],
  ['has a hash of another version', { contentHash: '0:abc' }],
])('an edit is not noticed if the journal %s', async (_, hash) => {
  const company = await importCompany();
  const item = await open.table.get(journalReferenceKey(company.name, 'a'));
  await open.table.put({ put: { ...item, ...hash } });
  company.fake.books.changedJournals = [edited('a'), edited('b')];
  await company.again();
  expect(await company.report()).toEqual(unfollowed);
  expect(await later(company)).toEqual(['IJ-20260320-0004 b#2#reversal', 'IJ-20260320-0005 b#2']);
});
