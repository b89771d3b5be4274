// Posts an entry: what the table and the exchange rates say of its draft, judged once, and its
// record.

import { dateOf } from '../domain/dates.ts';
import { prefixOf, schemaNameOf } from '../domain/domain-names.ts';
import {
  accountProblems,
  type EntryDraft,
  lineProblems,
  type PartialDraft,
  partialOf,
} from '../domain/entries/draft.ts';
import type { JournalEntry } from '../domain/entries/journal-entry.ts';
import { makeEntry } from '../domain/entries/make-entry.ts';
import { type CurrencyPair, type ExchangeRate, euro } from '../domain/exchange-rates.ts';
import { ApiError, type Problem, pointerTo, problem, throwIfProblems } from '../errors.ts';
import type { ExchangeRates } from '../store/exchange-rates.ts';
import type { JournalEntries, PostingContext } from '../store/journal-entries.ts';
import type { TenantName } from '../store/keys.ts';

export type PostingDependencies = {
  journalEntries: Pick<JournalEntries, 'prepare' | 'record' | 'get'>;
  exchangeRates: Pick<ExchangeRates, 'find'>;
  baseDomain: string;
  clock: () => Date;
  newEntryId: () => string;
};

/** Who posts into which tenant. A domain that could not be read is `undefined`. */
type Target<Domain> = { applicationId: string; domainUrl: Domain };

/** What is exchanged on which date, and the rate for it if there is one. */
type Exchange = CurrencyPair & { date: string; rate: ExchangeRate | undefined };

/** All that is known of a draft. `problems` are those that show only here, not in a schema. */
type Judgement = {
  problems: Problem[];
  tenantName: TenantName | undefined;
  context: PostingContext | undefined;
  exchangeRate: ExchangeRate | undefined;
};

export type Posting = ReturnType<typeof openPosting>;

export const openPosting = (dependencies: PostingDependencies) => {
  const { journalEntries, exchangeRates, baseDomain, clock, newEntryId } = dependencies;

  const findRate = (pair: CurrencyPair, date: string): Promise<ExchangeRate | undefined> =>
    exchangeRates.find(pair, { date, today: dateOf(clock()) });

  /** Says which currency has no rate; where neither has one, or only together, it is the date. */
  const rateProblems = async (exchange: Exchange | undefined): Promise<Problem[]> => {
    if (exchange === undefined || exchange.rate !== undefined) return [];
    const { transaction, reporting, date } = exchange;
    const [ofTransaction, ofReporting] = await Promise.all(
      [transaction, reporting].map((it) => findRate({ transaction: euro, reporting: it }, date)),
    );
    const isOfDate = (ofTransaction === undefined) === (ofReporting === undefined);
    const currency = ofTransaction === undefined ? 'transactionCurrency' : 'reportingCurrency';
    const pointer = isOfDate ? '/date' : pointerTo(currency);
    return [problem('exchange_rate_unavailable', pointer, { transaction, reporting, date })];
  };

  /** Judges as much of a draft as could be read, after one batch read and one look for the rate. */
  const judge = async (
    { applicationId, domainUrl }: Target<string | undefined>,
    draft: PartialDraft,
  ): Promise<Judgement> => {
    const prefix = domainUrl && prefixOf(domainUrl, baseDomain);
    const tenantName = prefix ? { applicationId, schemaName: schemaNameOf(prefix) } : undefined;
    const codes = draft.lines.map(({ account }) => account);
    const { date, externalId, transactionCurrency: transaction } = draft;
    const reporting = draft.reportingCurrency;
    const [context, exchange] = await Promise.all([
      tenantName &&
        journalEntries.prepare(tenantName, {
          codes: codes.filter((code) => code !== undefined),
          externalId,
          date,
        }),
      transaction && reporting && date
        ? findRate({ transaction, reporting }, date).then(
            (rate): Exchange => ({ transaction, reporting, date, rate }),
          )
        : undefined,
    ]);
    const hasTenant = context?.tenant !== undefined;
    const amounts = draft.lines.map((line) => line.amounts);
    return {
      problems: [
        ...(domainUrl !== undefined && !hasTenant ? [tenantNotFound] : []),
        ...lineProblems(amounts, transaction),
        ...(hasTenant ? accountProblems(codes, context.accounts) : []),
        ...(await rateProblems(exchange)),
      ],
      tenantName,
      context,
      exchangeRate: exchange?.rate,
    };
  };

  return {
    /** What is wrong with a request whose schema found problems already, beyond those. */
    problemsOf: async (
      target: Target<string | undefined>,
      draft: PartialDraft,
    ): Promise<Problem[]> => (await judge(target, draft)).problems,

    /**
     * Posts or schedules an entry, or finds the one that was recorded under its external_id.
     * @throws ApiError where the draft breaks a rule, with every problem
     */
    post: async (
      { createdWithKey, ...target }: Target<string> & { createdWithKey: string },
      draft: EntryDraft,
    ): Promise<{ entry: JournalEntry; replayed: boolean }> => {
      const judged = await judge(target, partialOf(draft));
      const { problems, tenantName, context, exchangeRate } = judged;
      // Before any rule that the content may break: the same external_id returns the original entry
      // (contract), as long as the request is well formed.
      if (context?.recorded) {
        return { entry: await journalEntries.get(context.recorded, context), replayed: true };
      }
      if (problems.length === 1 && problems[0] === tenantNotFound) {
        throw new ApiError('tenant_not_found');
      }
      throwIfProblems(problems);
      if (tenantName === undefined || context === undefined || exchangeRate === undefined) {
        throw new Error('a draft without problems lacks what it needs');
      }
      const entry = makeEntry(draft, {
        accounts: context.accounts,
        exchangeRate,
        entryId: newEntryId(),
        createdAt: clock().toISOString(),
        createdWithKey,
      });
      return journalEntries.record(tenantName, entry, context);
    },
  };
};

const tenantNotFound = problem('tenant_not_found', '/domain_url');
