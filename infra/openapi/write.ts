// Writes openapi.json beside this file: `npm run openapi`.

import { writeFile } from 'node:fs/promises';
import { openApiFile, openApiText } from './build.ts';

await writeFile(openApiFile, await openApiText());
