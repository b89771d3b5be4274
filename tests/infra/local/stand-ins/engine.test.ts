import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { findEngine } from '#infra/local/stand-ins/engine.ts';
import { makeDataFolder } from '../../../support/processes/service.ts';

const readJson = async (path: string) =>
  JSON.parse(await readFile(new URL(`../../../../${path}`, import.meta.url), 'utf8'));

const otherWay =
  'Start another DynamoDB, such as DynamoDB Local, and set its address, for example:\n\n' +
  '  AWS_ENDPOINT_URL_DYNAMODB=http://localhost:8000 npm start';

test.each([
  ['linux', 'arm64'],
  ['linux', 'riscv64'],
  ['darwin', 'arm64'],
  ['darwin', 'x64'],
  ['win32', 'x64'],
])('an error names the alternative on %s %s, which has no engine', (platform, arch) => {
  expect(() => findEngine({ on: { platform, arch } })).toThrow(
    `There is no embedded DynamoDB for ${platform}-${arch}. ${otherWay}`,
  );
});

test('only one engine is installed, and its hash is pinned', async () => {
  const { optionalDependencies } = await readJson('package.json');
  const { packages } = await readJson('package-lock.json');
  const engines = Object.keys(packages).filter((name) => name.includes('dynoxide'));
  expect(Object.keys(optionalDependencies)).toEqual(['@dynoxide/linux-x64']);
  expect(engines).toEqual(['node_modules/@dynoxide/linux-x64']);
  expect(packages[engines[0] ?? '']).toMatchObject({
    version: optionalDependencies['@dynoxide/linux-x64'],
    integrity: expect.stringMatching(/^sha512-[\w+/]{86}==$/),
  });
});

test('an error says how to install an engine that npm left out', async () => {
  const folder = await makeDataFolder();
  onTestFinished(folder.remove);
  const moduleUrl = pathToFileURL(join(folder.path, 'module.js')).href;
  expect(() => findEngine({ on: { platform: 'linux', arch: 'x64' }, moduleUrl })).toThrow(
    'The embedded DynamoDB is not installed. npm ci installs its package, @dynoxide/linux-x64, ' +
      `unless optional packages are omitted. ${otherWay}`,
  );
});
