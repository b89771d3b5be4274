// When a start with `--bundled` must bundle again. tests/end-to-end/contract.test.ts bundles.

import { mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { bundleIfChanged, hasCurrentBundles, recordBundles } from '#infra/aws/bundle-cache.ts';
import { functionNames } from '#infra/aws/bundles.ts';
import { makeDataFolder } from '../../support/processes/service.ts';

/** A folder with a file for each bundle, which were made of one source. */
const openBundles = async () => {
  const folder = await makeDataFolder();
  onTestFinished(folder.remove);
  const { path } = folder;
  const source = join(path, 'source.ts');
  await writeFile(source, 'export const answer = 42;');
  for (const name of functionNames) {
    const bundle = join(path, name, 'index.cjs');
    await mkdir(dirname(bundle));
    await writeFile(bundle, 'exports.handler = () => 42;');
  }
  await recordBundles(path, [source]);
  return { path, source };
};

test('bundles of the current files stay', async () => {
  const { path } = await openBundles();
  expect(await hasCurrentBundles(path)).toBe(true);
  const entryPointOf = await bundleIfChanged(path);
  expect((await import(entryPointOf('authorizer'))).handler()).toBe(42);
});

test.each<[string, (bundles: { path: string; source: string }) => Promise<void>]>([
  ['changes', ({ source }) => writeFile(source, 'export const answer = 43;')],
  ['is missing', ({ source }) => rm(source)],
  ['has no bundle', ({ path }) => rm(join(path, 'authorizer', 'index.cjs'))],
  ['is bundled, and that was interrupted', ({ path }) => rm(join(path, 'bundled.json'))],
  ['has an unreadable record', ({ path }) => writeFile(join(path, 'bundled.json'), '{"inputs":')],
])('bundles are made again if a source %s', async (_title, change) => {
  const bundles = await openBundles();
  await change(bundles);
  expect(await hasCurrentBundles(bundles.path)).toBe(false);
});
