// The TypeScript program of the reference, as a caller runs it: the types come from a running
// service, the program compiles and runs, and none of its mistaken copies compiles.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { installPackages } from '../support/processes/npm-tools.ts';
import {
  callApi,
  makeDataFolder,
  type RunningService,
  startService,
} from '../support/processes/service.ts';
import { cacheFolder, type Outcome } from './outcomes.ts';

const name = 'openapi-typescript@7.13.0';
/** The generator needs a TypeScript with an API, and 7 has none. */
const packages = [name, 'openapi-fetch@0.17.0', 'typescript@5.9.3'];
const tools = resolve(cacheFolder, 'guide-7.13.0-0.17.0-5.9.3');

/** The compiler also checks the generated types: no `skipLibCheck`. */
const settings = {
  compilerOptions: {
    strict: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    noEmit: true,
    target: 'es2023',
    module: 'nodenext',
    types: [],
  },
};

/** Each replaces a part of the program with a mistake. */
const mistakes: [mistake: string, right: string, wrong: string][] = [
  ['an unknown field', "memo: 'March", "note: 'March"],
  ['an amount that is a number', "debit: '1159.60'", 'debit: 1159.6'],
  ['a company without its currency', ", currency: 'EUR' };", ' };'],
  ['a company of a platform without its tokens', "platform: 'manual'", "platform: 'platform_a'"],
  ['an unknown path', 'reports/trial_balance/', 'reports/trial_balances/'],
  ['a query without its tenant', 'query: { domain_url }', 'query: {}'],
  ['an unknown amount of a row', 'closing.debit,', 'closing.debits,'],
  ['metadata that is not text', "external_id: 'invoice-43'", 'metadata: { branch: 7 }'],
];

/** Types that the program does not use. */
const furtherUse = `import type { components } from './ledger.d.ts';

type Schemas = components['schemas'];
const company = { user_id: '7', cash_flow_method: 'direct' } as const;
const tokens = { access_token: 'a', refresh_token: 'r', platform_company_id: 'c' };
export const connected: Schemas['CreateTenantRequest'] = {
  ...company,
  ...tokens,
  platform: 'platform_a',
};
export const metadata: Schemas['JournalEntry']['metadata'] = { branch: 'Berlin' };
export const code: Schemas['Problem']['code'] = 'memo_must_not_be_blank';
`;

/** The folder of a caller, with the types and the program of the reference. */
const openCaller = async (service: RunningService, folder: string) => {
  const reply = await fetch(`${service.demo.base_url}/openapi.json`);
  const { info } = (await reply.json()) as { info: { description: string } };
  const blockOf = (language: string): string =>
    new RegExp(`^\`\`\`${language}\n(.+?)\n\`\`\``, 'ms').exec(info.description)?.[1] ?? '';
  const write = (file: string, text: string): void => writeFileSync(join(folder, file), text);
  const run = (command: string, words: string[]) =>
    spawnSync(command, words, { cwd: folder, encoding: 'utf8' });
  mkdirSync(folder);
  symlinkSync(join(tools, 'node_modules'), join(folder, 'node_modules'));
  write('package.json', JSON.stringify({ type: 'module' }));
  write('tsconfig.json', JSON.stringify(settings));
  const generated = run('sh', ['-e', '-c', blockOf('bash')]);
  assert.equal(generated.status, 0, generated.stderr);
  assert.doesNotMatch(generated.stderr, /warn|⚠/i);
  return { program: blockOf('ts'), write, run };
};

type Caller = Awaited<ReturnType<typeof openCaller>>;

const compilePrograms = ({ program, write, run }: Caller): void => {
  write('program.ts', program);
  write('further-use.ts', furtherUse);
  for (const [index, [mistake, right, wrong]] of mistakes.entries()) {
    assert.equal(program.split(right).length, 2, `the program must contain ${right} once`);
    write(`mistake-${index}.ts`, `// ${mistake}\n${program.replace(right, wrong)}`);
  }
  const { stdout } = run('node_modules/.bin/tsc', ['--pretty', 'false']);
  const refused = new Set([...stdout.matchAll(/^(\S+)\(\d+,\d+\): error/gm)].map(([, it]) => it));
  assert.deepEqual(
    [...refused].sort(),
    mistakes.map((_, index) => `mistake-${index}.ts`),
    stdout,
  );
};

const runPrograms = async ({ program, write, run }: Caller, service: RunningService) => {
  const printed = 'MJ-20260323-0001\n1010 1159.60 0.00\n4010 0.00 1159.60\n';
  // The second run finds the user, the company and the entry of the first.
  for (const _time of ['first', 'second']) {
    const { stdout, stderr } = run('node', ['program.ts']);
    assert.deepEqual([stdout, stderr], [printed, '']);
  }
  const profile = await callApi(service.demo, 'users/profile/', {
    body: { email: 'ada@example.com' },
  });
  const companies = profile.body.data.tenants.map(
    (it: { company_name: string }) => it.company_name,
  );
  assert.deepEqual(companies, ['Analytical Engines']);

  write('failing.ts', program.replace("'1010'", "'6001'").replace('invoice-43', 'invoice-44'));
  const { status, stdout, stderr } = run('node', ['failing.ts']);
  assert.deepEqual([status, stdout], [1, '']);
  assert.match(stderr, /^First open account 6001\.$/m);
  assert.match(stderr, /^Error: validation_failed$/m);
};

/** Prints a line about the program. */
export const runGuideProgram = async (): Promise<Outcome> => {
  installPackages(tools, packages);
  const dataFolder = await makeDataFolder();
  const service = await startService({ dataFolder: dataFolder.path });
  try {
    const caller = await openCaller(service, join(dataFolder.path, 'caller'));
    compilePrograms(caller);
    await runPrograms(caller, service);
    console.log(`${name}: the program of the reference compiles and runs.`);
    return 'passed';
  } catch (error) {
    console.error(`${name}: ${error instanceof Error ? error.message : error}`);
    return 'failed';
  } finally {
    await service.stop();
    await dataFolder.remove();
  }
};
