// Posts entries: all or none of a request's, each judged and made once.

import { dateOf } from '../domain/dates.ts';
import type { DateQuotas } from '../domain/entries/date-range.ts';
import { type EntryDraft, type PartialDraft, partialOf } from '../domain/entries/draft.ts';
import { type EntryContext, makeEntry } from '../domain/entries/make-entry.ts';
import { ApiError, type Problem, throwIfProblems } from '../errors.ts';
import type { ExchangeRates } from '../store/exchange-rates.ts';
import type { JournalEntries, RecordedEntry } from '../store/journal-entries.ts';
import {
  type Judgement,
  openEntryJudgement,
  type Target,
  tenantNotFound,
} from './entry-judgement.ts';

export type PostingDependencies = {
  journalEntries: Pick<JournalEntries, 'prepare' | 'record' | 'preview' | 'isLinked'>;
  exchangeRates: Pick<ExchangeRates, 'find' | 'explainMissing'>;
  baseDomain: string;
  quotas: DateQuotas;
  clock: () => Date;
};

/** What is posted by which key; a dry run posts nothing. */
export type PostingTarget = Target & { createdWithKey: string; isDryRun: boolean };

/**
 * A reversal that its Idempotency-Key found, and not its external_id, was asked for by a request of
 * another kind: nothing was posted, and whoever posts with that key must hear of it.
 * @throws ApiError `idempotency_key_reused`
 */
const demandOwnKey = (drafts: readonly EntryDraft[], answered: readonly RecordedEntry[]): void => {
  const isOfAnother = answered.some(
    ({ entry: { reverses, externalId } }, index) =>
      reverses !== null && (externalId === null || externalId !== drafts[index]?.externalId),
  );
  if (isOfAnother) throw new ApiError('idempotency_key_reused');
};

export type Posting = ReturnType<typeof openPosting>;

export const openPosting = ({ clock, ...dependencies }: PostingDependencies) => {
  const { journalEntries } = dependencies;
  const { judge, unlinkedProblems } = openEntryJudgement(dependencies);

  /**
   * Refuses a request for what is wrong with it and with what is new in it. What was recorded
   * before is returned whatever rule its content may break by now.
   */
  const refuse = async (
    judged: Judgement,
    fresh: readonly (PartialDraft | undefined)[],
    target: PostingTarget,
  ): Promise<void> => {
    const found = [
      ...judged.ofRequest,
      ...judged.ofDrafts.flatMap((problems, index) => (fresh[index] ? problems : [])),
    ];
    if (found.length === 0 && !target.isDryRun) return;
    const drafts = fresh.map((draft) => ({ userId: draft?.userId ?? null }));
    const all = [...found, ...(await unlinkedProblems(judged, drafts, target))];
    const [first, ...others] = all;
    if (first === tenantNotFound && others.length === 0) throw new ApiError('tenant_not_found');
    const isUserAlone = first?.code === 'user_not_found' && others.length === 0;
    if (isUserAlone && !target.isBatch) throw new ApiError('user_not_found');
    throwIfProblems(all);
  };

  /** Makes entries of the new drafts of a request; undefined for those recorded before. */
  const entriesFrom = (
    drafts: readonly (EntryDraft | undefined)[],
    { context, exchanges, ...made }: Judgement & Pick<EntryContext, 'createdAt' | 'createdWithKey'>,
  ) =>
    drafts.map((draft, index) => {
      if (draft === undefined) return undefined;
      const [reporting, book] = [exchanges[index]?.reporting, exchanges[index]?.book];
      if (!context?.tenant || !reporting?.rate || !book?.rate) {
        throw new Error('a draft without problems lacks what it needs');
      }
      const { createdAt, createdWithKey } = made;
      return makeEntry(draft, {
        accounts: context.accounts,
        tenantCurrency: context.tenant.currency,
        exchangeRate: reporting.rate,
        bookRate: book.rate,
        createdAt,
        createdWithKey,
      });
    });

  return {
    /** What is wrong with a request whose schema found problems already, beyond those. */
    problemsOf: async (
      target: Target<string | undefined>,
      drafts: readonly PartialDraft[],
    ): Promise<Problem[]> => {
      const judged = await judge(target, drafts, dateOf(clock()));
      const all = [...judged.ofRequest, ...judged.ofDrafts.flat()];
      return [...all, ...(await unlinkedProblems(judged, drafts, target))];
    },

    /**
     * Posts or schedules entries, all or none, and finds those that were recorded under their
     * external ids or under the same Idempotency-Key.
     * @throws ApiError where a draft breaks a rule, with every problem of all of them
     */
    post: async (
      target: PostingTarget,
      drafts: readonly EntryDraft[],
    ): Promise<RecordedEntry[]> => {
      // One moment for all of it, so that midnight cannot come between.
      const now = clock();
      const { idempotencyKey, isBatch, createdWithKey } = target;
      const partial = drafts.map(partialOf);
      const judged = await judge(target, partial, dateOf(now));
      const { tenantName, context } = judged;
      const keys = context?.recordedKeys() ?? [];
      const fresh = partial.map((draft, index) => (keys[index] ? undefined : draft));
      const isSomeFresh = fresh.some((draft) => draft !== undefined);
      if (isSomeFresh || judged.ofRequest.length > 0) await refuse(judged, fresh, target);
      if (!tenantName || !context) throw new Error('a request without problems lacks its tenant');
      const made = { ...judged, createdAt: now.toISOString(), createdWithKey };
      const newDrafts = drafts.map((draft, index) => (keys[index] ? undefined : draft));
      const request = {
        entries: entriesFrom(newDrafts, made),
        externalIds: drafts.map(({ externalId }) => externalId),
        users: context.users,
        idempotencyKey,
        isBatch,
      };
      const answered = await (target.isDryRun
        ? journalEntries.preview(tenantName, request, context)
        : journalEntries.record(tenantName, request, context));
      demandOwnKey(drafts, answered);
      return answered;
    },
  };
};
