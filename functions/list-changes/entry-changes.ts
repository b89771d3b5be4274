// What happened to an entry, as a change in the list.

import { contentOf } from '#shared/entries/entry-hash.ts';
import type { JournalEntry } from '#shared/entries/journal-entry.ts';
import type { EntryChange } from '#shared/entries/lists/entry-filter.ts';
import { type Actor, byImport, byKey, byService } from '#shared/history/tenant-history.ts';
import type { ChangeView } from './schema.ts';

/** An earlier version did not record which key cancelled an entry. */
const byKeyOrUnknown = (keyId: string | undefined): Actor => ({
  actor: 'api_key',
  actorId: keyId ?? null,
});

const viewBy = ({ actor, actorId }: Actor) => ({ actor, actor_id: actorId });

const kindByType = {
  'Manual Journal': 'entry_created',
  'Imported Journal': 'entry_imported',
  'Platform Balance': 'platform_balance_created',
  Revaluation: 'revaluation_created',
} as const;

const createdKind = ({ entryType, reverses }: JournalEntry) => {
  if (reverses !== null) return 'entry_reversed' as const;
  return kindByType[entryType];
};

const statusAtCreation = ({ accrualDate, createdAt, postedAt }: JournalEntry) =>
  accrualDate !== null && postedAt !== createdAt ? 'scheduled' : 'posted';

const creationOf = (entry: JournalEntry) => {
  const { transactions: _, metadata, ...content } = contentOf(entry);
  const { journal_number, date, posting_date, entry_type, external_id, user_id, ...more } = content;
  return {
    ...viewBy(entry.createdWithKey === null ? byImport : byKey(entry.createdWithKey)),
    at: entry.createdAt,
    what: createdKind(entry),
    before: {},
    after: {
      journal_number,
      status: statusAtCreation(entry),
      date,
      posting_date,
      entry_type,
      memo: more.memo,
      external_id,
      user_id,
      transaction_currency: more.transaction_currency,
      transaction_amount: more.transaction_amount,
      book_amount: more.book_amount,
      ...(entry.reverses !== null && { reverses: entry.reverses }),
      // The report that an entry comes from.
      ...(entry_type === 'Platform Balance' && { metadata }),
    },
  };
};

const viewsByChange = {
  creation: creationOf,
  posting: (entry: JournalEntry) => ({
    ...viewBy(byService),
    at: entry.postedAt ?? '',
    what: 'entry_posted' as const,
    before: { status: 'scheduled' },
    after: { status: 'posted', posting_sequence: entry.postingSequence },
  }),
  cancellation: (entry: JournalEntry) => ({
    ...viewBy(byKeyOrUnknown(entry.cancelledWithKey)),
    at: entry.cancelledAt ?? '',
    what: 'entry_cancelled' as const,
    before: { status: 'scheduled' },
    after: { status: 'cancelled' },
  }),
} satisfies Record<EntryChange, (entry: JournalEntry) => object>;

export const changeOfEntry = (entry: JournalEntry, change: EntryChange): ChangeView => ({
  sequence: null,
  subject: entry.entryId,
  hash: entry.hash,
  ...viewsByChange[change](entry),
});
