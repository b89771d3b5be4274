import { chmod, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { engineInstallation, engineVersion, findEngine } from '#infra/local/engine.ts';
import { makeDataFolder } from '../../support/processes/service.ts';

const readJson = async (path: string) =>
  JSON.parse(await readFile(new URL(`../../../${path}`, import.meta.url), 'utf8'));

describe('the engine of a platform', () => {
  test.each([
    ['linux', 'x64'],
    ['linux', 'arm64'],
    ['darwin', 'arm64'],
    ['darwin', 'x64'],
  ])('%s %s is a package of npm, at its one version', (platform, arch) => {
    const { files } = engineInstallation({ platform, arch });
    const name = `@dynoxide/${platform}-${arch}`;
    expect(files).toMatchObject({
      'package.json': { dependencies: { [name]: engineVersion } },
      'package-lock.json': { packages: { [`node_modules/${name}`]: { version: engineVersion } } },
    });
  });

  test.each([
    ['win32', 'x64'],
    ['linux', 'riscv64'],
    ['sunos', 'mips'],
  ])('%s %s is none: what else there is', (platform, arch) => {
    expect(() => engineInstallation({ platform, arch })).toThrow(
      `There is no embedded DynamoDB for ${platform}-${arch}. Start another DynamoDB, such as ` +
        'DynamoDB Local, and say where it is, for example:\n\n' +
        '  AWS_ENDPOINT_URL_DYNAMODB=http://localhost:8000 npm start',
    );
  });

  test('is the one that npm installs, with the same integrity', async () => {
    const { optionalDependencies } = await readJson('package.json');
    const { packages } = await readJson('package-lock.json');
    const name = 'node_modules/@dynoxide/linux-x64';
    expect(optionalDependencies).toEqual({ '@dynoxide/linux-x64': engineVersion });
    expect(engineInstallation({ platform: 'linux', arch: 'x64' })).toMatchObject({
      files: {
        'package-lock.json': { packages: { [name]: { integrity: packages[name].integrity } } },
      },
    });
  });
});

/** A project into which npm has brought no engine, and an npm that does what it is told. */
const openProject = async (npm: string) => {
  const folder = await makeDataFolder();
  onTestFinished(folder.remove);
  const programs = join(folder.path, 'bin');
  await mkdir(programs);
  await writeFile(join(programs, 'npm'), `#!/bin/sh\necho "$@" >> ${programs}/calls\n${npm}\n`);
  await chmod(join(programs, 'npm'), 0o755);
  vi.stubEnv('PATH', `${programs}:${process.env.PATH}`);
  const said = vi.spyOn(console, 'log').mockImplementation(() => {});
  onTestFinished(() => {
    vi.unstubAllEnvs();
    said.mockRestore();
  });
  const cache = join(folder.path, 'cache');
  return {
    cache,
    said: () => said.mock.calls.flat(),
    calls: () => readFile(join(programs, 'calls'), 'utf8'),
    find: () =>
      findEngine({
        on: { platform: 'darwin', arch: 'arm64' },
        moduleUrl: pathToFileURL(join(folder.path, 'module.js')).href,
        cache,
      }),
  };
};

describe('an engine that npm has not brought', () => {
  test('is fetched once, and said so', async () => {
    const package_ = 'node_modules/@dynoxide/darwin-arm64';
    const project = await openProject(
      `test -f package-lock.json && mkdir -p ${package_} && echo engine > ${package_}/dynoxide`,
    );
    const found = [await project.find(), await project.find()];
    const binary = join(project.cache, `${engineVersion}-darwin-arm64`, package_, 'dynoxide');
    expect(found).toEqual([binary, binary]);
    expect(await readFile(binary, 'utf8')).toBe('engine\n');
    expect(await project.calls()).toBe('ci --ignore-scripts --no-audit --no-fund\n');
    expect(project.said()).toEqual([
      `Fetching the embedded DynamoDB, this once: @dynoxide/darwin-arm64@${engineVersion}`,
    ]);
  });

  test('and cannot be fetched leaves nothing, and says what else there is', async () => {
    const project = await openProject('echo "npm error code E404" >&2; exit 1');
    await expect(project.find()).rejects.toThrow(
      /^The embedded DynamoDB could not be fetched\. Start another.*\n\nnpm error code E404$/s,
    );
    expect(await readdir(project.cache)).toEqual([]);
  });
});
