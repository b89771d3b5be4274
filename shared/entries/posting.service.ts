// Posts the entries of a request, all or none.

import { ApiError, type Problem, tenantNotFound, throwIfProblems } from '../errors.ts';
import { dateOf } from '../money/dates.ts';
import type { ExchangeRates } from '../rates/exchange-rates.store.ts';
import type { Key, TenantName } from '../table/keys.ts';
import {
  type DateQuotas,
  type EntryDraft,
  type PartialDraft,
  partialOf,
  pointerToEntry,
} from './drafts/draft.ts';
import { differences, problemsOfMismatch } from './drafts/draft-differences.ts';
import {
  type DraftValidation,
  openDraftValidation,
  type Target,
} from './drafts/draft-validation.service.ts';
import type { EntryWrite } from './entry-write.ts';
import type { JournalEntries } from './journal-entries.store.ts';
import type { JournalEntry } from './journal-entry.ts';
import { type EntryContext, makeEntry } from './make-entry.ts';
import type { RecordedEntry } from './recording-queues.store.ts';

type PostingDependencies = {
  journalEntries: JournalEntries;
  exchangeRates: Pick<ExchangeRates, 'find' | 'explainMissing'>;
  quotas: DateQuotas;
  clock: () => Date;
};

type PostingTarget = Target<TenantName> & EntryWrite;

/** Refuses drafts that differ from the entries that earlier requests recorded. */
const assertMatch = (
  drafts: readonly EntryDraft[],
  recorded: readonly (JournalEntry | undefined)[],
  { isBatch }: { isBatch: boolean },
): void =>
  throwIfProblems(
    drafts.flatMap((draft, index) => {
      const entry = recorded[index];
      const at = pointerToEntry(index, { isBatch });
      const pointers = entry ? differences(draft, entry) : [];
      return problemsOfMismatch(pointers.map((pointer) => `${at}${pointer}`));
    }),
  );

/**
 * Refuses a reply with a reversal that the Idempotency-Key found and the external_id did not. A
 * request to reverse used the key first, so nothing was posted and the caller must know.
 * @throws ApiError `idempotency_key_reused`
 */
const assertNoReversal = (
  drafts: readonly EntryDraft[],
  results: readonly RecordedEntry[],
): void => {
  const hasReversal = results.some(
    ({ entry: { reverses, externalId } }, index) =>
      reverses !== null && (externalId === null || externalId !== drafts[index]?.externalId),
  );
  if (hasReversal) throw new ApiError('idempotency_key_reused');
};

export type Posting = ReturnType<typeof openPosting>;

export const openPosting = ({ clock, ...dependencies }: PostingDependencies) => {
  const { journalEntries } = dependencies;
  const { validate, unlinkedProblems } = openDraftValidation(dependencies);

  /**
   * Throws the problems of the request and of its new drafts. The problems of a draft that is
   * already recorded do not count: a rule may have changed since.
   * @param newDrafts `undefined` for each draft that is already recorded
   */
  const refuse = async (
    validation: DraftValidation,
    newDrafts: readonly (PartialDraft | undefined)[],
    target: PostingTarget,
  ): Promise<void> => {
    const problems = [
      ...validation.requestProblems,
      ...validation.draftProblems.flatMap((it, index) => (newDrafts[index] ? it : [])),
    ];
    if (problems.length === 0 && !target.isDryRun) return;
    const users = newDrafts.map((draft) => ({ userId: draft?.userId ?? null }));
    const all = [...problems, ...(await unlinkedProblems(validation, users, target))];
    const [first, ...others] = all;
    if (first === tenantNotFound && others.length === 0) throw new ApiError('tenant_not_found');
    const isUserAlone = first?.code === 'user_not_found' && others.length === 0;
    if (isUserAlone && !target.isBatch) throw new ApiError('user_not_found');
    throwIfProblems(all);
  };

  /** Makes entries from the new drafts; undefined for drafts that were recorded before. */
  const entriesFrom = (
    drafts: readonly EntryDraft[],
    recordedKeys: readonly (Key | undefined)[],
    {
      context,
      rates,
      createdAt,
      createdWithKey,
    }: DraftValidation & Pick<EntryContext, 'createdAt' | 'createdWithKey'>,
  ) =>
    drafts.map((draft, index) => {
      if (recordedKeys[index]) return undefined;
      const { reporting, book } = rates[index] ?? {};
      if (!context?.tenant || !reporting?.rate || !book?.rate) {
        throw new Error('a draft without problems lacks its tenant or a rate');
      }
      return makeEntry(draft, {
        accounts: context.accounts,
        tenantCurrency: context.tenant.currency,
        exchangeRate: reporting.rate,
        bookRate: book.rate,
        createdAt,
        createdWithKey,
        indexedMetadata: context.tenant.indexedMetadata,
      });
    });

  return {
    /** Finds more problems of a request that its schema has already refused. */
    problemsOf: async (target: Target, drafts: readonly PartialDraft[]): Promise<Problem[]> => {
      const validation = await validate(target, drafts, dateOf(clock()));
      const all = [...validation.requestProblems, ...validation.draftProblems.flat()];
      return [...all, ...(await unlinkedProblems(validation, drafts, target))];
    },

    /**
     * Posts or schedules entries, all or none. If the external_id or the Idempotency-Key was used
     * before, returns the existing entry. A dry run writes nothing.
     * @throws ApiError with every problem of all drafts
     */
    post: async (
      target: PostingTarget,
      drafts: readonly EntryDraft[],
    ): Promise<RecordedEntry[]> => {
      // Read once: all entries must have the same date, even around midnight.
      const now = clock();
      const { tenant, idempotencyKey, isBatch, createdWithKey } = target;
      const partialDrafts = drafts.map(partialOf);
      const validation = await validate(target, partialDrafts, dateOf(now));
      const { context, requestProblems } = validation;
      const recordedKeys = context?.recordedKeys() ?? [];
      const newDrafts = partialDrafts.map((it, index) => (recordedKeys[index] ? undefined : it));
      const hasNewDrafts = newDrafts.some((draft) => draft !== undefined);
      if (hasNewDrafts || requestProblems.length > 0) await refuse(validation, newDrafts, target);
      if (!context) throw new Error('a request without problems lacks its tenant');
      const creation = { ...validation, createdAt: now.toISOString(), createdWithKey };
      const request = {
        entries: entriesFrom(drafts, recordedKeys, creation),
        externalIds: drafts.map(({ externalId }) => externalId),
        users: context.users,
        idempotencyKey,
        isBatch,
        assertMatch: target.refusesMismatch
          ? (recorded: readonly (JournalEntry | undefined)[]) =>
              assertMatch(drafts, recorded, { isBatch })
          : undefined,
      };
      const results = await (target.isDryRun
        ? journalEntries.preview(tenant, request, context)
        : journalEntries.record(tenant, request, context));
      assertNoReversal(drafts, results);
      return results;
    },
  };
};
