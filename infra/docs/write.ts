// Generates openapi.json in this folder, and the program in the archives of books (`npm run
// openapi`).

import { writeFile } from 'node:fs/promises';
import { buildOpenApi, openApiFile, textOf } from './build.ts';
import { buildVerifier, verifierFile } from './verifier.ts';

await writeFile(openApiFile, textOf(await buildOpenApi()));
await writeFile(verifierFile, textOf(await buildVerifier()));
