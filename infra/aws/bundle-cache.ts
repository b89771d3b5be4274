// The bundles of `npm start -- --bundled`, which stay in a folder. A start bundles only if a file
// has changed since the last one.

import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import * as z from 'zod/mini';
import type { FunctionName } from '../manifest/manifest.ts';
import { type BundleInputs, entryFile, functionNames } from './bundles.ts';

const projectFolder = fileURLToPath(new URL('../..', import.meta.url));
const bundlingScript = fileURLToPath(new URL('./bundle-process.ts', import.meta.url));

/** Files that the bundles depend on, in addition to the bundled ones: the packages, the options. */
const settingsFiles = [
  'infra/aws/bundles.ts',
  'package-lock.json',
  'package.json',
  'tsconfig.json',
];

const CacheRecord = z.object({ inputs: z.array(z.string()), hash: z.string() });

const recordFileOf = (folder: string): string => join(folder, 'bundled.json');

const hashOf = async (inputs: BundleInputs): Promise<string> => {
  const hash = createHash('sha256');
  for (const file of [...settingsFiles, ...inputs]) {
    const content = await readFile(resolve(projectFolder, file));
    hash.update(`${file} ${content.byteLength}\n`).update(content);
  }
  return hash.digest('hex');
};

/** Records what the bundles in a folder were made of. */
export const recordBundles = async (folder: string, inputs: BundleInputs): Promise<void> => {
  const record: z.infer<typeof CacheRecord> = { inputs: [...inputs], hash: await hashOf(inputs) };
  await writeFile(recordFileOf(folder), JSON.stringify(record));
};

/** While there is no record, the bundles in a folder count as incomplete. */
export const removeRecord = (folder: string): Promise<void> =>
  rm(recordFileOf(folder), { force: true });

const entryPointIn = (folder: string, name: FunctionName): string => join(folder, name, entryFile);

/** Whether a folder has the bundles of the current files. A missing file is a change. */
export const hasCurrentBundles = async (folder: string): Promise<boolean> => {
  if (!functionNames.every((name) => existsSync(entryPointIn(folder, name)))) return false;
  try {
    const text = await readFile(recordFileOf(folder), 'utf8');
    const { inputs, hash } = CacheRecord.parse(JSON.parse(text));
    return (await hashOf(inputs)) === hash;
  } catch {
    return false;
  }
};

/**
 * Bundles every function into a folder, if necessary. The bundling needs 600 MB, so a process of
 * its own does it and ends.
 */
export const bundleIfChanged = async (folder: string): Promise<(name: FunctionName) => string> => {
  if (!(await hasCurrentBundles(folder))) {
    await promisify(execFile)(process.execPath, [bundlingScript, folder]);
  }
  return (name) => entryPointIn(folder, name);
};
