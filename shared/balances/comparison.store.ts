// The stored comparison of a tenant's books with its platform's.

import * as z from 'zod/mini';
import type { Item } from '../table/table.ts';
import { type Comparison, noComparison } from './coverage.ts';

const StoredComparison = z.object({
  checkedAt: z.nullable(z.string()),
  completeAt: z.nullable(z.string()),
  reason: z.nullable(z.string()),
  yearEnd: z.string(),
  lastDay: z.nullable(z.string()),
  days: z.array(z.object({ date: z.string(), reason: z.nullable(z.string()) })),
});

/** Without an item, nothing was compared yet. */
export const comparisonOf = (item: Item | undefined): Comparison =>
  item === undefined ? noComparison : StoredComparison.parse(item);
