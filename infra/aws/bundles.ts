// The functions as they are deployed: each one file, with everything that it imports inside.

import { mkdir, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, formatMessages, type Plugin } from 'esbuild';
import type { FunctionRow } from '../manifest/function-row.ts';
import { type FunctionName, functions } from '../manifest/manifest.ts';

/** A bundle: the folder to deploy as code, its entry point, and the size of that. */
export type Bundle = { code: string; entryPoint: string; bytes: number };

/**
 * A cold start loads and compiles all of it, so a bundle may not just grow. The packages in it are
 * kept by others and small: zod/mini validates, Powertools logs, fast-xml-parser reads the ECB's
 * files. Node itself has argon2id.
 */
export const maximumBundleBytes = 400_000;

const rows: Record<FunctionName, FunctionRow> = functions;

/** The functions whose bundle is too large, in sentences. */
export const oversizedBundles = (
  bundles: Partial<Record<FunctionName, Pick<Bundle, 'bytes'>>>,
): string[] =>
  (Object.entries(bundles) as [FunctionName, Bundle][])
    .filter(([name, { bytes }]) => bytes > maximumBundleBytes && !rows[name].hasAllAdapters)
    .map(
      ([name, { bytes }]) =>
        `${name} has ${bytes} bytes, more than ${maximumBundleBytes}. Make it smaller, or state ` +
        'in its row of the manifest that it has all adapters.',
    );

/**
 * What the AWS SDK imports when it is first used, and a function never uses: it finds its
 * credentials in the environment (AWS Lambda Developer Guide, "Defined runtime environment
 * variables"), where the SDK looks first, and calls no operation with an event stream. Left out,
 * these imports would fail if they were ever reached, which is right where no credentials are set.
 * Lambda's client imports what reads event streams as it is loaded: there it stays in the bundle.
 */
export const externalModules = [
  '@aws-sdk/credential-provider-http',
  '@aws-sdk/credential-provider-ini',
  '@aws-sdk/credential-provider-process',
  '@aws-sdk/credential-provider-sso',
  '@aws-sdk/credential-provider-web-identity',
  '@smithy/core/event-streams',
  '@smithy/credential-provider-imds',
];

const leaveOutLateImports: Plugin = {
  name: 'leave out late imports',
  setup: ({ onResolve }) => {
    onResolve({ filter: /^@(aws-sdk|smithy)\// }, ({ path, kind }) =>
      kind === 'dynamic-import' && externalModules.includes(path)
        ? { path, external: true }
        : undefined,
    );
  },
};

const projectFolder = fileURLToPath(new URL('../..', import.meta.url));

/** Lambda finds it as the module `index`, and knows by its ending that it is CommonJS. */
const entryFile = 'index.cjs';

/**
 * Bundles functions into `<folder>/<name>/`. Equal sources make equal bundles, so that only what
 * was changed is deployed. The source maps stay in `<folder>/source-maps/`, for reading the stack
 * traces of a deployed function.
 *
 * @throws with esbuild's account of every error and warning
 */
export const bundleFunctions = async <Name extends FunctionName>(
  names: readonly Name[],
  folder: string,
): Promise<Record<Name, Bundle>> => {
  const outdir = resolve(folder);
  const { outputFiles, warnings } = await build({
    absWorkingDir: projectFolder,
    entryPoints: names.map((name) => ({ in: `functions/${name}/index.ts`, out: `${name}/index` })),
    outdir,
    outExtension: { '.js': '.cjs' },
    bundle: true,
    platform: 'node',
    target: 'node24',
    // CommonJS takes Node's own modules as they are. An import reads everything that they export,
    // which loads parts of Node that no function uses, and costs a start up to 20 ms. Revisit when
    // Node's loader changes.
    format: 'cjs',
    // The packages' ES modules: only those can be taken in part.
    mainFields: ['module', 'main'],
    plugins: [leaveOutLateImports],
    // The names of classes are lost: errors are told apart by instanceof, or by a name that is set.
    minify: true,
    legalComments: 'external',
    sourcemap: 'external',
    sourcesContent: false,
    logLevel: 'silent',
    write: false,
  });
  if (warnings.length > 0) {
    throw new Error((await formatMessages(warnings, { kind: 'warning' })).join('\n'));
  }
  const sourceMaps = join(outdir, 'source-maps');
  await Promise.all(
    [sourceMaps, ...names.map((name) => join(outdir, name))].map(async (path) => {
      await rm(path, { recursive: true, force: true });
      await mkdir(path, { recursive: true });
    }),
  );
  const bundles: Partial<Record<string, Bundle>> = {};
  for (const { path, contents } of outputFiles) {
    const code = dirname(path);
    const name = basename(code);
    const sourceMap = path.endsWith('.map') && join(sourceMaps, `${name}.cjs.map`);
    await writeFile(sourceMap || path, contents);
    if (basename(path) === entryFile) {
      bundles[name] = { code, entryPoint: path, bytes: contents.byteLength };
    }
  }
  return bundles as Record<Name, Bundle>;
};

/** Bundles every function of the manifest. */
export const bundleAll = (folder: string): Promise<Record<FunctionName, Bundle>> =>
  bundleFunctions(Object.keys(functions) as FunctionName[], folder);
