// Reverses posted entries. An entry is reversed at most once.

import { ApiError, type Problem, problem, tenantNotFound, throwIfProblems } from '../../errors.ts';
import { idempotencyKeyProblems } from '../../fields.ts';
import { dateOf } from '../../money/dates.ts';
import type { TenantName } from '../../table/keys.ts';
import { type ContentionBudget, retryOnContention } from '../../table/retry.ts';
import { userNotLinked } from '../../tenants/tenant-links.store.ts';
import type { DateQuotas } from '../drafts/draft.ts';
import { problemsOfMismatch } from '../drafts/draft-differences.ts';
import { addressOf, requireEntry } from '../entry-by-name.service.ts';
import { BooksDiffer } from '../entry-checks.ts';
import { keyOfEntryId } from '../entry-lookups.store.ts';
import { type EntryName, matchesEntryId } from '../entry-names.ts';
import type { EntryWrite } from '../entry-write.ts';
import type { JournalEntry } from '../journal-entry.ts';
import { contentionBudgetOf } from '../posting-budget.ts';
import type { RecordedEntry } from '../recording-queues.store.ts';
import {
  defaultReversalDate,
  differencesOfReversal,
  makeReversal,
  type ReversalDraft,
  reversalDateProblems,
} from './reversal.ts';
import type { EntryReversals, ReversalContext } from './reversals.store.ts';

/** The tenant is `undefined` if it could not be read or cannot exist. */
type ReversalTarget<Tenant = TenantName> = {
  tenant: Tenant;
  originalName: EntryName;
  idempotencyKey: string | undefined;
};

export type ReversalRequest = ReversalTarget & EntryWrite;

/** The readable parts of a reversal. A field is `undefined` if it could not be read. */
type PartialReversal = Pick<ReversalDraft, 'externalId' | 'userId'> & {
  date: string | null | undefined;
  accrualDate: string | null | undefined;
};

/** A draft whose date is known, unless it could not be read. */
type Dated<Draft> = Omit<Draft, 'date'> & { date: string | undefined };

/** Finds all problems except a user whom the tenant is not linked to. */
const problemsOfReversal = (
  draft: Dated<PartialReversal>,
  {
    context: { tenant, original, user, isExternalIdTaken },
    idempotencyKey,
    ...limits
  }: {
    context: ReversalContext;
    idempotencyKey: string | undefined;
    today: string;
    quotas: DateQuotas;
  },
): Problem[] => [
  ...idempotencyKeyProblems(idempotencyKey),
  ...(tenant ? reversalDateProblems(draft, { tenant, original, ...limits }) : []),
  ...(isExternalIdTaken ? [problem('external_id_taken', '/external_id')] : []),
  ...(draft.userId !== null && user === undefined ? [problem('user_not_found', '/user_id')] : []),
];

export type Reversals = ReturnType<typeof openReversals>;

export const openReversals = ({
  entryReversals,
  quotas,
  clock,
}: {
  entryReversals: EntryReversals;
  quotas: DateQuotas;
  clock: () => Date;
}) => {
  const read = (
    name: TenantName,
    draft: Dated<PartialReversal>,
    { originalName, idempotencyKey }: Omit<ReversalTarget, 'tenant'>,
  ): Promise<ReversalContext> => {
    const { date, accrualDate, externalId, userId } = draft;
    const isKeyValid = idempotencyKeyProblems(idempotencyKey).length === 0;
    return entryReversals.prepare(name, {
      original: addressOf(originalName),
      date,
      externalId,
      userId,
      postingDate: accrualDate === undefined ? undefined : (accrualDate ?? date),
      idempotencyKey: isKeyValid ? idempotencyKey : undefined,
    });
  };

  /**
   * Reads the context, and dates a draft without a date. The default is nearly always today. For
   * another date, the context is read again.
   */
  const prepare = async <Draft extends PartialReversal>(
    name: TenantName,
    draft: Draft,
    { today, ...target }: Omit<ReversalTarget, 'tenant'> & { today: string },
  ): Promise<{ context: ReversalContext; dated: Dated<Draft> }> => {
    const dated = { ...draft, date: draft.date === null ? today : draft.date };
    const context = await read(name, dated, target);
    const date = draft.date === null ? defaultReversalDate(context.original, today) : dated.date;
    if (date === dated.date) return { context, dated };
    const later = { ...draft, date };
    return { context: await read(name, later, target), dated: later };
  };

  /**
   * Finds the existing reversal of a request: by its external_id or Idempotency-Key, otherwise by
   * the original. Returns `undefined` if there is none, and `cancelled` if the reversal was
   * cancelled after the original was read.
   * @throws ApiError `idempotency_key_reused` if the key belongs to another request
   */
  const findRecorded = async (
    name: TenantName,
    original: JournalEntry,
    { recordedKey, isExternalIdTaken }: ReversalContext,
  ): Promise<JournalEntry | 'cancelled' | undefined> => {
    const { entryId, reversedBy } = original;
    const key = recordedKey();
    if (key) {
      const entry = await entryReversals.get(key);
      if (entry.reverses === entryId) return entry;
      if (!isExternalIdTaken) throw new ApiError('idempotency_key_reused');
      return undefined;
    }
    if (reversedBy === null) return undefined;
    const reversal = await entryReversals.get(keyOfEntryId(name, reversedBy));
    if (reversal.reverses !== entryId) {
      throw new BooksDiffer(`${reversedBy} does not reverse ${original.journalNumber}`);
    }
    return reversal.status === 'cancelled' ? 'cancelled' : reversal;
  };

  /** @throws ApiError with every problem */
  const refuse = async (
    name: TenantName,
    problems: readonly Problem[],
    { user, isDryRun }: Pick<ReversalContext, 'user'> & { isDryRun: boolean },
  ): Promise<void> => {
    if (problems.length === 0 && !isDryRun) return;
    const isUnlinked = user !== undefined && !(await entryReversals.isLinked(user, name));
    const all = [...problems, ...(isUnlinked ? [userNotLinked()] : [])];
    const [first, ...others] = all;
    if (first?.code === 'user_not_found' && others.length === 0) {
      throw new ApiError('user_not_found');
    }
    throwIfProblems(all);
  };

  /** One attempt. Returns `undefined` if a concurrent request changed the original. */
  const tryToReverse = async (
    {
      tenant: name,
      originalName,
      idempotencyKey,
      createdWithKey,
      isDryRun,
      refusesMismatch,
    }: ReversalRequest,
    draft: ReversalDraft,
    { now, budget }: { now: Date; budget: ContentionBudget },
  ): Promise<RecordedEntry | undefined> => {
    const today = dateOf(now);
    const { context, dated } = await prepare(name, draft, { originalName, idempotencyKey, today });
    const lookup = { hasTenant: context.tenant !== undefined, entry: context.original };
    const original = requireEntry(lookup, originalName);
    const recorded = await findRecorded(name, original, context);
    if (recorded === 'cancelled') return undefined;
    if (recorded) {
      if (refusesMismatch) {
        throwIfProblems(problemsOfMismatch(differencesOfReversal(draft, recorded)));
      }
      return { entry: recorded, replayed: true };
    }
    if (original.reverses !== null) throw new ApiError('entry_is_a_reversal');
    if (original.status !== 'posted') throw new ApiError('entry_not_posted');
    const problems = problemsOfReversal(dated, { context, idempotencyKey, today, quotas });
    const { user, snapshot } = context;
    await refuse(name, problems, { user, isDryRun });
    const { date } = dated;
    if (date === undefined) throw new Error('a reversal without problems has no date');
    const indexedMetadata = context.tenant?.indexedMetadata;
    const creation = { createdAt: now.toISOString(), createdWithKey, indexedMetadata };
    const reversal = makeReversal(original, { ...draft, date }, creation);
    const request = { reversal, idempotencyKey, user, snapshot };
    const entry = isDryRun
      ? entryReversals.preview(name, request)
      : await entryReversals.record(name, { ...request, budget });
    return entry === 'superseded' ? undefined : { entry, replayed: false };
  };

  return {
    /**
     * Reverses a posted entry, immediately or on a later date. Returns the existing reversal if
     * there is one. A dry run writes nothing.
     * @throws ApiError if the entry does not exist, cannot be reversed, or the request has problems
     */
    reverse: (target: ReversalRequest, draft: ReversalDraft): Promise<RecordedEntry> => {
      // Read once: all attempts must have the same date, even around midnight.
      const now = clock();
      const budget = contentionBudgetOf(performance.now());
      const attempt = () => tryToReverse(target, draft, { now, budget });
      // The concurrent change is already written, so the second attempt need not wait.
      return retryOnContention(async () => (await attempt()) ?? (await attempt()), budget);
    },

    /** Finds more problems of a request that its schema has already refused. */
    problemsOf: async (
      { tenant: name, ...target }: ReversalTarget<TenantName | undefined>,
      draft: PartialReversal,
    ): Promise<Problem[]> => {
      const { originalName, idempotencyKey } = target;
      if (name === undefined) return idempotencyKeyProblems(idempotencyKey);
      const today = dateOf(clock());
      const { context, dated } = await prepare(name, draft, { ...target, today });
      const { tenant, original, user } = context;
      const isOther = original !== undefined && !matchesEntryId(original, originalName);
      const checkedContext = {
        ...context,
        original: isOther ? undefined : original,
        // An earlier attempt of this request may have used the external_id.
        isExternalIdTaken: false,
      };
      const isUnlinked = tenant && user && !(await entryReversals.isLinked(user, name));
      return [
        ...(tenant ? [] : [tenantNotFound]),
        ...problemsOfReversal(dated, { context: checkedContext, idempotencyKey, today, quotas }),
        ...(isUnlinked ? [userNotLinked()] : []),
      ];
    },
  };
};
