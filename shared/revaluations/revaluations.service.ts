// Proposes and posts revaluations of a tenant's balances in other currencies.

import type { Account } from '../accounts/accounts.ts';
import { isExchangeDifference } from '../accounts/line-classes.ts';
import { accountsClassifiedOn } from '../accounts/reclassification.ts';
import { type DateQuotas, dateRangeProblems, horizonOf } from '../entries/drafts/draft.ts';
import { hashVersion } from '../entries/entry-hash.ts';
import type { JournalEntry } from '../entries/journal-entry.ts';
import { contentionBudgetOf } from '../entries/posting-budget.ts';
import { makeReversal } from '../entries/reversals/reversal.ts';
import { ApiError, type Problem, problem, throwIfProblems } from '../errors.ts';
import { idempotencyKeyProblems } from '../fields.ts';
import { addDays, dateOf } from '../money/dates.ts';
import type { ExchangeRates } from '../rates/exchange-rates.store.ts';
import type { ExchangeRate } from '../rates/exchange-rates.ts';
import { missingRateProblems } from '../rates/rate-problems.ts';
import type { Books, ReportBooks } from '../reports/report-books.service.ts';
import type { TenantName } from '../table/keys.ts';
import type { Decision, Snapshot } from '../table/optimistic-write.ts';
import { lockProblems } from '../tenants/period-lock.ts';
import type { Tenant } from '../tenants/tenants.ts';
import { positionsOf, type RevaluedPosition, revalue } from './revaluation.ts';
import { makeRevaluation, maximumDifferences, type RevaluationDraft } from './revaluation-entry.ts';
import type {
  RevaluationEntries,
  RevaluationNeeds,
  RevaluationRecords,
} from './revaluations.store.ts';

/** The books on a date, and the balances in other currencies at the rates of this date. */
export type Revaluation = { books: Books; positions: RevaluedPosition[] };

/** The differences that a request posts. */
export const differenceKinds = ['all', 'unrealised', 'realised'] as const;
export type DifferenceKind = (typeof differenceKinds)[number];

type RevaluationRequest = RevaluationDraft & {
  kind: DifferenceKind;
  /** Whether the entry is reversed on the next day. */
  isReversed: boolean;
};

/** `remaining` is the number of differences that did not fit into the entry. */
export type PostedRevaluation = {
  entries: RevaluationEntries<JournalEntry> | undefined;
  remaining: number;
  replayed: boolean;
};

const pointer = '/as_of';
const pointers = { transaction: pointer, reporting: pointer, date: pointer };

/** The problems of an entry's dates, as problems of the only date of the request. */
const atAsOf = (problems: readonly Problem[]): Problem[] =>
  problems.map((it) => ({ ...it, pointer }));

const isOfKind = (kind: DifferenceKind, { isRealised }: RevaluedPosition): boolean =>
  kind === 'all' || isRealised === (kind === 'realised');

/** @throws ApiError `exchange_account_missing` */
const exchangeAccountIn = (accounts: ReadonlyMap<string, Account>): Account => {
  const candidates = [...accounts.values()].filter(
    (it) => it.status === 'active' && isExchangeDifference(it),
  );
  const account = candidates.find(({ role }) => role === 'fx_gain_loss') ?? candidates[0];
  if (account === undefined) throw new ApiError('exchange_account_missing');
  return account;
};

export type Revaluations = ReturnType<typeof openRevaluations>;

export const openRevaluations = ({
  reportBooks,
  exchangeRates,
  records,
  quotas,
  clock,
}: {
  reportBooks: Pick<ReportBooks, 'readPeriods' | 'accountsOf'>;
  exchangeRates: Pick<ExchangeRates, 'find' | 'explainMissing'>;
  records: RevaluationRecords;
  quotas: DateQuotas;
  clock: () => Date;
}) => {
  /** The closing rates of currencies. @throws ApiError if one has none on the date */
  const ratesOf = async (
    currencies: ReadonlySet<string>,
    { reporting, date, today }: { reporting: string; date: string; today: string },
  ): Promise<Map<string, ExchangeRate>> => {
    const found = await Promise.all(
      [...currencies].map(async (transaction) => {
        const pair = { transaction, reporting };
        const rate = await exchangeRates.find(pair, { date, today });
        if (rate) return { transaction, rate };
        const missing = await exchangeRates.explainMissing(pair, { date, today });
        return { problems: missingRateProblems({ ...pair, date }, missing, { pointers }) };
      }),
    );
    throwIfProblems(found.flatMap((it) => it.problems?.slice(0, 1) ?? []));
    return new Map(found.flatMap((it) => (it.rate ? [[it.transaction, it.rate] as const] : [])));
  };

  /**
   * The balances on a date and their differences to the closing rates.
   * @throws ApiError `tenant_not_found`, `book_amounts_unknown`, or `validation_failed` if a rate
   *   is missing or not known yet
   */
  const propose = async (name: TenantName, date: string): Promise<Revaluation> => {
    const today = dateOf(clock());
    if (date > today) throwIfProblems([problem('as_of_after_today', pointer, { date, today })]);
    const books = await reportBooks.readPeriods(name, () => [{ to: date }]);
    const sums = books.sums.flat().filter(({ currency }) => currency !== null);
    const codes = [...new Set(sums.map(({ account }) => account))];
    const chart = await reportBooks.accountsOf(books, codes);
    const found = positionsOf(sums, accountsClassifiedOn(chart, date, date));
    if (found === undefined) throw new ApiError('book_amounts_unknown');
    const { currency: reporting } = books.tenant;
    const held = found.filter(({ balance }) => balance !== 0n).map(({ currency }) => currency);
    const rates = await ratesOf(new Set(held), { reporting, date, today });
    const positions = found.map((position) =>
      revalue(position, {
        rate: rates.get(position.currency) ?? null,
        bookCurrency: reporting,
      }),
    );
    return { books, positions };
  };

  const problemsOfDates = (
    [date, ...others]: readonly [string, ...string[]],
    tenant: Tenant,
    today: string,
  ): Problem[] => {
    const horizon = horizonOf(tenant, quotas);
    const range = [date, ...others].flatMap((it) =>
      dateRangeProblems({ date: it, accrualDate: null }, { today, horizon }),
    );
    const locked = lockProblems({ postingDate: date, accrualDate: null }, tenant);
    return atAsOf([...range.slice(0, 1), ...locked]);
  };

  /** Makes the entries of a revaluation; `undefined` if there are no differences to post. */
  const makeEntries = (
    { books, positions }: Revaluation,
    request: RevaluationRequest,
    { now, createdWithKey }: { now: Date; createdWithKey: string },
  ) => {
    const differing = positions.filter((it) => it.difference !== 0n && isOfKind(request.kind, it));
    const posted = differing.slice(0, maximumDifferences);
    if (posted.length === 0) return { remaining: 0, made: undefined };
    const creation = { createdAt: now.toISOString(), createdWithKey };
    const entry = makeRevaluation(request, posted, {
      ...creation,
      exchangeAccount: exchangeAccountIn(books.accounts),
      bookCurrency: books.tenant.currency,
    });
    const reversal = {
      ...makeReversal(
        {
          ...entry,
          entryId: '',
          journalNumber: '',
          postingSequence: null,
          hash: null,
          hashVersion,
        },
        {
          date: addDays(request.date, 1),
          memo: `Reversal of the revaluation as of ${request.date}`,
          accrualDate: null,
          externalId: null,
          userId: null,
          metadata: {},
        },
        // Revaluations have no metadata.
        { ...creation, indexedMetadata: undefined },
      ),
      entryType: 'Revaluation' as const,
    };
    const made = { entry, reversal: request.isReversed ? reversal : null };
    return { remaining: differing.length - posted.length, made };
  };

  return {
    propose,

    /**
     * Posts the differences on a date in one entry, and reverses it on the next day if requested. A
     * repeat finds no differences and posts nothing. With the same ids, it gets the first entry.
     * @throws ApiError as `propose`, `exchange_account_missing`, or `validation_failed` if the date
     *   is locked or out of range
     */
    post: async (
      name: TenantName,
      request: RevaluationRequest,
      {
        idempotencyKey,
        createdWithKey,
        isDryRun,
      }: { idempotencyKey: string | undefined; createdWithKey: string; isDryRun: boolean },
    ): Promise<PostedRevaluation> => {
      const now = clock();
      const budget = contentionBudgetOf(performance.now());
      throwIfProblems(idempotencyKeyProblems(idempotencyKey));
      const { date, externalId, isReversed } = request;
      const dates = [date, ...(isReversed ? [addDays(date, 1)] : [])] as const;
      const needs: RevaluationNeeds = { dates, externalId, idempotencyKey };
      const { tenant, snapshot } = await records.prepare(name, needs);
      if (tenant === undefined) throw new ApiError('tenant_not_found');
      const ids = records.newIds();

      const decide = async (of: Snapshot): Promise<Decision<PostedRevaluation>> => {
        const recorded = await records.findRecorded(name, needs, of);
        if (recorded?.entry.entryType === 'Revaluation') {
          return { result: { entries: recorded, remaining: 0, replayed: true } };
        }
        if (recorded && recorded.entry.externalId !== externalId) {
          throw new ApiError('idempotency_key_reused');
        }
        if (recorded) throwIfProblems([problem('external_id_taken', '/external_id')]);
        throwIfProblems(problemsOfDates(dates, tenant, dateOf(now)));
        // The books are read after the sheets of the snapshot. If another revaluation is posted
        // meanwhile, its sheet has changed and this one is computed again.
        const { remaining, made } = makeEntries(await propose(name, date), request, {
          now,
          createdWithKey,
        });
        const result = { entries: undefined, remaining, replayed: false };
        if (made === undefined) return { result };
        const recording = records.recordingOf(name, made, { snapshot: of, ids, idempotencyKey });
        return {
          result: { ...result, entries: recording.result },
          actions: recording.actions,
        };
      };
      const posting = isDryRun
        ? decide(snapshot).then(({ result }) => result)
        : records.write(name, needs, { snapshot, decide, budget });
      return posting.catch((error: unknown) => {
        // The date of the request has another name than the entry's.
        const isOfDate = (it: Problem) => it.pointer === '/date';
        if (!(error instanceof ApiError) || !error.details.some(isOfDate)) throw error;
        throw new ApiError(error.code, { details: atAsOf(error.details), cause: error });
      });
    },
  };
};
