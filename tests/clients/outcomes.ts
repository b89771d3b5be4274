// What the parts of `npm run test:clients` share: where they keep what they install, and how each
// client's turn can end.

import { resolve } from 'node:path';

export const cacheFolder = resolve('.clients');

export type Outcome = 'passed' | 'failed' | 'left out';
