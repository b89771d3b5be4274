// What verifies and repairs the items of a tenant.

import type { RecordedBooks } from '../operator/recorded-books.store.ts';

/** `pause` waits until the items of a transaction are visible. */
export type Checking = { books: RecordedBooks; pause: () => Promise<unknown>; repair: boolean };
