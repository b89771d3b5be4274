// Verifies that the blocks of a sheet have all accounts of their entries. A list passes over the
// entries of a block without the account of its filter. Blocks can be missing.

import { type JournalEntry, journalNumber } from '../entries/journal-entry.ts';
import type { RecordedBooks } from '../operator/recorded-books.store.ts';
import type { SheetName } from '../sheets/day-sheet.ts';
import {
  type BlocksOfSheet,
  type EntryBlock,
  namesIn,
  withBlockOf,
} from '../sheets/entry-blocks.ts';
import { codeInName } from '../sheets/row-text.ts';
import { inBatches } from '../table/batches.ts';
import { keyText, type TenantName } from '../table/keys.ts';
import { blockKey } from '../table/list-keys.ts';
import type { Finding } from './differences.ts';

const batchSize = 100;

const accountText = (name: string): string => codeInName(name) ?? `account number ${name}`;

/** Checks the blocks of a sheet while its entries are read in order. */
export const openBlocks = (
  { name, of }: { name: TenantName; of: SheetName },
  { books, report }: { books: Pick<RecordedBooks, 'findItems'>; report: (it: Finding) => void },
) => {
  let blocks: BlocksOfSheet = {};
  const full = inBatches<EntryBlock>(batchSize, async (waiting) => {
    const keyOf = ({ last }: EntryBlock) => blockKey(name, of, last);
    const items = await books.findItems(waiting.map(keyOf));
    for (const block of waiting) {
      const item = items.get(keyText(keyOf(block)));
      const found = namesIn(String(item?.accounts ?? block.accounts));
      const missing = namesIn(block.accounts).filter((it) => !found.includes(it));
      if (missing.length === 0) continue;
      const what = `block of entries up to ${journalNumber({ ...of, sequence: block.last })}`;
      report({ what, expected: missing.map(accountText).join(', '), found: 'none' });
    }
  });
  return {
    add: async (sequence: number, { lines }: Pick<JournalEntry, 'lines'>): Promise<void> => {
      const { fullBlocks = [], ...open } = withBlockOf(blocks, { sequence, lines });
      blocks = open;
      for (const block of fullBlocks) await full.add(block);
    },
    flush: full.flush,
  };
};
