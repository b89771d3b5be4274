// The table of version 1.0.0 in stored format 3. tests/data/README.md describes it.

import { readFileSync } from 'node:fs';
import type { RawItem } from './item-kinds.ts';

export const format3Items: readonly RawItem[] = JSON.parse(
  readFileSync(new URL('../../data/format-3.json', import.meta.url), 'utf8'),
);

/** The day after it was made. */
export const afterFormat3 = new Date('2026-11-23T12:00:00.000Z');
