// Verifies that the items exist that list entries by their metadata.

import { metadataKeysOf } from '../entries/entry-items.store.ts';
import type { JournalEntry } from '../entries/journal-entry.ts';
import type { RecordedBooks } from '../operator/recorded-books.store.ts';
import { inBatches } from '../table/batches.ts';
import { type Key, keyText } from '../table/keys.ts';
import type { Finding } from './differences.ts';

const batchSize = 100;

/** Collects the items of entries and checks them in batches. Call `flush` at the end. */
export const openIndex = ({
  books,
  report,
}: {
  books: Pick<RecordedBooks, 'findItems'>;
  report: (it: Finding) => void;
}) => {
  const { add, flush } = inBatches<{ what: string; key: Key }>(batchSize, async (waiting) => {
    const items = await books.findItems(waiting.map(({ key }) => key));
    for (const { what, key } of waiting) {
      if (!items.has(keyText(key))) report({ what, expected: 'an item', found: 'none' });
    }
  });
  return {
    flush,
    add: async (key: Key, entry: JournalEntry): Promise<void> => {
      for (const [index, item] of metadataKeysOf(key, entry).entries()) {
        const what = `index of ${entry.indexed?.[index]} of ${entry.journalNumber}`;
        await add({ what, key: item });
      }
    },
  };
};
