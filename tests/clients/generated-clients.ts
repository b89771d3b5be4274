// Generates clients from our OpenAPI document with two common generators, and compiles each with
// code that uses it. guide-program.ts does the same with the generator that the reference shows.

import { spawnSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openApiFile } from '#infra/docs/build.ts';
import { installPackages } from '../support/processes/npm-tools.ts';
import {
  hasPython,
  howToGetPython,
  installPythonPackages,
} from '../support/processes/python-tools.ts';
import { repliesOfNextVersion } from './next-version.ts';
import { cacheFolder, type Outcome } from './outcomes.ts';
import { useOfFunctions, useOfPackage } from './uses.ts';

const document = fileURLToPath(openApiFile);

const heyApi = '@hey-api/openapi-ts@0.99.0';
/** The generator needs the API of the compiler, which TypeScript 7 does not have. */
const typeScript = 'typescript@5.9.3';
const nodeTools = join(cacheFolder, 'npm-0.99.0-5.9.3');

const openApiPythonClient = 'openapi-python-client==0.29.1';
/** Formats the generated code. Without it the generator warns. */
const ruff = 'ruff==0.17.6';
const pythonTools = join(cacheFolder, 'python-0.29.1-0.17.6');

const run = (command: string, words: string[], options: { cwd: string; path?: string }): void => {
  const { cwd, path } = options;
  const PATH = [path, process.env.PATH].filter(Boolean).join(delimiter);
  const { status, stdout, stderr } = spawnSync(command, words, {
    cwd,
    env: { ...process.env, PATH },
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`${command} ${words[0]} failed\n${stdout}${stderr}`);
};

const nodeTool = (name: string): string => join(nodeTools, 'node_modules', '.bin', name);

const compilerOptions = {
  strict: true,
  noEmit: true,
  target: 'es2023',
  module: 'esnext',
  moduleResolution: 'bundler',
  types: [],
};

const compile = (folder: string, use: string): void => {
  writeFileSync(join(folder, 'use.ts'), use);
  const settings = { compilerOptions, files: ['use.ts'] };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(settings));
  run(nodeTool('tsc'), ['--project', '.'], { cwd: folder });
};

type Client = { name: string; missing?: string; make: (folder: string) => void };

const clients: Client[] = [
  {
    name: heyApi,
    make: (cwd) => {
      const words = ['--input', document, '--output', 'sdk', '--no-log-file'];
      run(nodeTool('openapi-ts'), words, { cwd });
      compile(cwd, useOfFunctions);
    },
  },
  {
    name: openApiPythonClient,
    ...(!hasPython() && { missing: howToGetPython }),
    make: (cwd) => {
      const programs = installPythonPackages(pythonTools, [openApiPythonClient, ruff]);
      const words = ['generate', '--path', document, '--output-path', 'package'];
      const strictly = ['--overwrite', '--fail-on-warning'];
      run(join(programs, 'openapi-python-client'), [...words, ...strictly], {
        cwd,
        path: programs,
      });
      const replies = join(cwd, 'replies.json');
      writeFileSync(replies, JSON.stringify(repliesOfNextVersion()));
      run(join(programs, 'python'), ['-c', useOfPackage, replies], { cwd: join(cwd, 'package') });
    },
  },
];

const makeClient = ({ name, missing, make }: Client): Outcome => {
  if (missing !== undefined) {
    console.log(`${name}: skipped. ${missing}`);
    return 'left out';
  }
  const folder = join(cacheFolder, 'made', name.replace(/\W+/g, '-'));
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  try {
    make(folder);
    console.log(`${name}: its client compiles.`);
    return 'passed';
  } catch (error) {
    console.error(`${name}: ${error instanceof Error ? error.message : error}`);
    return 'failed';
  }
};

/** Prints a line for each generator. */
export const makeClients = (): Outcome[] => {
  installPackages(nodeTools, [heyApi, typeScript]);
  return clients.map(makeClient);
};
