// The reference's TypeScript, as a caller gets it from a running service: fetched, compiled, run.

import { execFile, spawnSync } from 'node:child_process';
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  callApi,
  makeDataFolder,
  type RunningService,
  startService,
} from '../support/processes/service.ts';

let service: RunningService;
let folder: Awaited<ReturnType<typeof makeDataFolder>>;
/** Where the caller's module and the types stand, as the reference calls them. */
let callerFolder: string;
let sample: string;

/** The caller's compiler is not told to pass over what the types themselves have wrong. */
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

beforeAll(async () => {
  folder = await makeDataFolder();
  service = await startService({ dataFolder: folder.path });
  const reference = await (await fetch(`${service.demo.base_url}/openapi.json`)).json();
  const { info } = reference as { info: { description: string } };
  const blockOf = (language: string) =>
    new RegExp(`^\`\`\`${language}\n(.+?)\n\`\`\``, 'ms').exec(info.description)?.[1] ?? '';
  sample = blockOf('ts');
  callerFolder = join(folder.path, 'caller');
  await mkdir(callerFolder);
  await symlink(resolve('node_modules'), join(callerFolder, 'node_modules'));
  await promisify(execFile)('sh', ['-e', '-c', blockOf('bash')], { cwd: callerFolder });
});

afterAll(async () => {
  await service.stop();
  await folder.remove();
});

const write = (name: string, text: string) => writeFile(join(callerFolder, name), text);

/** What the compiler has against modules of the caller: each file with the codes of its errors. */
const compile = (): Record<string, string[]> => {
  const { stdout } = spawnSync(resolve('node_modules/.bin/tsc'), ['--pretty', 'false'], {
    cwd: callerFolder,
    encoding: 'utf8',
  });
  const errors = [...stdout.matchAll(/^(\S+)\(\d+,\d+\): error (TS\d+)/gm)];
  const byFile = Object.groupBy(errors, ([, file = '']) => file);
  return Object.fromEntries(
    Object.entries(byFile).map(([file, of = []]) => [file, of.map(([, , code = '']) => code)]),
  );
};

/** Each is one thing that a caller gets wrong, in place of what the reference shows. */
const mistakes: [mistake: string, right: string, wrong: string][] = [
  ['a field that is not there', "memo: 'March", "note: 'March"],
  ['an amount that is a number', "debit: '1159.60'", 'debit: 1159.6'],
  ['a company without its currency', ", currency: 'EUR' };", ' };'],
  ['a company of a platform without its tokens', "platform: 'manual'", "platform: 'platform_a'"],
  ['a path that is not there', 'reports/trial_balance/', 'reports/trial_balances/'],
  ['a query without its tenant', 'query: { domain_url }', 'query: {}'],
  ['a problem that there is not', "'account_not_found'", "'account_not_fond'"],
  ['a figure that a row does not have', 'closing.debit,', 'closing.debits,'],
  ['metadata that is no text', "external_id: 'invoice-43'", 'metadata: { branch: 7 }'],
];

/** What the sample has no place for, and compiles too. */
const furtherUse = `import type { CreateTenantRequest, JournalEntry, Problem } from './ledger.d.ts';

const company = { user_id: '7', cash_flow_method: 'direct' } as const;
const tokens = { access_token: 'a', refresh_token: 'r', platform_company_id: 'c' };
export const connected: CreateTenantRequest = { ...company, ...tokens, platform: 'platform_a' };
export const metadata: JournalEntry['metadata'] = { branch: 'Berlin' };
export const code: Problem['code'] = 'memo_must_not_be_blank';
`;

test('the sample of the reference compiles, and none of its mistaken copies does', async () => {
  await write('package.json', JSON.stringify({ type: 'module' }));
  await write('tsconfig.json', JSON.stringify(settings));
  await write('sample.ts', sample);
  await write('further-use.ts', furtherUse);
  for (const [index, [mistake, right, wrong]] of mistakes.entries()) {
    expect(sample.split(right), `the sample has this once, for ${mistake}`).toHaveLength(2);
    await write(`mistake-${index}.ts`, sample.replace(right, wrong));
  }
  const refused = Object.keys(compile());
  expect(refused.sort()).toEqual(mistakes.map((_, index) => `mistake-${index}.ts`));
});

const run = (name: string) =>
  spawnSync('node', [name], {
    cwd: callerFolder,
    encoding: 'utf8',
    env: { PATH: process.env.PATH },
  });

test('the sample posts an entry, and reads what it comes to', async () => {
  await write('sample.ts', sample);
  const lines = 'MJ-20260323-0001\n1010 1159.60 0.00\n4010 0.00 1159.60\n';
  // A second time it finds what the first has made.
  for (const time of ['first', 'second']) {
    const { stdout, stderr } = run('sample.ts');
    expect([time, stdout, stderr]).toEqual([time, lines, '']);
  }
  const { body } = await callApi(service.demo, 'users/profile/', {
    body: { email: 'ada@example.com' },
  });
  expect(body.data.tenants).toMatchObject([{ company_name: 'Analytical Engines' }]);
});

test('the sample says which account is missing, and ends with the code of it', async () => {
  const changed = sample.replace("'1010'", "'6001'").replace('invoice-43', 'invoice-44');
  await write('failing.ts', changed);
  const { status, stdout, stderr } = run('failing.ts');
  expect([status, stdout]).toEqual([1, '']);
  expect(stderr).toMatch(/^First open account 6001\.$/m);
  expect(stderr).toMatch(/^Error: validation_failed$/m);
});
