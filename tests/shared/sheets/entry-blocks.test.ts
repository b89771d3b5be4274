// Blocks never exclude a matching entry, whatever was recorded and whichever blocks exist.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { blockFilterOf } from '#shared/entries/lists/entry-filter.ts';
import {
  type BlocksOfSheet,
  blocksAround,
  type EntryBlock,
  partsOfRange,
  withBlockOf,
} from '#shared/sheets/entry-blocks.ts';

const rare = { account: 'rare', accountNumber: 7 };
const common = { account: 'common', accountNumber: 1 };
const manyAccounts = Array.from({ length: 400 }, (_, index) => ({
  account: `${index}`,
  accountNumber: 1_000 + index,
}));

/** The blocks of 900 entries. Some have the rare account, some have hundreds of accounts. */
const blocksOf = (places: { rare: Set<number>; large: Set<number> }): EntryBlock[] => {
  let blocks: BlocksOfSheet = {};
  for (let sequence = 1; sequence <= 900; sequence += 1) {
    const lines = [
      common,
      ...(places.rare.has(sequence) ? [rare] : []),
      ...(places.large.has(sequence) ? manyAccounts : []),
    ];
    blocks = { ...blocks, ...withBlockOf(blocks, { sequence, lines }) };
  }
  return [...(blocks.fullBlocks ?? [])];
};

const ofRare = blockFilterOf({ account: 'rare', accountNumber: 7 });

const sequence = fc.integer({ min: 1, max: 900 });

test('every entry with the account is in a part that is read', () => {
  fc.assert(
    fc.property(
      fc.array(sequence, { maxLength: 6 }),
      fc.array(sequence, { maxLength: 2 }),
      fc.tuple(sequence, sequence).map(([one, other]) => [one, other].sort((a, b) => a - b)),
      fc.integer({ min: 0, max: 8 }),
      (rareAt, largeAt, [first = 1, last = 1], missing) => {
        const all = blocksOf({ rare: new Set(rareAt), large: new Set(largeAt) });
        const around = blocksAround({ first, last });
        const blocks = all.filter(
          (it, index) => index !== missing && it.last >= around.first && it.last <= around.last,
        );
        const parts = partsOfRange({ first, last }, blocks, ofRare);
        const covered = parts.flatMap((it) => [it.first, it.last]);
        expect([covered[0], covered.at(-1)]).toEqual([first, last]);
        for (const [index, part] of parts.entries()) {
          const next = parts[index + 1];
          expect(next === undefined || next.first === part.last + 1).toBe(true);
          const has = rareAt.some((it) => part.first <= it && it <= part.last);
          expect(has && !part.mayMatch).toBe(false);
        }
      },
    ),
  );
});

test('only blocks with the account are read, after the first entries of a date', () => {
  const blocks = blocksOf({ rare: new Set([555]), large: new Set() });
  expect(partsOfRange({ first: 1, last: 930 }, blocks, ofRare)).toEqual([
    { first: 1, last: 200, mayMatch: true },
    { first: 201, last: 500, mayMatch: false },
    { first: 501, last: 600, mayMatch: true },
    { first: 601, last: 900, mayMatch: false },
    { first: 901, last: 930, mayMatch: true },
  ]);
});
