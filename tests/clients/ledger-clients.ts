// The project's own clients, as a caller uses them: packed, installed in a scratch project, and run
// against the service on this machine.

import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { delimiter, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openApiFile } from '#infra/docs/build.ts';
import { installPackages } from '../support/processes/npm-tools.ts';
import { installPythonPackages } from '../support/processes/python-tools.ts';
import { makeDataFolder, type RunningService, startService } from '../support/processes/service.ts';
import { cacheFolder, type Outcome } from './outcomes.ts';

const typeScript = 'typescript@5.9.3';
const openApiTypeScript = 'openapi-typescript@7.13.0';
/** The official library of Standard Webhooks. */
const standardWebhooks = 'standardwebhooks@1.0.0';
const nodeTools = resolve(cacheFolder, 'ledger-npm-7.13.0-5.9.3-1.0.0');

type Run = { cwd: string; programs?: string; env?: Record<string, string> };
const run = (command: string, words: string[], { cwd, programs, env }: Run): void => {
  const PATH = [programs, process.env.PATH].filter(Boolean).join(delimiter);
  const options = { cwd, env: { ...process.env, ...env, PATH }, encoding: 'utf8' } as const;
  const { status, stdout, stderr } = spawnSync(command, words, options);
  if (status !== 0) throw new Error(`${command} ${words[0]} failed\n${stdout}${stderr}`);
};

/** A copy of a client and the document, with an empty folder for a scratch project. */
const openFolder = (language: string) => {
  const folder = resolve(cacheFolder, 'made', `ledger-${language}`);
  rmSync(folder, { recursive: true, force: true });
  const [source, scratch] = [join(folder, 'clients', language), join(folder, 'scratch')];
  mkdirSync(scratch, { recursive: true });
  cpSync(fileURLToPath(new URL(`clients/${language}`, openApiFile)), source, { recursive: true });
  cpSync(fileURLToPath(openApiFile), join(folder, 'openapi.json'));
  const packed = (ending: string): string => {
    const file = readdirSync(folder).find((name) => name.endsWith(ending));
    if (file === undefined) throw new Error(`no ${ending} was made in ${folder}`);
    return join(folder, file);
  };
  return { folder, source, scratch, packed };
};

const environmentOf = ({ demo }: RunningService) => ({
  LEDGER_URL: demo.base_url,
  LEDGER_KEY: demo.api_key,
  SANDBOX_URL: demo.sandbox_url,
  STANDARD_WEBHOOKS: `${nodeTools}/node_modules/`,
});

/** The compiler also checks the package's own declarations: no `skipLibCheck`. */
const settings = {
  compilerOptions: {
    strict: true,
    exactOptionalPropertyTypes: true,
    noEmit: true,
    target: 'esnext',
    module: 'nodenext',
    typeRoots: [resolve('node_modules/@types')],
    types: ['node'],
  },
  files: ['program.ts'],
};

const useTypeScriptClient = (service: RunningService): void => {
  installPackages(nodeTools, [openApiTypeScript, typeScript, standardWebhooks]);
  const { folder, source, scratch, packed } = openFolder('typescript');
  const programs = join(nodeTools, 'node_modules', '.bin');
  run('npm', ['pack', '--pack-destination', folder], { cwd: source, programs });
  writeFileSync(join(scratch, 'package.json'), JSON.stringify({ type: 'module' }));
  writeFileSync(join(scratch, 'tsconfig.json'), JSON.stringify(settings));
  cpSync(join(source, 'program.ts'), join(scratch, 'program.ts'));
  run('npm', ['install', '--no-audit', '--no-fund', packed('.tgz')], { cwd: scratch });
  run('tsc', ['--pretty', 'false'], { cwd: scratch, programs });
  run(process.execPath, ['program.ts'], { cwd: scratch, env: environmentOf(service) });
};

/** What builds the package and what checks the program, and the official library. */
const pythonPackages = [
  'datamodel-code-generator==0.89.0',
  'build==1.6.1',
  'hatchling==1.33.0',
  'mypy==2.4.1',
  'httpx==0.28.1',
  'standardwebhooks==1.1.0',
];
const pythonTools = resolve(cacheFolder, 'ledger-python-0.89.0');

const usePythonClient = (service: RunningService): void => {
  const programs = installPythonPackages(pythonTools, pythonPackages);
  const { folder, source, scratch, packed } = openFolder('python');
  const python = join(programs, 'python');
  const models = ['--input-file-type', 'openapi', '--output-model-type', 'typing.TypedDict'];
  // The types of Python 3.11 itself, without a package.
  const plain = ['--target-python-version', '3.11', '--no-use-closed-typed-dict'];
  const files = ['--input', '../../openapi.json', '--output', 'accountingledger/schemas.py'];
  run(join(programs, 'datamodel-codegen'), [...files, ...models, ...plain], { cwd: source });
  const calls = 'accountingledger/calls.py';
  run('sh', ['-c', `${python} generate.py ../../openapi.json > ${calls}`], { cwd: source });
  const build = ['-m', 'build', '--wheel', '--no-isolation', '--outdir', folder];
  run(python, build, { cwd: source });
  const wheel = packed('.whl');
  run(python, ['-m', 'pip', 'install', '--quiet', '--target', 'site', '--no-deps', wheel], {
    cwd: scratch,
  });
  cpSync(join(source, 'program.py'), join(scratch, 'program.py'));
  const env = { ...environmentOf(service), PYTHONPATH: join(scratch, 'site') };
  run(python, ['-m', 'mypy', '--strict', 'program.py'], { cwd: scratch, env });
  run(python, ['program.py'], { cwd: scratch, env });
};

const clients: [name: string, use: (service: RunningService) => void][] = [
  ['the TypeScript client', useTypeScriptClient],
  ['the Python client', usePythonClient],
];

/** Prints a line for each client. */
export const useLedgerClients = async (): Promise<Outcome[]> => {
  const dataFolder = await makeDataFolder();
  const service = await startService({ dataFolder: dataFolder.path });
  try {
    return clients.map(([name, use]) => {
      try {
        use(service);
        console.log(`${name}: its package works.`);
        return 'passed';
      } catch (error) {
        console.error(`${name}: ${error instanceof Error ? error.message : error}`);
        return 'failed';
      }
    });
  } finally {
    await service.stop();
    await dataFolder.remove();
  }
};
