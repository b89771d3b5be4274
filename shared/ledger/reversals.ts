// Reverses posted entries that requests name, each once.

import { BooksDiffer } from '../domain/entries/entry-checks.ts';
import { type EntryName, isNamed } from '../domain/entries/entry-names.ts';
import type { JournalEntry } from '../domain/entries/journal-entry.ts';
import {
  makeReversal,
  type ReversalDraft,
  reversalDateProblems,
} from '../domain/entries/reversal.ts';
import { idempotencyKeyProblems } from '../domain/idempotency-keys.ts';
import { ApiError, type Problem, problem, throwIfProblems } from '../errors.ts';
import { keyOfEntryId } from '../store/entry-lookups.ts';
import type { EntryReversals, ReversalContext } from '../store/entry-reversals.ts';
import { postingBudgetSeconds, type RecordedEntry } from '../store/journal-entries.ts';
import type { TenantName } from '../store/keys.ts';
import { type ContentionBudget, retryOnContention } from '../store/retry.ts';
import { userNotLinked } from '../store/tenant-links.ts';
import { addressOf, requireEntry } from './entry-by-name.ts';
import { tenantNameFor } from './tenant-names.ts';

/** Which entry is reversed by which key; a dry run reverses nothing. */
export type ReversalTarget<Domain = string> = {
  applicationId: string;
  domainUrl: Domain;
  named: EntryName;
  idempotencyKey: string | undefined;
};

/** As much of a reversal as could be read. */
export type PartialReversal = Pick<ReversalDraft, 'externalId' | 'userId'> & {
  date: string | undefined;
  accrualDate: string | null | undefined;
};

/** What is wrong with a reversal, but whether its user and the tenant are linked. */
const problemsOfReversal = (
  draft: PartialReversal,
  {
    context: { tenant, original, user, isExternalIdTaken },
    idempotencyKey,
  }: { context: ReversalContext; idempotencyKey: string | undefined },
): Problem[] => [
  ...idempotencyKeyProblems(idempotencyKey),
  ...(tenant ? reversalDateProblems(draft, { tenant, original }) : []),
  ...(isExternalIdTaken ? [problem('external_id_taken', '/external_id')] : []),
  ...(draft.userId !== null && user === undefined ? [problem('user_not_found', '/user_id')] : []),
];

export type Reversals = ReturnType<typeof openReversals>;

export const openReversals = ({
  entryReversals,
  baseDomain,
  clock,
}: {
  entryReversals: EntryReversals;
  baseDomain: string;
  clock: () => Date;
}) => {
  const prepare = (
    name: TenantName,
    draft: PartialReversal,
    { named, idempotencyKey }: Omit<ReversalTarget, 'applicationId' | 'domainUrl'>,
  ): Promise<ReversalContext> => {
    const { date, accrualDate, externalId, userId } = draft;
    const isKeyValid = idempotencyKeyProblems(idempotencyKey).length === 0;
    return entryReversals.prepare(name, {
      ...{ original: addressOf(named), date, externalId, userId },
      postingDate: accrualDate === undefined ? undefined : (accrualDate ?? date),
      idempotencyKey: isKeyValid ? idempotencyKey : undefined,
    });
  };

  /**
   * The reversal that is recorded for a request: the one that its external_id or its
   * Idempotency-Key stands for, or else the one by which its original is reversed; `undefined`
   * where there is none. `freed` is said where that one was cancelled since the original was read.
   * @throws ApiError `idempotency_key_reused` where the key stands for something else
   */
  const findRecorded = async (
    name: TenantName,
    original: JournalEntry,
    { recorded, isExternalIdTaken }: ReversalContext,
  ): Promise<JournalEntry | 'freed' | undefined> => {
    const { entryId, reversedBy } = original;
    const key = recorded();
    if (key) {
      const found = await entryReversals.get(key);
      if (found.reverses === entryId) return found;
      if (!isExternalIdTaken) throw new ApiError('idempotency_key_reused');
      return undefined;
    }
    if (reversedBy === null) return undefined;
    const found = await entryReversals.get(keyOfEntryId(name, reversedBy));
    if (found.reverses !== entryId) {
      throw new BooksDiffer(`${original.journalNumber} is not what ${reversedBy} reverses`);
    }
    return found.status === 'cancelled' ? 'freed' : found;
  };

  /** @throws ApiError where a rule is broken, with every one that is */
  const refuse = async (
    name: TenantName,
    found: readonly Problem[],
    { user, isDryRun }: Pick<ReversalContext, 'user'> & { isDryRun: boolean },
  ): Promise<void> => {
    if (found.length === 0 && !isDryRun) return;
    const isUnlinked = user !== undefined && !(await entryReversals.isLinked(user, name));
    const all = [...found, ...(isUnlinked ? [userNotLinked()] : [])];
    const [first, ...others] = all;
    if (first?.code === 'user_not_found' && others.length === 0) {
      throw new ApiError('user_not_found');
    }
    throwIfProblems(all);
  };

  /** One try; `undefined` where another request came in between. */
  const tryToReverse = async (
    {
      named,
      idempotencyKey,
      createdWithKey,
      isDryRun,
      ...target
    }: ReversalTarget & {
      createdWithKey: string;
      isDryRun: boolean;
    },
    draft: ReversalDraft,
    { now, budget }: { now: Date; budget: ContentionBudget },
  ): Promise<RecordedEntry | undefined> => {
    const name = tenantNameFor({ ...target, baseDomain });
    if (name === undefined) throw new ApiError('tenant_not_found');
    const context = await prepare(name, draft, { named, idempotencyKey });
    const found = { hasTenant: context.tenant !== undefined, entry: context.original };
    const original = requireEntry(found, named);
    const recorded = await findRecorded(name, original, context);
    if (recorded === 'freed') return undefined;
    if (recorded) return { entry: recorded, replayed: true };
    if (original.reverses !== null) throw new ApiError('entry_is_a_reversal');
    if (original.status !== 'posted') throw new ApiError('entry_not_posted');
    const problems = problemsOfReversal(draft, { context, idempotencyKey });
    const { user, sheets } = context;
    await refuse(name, problems, { user, isDryRun });
    const made = { createdAt: now.toISOString(), createdWithKey };
    const asked = { reversal: makeReversal(original, draft, made), idempotencyKey, user, sheets };
    const entry = isDryRun
      ? entryReversals.preview(name, asked)
      : await entryReversals.record(name, { ...asked, budget });
    return entry === 'superseded' ? undefined : { entry, replayed: false };
  };

  return {
    /**
     * Reverses a posted entry, at once or on a later date, and finds the reversal where there is
     * one already.
     * @throws ApiError where there is no such entry, where its state forbids it, or where the
     *   request breaks a rule
     */
    reverse: (
      target: ReversalTarget & { createdWithKey: string; isDryRun: boolean },
      draft: ReversalDraft,
    ): Promise<RecordedEntry> => {
      // One moment for all tries, so that midnight cannot come between.
      const now = clock();
      const budget = { milliseconds: postingBudgetSeconds * 1000, since: performance.now() };
      const attempt = () => tryToReverse(target, draft, { now, budget });
      // What came in between is there by now, so the second try need not wait.
      return retryOnContention(async () => (await attempt()) ?? (await attempt()), budget);
    },

    /** What the table says of a request to reverse that is wrong already, beyond that. */
    problemsOf: async (
      { domainUrl, applicationId, ...target }: ReversalTarget<string | undefined>,
      draft: PartialReversal,
    ): Promise<Problem[]> => {
      const { named, idempotencyKey } = target;
      const name = tenantNameFor({ applicationId, domainUrl, baseDomain });
      const notFound = domainUrl === undefined ? [] : [problem('tenant_not_found', '/domain_url')];
      if (name === undefined) return [...notFound, ...idempotencyKeyProblems(idempotencyKey)];
      const context = await prepare(name, draft, target);
      const { tenant, original, user } = context;
      const isOther = original !== undefined && !isNamed(original, named);
      const known = {
        ...context,
        original: isOther ? undefined : original,
        // It may be that of the request that this one repeats.
        isExternalIdTaken: false,
      };
      const isUnlinked = tenant && user && !(await entryReversals.isLinked(user, name));
      return [
        ...(tenant ? [] : notFound),
        ...problemsOfReversal(draft, { context: known, idempotencyKey }),
        ...(isUnlinked ? [userNotLinked()] : []),
      ];
    },
  };
};
