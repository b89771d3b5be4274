// Builds the JSON that carries the program of the archives of books. A bundle of a function can
// import JSON, but not the text of a program.

import { readFile } from 'node:fs/promises';

const folder = new URL('../../shared/exports/', import.meta.url);

export const verifierFile = new URL('verifier.json', folder);

export const buildVerifier = async (): Promise<{ program: string }> => ({
  program: await readFile(new URL('verify.mjs', folder), 'utf8'),
});
