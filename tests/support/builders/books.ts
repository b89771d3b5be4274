// Books of a tenant on a test table, kept by the product's own stores.

import Big from 'big.js';
import { accountAction } from '#shared/accounts/account-actions.store.ts';
import { openAccountUse } from '#shared/accounts/account-use.store.ts';
import type { Account } from '#shared/accounts/accounts.ts';
import { openTenantCharts } from '#shared/accounts/charts.service.ts';
import { openCharts } from '#shared/accounts/charts.store.ts';
import { defaultChart } from '#shared/accounts/default-chart.ts';
import type { KeyIssuing } from '#shared/applications/issue-api-key.service.ts';
import { draftLine, type EntryDraft } from '#shared/entries/drafts/draft.ts';
import { openEntryLookups } from '#shared/entries/entry-lookups.store.ts';
import { openJournalEntries } from '#shared/entries/journal-entries.store.ts';
import type { JournalEntry } from '#shared/entries/journal-entry.ts';
import { makeEntry } from '#shared/entries/make-entry.ts';
import { openReversals } from '#shared/entries/reversals/reversals.service.ts';
import { openEntryReversals } from '#shared/entries/reversals/reversals.store.ts';
import { openCancellations } from '#shared/entries/schedule/cancellations.service.ts';
import { openEntryCancellations } from '#shared/entries/schedule/cancellations.store.ts';
import type { ExchangeRate } from '#shared/rates/exchange-rates.ts';
import type { Table } from '#shared/table/table.ts';
import { dueEntriesOf, postEntries } from '../readers/due-entries.ts';
import { addTenant } from './platforms/connected-tenants.ts';
import { importJournals, type unnumbered } from './platforms/platform-journal.ts';
import { testQuotas } from './quotas.ts';
import { recordEntry } from './recorded-entries.ts';

/** An account code and an amount. Credits are negative. */
export type Line = readonly [account: string, amount: string, description?: string];

export type EntryToPost = {
  lines: readonly Line[];
  date?: string;
  memo?: string;
  currency?: string;
  reportingCurrency?: string;
  accrualDate?: string;
  externalId?: string;
  idempotencyKey?: string;
  metadata?: Record<string, string>;
  at?: string;
};

/** The account of a platform that journals are credited to. */
const platformAccount: Account = {
  code: 'ID-4f1c',
  name: 'Service Revenue',
  type: 'revenue',
  status: 'active',
};

/** Units of each currency for one euro, in which these books are kept. */
const rates: Record<string, string> = { EUR: '1', USD: '1.1596', JPY: '183.86', KWD: '0.35512' };

const rateBetween = (from: string, to: string): ExchangeRate => {
  const rate = new Big(rates[to] ?? 0).div(rates[from] ?? 1).toFixed(11);
  const source = from === to ? 'same_currency' : 'ecb_published';
  return { rate, date: '2026-03-20', source };
};

const amountsOf = ([account, amount, description]: Line) => {
  const isCredit = amount.startsWith('-');
  const sides = isCredit ? { credit: amount.slice(1) } : { debit: amount };
  return draftLine({ account, description, ...sides });
};

export const openBooks = async (
  { table, issuing }: { table: Table; issuing: Omit<KeyIssuing, 'pepper'> },
  { prefix, chart = [...defaultChart, platformAccount] }: { prefix: string; chart?: Account[] },
) => {
  const name = await addTenant({ table, issuing }, { prefix, slot: 'manual' });
  for (const account of chart) await table.transact([accountAction(name, account)]);
  const accounts = new Map(chart.map((account) => [account.code, account]));
  const journalEntries = openJournalEntries(table);
  const common = {
    clock: () => new Date('2026-03-23T12:00:00.000Z'),
  };
  const reversals = openReversals({
    quotas: testQuotas,
    ...common,
    entryReversals: openEntryReversals(table),
  });
  const cancellations = openCancellations({
    ...common,
    entryCancellations: openEntryCancellations(table),
    lookups: openEntryLookups(table),
  });
  const tenantCharts = openTenantCharts(openCharts(table), {
    accountUse: openAccountUse(table),
    clock: () => new Date('2026-03-24T12:00:00.000Z'),
  });

  return {
    name,
    chart,
    post: async ({ lines, date = '2026-03-20', currency = 'EUR', ...asked }: EntryToPost) => {
      const { reportingCurrency = 'EUR', idempotencyKey, externalId = null } = asked;
      const draft: EntryDraft = {
        date,
        memo: asked.memo ?? 'Sale',
        userId: '7',
        exchangeRate: null,
        isRateAccepted: false,
        externalId,
        reportingCurrency,
        transactionCurrency: currency,
        accrualDate: asked.accrualDate ?? null,
        metadata: asked.metadata ?? {},
        lines: lines.map(amountsOf),
      };
      const entry = makeEntry(draft, {
        accounts,
        tenantCurrency: 'EUR',
        createdWithKey: '0123456789abcdef00c0ffee',
        createdAt: asked.at ?? '2026-03-23T09:30:00.000Z',
        exchangeRate: rateBetween(currency, reportingCurrency),
        bookRate: rateBetween(currency, 'EUR'),
        indexedMetadata: [],
      });
      const codes = lines.map(([code]) => code);
      const context = await journalEntries.prepare(name, {
        entries: [{ codes, date, postingDate: entry.postingDate, externalId, userId: null }],
        idempotencyKey,
        isBatch: false,
        isExchanged: false,
      });
      const { snapshot, startedAt } = context;
      const options = { snapshot, startedAt, idempotencyKey };
      return (await recordEntry(journalEntries, name, entry, options)).entry;
    },
    /** Reverses an entry, at once or on an accrual date. */
    reverse: async (
      { entryId }: { entryId: string },
      {
        date = '2026-03-23',
        accrualDate = null,
      }: { date?: string; accrualDate?: string | null } = {},
    ): Promise<JournalEntry> => {
      const { entry } = await reversals.reverse(
        {
          tenant: name,
          originalName: { journal_entry_id: entryId },
          idempotencyKey: undefined,
          createdWithKey: '0123456789abcdef00c0ffee',
          isDryRun: false,
          refusesMismatch: false,
        },
        {
          date,
          accrualDate,
          memo: undefined,
          externalId: null,
          userId: null,
          metadata: {},
        },
      );
      return entry;
    },
    cancel: async ({ entryId }: { entryId: string }): Promise<JournalEntry> =>
      (await cancellations.cancel(name, { keyId: 'key', journal_entry_id: entryId })).entry,
    /** Imports journals of two lines or more, one for each reference. */
    importJournals: (...journals: Parameters<typeof unnumbered>[0][]) =>
      importJournals(table, name, ...journals),
    /** Posts the entries that are due by a date. */
    flip: async (until: string): Promise<void> => {
      for await (const due of dueEntriesOf(table, until)) {
        await postEntries(table, [due], `${until}T00:05:00.000Z`);
      }
    },
    archive: (code: string): Promise<Account> =>
      tenantCharts.update(name, {
        code,
        changes: { status: 'archived' },
        effectiveFrom: undefined,
        keyId: 'key',
      }),
  };
};
