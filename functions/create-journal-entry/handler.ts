// Posts a balanced journal entry, or schedules it for a later date.

import * as z from 'zod/mini';
import { dateOf } from '#shared/domain/dates.ts';
import { prefixOf, schemaNameOf } from '#shared/domain/domain-names.ts';
import { type CurrencyPair, type ExchangeRate, euro } from '#shared/domain/exchange-rates.ts';
import {
  accountProblems,
  differences,
  type EntryDraft,
  type JournalEntry,
  lineProblems,
  makeEntry,
  pointerList,
} from '#shared/domain/journal-entries.ts';
import { ApiError, type Problem, pointerTo, problem, throwIfProblems } from '#shared/errors.ts';
import type { Log } from '#shared/log.ts';
import type { Metrics } from '#shared/metrics.ts';
import type { ExchangeRates } from '#shared/store/exchange-rates.ts';
import type { JournalEntries } from '#shared/store/journal-entries.ts';
import { type ApiReply, type Caller, createApiHandler } from '#shared/triggers/api.ts';
import { type PartialDraft, readDraft, readPartialDraft } from './draft.ts';
import { Data, Request } from './schema.ts';

export type Dependencies = {
  journalEntries: Pick<JournalEntries, 'prepare' | 'record' | 'get'>;
  exchangeRates: Pick<ExchangeRates, 'find'>;
  baseDomain: string;
  clock: () => Date;
  newEntryId: () => string;
  log: Log;
  metrics: Metrics;
};

/** All headers together may have 10,240 bytes (API Gateway quotas); this leaves ample room. */
const maximumMismatchHeaderLength = 4_096;

/** Without an external_id a second try is a second entry. */
const hasExternalId = z.object({ external_id: z.string() });

const noSuchTenant = problem('tenant_not_found', '/domain_url');

/** What is exchanged on which date, and the rate for it if there is one. */
type Exchange = CurrencyPair & { date: string; rate: ExchangeRate | undefined };

const dataOf = (entry: JournalEntry): Data => ({
  journal_entry_id: entry.entryId,
  journal_number: entry.journalNumber,
  date: entry.date,
  memo: entry.memo,
  entry_type: entry.entryType,
  status: entry.status,
  accrual_date: entry.accrualDate,
  external_id: entry.externalId,
  transaction_currency: entry.transactionCurrency,
  transaction_amount: entry.transactionAmount,
  reporting_currency: entry.reportingCurrency,
  reporting_amount: entry.reportingAmount,
  exchange_rate: entry.exchangeRate,
  exchange_rate_date: entry.exchangeRateDate,
  exchange_rate_source: entry.exchangeRateSource,
  transactions: entry.lines.map((line) => ({
    line_number: line.lineNumber,
    account: line.account,
    account_name: line.accountName,
    description: line.description,
    debit: line.debit,
    credit: line.credit,
    reporting_debit: line.reportingDebit,
    reporting_credit: line.reportingCredit,
  })),
  bank_reconciliation_id: null,
});

const replay = (draft: EntryDraft, original: JournalEntry): ApiReply<Data> => {
  const differing = differences(draft, original);
  return {
    data: dataOf(original),
    headers: {
      'Idempotent-Replayed': 'true',
      ...(differing.length > 0 && {
        'Idempotency-Mismatch': pointerList(differing, maximumMismatchHeaderLength),
      }),
    },
  };
};

export const createHandler = (dependencies: Dependencies) => {
  const { journalEntries, exchangeRates, baseDomain, clock, newEntryId, log, metrics } =
    dependencies;

  /** Reads at once all that the decision needs: one batch from the table, and the rate. */
  const gather = async (
    caller: Caller,
    asked: Omit<PartialDraft, 'lines'> & { codes: string[] },
  ) => {
    const prefix = asked.domainUrl && prefixOf(asked.domainUrl, baseDomain);
    const tenant = prefix
      ? { applicationId: caller.applicationId, schemaName: schemaNameOf(prefix) }
      : undefined;
    const { date, transactionCurrency: transaction, reportingCurrency: reporting } = asked;
    const pair = transaction && reporting ? { transaction, reporting } : undefined;
    const [groundwork, rate] = await Promise.all([
      tenant &&
        journalEntries.prepare(tenant, {
          codes: asked.codes,
          externalId: asked.externalId ?? null,
          date,
        }),
      pair && date ? exchangeRates.find(pair, { date, today: dateOf(clock()) }) : undefined,
    ]);
    return { tenant, groundwork, exchange: pair && date ? { ...pair, date, rate } : undefined };
  };

  /** Says which currency has no rate; where neither has one, or only together, it is the date. */
  const rateProblems = async (exchange: Exchange | undefined): Promise<Problem[]> => {
    if (exchange === undefined || exchange.rate !== undefined) return [];
    const { transaction, reporting, date } = exchange;
    const hasRate = async (currency: string): Promise<boolean> =>
      (await exchangeRates.find(
        { transaction: euro, reporting: currency },
        { date, today: dateOf(clock()) },
      )) !== undefined;
    const [hasTransaction, hasReporting] = await Promise.all([transaction, reporting].map(hasRate));
    const pointer =
      hasTransaction === hasReporting
        ? '/date'
        : pointerTo(hasTransaction ? 'reportingCurrency' : 'transactionCurrency');
    return [problem('exchange_rate_unavailable', pointer, { transaction, reporting, date })];
  };

  const handle = async ({ caller, input }: { caller: Caller; input: Request }) => {
    const draft = readDraft(input);
    const codes = draft.lines.map(({ account }) => account);
    const { tenant, groundwork, exchange } = await gather(caller, {
      ...draft,
      domainUrl: input.domain_url,
      externalId: draft.externalId ?? undefined,
      codes,
    });
    // Before any rule that the content may break: the same external_id returns the original entry
    // (contract), as long as the request is well formed.
    if (groundwork?.recorded) {
      metrics.replayed();
      return replay(draft, await journalEntries.get(groundwork.recorded));
    }
    const found = [
      ...lineProblems(draft.lines, draft.transactionCurrency),
      ...(groundwork?.tenant ? accountProblems(codes, groundwork.accounts) : []),
      ...(await rateProblems(exchange)),
    ];
    if (!tenant || !groundwork?.tenant) {
      throwIfProblems(found.length > 0 ? [noSuchTenant, ...found] : []);
      throw new ApiError('tenant_not_found');
    }
    throwIfProblems(found);
    const rate = exchange?.rate;
    if (rate === undefined) throw new Error('a missing rate was not refused');
    const entry = makeEntry(draft, {
      accounts: groundwork.accounts,
      exchangeRate: rate,
      entryId: newEntryId(),
      createdAt: clock().toISOString(),
      createdWithKey: caller.keyId,
    });
    const recorded = await journalEntries.record(tenant, entry, groundwork);
    if (recorded.replayed) {
      metrics.replayed();
      return replay(draft, recorded.entry);
    }
    metrics.entryRecorded(recorded.entry.status);
    return { data: dataOf(recorded.entry) };
  };

  const storeProblems = async (
    { caller, input }: { caller: Caller; input: unknown },
    found: Problem[],
  ): Promise<Problem[]> => {
    const draft = readPartialDraft(input, found);
    const codes = draft.lines.map(({ account }) => account);
    const { groundwork, exchange } = await gather(caller, {
      ...draft,
      codes: codes.filter((code) => code !== undefined),
    });
    return [
      ...(draft.domainUrl !== undefined && !groundwork?.tenant ? [noSuchTenant] : []),
      ...lineProblems(
        draft.lines.map(({ amounts }) => amounts),
        draft.transactionCurrency,
      ),
      ...(groundwork?.tenant ? accountProblems(codes, groundwork.accounts) : []),
      ...(await rateProblems(exchange)),
    ];
  };

  return createApiHandler(
    {
      from: 'body',
      request: Request,
      data: Data,
      handle,
      storeProblems,
      isIdempotent: ({ input }) => hasExternalId.safeParse(input).success,
    },
    { log, metrics },
  );
};
