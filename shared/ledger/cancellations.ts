// Cancels scheduled entries that requests name.

import type { EntryName } from '../domain/entries/entry-names.ts';
import { ApiError, type Problem, problem } from '../errors.ts';
import type { CancelledEntry, EntryCancellations } from '../store/entry-cancellations.ts';
import type { EntryLookups } from '../store/entry-lookups.ts';
import { postingBudgetSeconds } from '../store/journal-entries.ts';
import { addressOf, requireEntry } from './entry-by-name.ts';
import { tenantNameFor } from './tenant-names.ts';

export type Cancellations = ReturnType<typeof openCancellations>;

export const openCancellations = ({
  entryCancellations,
  lookups,
  baseDomain,
  clock,
}: {
  entryCancellations: EntryCancellations;
  lookups: EntryLookups;
  baseDomain: string;
  clock: () => Date;
}) => ({
  /**
   * Cancels a scheduled entry, and finds one that is cancelled already.
   * @throws ApiError where there is no such entry, or where it is posted
   */
  cancel: async (
    target: { applicationId: string; domainUrl: string },
    named: EntryName,
  ): Promise<CancelledEntry> => {
    const budget = { milliseconds: postingBudgetSeconds * 1000, since: performance.now() };
    const name = tenantNameFor({ ...target, baseDomain });
    if (name === undefined) throw new ApiError('tenant_not_found');
    const entry = requireEntry(await lookups.find(name, addressOf(named)), named);
    const cancelledAt = clock().toISOString();
    const outcome = await entryCancellations.cancel(name, entry, { cancelledAt, budget });
    if (outcome === 'not_scheduled') throw new ApiError('entry_not_scheduled');
    return outcome;
  },

  /** What the table says of a request that is wrong already, beyond that. */
  problemsOf: async (target: {
    applicationId: string;
    domainUrl: string | undefined;
  }): Promise<Problem[]> => {
    if (target.domainUrl === undefined) return [];
    const name = tenantNameFor({ ...target, baseDomain });
    const found = name && (await lookups.find(name, undefined));
    return found?.hasTenant ? [] : [problem('tenant_not_found', '/domain_url')];
  },
});
