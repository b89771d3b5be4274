// Verifies that the blocks of a sheet have all accounts of their entries, and no earlier time than
// they. A list passes over the entries of a block that its filter excludes. Blocks can be missing.

import { type JournalEntry, journalNumber } from '../entries/journal-entry.ts';
import type { RecordedBooks } from '../operator/recorded-books.store.ts';
import type { SheetName } from '../sheets/day-sheet.ts';
import {
  type BlocksOfSheet,
  type EntryBlock,
  namesIn,
  type RecordingTime,
  withBlockOf,
} from '../sheets/entry-blocks.ts';
import { codeInName } from '../sheets/row-text.ts';
import { inBatches } from '../table/batches.ts';
import { keyText, type TenantName } from '../table/keys.ts';
import { blockKey } from '../table/list-keys.ts';
import type { Finding } from './differences.ts';

const batchSize = 100;

const accountText = (name: string): string => codeInName(name) ?? `account number ${name}`;

const reportEarlierTime = (
  what: string,
  {
    block: { recordedUntil = 0 },
    found,
    report,
  }: { block: RecordingTime; found: unknown; report: (it: Finding) => void },
): void => {
  if (typeof found !== 'number' || found >= recordedUntil) return;
  const textOf = (milliseconds: number): string => new Date(milliseconds).toISOString();
  report({ what, expected: textOf(recordedUntil), found: textOf(found) });
};

/** Checks the blocks of a sheet while its entries are read in order. */
export const openBlocks = (
  { name, of }: { name: TenantName; of: SheetName },
  { books, report }: { books: Pick<RecordedBooks, 'findItems'>; report: (it: Finding) => void },
) => {
  let blocks: BlocksOfSheet = { recordedUntil: 0 };
  const full = inBatches<EntryBlock>(batchSize, async (waiting) => {
    const keyOf = ({ last }: EntryBlock) => blockKey(name, of, last);
    const items = await books.findItems(waiting.map(keyOf));
    for (const block of waiting) {
      const item = items.get(keyText(keyOf(block)));
      const found = namesIn(String(item?.accounts ?? block.accounts));
      const missing = namesIn(block.accounts).filter((it) => !found.includes(it));
      const what = `block of entries up to ${journalNumber({ ...of, sequence: block.last })}`;
      if (missing.length > 0) {
        report({ what, expected: missing.map(accountText).join(', '), found: 'none' });
      }
      reportEarlierTime(`time of the ${what}`, { block, found: item?.recordedUntil, report });
    }
  });
  return {
    add: async (
      sequence: number,
      { lines, createdAt }: Pick<JournalEntry, 'lines' | 'createdAt'>,
    ): Promise<void> => {
      const recordedUntil = Math.max(blocks.recordedUntil ?? 0, Date.parse(createdAt));
      const { fullBlocks = [], ...open } = withBlockOf(
        { ...blocks, recordedUntil },
        { sequence, lines },
      );
      blocks = { ...open, recordedUntil };
      for (const block of fullBlocks) await full.add(block);
    },
    /** Checks the time of the sheet, which every entry must precede. */
    end: (sheet: RecordingTime): void =>
      reportEarlierTime('time of the last recording', {
        block: blocks,
        found: sheet.recordedUntil,
        report,
      }),
    flush: full.flush,
  };
};
