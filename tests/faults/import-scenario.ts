// A company's import, with faults in the calls to the table. The stream repeats its record after a
// failure. Dead and waiting imports are resumed when they are due.

import { isDeepStrictEqual } from 'node:util';
import { expect } from 'vitest';
import type { ImportCheckpoint } from '#shared/imports/import-checkpoint.ts';
import { Import } from '#shared/imports/import-record.store.ts';
import { openImports } from '#shared/imports/imports.store.ts';
import {
  PlatformFailure,
  type PlatformJournal,
  type PlatformJournalLine,
} from '#shared/platforms/platform.ts';
import { importKey, type TenantName, tenantKey } from '#shared/table/keys.ts';
import type { Table } from '#shared/table/table.ts';
import type { SmallLedger } from '../support/builders/small-ledger.ts';
import { lambdaContext } from '../support/events/lambda-events.ts';
import type { Scenario } from '../support/harnesses/fault-cases.ts';
import { account, journal, line } from '../support/harnesses/tenant-imports.ts';
import { findViolations } from '../support/readers/invariants.ts';
import type { RawItem } from '../support/readers/item-kinds.ts';
import type { openFakePlatform } from '../support/servers/fake-platform.ts';
import { type Books, importId, leaveOut, openCompanies } from './connected-companies.ts';

const accounts = [account('1'), account('2', { code: null })];
const journals = [
  journal('a'),
  journal('b', { date: '2026-03-21' }),
  journal('c', { accounts: ['2', '1'] }),
];
const onOnePage: Books = { accountPages: [accounts], journalPages: [journals] };
/** The platform does not name the account of the tax. */
const taxed = (reference: string, more: Parameters<typeof journal>[1] = {}) => {
  const { lines, ...fields } = journal(reference, more);
  return {
    ...fields,
    lines: [...lines, line('tax', { debit: '20' }), line('1', { credit: '20' })],
  };
};
const taxedB = taxed('b', { date: '2026-03-21' });

type Fake = ReturnType<typeof openFakePlatform>;
type ImportState = Pick<Import, 'status' | 'reason' | 'checkpoint'>;

/** Events of the first run other than faults, and the ways in which it may end. */
type Story = {
  books?: Books;
  plan: (fake: Fake) => void;
  remaining?: (fake: Fake) => number;
  endsAs: (state: ImportState) => boolean;
  /** How many of its last calls only this story makes; all, if not given. */
  lastCalls?: number;
  /** Whether everything was imported before, and the application requests the changes. */
  isOfChanges?: boolean;
  /** The result. Defaults to the books on one page. */
  comesTo?: Result;
};

/** The result of an import: journals and revisions, each in the order of their numbers. */
type Result = {
  accounts: Record<string, unknown>[];
  journals: PlatformJournal[];
  /** The reversals and the new versions of journals. */
  revisions?: PlatformJournal[];
  report: Partial<ImportCheckpoint>;
};

const taxClearing = { code: 'tax_clearing', name: 'Tax clearing', role: 'tax_clearing' };
const everything: Result = { accounts, journals, report: {} };

const isComplete = ({ status }: ImportState): boolean => status === 'complete';

const endAccess = (fake: Fake): void => fake.revokeAccess('secret-access-1');

/** A run that brings the import to its end, and must refresh the tokens on its way. */
export const wholeRun: Story = {
  plan: (fake) => fake.plan('accountPage', () => endAccess(fake)),
  endsAs: isComplete,
};

/**
 * A run that requests smaller pages. It reads its chart again for an account that was added after
 * the first page of journals. It reads its journals again, since the pages shift: a journal is
 * added to the first page after that page was read.
 */
export const longRun: Story = {
  books: {
    accountPages: accounts.slice(0, 1).map((it) => [it]),
    journalPages: [journals.slice(0, 1), journals.slice(2)],
    pagesShift: true,
    pageSizes: { accounts: [10, 5], journals: [10] },
  },
  plan: (fake) => {
    fake.plan('accountPage', new PlatformFailure('platform_timed_out'));
    wholeRun.plan(fake);
    const grow = (): void => {
      fake.books.accountPages = accounts.map((it) => [it]);
      fake.books.journalPages = [[...journals.slice(0, 1), taxedB], journals.slice(2)];
    };
    // The first call is refused, and so is the first call after a death. Then nothing grows.
    fake.plan('journalPage', grow, grow, grow);
  },
  endsAs: isComplete,
  comesTo: {
    accounts: [...accounts, taxClearing],
    journals: journals.map((it) => (it.reference === 'b' ? taxedB : it)),
    report: {
      assumptions: [
        { kind: 'journal', reference: 'b', assumption: 'tax_clearing_used', field: null },
      ],
      assumptionCount: 1,
    },
  },
};

const added = taxed('d', { accounts: ['3', '1'] });
const editedA = journal('a', { memo: 'Edited', date: '2026-03-19', accounts: ['2', '3'] });

/** The reversal of a journal that is the first of its date. */
const reversalOf = ({ reference, date, lines, ...more }: PlatformJournal, change: string) => ({
  ...more,
  reference: `${reference}#2#reversal`,
  date,
  memo: `Reversal of IJ-${date.replaceAll('-', '')}-0001, ${change} at the platform`,
  lines: lines.map((it) => ({ ...it, debit: it.credit, credit: it.debit })),
});

/** An import of changes: an account, a new journal, one that moves, and one that is voided. */
export const runOfChanges: Story = {
  isOfChanges: true,
  plan: (fake) => {
    fake.books.changedAccounts = [account('3')];
    fake.books.changedJournals = [editedA, ...journals.slice(1, 2), added];
    fake.books.states.b = { state: 'voided' };
  },
  endsAs: isComplete,
  comesTo: {
    accounts: [...accounts, account('3'), taxClearing],
    journals: [...journals, added],
    revisions: [
      reversalOf(journal('a'), 'edited'),
      { ...editedA, reference: 'a#2' },
      reversalOf(journal('b', { date: '2026-03-21' }), 'voided'),
    ],
    report: {
      accountsImported: 3,
      journalsRevised: 1,
      journalsVoided: 1,
      changedFrom: '2026-03-19',
    },
  },
};

/** A complete import that lacks two journals. One of them is still at the platform. */
export const runOfRemovals: Story = {
  isOfChanges: true,
  books: { ...onOnePage, listsRemoved: false },
  plan: (fake) => {
    const listNoChanges = (): void => {
      const isOfChanges = fake.pageRequests.at(-1)?.modifiedSince !== null;
      if (isOfChanges) throw new PlatformFailure('changes_incomplete');
    };
    fake.plan('journalPage', ...Array(10).fill(listNoChanges));
    fake.books.journalPages = [journals.slice(0, 1)];
    fake.books.states.c = { state: 'posted', journal: journals[2] ?? journal('c') };
  },
  endsAs: isComplete,
  comesTo: {
    ...everything,
    revisions: [reversalOf(journal('b', { date: '2026-03-21' }), 'voided')],
    report: { journalsVoided: 1 },
  },
};

/** Runs that end before the import does, by how. */
export const shortRuns: Record<string, Story> = {
  'whose tokens the platform will not refresh for now': {
    plan: (fake) => {
      endAccess(fake);
      fake.plan('refresh', new PlatformFailure('rate_limited', { retryAfterSeconds: 7200 }));
    },
    endsAs: ({ status, reason }) => status === 'waiting' && reason === 'rate_limited',
    lastCalls: 2,
  },
  'whose time is up': {
    plan: () => {},
    remaining: (fake) => (fake.calls.length === 0 ? 300_000 : 10_000),
    endsAs: ({ status, checkpoint }) => status === 'requested' && checkpoint.stage === 'accounts',
    lastCalls: 1,
  },
};

const codeOf = ({ account: named }: PlatformJournalLine): string => {
  if (isDeepStrictEqual(named, { id: '2' })) return 'ID-2';
  return named === 'tax' ? taxClearing.code : Object.values(named).join('');
};

/** The entry that a journal must have become. */
const expectedEntry = ({ reference, date, memo, lines }: PlatformJournal) => ({
  platformReference: reference,
  date,
  memo,
  status: 'posted',
  lines: lines.map((it) => ({
    account: codeOf(it),
    description: it.description,
    // An empty side is not stored.
    ...(it.debit.gt(0) && { debit: it.debit.toFixed(2) }),
    ...(it.credit.gt(0) && { credit: it.credit.toFixed(2) }),
  })),
});
const expectedAccount = ({ accountId, code, subtype, ...more }: Record<string, unknown>) => ({
  code: code ?? `ID-${accountId}`,
  ...(accountId !== undefined && { platformAccountId: accountId }),
  ...(typeof subtype === 'string' && { subtype }),
  ...more,
});

/** These, ordered by what each has in a field. */
const orderedBy = (field: string, items: readonly object[]): object[] => {
  const textOf = (item: object) => String((item as RawItem)[field]);
  return items.toSorted((one, other) => (textOf(one) < textOf(other) ? -1 : 1));
};

/** All that was imported, in full and once. */
const expectImported = (
  items: readonly RawItem[],
  {
    name,
    accounts: chart,
    journals: imported,
    revisions = [],
    report,
  }: Result & { name: TenantName },
): void => {
  const recorded = [...imported, ...revisions];
  expect(findViolations(items)).toEqual([]);
  const at = ({ pk, sk }: { pk: string; sk: string }) =>
    items.find((item) => item.pk === pk && item.sk === sk);
  expect(at(tenantKey(name))).toMatchObject({ status: 'active', statusReason: null });
  expect(at(importKey(name))).toMatchObject({
    status: 'complete',
    reason: null,
    checkpoint: {
      accountsImported: 2,
      journalsImported: imported.length,
      changes: [],
      changeCount: 0,
      journalsRefused: 0,
      refused: [],
      ...report,
    },
  });
  const ofKind = (wanted: string) => items.filter(({ kind }) => kind === wanted);
  expect(orderedBy('code', ofKind('account'))).toMatchObject(
    orderedBy('code', chart.map(expectedAccount)),
  );
  const entries = orderedBy('platformReference', ofKind('entry'));
  expect(entries).toMatchObject(orderedBy('platformReference', recorded.map(expectedEntry)));
  const numbers = recorded.map(({ date }, index) => {
    const before = recorded.slice(0, index).filter((it) => it.date === date).length;
    return `IJ-${date.replaceAll('-', '')}-000${before + 1}`;
  });
  expect(ofKind('entry').map(({ journalNumber }) => journalNumber)).toEqual(numbers.toSorted());
};

export const importScenario = (ledger: SmallLedger, story: Story): Scenario => {
  const companies = openCompanies(ledger, story.books ?? onOnePage);
  const { world, functionsOn, runAt } = companies;
  const comesTo = story.comesTo ?? everything;
  let name: TenantName = { applicationId: '', schemaName: '' };
  let runs = 0;

  const look = async (table: Table): Promise<Import & RawItem> => {
    const item = await table.get(importKey(name));
    return { ...item, ...Import.parse(item) };
  };

  /** Asks the function for the import of a record, and says whether it must be asked again. */
  const deliver = async (table: Table, record: RawItem): Promise<boolean> => {
    runs += 1;
    const left = runs === 1 ? story.remaining : undefined;
    const remaining = left && (() => left(world.fake));
    const { runImport, remainingMilliseconds } = functionsOn(table, remaining);
    const context = { ...lambdaContext(), getRemainingTimeInMillis: remainingMilliseconds };
    return runImport(record, context).then(
      () => false,
      () => true,
    );
  };

  /** The record that started a run comes a second time. */
  const deliverAgain = async (table: Table, record: RawItem): Promise<void> =>
    expect(await deliver(table, { ...record, status: 'requested' })).toBe(false);

  /**
   * Requests the changes unless they were requested before. Returns whether the request succeeded.
   */
  const ask = async (table: Table, faultyTable: Table): Promise<boolean> => {
    if (!story.isOfChanges || (await look(table)).importId !== importId) return true;
    const requestedAt = new Date(world.now).toISOString();
    return openImports(faultyTable)
      .requestChanges(name, { importId: 'second', requestedAt, lockDate: undefined })
      .then(
        () => true,
        () => false,
      );
  };

  /** Waits until the import is requested, if it must continue. */
  const waitForRequest = async (table: Table): Promise<Import & RawItem> => {
    const state = await look(table);
    if (state.status === 'requested') return state;
    await deliverAgain(table, state);
    if (state.status === 'complete') return state;
    const dueAt = Date.parse(String(state.due_sk).split('#')[0] ?? '');
    world.now = Math.max(world.now, dueAt);
    expect(await look(table), 'a record that comes again changes nothing').toEqual(state);
    await functionsOn(table).resumeImports(...runAt(world.now));
    return look(table);
  };

  // The run reads the import and its application first. A request of changes takes two calls more.
  const leaseCall = story.isOfChanges ? 4 : 2;
  return {
    ledger,
    begin: () => {
      companies.begin();
      // Nobody is heard who asks again within a minute of the import's end.
      if (story.isOfChanges) world.now += 2 * 60_000;
      runs = 0;
      world.fake.issueTokens();
      story.plan(world.fake);
    },
    prepare: async (_, table) => {
      companies.begin();
      const { applicationId, schemaName } = await companies.connect(table, 'platform_a');
      name = { applicationId, schemaName };
      if (story.isOfChanges) await deliver(table, await look(table));
    },
    isIdempotent: true,
    isFinal: true,
    leaveOut,
    ...(story.lastCalls !== undefined && { lastCalls: story.lastCalls }),
    send: async ({ table, faultyTable }) => {
      if (!(await ask(table, faultyTable))) return { done: false, again: true, value: undefined };
      const record = await waitForRequest(table);
      const comesAgain = record.status === 'requested' ? await deliver(faultyTable, record) : false;
      const state = await look(table);
      const done = !comesAgain && (isComplete(state) || story.endsAs(state));
      return { done, again: !done, value: state };
    },
    // If the reply to a lease is lost, the lease stays until it ends.
    shows: (_, { call, fault }) => call === leaseCall && fault.endsWith('after'),
    violationOptions: {},
    check: async ({ table, scan, outcomes }) => {
      const hasEnded = isComplete(outcomes.at(-1)?.value as ImportState);
      if (!hasEnded) expect(await deliver(table, await waitForRequest(table))).toBe(false);
      const items = await scan();
      expectImported(items, { name, ...comesTo });
      await deliverAgain(table, await look(table));
      expect(await scan(), 'a record that comes again changes nothing').toEqual(items);
      await companies.expectConnected(table, name);
    },
  };
};
