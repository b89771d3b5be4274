// Bundles the functions for deployment: one file each, with all imports.

import { mkdir, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Plugin } from 'esbuild';
import type { FunctionRow } from '../manifest/function-row.ts';
import { type FunctionName, functions } from '../manifest/manifest.ts';

/** The folder to deploy, its entry point, and the size of the entry point. */
export type Bundle = { code: string; entryPoint: string; bytes: number };

/** The bundled files, relative to the project's folder. */
export type BundleInputs = readonly string[];

/**
 * A cold start loads and compiles the whole bundle, so its size is limited. The packages in it are
 * small: zod/mini validates, Powertools logs, fast-xml-parser reads the ECB's files.
 */
export const maximumBundleBytes = 450_000;

const rows: Record<FunctionName, FunctionRow> = functions;

/** A sentence for each bundle that is too large. */
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
 * Modules that the AWS SDK imports on demand and functions never use. Functions have their
 * credentials in the environment (AWS Lambda Developer Guide, "Defined runtime environment
 * variables"), and call no operation with an event stream. Without credentials, these imports fail,
 * as they should. Lambda's client imports the event streams statically, so its bundle has them.
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

const excludeLateImports: Plugin = {
  name: 'exclude late imports',
  setup: ({ onResolve }) => {
    onResolve({ filter: /^@(aws-sdk|smithy)\// }, ({ path, kind }) =>
      kind === 'dynamic-import' && externalModules.includes(path)
        ? { path, external: true }
        : undefined,
    );
  },
};

const projectFolder = fileURLToPath(new URL('../..', import.meta.url));

/** Lambda loads the module `index`. The extension marks it as CommonJS. */
export const entryFile = 'index.cjs';

export const functionNames = Object.keys(functions) as FunctionName[];

/**
 * Bundles functions into `<folder>/<name>/`. Equal sources give equal bundles, so a deployment
 * changes only changed functions. `<folder>/source-maps/` has the source maps, to read the stack
 * traces of deployed functions.
 *
 * @throws with esbuild's errors and warnings
 */
export const bundleWithInputs = async <Name extends FunctionName>(
  names: readonly Name[],
  folder: string,
): Promise<{ bundles: Record<Name, Bundle>; inputs: BundleInputs }> => {
  const { build, formatMessages } = await import('esbuild');
  const outdir = resolve(folder);
  const { outputFiles, warnings, metafile } = await build({
    absWorkingDir: projectFolder,
    entryPoints: names.map((name) => ({ in: `functions/${name}/index.ts`, out: `${name}/index` })),
    outdir,
    outExtension: { '.js': '.cjs' },
    bundle: true,
    platform: 'node',
    target: 'node24',
    // In ES modules, an import of a Node module reads all its exports. This loads unused parts of
    // Node and costs up to 20 ms per start. Revisit when Node's loader changes.
    format: 'cjs',
    // Tree shaking needs the packages' ES modules.
    mainFields: ['module', 'main'],
    plugins: [excludeLateImports],
    // Class names are lost. Code identifies errors by instanceof or by an explicit name.
    minify: true,
    legalComments: 'external',
    sourcemap: 'external',
    sourcesContent: false,
    logLevel: 'silent',
    write: false,
    metafile: true,
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
  return { bundles: bundles as Record<Name, Bundle>, inputs: Object.keys(metafile.inputs) };
};

export const bundleFunctions = async <Name extends FunctionName>(
  names: readonly Name[],
  folder: string,
): Promise<Record<Name, Bundle>> => (await bundleWithInputs(names, folder)).bundles;

/** Bundles every function of the manifest. */
export const bundleAll = (folder: string): Promise<Record<FunctionName, Bundle>> =>
  bundleFunctions(functionNames, folder);
