// The embedded DynamoDB's binary for this platform: as npm installed it, or fetched once.

import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);

export const engineVersion = '1.2.1';

/**
 * Where the engine runs, and the SHA-512 of its npm package there, which npm checks when it
 * installs it. Where that is `null`, npm checks the package against its registry alone: it could
 * not be looked up where this was written. Pin it, when it can be, with
 * `npm view @dynoxide/darwin-arm64@1.2.1 dist.integrity`. Windows has WSL, which is Linux.
 */
const hashes: Readonly<Record<string, string | null>> = {
  'linux-x64':
    'sBHqlxJ9ANkLluFkYRfd5r8Y0ApFew4FhOrlhgRAgD4XzEoFOukEo1nuBTQ1+jTtofqwn4NWQ2k0Tn5mNTjgUg==',
  'linux-arm64': null,
  'darwin-arm64': null,
  'darwin-x64': null,
};

const otherWay =
  'Start another DynamoDB, such as DynamoDB Local, and say where it is, for example:\n\n' +
  '  AWS_ENDPOINT_URL_DYNAMODB=http://localhost:8000 npm start';

type Platform = { platform: string; arch: string };

/** A project of npm's whose only package is the engine, and the command that installs it. */
export type EngineInstallation = {
  packageName: string;
  files: Record<'package.json' | 'package-lock.json', object>;
  command: readonly [string, ...string[]];
};

/** @throws with what else can be done, where the engine does not run on this platform */
export const engineInstallation = ({ platform, arch }: Platform): EngineInstallation => {
  const target = `${platform}-${arch}`;
  const hash = hashes[target];
  if (hash === undefined) {
    throw new Error(`There is no embedded DynamoDB for ${target}. ${otherWay}`);
  }
  const packageName = `@dynoxide/${target}`;
  const dependencies = { [packageName]: engineVersion };
  const locked = { version: engineVersion, ...(hash && { integrity: `sha512-${hash}` }) };
  return {
    packageName,
    files: {
      'package.json': { private: true, dependencies },
      'package-lock.json': {
        lockfileVersion: 3,
        packages: { '': { dependencies }, [`node_modules/${packageName}`]: locked },
      },
    },
    command: ['npm', 'ci', '--ignore-scripts', '--no-audit', '--no-fund'],
  };
};

/** Installs the engine into a folder of its own, whole or not at all. */
const fetchEngine = async (
  { packageName, files, command: [program, ...flags] }: EngineInstallation,
  folder: string,
): Promise<void> => {
  console.log(`Fetching the embedded DynamoDB, this once: ${packageName}@${engineVersion}`);
  await mkdir(join(folder, '..'), { recursive: true });
  const beside = await mkdtemp(`${folder}-`);
  try {
    for (const [name, content] of Object.entries(files)) {
      await writeFile(join(beside, name), JSON.stringify(content));
    }
    await run(program, flags, { cwd: beside });
    await rename(beside, folder).catch((error: unknown) => {
      // Somebody else was faster.
      if (!existsSync(folder)) throw error;
    });
  } catch (error) {
    const { stderr, message } = error as Error & { stderr?: string };
    throw new Error(
      `The embedded DynamoDB could not be fetched. ${otherWay}\n\n${(stderr || message).trim()}`,
    );
  } finally {
    await rm(beside, { recursive: true, force: true });
  }
};

/** The binary that npm has installed for the module at this URL, if it has. */
const installedFor = (moduleUrl: string, packageName: string): string | undefined => {
  try {
    return createRequire(moduleUrl).resolve(`${packageName}/dynoxide`);
  } catch {
    return undefined;
  }
};

/** Beside what npm installs, so that it goes with it. */
const cacheFolder = fileURLToPath(new URL('../../node_modules/.cache/dynoxide', import.meta.url));

/**
 * The path of the engine's binary. npm brings it where package.json names its package; elsewhere
 * the first start fetches it.
 */
export const findEngine = async ({
  on = process,
  moduleUrl = import.meta.url,
  cache = cacheFolder,
}: {
  on?: Platform;
  moduleUrl?: string;
  cache?: string;
} = {}): Promise<string> => {
  const installation = engineInstallation(on);
  const { packageName } = installation;
  const found = installedFor(moduleUrl, packageName);
  if (found !== undefined) return found;
  const folder = join(cache, `${engineVersion}-${on.platform}-${on.arch}`);
  const binary = join(folder, 'node_modules', packageName, 'dynoxide');
  if (!existsSync(binary)) await fetchEngine(installation, folder);
  return binary;
};
