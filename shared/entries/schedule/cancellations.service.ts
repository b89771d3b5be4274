// Cancels scheduled entries.

import { ApiError } from '../../errors.ts';
import type { TenantName } from '../../table/keys.ts';
import { addressOf, requireEntry } from '../entry-by-name.service.ts';
import type { EntryLookups } from '../entry-lookups.store.ts';
import type { EntryName } from '../entry-names.ts';
import { contentionBudgetOf } from '../posting-budget.ts';
import type { CancelledEntry, EntryCancellations } from './cancellations.store.ts';

export type Cancellations = ReturnType<typeof openCancellations>;

export const openCancellations = ({
  entryCancellations,
  lookups,
  clock,
}: {
  entryCancellations: EntryCancellations;
  lookups: EntryLookups;
  clock: () => Date;
}) => ({
  /**
   * Cancels a scheduled entry. Returns the entry if it is already cancelled.
   * @throws ApiError `tenant_not_found`, `journal_entry_not_found`, `entry_not_scheduled`
   */
  cancel: async (
    tenant: TenantName,
    { keyId, ...entryName }: EntryName & { keyId: string },
  ): Promise<CancelledEntry> => {
    const budget = contentionBudgetOf(performance.now());
    const entry = requireEntry(await lookups.find(tenant, addressOf(entryName)), entryName);
    const cancelledAt = clock().toISOString();
    const cancellation = { cancelledAt, cancelledWithKey: keyId, budget };
    const outcome = await entryCancellations.cancel(tenant, entry, cancellation);
    if (outcome === 'not_scheduled') throw new ApiError('entry_not_scheduled');
    return outcome;
  },
});
