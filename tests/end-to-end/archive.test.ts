// The archive of books, fetched by the program of the reference and verified by the program in it.

import { execFile } from 'node:child_process';
import { cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeDataFolder, startService } from '../support/processes/service.ts';

const run = promisify(execFile);

/** The program of the reference that fetches an archive. */
const exportProgram = async (): Promise<string> => {
  const text = await readFile(new URL('../../infra/docs/reports.md', import.meta.url), 'utf8');
  const [, section = ''] = text.split('\n### The archive of books\n');
  return /^```js\n(.+?)^```/ms.exec(section)?.[1] ?? '';
};

let archive: string;
let trialBalance: { digest: string; entries_digest: string };
const folders: string[] = [];
const newFolder = async () => {
  const folder = await mkdtemp(join(tmpdir(), 'archive-'));
  folders.push(folder);
  return folder;
};
afterAll(() => Promise.all(folders.map((folder) => rm(folder, { recursive: true }))));

beforeAll(async () => {
  const { path: dataFolder } = await makeDataFolder();
  const service = await startService({ dataFolder });
  const { base_url, api_key } = service.demo;
  const ask = async (path: string, body?: object) => {
    const reply = await fetch(`${base_url}/external/v1/${path}`, {
      ...(body && { method: 'POST', body: JSON.stringify(body) }),
      headers: { 'X-API-Key': api_key, 'Content-Type': 'application/json' },
    });
    const { data, error } = JSON.parse(await reply.text());
    if (error) throw new Error(JSON.stringify(error));
    return data;
  };
  try {
    const person = { email: 'auditor@example.com', password: 'correct horse battery' };
    const user = await ask('users/ensure/', { ...person, first_name: 'Ada', last_name: 'King' });
    const company = { company_name: 'Archived', currency: 'EUR', platform: 'manual' };
    const tenant = await ask('tenants/create/', {
      ...{ ...company, user_id: user.user_id, cash_flow_method: 'direct' },
    });
    const domain_url = tenant.tenant_domain_url;
    const entries = (amount: string) => [
      { account: '1010', debit: amount },
      { account: '4010', credit: amount, description: 'Consulting; "quoted" Ü' },
    ];
    const post = (date: string, amount: string, more: object = {}) =>
      ask('journal_entries/create/', {
        ...{ domain_url, date, memo: 'Sale', entries: entries(amount) },
        ...{ transactionCurrency: 'EUR', reportingCurrency: 'EUR', ...more },
      });
    const today = new Date();
    const inDays = (days: number) =>
      new Date(today.getTime() + days * 86_400_000).toISOString().slice(0, 10);
    const date = inDays(-40);
    const first = await post(date, '1200.50');
    await post(date, '100.00', { transactionCurrency: 'USD' });
    await post(inDays(-60), '7.00', { accrual_date: date });
    await post(inDays(-1), '3.10');
    await post(inDays(0), '5.00', { accrual_date: inDays(9) });
    const dropped = await post(inDays(0), '6.00', { accrual_date: inDays(8) });
    await ask('journal_entries/cancel/', {
      domain_url,
      journal_entry_id: dropped.journal_entry_id,
    });
    const { journal_entry_id } = first;
    await ask('journal_entries/reverse/', { domain_url, journal_entry_id, date: inDays(-2) });
    await ask('accounts/update/', { domain_url, code: '4010', name: 'Consulting' });
    archive = await newFolder();
    const program = join(await newFolder(), 'export.mjs');
    await writeFile(program, await exportProgram());
    const to = inDays(0);
    await run(process.execPath, [program, base_url, api_key, domain_url, to], { cwd: archive });
    trialBalance = await ask(`reports/trial_balance/?domain_url=${domain_url}&as_of=${to}`);
  } finally {
    await service.stop();
  }
}, 120_000);

/** Runs the verification outside of the archive's folder, without any setting. */
const verify = (folder: string) =>
  run(process.execPath, [join(folder, 'verify.mjs')], { cwd: tmpdir(), env: {} }).then(
    ({ stdout }) => ({ code: 0, output: stdout }),
    ({ code, stdout, stderr }) => ({ code, output: stdout + stderr }),
  );

test('the archive is verified offline, and has the digests of the trial balance', async () => {
  const { code, output } = await verify(archive);
  expect(output).toContain(`\ndigest ${trialBalance.digest}\n`);
  expect(output).toContain(`\nentries_digest ${trialBalance.entries_digest}\n`);
  expect(code).toBe(0);
  const program = await readFile(join(archive, 'verify.mjs'), 'utf8');
  expect(program.split('\n').length - 1).toBeLessThanOrEqual(100);
});

test('the program notices one altered byte of each file', async () => {
  const files = await readdir(archive);
  expect(files.sort()).toEqual([
    ...['accounts.ndjson', 'changes.ndjson', 'digests.ndjson', 'entries.ndjson'],
    ...['journal.hledger', 'parts.ndjson', 'sheets.ndjson', 'tenant.json', 'unposted.ndjson'],
    'verify.mjs',
  ]);
  for (const file of files) {
    const folder = await newFolder();
    await cp(archive, folder, { recursive: true });
    const data = await readFile(join(folder, file));
    // A letter or digit in the middle; of the program, a letter of its first line.
    const from = file === 'verify.mjs' ? 3 : Math.floor(data.length / 2);
    const place = data.findIndex(
      (byte, index) => index >= from && /\w/.test(String.fromCharCode(byte)),
    );
    data[place] = data[place] === 0x31 ? 0x32 : 0x31;
    await writeFile(join(folder, file), data);
    expect([file, (await verify(folder)).code]).toEqual([file, 1]);
    await writeFile(join(folder, file), data.subarray(0, -2));
    expect([file, (await verify(folder)).code]).toEqual([file, 1]);
  }
});

test('the program notices an entry that was altered together with the list of parts', async () => {
  const folder = await newFolder();
  await cp(archive, folder, { recursive: true });
  const { createHash } = await import('node:crypto');
  const sha256 = (data: string | Buffer) => createHash('sha256').update(data).digest('hex');
  const entriesFile = join(folder, 'entries.ndjson');
  const entries = (await readFile(entriesFile, 'utf8')).replaceAll('"1200.50"', '"1300.50"');
  await writeFile(entriesFile, entries);
  let seal = '0'.repeat(64);
  const ends: Record<string, number> = {};
  const lines = (await readFile(join(folder, 'parts.ndjson'), 'utf8')).trim().split('\n');
  const forged = [];
  for (const line of lines) {
    const { file, bytes } = JSON.parse(line);
    const start = ends[file] ?? 0;
    ends[file] = start + bytes;
    const hash = sha256((await readFile(join(folder, file))).subarray(start, start + bytes));
    seal = sha256([seal, file, bytes, hash].join('\n'));
    forged.push(`${JSON.stringify({ file, bytes, sha256: hash, seal })}\n`);
  }
  await writeFile(join(folder, 'parts.ndjson'), forged.join(''));
  const { code, output } = await verify(folder);
  expect(output).toMatch(/MJ-\d{8}-0001 was altered\n/);
  expect(code).toBe(1);
});
