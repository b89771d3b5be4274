// What verifies and repairs the items of a tenant.

import type { RecordedBooks } from '../operator/recorded-books.store.ts';
import { type Difference, inBothReadings } from './differences.ts';

/** `pause` waits until the items of a transaction are visible. */
export type Checking = { books: RecordedBooks; pause: () => Promise<unknown>; repair: boolean };

/**
 * The differences that two readings show. Only these are real, because the items of a transaction
 * become visible one by one.
 */
export const inTwoReadings = async (
  list: () => Promise<Difference[]>,
  pause: Checking['pause'],
): Promise<Difference[]> => {
  const first = await list();
  if (first.length === 0) return [];
  await pause();
  return inBothReadings(first, await list());
};
