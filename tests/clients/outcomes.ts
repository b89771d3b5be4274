// The cache folder and the outcomes of `npm run test:clients`.

import { resolve } from 'node:path';

export const cacheFolder = resolve('.clients');

export type Outcome = 'passed' | 'failed' | 'left out';
