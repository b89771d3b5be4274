// Starting and stopping: what is printed works, what was written stays, nothing is left behind.

import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readdir, readFile, stat } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  callApi,
  findPorts,
  makeDataFolder,
  type RunningService,
  runService,
  startService,
} from '../support/processes/service.ts';

const run = promisify(execFile);

let folder: Awaited<ReturnType<typeof makeDataFolder>>;
let service: RunningService | undefined;

beforeEach(async () => {
  folder = await makeDataFolder();
});

afterEach(async () => {
  await service?.stop();
  service = undefined;
  await folder.remove();
});

/** Processes that still mention the data folder on their command line. */
const processesOf = async (dataFolder: string): Promise<string[]> => {
  const { stdout } = await run('ps', ['-eo', 'pid,args']);
  return stdout.split('\n').filter((line) => line.includes(dataFolder));
};

const ada = {
  email: 'ada@example.com',
  password: 'correct horse',
  first_name: 'Ada',
  last_name: 'Lovelace',
};

describe('start and stop', () => {
  test('the printed requests work as printed', async () => {
    service = await startService({ dataFolder: folder.path });
    const printed = service.output();
    const from = printed.indexOf('# 1.');
    const script = printed.slice(from, printed.indexOf('Stop with Ctrl-C'));
    const { stdout } = await run('sh', ['-e', '-c', script]);
    expect(stdout).toMatch(/^user [1-9]\d*\ntenant analytical-engines\n/);
    const [invoice, accrual, posted, profile, authorization, ...rest] = stdout
      .slice(stdout.indexOf('{'))
      .split(/(?<=\})(?=\{)|\n/)
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line));
    expect(rest).toEqual([]);
    expect(invoice.data).toMatchObject({ status: 'posted', reporting_amount: '1000.00' });
    expect(accrual.data).toMatchObject({ status: 'scheduled', external_id: 'accrual-42' });
    expect(posted).toMatchObject({ posted: 1, failed: 0 });
    expect(profile.data.tenant_count).toBe(1);
    expect(authorization.data.authorization_url).toContain(service.demo.sandbox_url);
    const replay = await callApi(service.demo, 'journal_entries/create/', {
      body: {
        domain_url: 'analytical-engines',
        date: '2026-03-23',
        memo: 'March consulting',
        transactionCurrency: 'USD',
        reportingCurrency: 'EUR',
        external_id: 'accrual-42',
        entries: [
          { account: '1010', debit: '1159.60', description: 'Received' },
          { account: '4010', credit: '1159.60', description: 'Consulting' },
        ],
      },
    });
    expect(replay.body.data).toMatchObject({ status: 'posted' });
  });

  test('what was written survives a restart, and the demo key goes on working', async () => {
    service = await startService({ dataFolder: folder.path });
    const before = service.demo;
    const first = await callApi(before, 'users/ensure/', { body: ada });
    expect(await service.stop()).toBe(0);
    service = await startService({ dataFolder: folder.path });
    expect(service.demo.api_key).toBe(before.api_key);
    const second = await callApi(service.demo, 'users/ensure/', { body: ada });
    expect(second.body.data).toEqual({ ...first.body.data, created: false });
  });

  test('demo.json says where everything is, while it is running, to its owner alone', async () => {
    const port = await findPorts();
    service = await startService({ dataFolder: folder.path, port });
    const file = join(folder.path, 'demo.json');
    expect(JSON.parse(await readFile(file, 'utf8'))).toEqual({
      base_url: `http://localhost:${port}`,
      callback_url: `http://localhost:${port + 1}`,
      sandbox_url: `http://localhost:${port + 2}`,
      application_id: expect.stringMatching(/^[0-9a-f]{16}$/),
      api_key: expect.stringMatching(/^lk_[0-9a-f]{24}_[0-9a-f]{64}$/),
    });
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    await service.stop();
    expect(existsSync(file)).toBe(false);
  });

  test.each<NodeJS.Signals>(['SIGINT', 'SIGTERM'])(
    '%s stops it and leaves no process',
    async (signal) => {
      service = await startService({ dataFolder: folder.path });
      expect((await processesOf(folder.path)).length).toBeGreaterThan(0);
      expect(await service.stop(signal)).toBe(0);
      expect(await processesOf(folder.path)).toEqual([]);
    },
  );

  test('its data is for its owner alone', async () => {
    service = await startService({ dataFolder: folder.path });
    const files = await readdir(folder.path);
    expect(files).toContain('dynamodb.sqlite');
    const modes = await Promise.all(
      files.map(async (file) => (await stat(join(folder.path, file))).mode & 0o077),
    );
    expect(new Set(modes)).toEqual(new Set([0]));
    expect((await stat(folder.path)).mode & 0o777).toBe(0o700);
  });

  test('it ends, and says why, when its database does', async () => {
    service = await startService({ dataFolder: folder.path });
    const [engine] = (await processesOf(folder.path)).filter((line) => !line.includes('sh -c'));
    process.kill(Number(engine?.trim().split(' ')[0]), 'SIGKILL');
    await service.exited;
    expect(service.child.exitCode).toBe(1);
    // What a process wrote last may be read a moment after its end.
    await expect.poll(service.output).toContain('The embedded DynamoDB has ended');
    await expect.poll(() => processesOf(folder.path), { timeout: 5_000 }).toEqual([]);
  });

  test('killed, it leaves no process either, and the next start finds all', async () => {
    service = await startService({ dataFolder: folder.path });
    const first = await callApi(service.demo, 'users/ensure/', { body: ada });
    await service.stop('SIGKILL');
    await expect.poll(() => processesOf(folder.path), { timeout: 5_000 }).toEqual([]);
    service = await startService({ dataFolder: folder.path });
    const second = await callApi(service.demo, 'users/ensure/', { body: ada });
    expect(second.body.data).toEqual({ ...first.body.data, created: false });
  });
});

describe('a start that cannot succeed says why', () => {
  test('a taken port', async () => {
    const port = await findPorts();
    const blocker = createServer().listen(port + 1, '127.0.0.1');
    try {
      const failed = await runService({ dataFolder: folder.path, port });
      await failed.exited;
      expect(failed.child.exitCode).toBe(1);
      expect(failed.output()).toContain(`Port ${port + 1} (OAuth callback) is taken`);
      expect(await processesOf(folder.path)).toEqual([]);
    } finally {
      blocker.close();
    }
  });

  test.each(['abc', '0', '65534', '-1', '3000.5'])('PORT=%s', async (port) => {
    const failed = await runService({ dataFolder: folder.path, port });
    await failed.exited;
    expect([failed.child.exitCode, failed.output().trim()]).toEqual([
      1,
      `PORT is ${port}; it must be a number from 1 to 65533.`,
    ]);
  });

  test.each([
    ['--bundle', '--bundle'],
    ['--port 4000', '--port 4000'],
    ['--bundled now', 'now'],
  ])('npm start -- %s', async (flags, unknown) => {
    const port = await findPorts();
    const failed = await runService({ dataFolder: folder.path, port, flags: flags.split(' ') });
    await failed.exited;
    expect([failed.child.exitCode, failed.output().trim()]).toEqual([
      1,
      `npm start does not know ${unknown}; it takes --bundled or nothing.`,
    ]);
  });

  test('a data folder that another service is using', async () => {
    service = await startService({ dataFolder: folder.path });
    const failed = await runService({ dataFolder: folder.path, port: await findPorts() }).catch(
      () => undefined,
    );
    await failed?.exited;
    expect(failed?.child.exitCode).toBe(1);
    expect(failed?.output()).toContain(`${folder.path} is in use by another service`);
    // The failed start has not touched the files of the running service.
    expect(existsSync(join(folder.path, 'demo.json'))).toBe(true);
  });
});
