// Generates openapi.json in this folder (`npm run openapi`).

import { writeFile } from 'node:fs/promises';
import { buildOpenApi, openApiFile, textOf } from './build.ts';

await writeFile(openApiFile, textOf(await buildOpenApi()));
