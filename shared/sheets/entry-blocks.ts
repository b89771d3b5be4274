// Blocks of entries of a date and series, each with its accounts and a time of recording. On a date
// with thousands of entries, a list with a filter passes over the blocks that it excludes.

import type { JournalLine } from '../entries/journal-entry.ts';
import { rowNameOf } from './row-text.ts';

const blockSize = 100;

/** The first entries of a date have no blocks, so the posts of most dates do not pay for them. */
const entriesWithoutBlocks = 200;

/**
 * `recordedUntil` is the time of the last recording, in milliseconds since 1970; `undefined` if it
 * is not known, because an earlier version recorded some of the entries.
 */
export type RecordingTime = { recordedUntil?: number | undefined };

/**
 * The accounts of the hundred entries up to the sequence `last`, one name per line. No entry of the
 * block or before it was recorded after `recordedUntil`.
 */
export type EntryBlock = RecordingTime & { last: number; accounts: string };

/**
 * The accounts of the last entries of a sheet, which are not yet a block; `undefined` if they are
 * not known or too many. `fullBlocks` are to be stored in the transaction that changes the sheet.
 */
export type BlocksOfSheet = RecordingTime & {
  openBlock?: string | undefined;
  fullBlocks?: readonly EntryBlock[] | undefined;
};

/** Longer lists would make the posts of the date more expensive than they are worth. */
const maximumNamesLength = 1_000;

export const namesIn = (text: string): string[] => (text === '' ? [] : text.split('\n'));

/** Adds names to a list, one per line; `undefined` if it is not known or becomes too long. */
export const withNames = (
  known: string | undefined,
  names: Iterable<string>,
): string | undefined => {
  if (known === undefined) return undefined;
  const text = [...new Set([...namesIn(known), ...names])].join('\n');
  return text.length <= maximumNamesLength ? text : undefined;
};

/** Whether a sheet with this last sequence can have blocks. */
export const mayHaveBlocks = ({ lastSequence }: { lastSequence: number }): boolean =>
  lastSequence >= entriesWithoutBlocks + blockSize;

/** The blocks of a sheet after the entry with this sequence. */
export const withBlockOf = (
  { openBlock, fullBlocks = [], recordedUntil }: BlocksOfSheet,
  {
    sequence,
    lines,
  }: { sequence: number; lines: readonly Pick<JournalLine, 'account' | 'accountNumber'>[] },
): Omit<BlocksOfSheet, 'recordedUntil'> => {
  if (sequence <= entriesWithoutBlocks) return {};
  const known = sequence % blockSize === 1 ? '' : openBlock;
  const names = lines.map((line) => rowNameOf({ code: line.account, number: line.accountNumber }));
  const accounts = withNames(known, names);
  if (sequence % blockSize !== 0) return { openBlock: accounts };
  const full = accounts === undefined ? [] : [{ last: sequence, accounts, recordedUntil }];
  return { openBlock: undefined, fullBlocks: [...fullBlocks, ...full] };
};

/** The entries from one sequence to another. */
export type SequenceRange = { first: number; last: number };

export type PartOfSheet = SequenceRange & { mayMatch: boolean };

/** The range of the sequences `last` of all blocks with entries of a range. */
export const blocksAround = ({ first, last }: SequenceRange): SequenceRange => ({
  first,
  last: last + blockSize - 1,
});

export const firstOfBlock = ({ last }: Pick<EntryBlock, 'last'>): number => last - blockSize + 1;

/**
 * Divides a range into parts that blocks exclude, and others, in ascending order. Entries without a
 * block are not excluded.
 */
export const partsOfRange = (
  range: SequenceRange,
  blocks: readonly EntryBlock[],
  mayMatch: (block: EntryBlock) => boolean,
): PartOfSheet[] => {
  const parts: PartOfSheet[] = [];
  const add = (part: PartOfSheet): void => {
    const before = parts.at(-1);
    if (part.first > part.last) return;
    if (before?.mayMatch === part.mayMatch) before.last = part.last;
    else parts.push(part);
  };
  let { first } = range;
  for (const block of blocks) {
    const start = Math.max(first, firstOfBlock(block));
    add({ first, last: start - 1, mayMatch: true });
    add({ first: start, last: Math.min(block.last, range.last), mayMatch: mayMatch(block) });
    first = block.last + 1;
  }
  add({ first, last: range.last, mayMatch: true });
  return parts;
};
