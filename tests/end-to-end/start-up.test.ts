// Starting and stopping: the printed requests work, data stays, and no process remains.

import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { chmod, cp, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { type IncomingMessage, request } from 'node:http';
import { connect, createServer } from 'node:net';
import { basename, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { takeDataFolder } from '#infra/local/data-folder.ts';
import { readSettings } from '#infra/local/settings.ts';
import { ada } from '../support/builders/requests.ts';
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
let service: RunningService;

const start = async (): Promise<void> => {
  service = await startService({ dataFolder: folder.path });
};

/** Starts a service with these settings, and waits for its end. */
const fail = async (options: { port?: string; dataFolder?: string } = {}) => {
  const { port = await findPorts(), dataFolder = folder.path } = options;
  const failed = await runService({ dataFolder, port });
  await failed.exited;
  return [failed.child.exitCode, failed.output().trim()];
};

/** Processes that still mention a data folder on their command line. */
const processes = async (dataFolder = folder.path): Promise<string[]> => {
  const { stdout } = await run('ps', ['-eo', 'pid,args']);
  return stdout.split('\n').filter((line) => line.includes(dataFolder));
};

const demoFile = (): string => join(folder.path, 'demo.json');

/** The installed shells. An interactive zsh has no comments. */
const shells = [['sh'], ['bash'], ['zsh', '-f', '-i']].filter(([name = '']) =>
  (process.env.PATH ?? '').split(':').some((folder) => existsSync(join(folder, name))),
);

/** Pastes a script into a shell. Returns its stdout and stderr. */
const paste = ([shell = '', ...flags]: string[], script: string): Promise<[string, string]> => {
  const child = spawn(shell, flags, { detached: true });
  child.stdin.end(`${script}\n`);
  return Promise.all([text(child.stdout), text(child.stderr)]);
};

const projectFolder = new URL('../..', import.meta.url).pathname;

/** The request that the README shows, for the service of this test. */
const readmeRequest = (): string => {
  const readme = readFileSync(join(projectFolder, 'README.md'), 'utf8');
  const [, request = ''] = /^```sh\n(curl .+?)```$/ms.exec(readme) ?? [];
  return request.replace('http://localhost:3000', service.demo.base_url);
};

const ensure = () => callApi(service.demo, 'users/ensure/', { body: ada });

beforeAll(async () => {
  folder = await makeDataFolder();
  await start();
});
afterAll(async () => {
  await service.stop();
  await folder.remove();
});

type Arrival = { signature: string; event: { data: { external_id?: string } } };

// The tests share one service, in this order.
describe('start and stop', () => {
  test('prints first that it is ready', () => {
    // The functions log JSON.
    const lines = service.output().split('\n');
    const said = lines.filter((line) => line !== '' && !line.startsWith('{'));
    expect(said[0]).toBe('The ledger is ready.');
  });

  test('the printed requests work in each shell, also twice', async () => {
    const printed = service.output();
    const from = printed.indexOf('API_KEY=');
    const script = printed.slice(from, printed.indexOf('Stop with Ctrl-C')) + readmeRequest();
    let first: unknown;
    for (const [times, shell] of shells.entries()) {
      const [output, complaints] = await paste(shell, script);
      expect(complaints).not.toMatch(/not found|error/);
      expect(output).toMatch(
        /^1\. A user .+\nuser [1-9]\d*\n2\. .+\ntenant analytical-engines-[a-z2-9]{6}\n/,
      );
      const replies = output
        .split(/\n|(?<=\})(?=\{)/)
        .filter((line) => line.startsWith('{'))
        .map((line) => JSON.parse(line));
      expect(replies).toHaveLength(10);
      const [invoice, accrual, dueRun, found, report, profile, authorization, ...more] = replies;
      const [listed, inbox, readme] = more;
      first ??= [invoice.data.hash, accrual.data.journal_entry_id];
      expect([invoice.data.hash, accrual.data.journal_entry_id], shell.join(' ')).toEqual(first);
      expect(readme.data).toEqual({ ...invoice.data, replayed: true });
      expect(invoice.data).toMatchObject({ status: 'posted', reporting_amount: '1000.00' });
      expect(accrual.data.status).toBe(times === 0 ? 'scheduled' : 'posted');
      expect(dueRun).toMatchObject({ posted: times === 0 ? 1 : 0, stuck: 0 });
      const { replayed: _, ...entry } = invoice.data;
      expect(found.data).toEqual(entry);
      expect(report.data.rows).toMatchObject([
        { account: '1010', closing: { debit: '2000.00', credit: '0.00' } },
        { account: '4010', closing: { debit: '0.00', credit: '2000.00' } },
      ]);
      expect(profile.data.tenant_count).toBe(1);
      expect(authorization.data.authorization_url).toContain(service.demo.sandbox_url);
      expect([listed.status, inbox.reply]).toEqual(['success', 'accept']);
    }
    const arrivals = async () => {
      const reply = await fetch(`${service.demo.sandbox_url}/inbox/deliveries`);
      const { deliveries } = (await reply.json()) as { deliveries: Arrival[] };
      return deliveries.map(({ signature, event }) => [event.data.external_id, signature]);
    };
    await expect.poll(arrivals, { timeout: 20_000 }).toContainEqual(['invoice-42', 'valid']);
  });

  test('demo.json has all addresses, for its owner only', async () => {
    const port = Number(new URL(service.demo.base_url).port);
    expect(JSON.parse(await readFile(demoFile(), 'utf8'))).toEqual({
      base_url: `http://localhost:${port}`,
      callback_url: `http://localhost:${port + 1}`,
      sandbox_url: `http://localhost:${port + 2}`,
      application_id: expect.stringMatching(/^[0-9a-f]{16}$/),
      api_key: expect.stringMatching(/^lk_[0-9a-f]{24}_[0-9a-f]{72}$/),
    });
    expect((await stat(demoFile())).mode & 0o777).toBe(0o600);
  });

  test('its data is for its owner only', async () => {
    const files = await readdir(folder.path);
    expect(files).toContain('dynamodb.sqlite');
    const modes = await Promise.all(
      files.map(async (file) => (await stat(join(folder.path, file))).mode & 0o077),
    );
    expect(new Set(modes)).toEqual(new Set([0]));
    expect((await stat(folder.path)).mode & 0o777).toBe(0o700);
  });

  test('a web page whose name points at this machine reaches nothing', async () => {
    const local = JSON.parse(await readFile(join(folder.path, 'local.json'), 'utf8'));
    const { base_url, callback_url, sandbox_url } = service.demo;
    const statuses = await Promise.all(
      [
        ...['/books', '/docs', '/openapi.json'].map((path) => base_url + path),
        `${callback_url}/oauth/xero/callback`,
        `${sandbox_url}/platform_a/test-tokens`,
        `${sandbox_url}/schedules/post-scheduled-entries`,
        local.secrets_endpoint,
      ].map(async (url) => {
        const sent = request(url, { headers: { Host: 'evil.example' } }).end();
        const [reply] = (await once(sent, 'response')) as [IncomingMessage];
        reply.resume();
        return [url, reply.statusCode];
      }),
    );
    expect(statuses.filter(([, status]) => status !== 421)).toEqual([]);
    // The database accepts every caller, so its address is secret.
    expect(new URL(local.dynamodb_endpoint).hostname).not.toMatch(/^127\.0\.|localhost/);
    expect((await stat(join(folder.path, 'local.json'))).mode & 0o777).toBe(0o600);
    expect(service.output()).not.toContain(new URL(local.dynamodb_endpoint).hostname);
  });

  test('callers that disconnect during a request do no harm', async () => {
    for (const url of [
      service.demo.base_url,
      service.demo.callback_url,
      service.demo.sandbox_url,
    ]) {
      const { hostname, port } = new URL(url);
      const socket = connect({ host: hostname, port: Number(port) });
      await once(socket, 'connect');
      socket.write(
        'POST /oauth/platform_a/callback HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\n{',
      );
      await pause(50);
      socket.destroy();
    }
    await pause(50);
    expect((await callApi(service.demo, 'users/ensure/', { body: ada })).status).toBe(200);
  });

  test('a data folder in use by another service is refused', async () => {
    const [code, output] = await fail();
    expect([code, output]).toEqual([1, expect.stringContaining('is in use by another service')]);
    expect(existsSync(demoFile())).toBe(true);
  });

  test('SIGINT stops it, and the next start has the same data and demo key', async () => {
    const { api_key } = service.demo;
    const first = await ensure();
    expect((await processes()).length).toBeGreaterThan(0);
    expect(await service.stop('SIGINT')).toBe(0);
    expect([await processes(), existsSync(demoFile())]).toEqual([[], false]);
    await start();
    expect(service.demo.api_key).toBe(api_key);
    expect((await ensure()).body.data).toEqual({ ...first.body.data, created: false });
  });

  test('after SIGKILL no process remains, and the next start has the same data', async () => {
    const first = await ensure();
    await service.stop('SIGKILL');
    await expect.poll(() => processes(), { timeout: 5_000 }).toEqual([]);
    expect(existsSync(demoFile())).toBe(false);
    // As after a crash of the machine.
    await writeFile(demoFile(), '{"base_url":"of an earlier run"}');
    const starting = start();
    await expect.poll(() => existsSync(demoFile()), { timeout: 10_000, interval: 5 }).toBe(false);
    await starting;
    expect(service.demo.base_url).toMatch(/^http:/);
    expect((await ensure()).body.data).toEqual({ ...first.body.data, created: false });
  });

  test('it ends with a message when its database ends', async () => {
    const [engine] = (await processes()).filter((line) => !line.includes('sh -c'));
    process.kill(Number(engine?.trim().split(' ')[0]), 'SIGKILL');
    await service.exited;
    expect(service.child.exitCode).toBe(1);
    // The last output can arrive after the end of the process.
    await expect.poll(service.output).toContain('The embedded DynamoDB has ended');
    await expect.poll(() => processes(), { timeout: 5_000 }).toEqual([]);
    await start();
  });

  test.each(['SIGHUP', 'SIGTERM'] as const)('%s stops it and leaves no process', async (signal) => {
    if (service.child.exitCode !== null) await start();
    expect((await processes()).length).toBeGreaterThan(0);
    expect(await service.stop(signal)).toBe(0);
    expect([await processes(), existsSync(demoFile())]).toEqual([[], false]);
  });
});

describe('a failed start prints the reason', () => {
  test('a taken port', async () => {
    const { path: dataFolder, remove } = await makeDataFolder();
    const port = await findPorts();
    const blocker = createServer().listen(port + 1, '127.0.0.1');
    try {
      const [code, output] = await fail({ port: String(port), dataFolder });
      expect([code, output]).toEqual([
        1,
        expect.stringContaining(`Port ${port + 1} (OAuth callback) is taken`),
      ]);
      expect(await processes(dataFolder)).toEqual([]);
    } finally {
      blocker.close();
      await remove();
    }
  });

  test('a data folder that is not writable', async () => {
    const { path, remove } = await makeDataFolder();
    const file = join(path, 'a-file');
    await writeFile(file, '');
    const sentenceOf = (folder: string) =>
      `The data folder ${folder} is not writable (ENOTDIR). ` +
      'Set LEDGER_DATA to a writable folder, for example: LEDGER_DATA=~/ledger-data npm start';
    const inFile = join(file, 'data');
    expect(await fail({ dataFolder: file })).toEqual([1, sentenceOf(file)]);
    await expect(takeDataFolder(inFile)).rejects.toThrow(sentenceOf(inFile));
    await remove();
  });

  test.runIf(existsSync('/proc'))('a data folder that cannot be created', async () => {
    const { mode } = await stat('/proc');
    for (const dataFolder of ['/proc/x', '/proc/x/y', '/proc']) {
      const plain = `The data folder ${dataFolder} is not writable (ENOENT). Set LEDGER_DATA`;
      await expect(takeDataFolder(dataFolder)).rejects.toThrow(plain);
    }
    // A folder that others use stays open to them.
    expect((await stat('/proc')).mode).toBe(mode);
  });

  test('a shared folder keeps its mode', async () => {
    const { path, remove } = await makeDataFolder();
    await chmod(path, 0o755);
    await writeFile(join(path, 'of others'), '');
    const { stop } = await takeDataFolder(path);
    await stop();
    const { mode } = await stat(path);
    await remove();
    expect(mode & 0o777).toBe(0o755);
  });

  test.each([
    ['without a format', 'dynamodb.sqlite', '', 'no version reads this one'],
    ['in format 2', 'data-format', '2\n', 'no version reads this one'],
    ['in format 7', 'data-format', '7\n', 'use a version after 1.3.0'],
    ['in format 8', 'data-format', '8 of version 1.5.0\n', 'use version 1.5.0'],
  ])('a data folder with data %s, which is kept', async (format, name, content, reader) => {
    const { path, remove } = await makeDataFolder();
    await writeFile(join(path, name), content);
    const { message } = await takeDataFolder(path).then(
      () => expect.fail('it took the folder'),
      (error: Error) => error,
    );
    const files = await readdir(path);
    await remove();
    expect(message).toContain(
      `The data folder ${path} has data ${format}; this version of the ledger reads the ` +
        `formats 3, 4, 5, 6: ${reader}.`,
    );
    expect(message).toContain(`mv ${path} ${path}.old`);
    expect(files).toEqual([name]);
  });

  /** Makes the process believe that it is another Node, before anything else is loaded. */
  const olderNode =
    "data:text/javascript,Object.defineProperty(process,'version',{value:'v20.11.0'});" +
    "Object.defineProperty(process,'versions',{value:{node:'20.11.0'}})";

  test.each([
    ['packages that are not installed', [], 'A package of the project is not installed. Run:'],
    ['a Node that is too old', ['--import', olderNode], 'This is Node v20.11.0. The service'],
  ])('%s', async (_, flags, said) => {
    const { path, remove } = await makeDataFolder();
    for (const part of ['infra', 'shared', 'functions', 'package.json']) {
      await cp(join(projectFolder, part), join(path, part), {
        recursive: true,
        filter: (source) => basename(source) !== 'node_modules',
      });
    }
    const failed = await run('node', [...flags, 'infra/npm-start.js'], { cwd: path }).then(
      () => expect.fail('it started'),
      (error: { code: number; stderr: string }) => error,
    );
    await remove();
    expect(failed.code).toBe(1);
    expect(failed.stderr).toContain(said);
    expect(failed.stderr).toContain('\n\n  npm ci && npm start\n');
    expect(failed.stderr).not.toMatch(/^ +at /m);
  });

  test('a wrong setting', async () => {
    expect(await fail({ port: 'abc' })).toEqual([
      1,
      'PORT is abc; it must be a number from 1 to 65533.',
    ]);
  });

  test.each(['0', '65534', '-1', '3000.5'])('PORT=%s', (port) => {
    expect(() => readSettings({ PORT: port }, [])).toThrow(
      `PORT is ${port}; it must be a number from 1 to 65533.`,
    );
  });

  test('SANDBOX_LIMITS=on', () => {
    expect(() => readSettings({ SANDBOX_LIMITS: 'on' }, [])).toThrow(
      'SANDBOX_LIMITS is on; it must be off, or unset to enforce them.',
    );
  });

  test.each([
    ['--bundle', '--bundle'],
    ['--port 4000', '--port 4000'],
    ['--bundled now', 'now'],
  ])('npm start -- %s', (flags, unknown) => {
    expect(() => readSettings({}, flags.split(' '))).toThrow(
      `npm start does not know ${unknown}; it takes --bundled or nothing.`,
    );
  });
});
