import { expect, test, vi } from 'vitest';
import { remember } from '#infra/local/stand-ins/remember.ts';

test('a result is computed once, and again after 10,000 others', () => {
  const compute = vi.fn((argument: number) => -argument);
  const negate = remember(compute);
  expect([negate(1), negate(2), negate(1), negate(2)]).toEqual([-1, -2, -1, -2]);
  expect(compute).toHaveBeenCalledTimes(2);
  for (let argument = 3; argument <= 10_001; argument += 1) negate(argument);
  expect(negate(1)).toBe(-1);
  expect(compute).toHaveBeenCalledTimes(10_002);
});
