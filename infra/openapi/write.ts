// Generates openapi.json and openapi.d.ts in this folder (`npm run openapi`).

import { writeFile } from 'node:fs/promises';
import { buildOpenApi, declarationsFile, openApiFile, textOf } from './build.ts';
import { declarationsOf } from './declarations/generate.ts';

const document = await buildOpenApi();
await writeFile(openApiFile, textOf(document));
await writeFile(declarationsFile, await declarationsOf(document));
