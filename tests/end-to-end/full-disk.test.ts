// A disk without room: callers may try again, the terminal says why, and nothing is lost. It takes
// the right to mount a file system.

import { execFileSync } from 'node:child_process';
import { rm, statfs, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { ada } from '../support/builders/requests.ts';
import {
  callApi,
  findPorts,
  makeDataFolder,
  runService,
  startService,
} from '../support/processes/service.ts';

const folder = await makeDataFolder();
const filler = join(folder.path, 'filler');

/** A separate file system for the folder, if permitted. */
const mount = (): boolean => {
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=16m', 'tmpfs', folder.path]);
    return true;
  } catch {
    return false;
  }
};
const isMounted = mount();

afterAll(async () => {
  if (isMounted) execFileSync('umount', ['--lazy', folder.path]);
  await folder.remove();
});

const fill = async (): Promise<void> => {
  const { bavail, bsize } = await statfs(folder.path);
  // The service also writes: the disk can be full before the file is complete.
  await writeFile(filler, Buffer.alloc(bavail * bsize)).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOSPC') throw error;
  });
};

const sentence = `The disk of the data folder ${folder.path} is full (ENOSPC).`;

test.runIf(isMounted)('a full disk is said in plain words, at a request and at start', async () => {
  const service = await startService({ dataFolder: folder.path });
  const ensure = (email: string) =>
    callApi(service.demo, 'users/ensure/', { body: { ...ada, email } });
  const first = await ensure(ada.email);
  await fill();
  // The database's log may have some room within it.
  const replies = [];
  for (let time = 0; time < 200 && replies.at(-1)?.status !== 503; time += 1) {
    replies.push(await ensure(`ada.${time}@example.com`));
  }
  replies.push(await ensure('last@example.com'));
  for (const { status, body } of replies.slice(-2)) {
    expect([status, body.error.code, body.error.retryable]).toEqual([
      503,
      'temporarily_unavailable',
      true,
    ]);
  }
  await expect.poll(service.output, { timeout: 10_000 }).toContain(sentence);
  expect(service.output().split(sentence)).toHaveLength(2);

  await rm(filler);
  const again = await ensure('last@example.com');
  expect([again.status, again.body.data.created]).toEqual([200, true]);
  expect((await ensure(ada.email)).body.data).toEqual({ ...first.body.data, created: false });
  await service.stop();

  await fill();
  const { child, output, exited } = await runService({
    dataFolder: folder.path,
    port: await findPorts(),
  });
  await exited;
  expect([child.exitCode, output().trim()]).toEqual([
    1,
    `${sentence} Nothing can be recorded until it has room again.`,
  ]);
});
