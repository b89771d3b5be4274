// Cancels scheduled entries.

import { ApiError, type Problem, problem } from '../../errors.ts';
import { tenantNameFor } from '../../tenants/tenant-names.service.ts';
import { addressOf, requireEntry } from '../entry-by-name.service.ts';
import type { EntryLookups } from '../entry-lookups.store.ts';
import type { EntryName } from '../entry-names.ts';
import { postingBudgetSeconds } from '../journal-entries.store.ts';
import type { CancelledEntry, EntryCancellations } from './cancellations.store.ts';

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
   * Cancels a scheduled entry. Returns the entry if it is already cancelled.
   * @throws ApiError `tenant_not_found`, `journal_entry_not_found`, `entry_not_scheduled`
   */
  cancel: async (
    target: { applicationId: string; domainUrl: string },
    entryName: EntryName,
  ): Promise<CancelledEntry> => {
    const budget = { milliseconds: postingBudgetSeconds * 1000, since: performance.now() };
    const name = tenantNameFor({ ...target, baseDomain });
    if (name === undefined) throw new ApiError('tenant_not_found');
    const entry = requireEntry(await lookups.find(name, addressOf(entryName)), entryName);
    const cancelledAt = clock().toISOString();
    const outcome = await entryCancellations.cancel(name, entry, { cancelledAt, budget });
    if (outcome === 'not_scheduled') throw new ApiError('entry_not_scheduled');
    return outcome;
  },

  /** Finds more problems of a request that its schema has already refused. */
  problemsOf: async (target: {
    applicationId: string;
    domainUrl: string | undefined;
  }): Promise<Problem[]> => {
    if (target.domainUrl === undefined) return [];
    const name = tenantNameFor({ ...target, baseDomain });
    const lookup = name && (await lookups.find(name, undefined));
    return lookup?.hasTenant ? [] : [problem('tenant_not_found', '/domain_url')];
  },
});
