// `npm run sizes`: the size of each function's bundle, and the time to import it.

import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { environmentOf } from '../manifest/environment.ts';
import { localCredentials, localRegion } from '../manifest/local-credentials.ts';
import { type FunctionName, functions, functionsInvokedBy } from '../manifest/manifest.ts';
import { stages } from '../manifest/stages.ts';
import { type Bundle, bundleAll, oversizedBundles } from './bundles.ts';

const run = promisify(execFile);

/** Imports per bundle; the result is their median. */
const rounds = 7;

/** A placeholder: an import makes no calls. */
const nowhere = 'https://nowhere.invalid';

const environmentFor = (name: FunctionName): Record<string, string> => ({
  AWS_REGION: localRegion,
  AWS_ACCESS_KEY_ID: localCredentials.accessKeyId,
  AWS_SECRET_ACCESS_KEY: localCredentials.secretAccessKey,
  ...environmentOf('local', {
    settings: stages.local,
    secrets: functions[name].secrets,
    invokes: functionsInvokedBy(name),
    callbackBaseUrl: nowhere,
  }),
});

type Module = { entryPoint: string; environment: Record<string, string> };

/** Milliseconds from the start of a new process to the end of the import. */
const timeImport = async ({ entryPoint, environment }: Module): Promise<number> => {
  const script = 'import(process.argv[1]).then(() => console.log(performance.now()))';
  const { stdout } = await run(process.execPath, ['-e', script, entryPoint], { env: environment });
  return Number(stdout);
};

const medianOf = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;

/** The median of each module. Modules alternate, so noise affects all of them equally. */
const timeImports = async (modules: readonly Module[]): Promise<number[]> => {
  const times: number[][] = modules.map(() => []);
  for (let round = 0; round < rounds; round += 1) {
    for (const [place, module] of modules.entries()) {
      times[place]?.push(await timeImport(module));
    }
  }
  return times.map(medianOf);
};

export type ImportTime = { name: FunctionName; bytes: number; gzipBytes: number } & Record<
  'milliseconds' | 'emptyMilliseconds',
  number
>;

/** Measures the bundle of each function, and an empty handler for comparison. */
export const measureImports = async (
  bundles: Record<FunctionName, Bundle>,
  folder: string,
): Promise<ImportTime[]> => {
  const empty = join(folder, 'empty.cjs');
  await writeFile(empty, 'exports.handler = async () => {};\n');
  const named = Object.entries(bundles) as [FunctionName, Bundle][];
  const [emptyTime = Number.NaN, ...times] = await timeImports([
    { entryPoint: empty, environment: {} },
    ...named.map(([name, { entryPoint }]) => ({ entryPoint, environment: environmentFor(name) })),
  ]);
  const rows = named.map(async ([name, { entryPoint, bytes }], place) => ({
    name,
    bytes,
    gzipBytes: gzipSync(await readFile(entryPoint)).byteLength,
    milliseconds: times[place] ?? Number.NaN,
    emptyMilliseconds: emptyTime,
  }));
  return Promise.all(rows);
};

const kilobytes = (bytes: number): number => Math.round(bytes / 100) / 10;

const rowOf = ({ name, bytes, gzipBytes, milliseconds, emptyMilliseconds }: ImportTime) =>
  [
    name,
    {
      'minified kB': kilobytes(bytes),
      'gzip kB': kilobytes(gzipBytes),
      'import ms': Math.round(milliseconds),
      'empty ms': Math.round(emptyMilliseconds),
      'difference ms': Math.round(milliseconds - emptyMilliseconds),
    },
  ] as const;

const main = async (): Promise<void> => {
  const folder = await mkdtemp(join(tmpdir(), 'ledger-sizes-'));
  try {
    const bundles = await bundleAll(folder);
    const sizes = (await measureImports(bundles, folder)).map(rowOf);
    console.table(Object.fromEntries(sizes));
    const complaints = oversizedBundles(bundles);
    for (const complaint of complaints) console.error(complaint);
    process.exitCode = complaints.length > 0 ? 1 : 0;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
};

if (import.meta.main) await main();
