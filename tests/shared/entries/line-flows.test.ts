import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { lineClasses } from '#shared/accounts/line-classes.ts';
import { type LineEffect, lineFlowsOf } from '#shared/entries/line-flows.ts';
import { sharesOf } from '../../support/readers/statements/cash-legs.ts';

const amount = fc.oneof(fc.bigInt(-9n, 9n), fc.bigInt(-99_999n, 99_999n));

/** Balanced entries of lines of any class. */
const anyEntry: fc.Arbitrary<LineEffect[]> = fc
  .tuple(
    fc.array(fc.record({ lineClass: fc.constantFrom(...lineClasses), effect: amount }), {
      minLength: 1,
      maxLength: 6,
    }),
    fc.constantFrom(...lineClasses),
  )
  .map(([lines, lineClass]) => {
    const total = lines.reduce((sum, { effect }) => sum + effect, 0n);
    return [...lines, { lineClass, effect: -total }];
  });

const sum = (amounts: readonly bigint[]): bigint => amounts.reduce((total, it) => total + it, 0n);

describe('the flows of any entry', () => {
  test('are those of the model', () => {
    fc.assert(
      fc.property(anyEntry, (lines) => {
        expect(lineFlowsOf(lines)).toEqual(sharesOf(lines));
      }),
      { numRuns: 2_000 },
    );
  });

  test('add up to the movement of cash, and transactions without cash to zero', () => {
    fc.assert(
      fc.property(anyEntry, (lines) => {
        const flows = lineFlowsOf(lines);
        const cash = lines.filter(({ lineClass }) => lineClass === 'cash');
        const movement = -sum(cash.map(({ effect }) => effect));
        const isMoved = lines.some(({ lineClass }) => /^(cash|transfer)$/.test(lineClass));
        expect(sum(flows.map(({ flow }) => flow))).toBe(isMoved ? movement : 0n);
        expect(sum(flows.map(({ nonCash }) => nonCash))).toBe(0n);
      }),
      { numRuns: 1_000 },
    );
  });

  test('have the sign of the movement that lines beside money share', () => {
    const isOther = ({ lineClass }: LineEffect) =>
      !['cash', 'transfer', 'unknown'].includes(lineClass);
    fc.assert(
      fc.property(anyEntry, (lines) => {
        fc.pre(lines.every(({ lineClass }) => lineClass !== 'unknown'));
        const flows = lineFlowsOf(lines).filter((_, place) => isOther(lines[place] as LineEffect));
        const all = flows.map(({ flow }) => flow);
        expect(all.every((flow) => flow >= 0n) || all.every((flow) => flow <= 0n)).toBe(true);
      }),
    );
  });

  test('are cancelled by its reversal', () => {
    fc.assert(
      fc.property(anyEntry, (lines) => {
        const reversed = lines.map(({ lineClass, effect }) => ({ lineClass, effect: -effect }));
        const negative = lineFlowsOf(lines).map(({ flow, nonCash, disposed }) => ({
          flow: -flow,
          nonCash: -nonCash,
          disposed: -disposed,
        }));
        expect(lineFlowsOf(reversed)).toEqual(negative);
      }),
    );
  });
});

test.each<[title: string, lines: [LineEffect['lineClass'], number][], flows: number[]]>([
  [
    'an entry of an earlier version keeps its effects',
    [
      ['unknown', -30_000],
      ['unknown', 20_000],
      ['cash', 10_000],
    ],
    [-30_000, 20_000, 0],
  ],
  [
    'an entry of an earlier version without cash has none',
    [
      ['unknown', -5],
      ['unknown', 5],
    ],
    [0, 0],
  ],
  [
    'a revaluation changes cash by the exchange difference alone',
    [
      ['cash', -5],
      ['revalued', 2],
      ['exchange_difference', 3],
    ],
    [0, 0, 5],
  ],
  [
    'of equal remainders, the first lines get the missing cents',
    [
      ['operating', -1],
      ['operating', -1],
      ['operating', -1],
      ['financing', 1],
      ['cash', 2],
    ],
    [-1, -1, 0, 0, 0],
  ],
])('%s', (_, lines, flows) => {
  const effects = lines.map(([lineClass, effect]) => ({ lineClass, effect: BigInt(effect) }));
  expect(lineFlowsOf(effects).map(({ flow }) => Number(flow))).toEqual(flows);
});
