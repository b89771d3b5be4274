import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { userId } from '#shared/fields.ts';
import { newUserId } from '#shared/users/users.store.ts';

test('new user ids are positive integers that use all 53 bits', () => {
  const ids = Array.from({ length: 2_000 }, () => newUserId(randomBytes));
  for (const id of ids) {
    expect(id).toMatch(/^[1-9]\d*$/);
    expect(userId.parse(id)).toBe(Number(id));
    expect(userId.parse(Number(id))).toBe(Number(id));
  }
  expect(new Set(ids).size).toBe(ids.length);
  const highBitSet = ids.filter((id) => Number(id) >= 2 ** 52).length;
  const odd = ids.filter((id) => Number(id) % 2 === 1).length;
  // Ten standard deviations around a half: fair bits fail this once in 10^22 runs.
  expect(Math.abs(highBitSet - 1_000)).toBeLessThan(224);
  expect(Math.abs(odd - 1_000)).toBeLessThan(224);
});
