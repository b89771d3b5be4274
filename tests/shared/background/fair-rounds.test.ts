import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { openRounds } from '#shared/background/fair-rounds.ts';

type Work = { applicationId: string; schemaName: string; steps: number };

const work = fc.record({
  applicationId: fc.constantFrom('a', 'b', 'c'),
  schemaName: fc.constantFrom('one', 'two', 'three'),
  steps: fc.integer({ min: 1, max: 4 }),
});
const ownerOf = (it: Work) => it;
const tenantOf = ({ applicationId, schemaName }: Work) => `${applicationId} ${schemaName}`;

/** Runs `slots` turns in parallel and ends a random one each time. */
const runAll = (due: Work[], { slots, choices }: { slots: number; choices: number[] }): Work[] => {
  const rounds = openRounds(due, { ownerOf });
  const running: Work[] = [];
  const order: Work[] = [];
  const left = new Map(due.map((it) => [it, it.steps]));
  for (let turn = 0; ; turn += 1) {
    for (let taken = rounds.take(); taken; taken = rounds.take()) {
      running.push(taken);
      order.push(taken);
      if (running.length === slots) break;
    }
    expect(new Set(running.map(tenantOf)).size, 'one turn a tenant').toBe(running.length);
    const at = (choices[turn % choices.length] ?? 0) % Math.max(1, running.length);
    const [ended] = running.splice(at, 1);
    if (ended === undefined) break;
    const steps = (left.get(ended) ?? 0) - 1;
    left.set(ended, steps);
    rounds.giveBack(ended, { isFinished: steps === 0 });
  }
  expect(rounds.left()).toEqual([]);
  return order;
};

describe('the turns of a run', () => {
  const cases = {
    due: fc.array(work, { maxLength: 40 }),
    slots: fc.integer({ min: 1, max: 5 }),
    choices: fc.array(fc.nat(100), { minLength: 1, maxLength: 20 }),
  };

  test('finish all work in any order of completion', () => {
    const property = fc.property(cases.due, cases.slots, cases.choices, (due, slots, choices) => {
      const order = runAll(due, { slots, choices });
      for (const it of due) expect(order.filter((taken) => taken === it)).toHaveLength(it.steps);
    });
    fc.assert(property, { numRuns: 300 });
  });

  test('alternate between the applications with remaining work', () => {
    const property = fc.property(cases.due, (due) => {
      const order = runAll(due, { slots: 1, choices: [0] });
      const left = new Map<string, number>();
      for (const { applicationId, steps } of due) {
        left.set(applicationId, (left.get(applicationId) ?? 0) + steps);
      }
      const waited = new Map<string, number>();
      for (const { applicationId } of order) {
        for (const [other, turns] of left) {
          if (other === applicationId || turns === 0) continue;
          waited.set(other, (waited.get(other) ?? 0) + 1);
          expect(waited.get(other)).toBeLessThanOrEqual(left.size);
        }
        waited.set(applicationId, 0);
        left.set(applicationId, (left.get(applicationId) ?? 0) - 1);
      }
    });
    fc.assert(property, { numRuns: 300 });
  });

  test('start with the oldest work', () => {
    const due = ['a one', 'a two', 'b one', 'c one', 'c two'].map((text): Work => {
      const [applicationId = '', schemaName = ''] = text.split(' ');
      return { applicationId, schemaName, steps: 1 };
    });
    const order = runAll(due, { slots: 1, choices: [0] }).map(tenantOf);
    expect(order).toEqual(['a one', 'b one', 'c one', 'a two', 'c two']);
  });

  test('end for an application at its maximum, and continue for others', () => {
    const due = Array.from({ length: 5 }, (_, index): Work => {
      return { applicationId: 'a', schemaName: `tenant ${index}`, steps: 1 };
    });
    const other: Work = { applicationId: 'b', schemaName: 'one', steps: 1 };
    const rounds = openRounds([...due, other], { ownerOf, turnsPerApplication: 2 });
    const taken = Array.from({ length: 4 }, rounds.take);
    expect(taken).toEqual([due[0], other, due[1], undefined]);
    for (const it of taken) if (it) rounds.giveBack(it, { isFinished: true });
    expect(rounds.left()).toEqual(due.slice(2));
  });

  test('cannot be ended twice', () => {
    const [lone] = [{ applicationId: 'a', schemaName: 'one', steps: 1 }];
    const rounds = openRounds([lone], { ownerOf });
    rounds.take();
    rounds.giveBack(lone, { isFinished: true });
    expect(() => rounds.giveBack(lone, { isFinished: true })).toThrow('has no turn');
  });
});
