// How an entry of the ledger is divided into items, and how its series is counted.

import * as z from 'zod/mini';
import { furtherLinesKey, type Key, sequenceKey, type TenantName } from './keys.ts';
import { type Action, type Item, ifNotExists } from './table.ts';

/** An item holds 400 KB at most; a hundred lines of the longest texts stay well below that. */
export const linesPerItem = 100;

/** The actions that put an entry: its header with the first lines, and the lines after them. */
export const entryActions = (
  key: Key,
  entry: { lines: readonly unknown[] } & Item,
  attributes: Item = {},
): Action[] => {
  const { lines, ...header } = entry;
  const parts = Array.from({ length: Math.ceil(lines.length / linesPerItem) }, (_, part) =>
    lines.slice(part * linesPerItem, (part + 1) * linesPerItem),
  );
  const [firstLines, ...furtherLines] = parts;
  const first = { kind: 'entry', ...header, lines: firstLines, lineCount: lines.length };
  return [
    { put: { ...key, ...first, ...attributes }, condition: ifNotExists },
    ...furtherLines.map((more, part) => ({
      put: { ...furtherLinesKey(key, part + 1), lines: more },
      condition: ifNotExists,
    })),
  ];
};

const Sequence = z.object({ lastSequence: z.int() });

/** The last number that was given, as the item of the series says. */
export const lastSequenceOf = (item: Item | undefined): number =>
  item === undefined ? 0 : Sequence.parse(item).lastSequence;

/**
 * The action that moves a series on, unless somebody else has moved it since it was read.
 *
 * Each tenant and date has one counter, which moves in the entry's own transaction, so a rejected
 * request, a lost race or a crash cannot consume a number. Revisit when one tenant posts more than
 * some tens of entries a second for one date: they queue behind each other.
 */
export const sequenceAction = (
  name: TenantName,
  of: Parameters<typeof sequenceKey>[1],
  { last, next }: { last: number; next: number },
): Action => ({
  update: sequenceKey(name, of),
  expression: 'SET lastSequence = :next',
  condition: last === 0 ? ifNotExists : 'lastSequence = :last',
  values: { ':next': next, ...(last > 0 && { ':last': last }) },
});
