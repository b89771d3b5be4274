import { readdir } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { fullDiskSentence, tryToWrite } from '#infra/local/disk-space.ts';
import { makeDataFolder } from '../../support/processes/service.ts';

test('a trial leaves nothing in the folder', async () => {
  const { path, remove } = await makeDataFolder();
  await tryToWrite(path);
  expect(await readdir(path)).toEqual([]);
  await remove();
});

test.each([
  ['ENOSPC', true],
  ['EDQUOT', true],
  ['EFBIG', true],
  ['EACCES', false],
  ['ENOENT', false],
])('%s is the error of a full disk: %s', (code, isFull) => {
  const said = fullDiskSentence('/data', Object.assign(new Error('no trial'), { code }));
  const sentence =
    `The disk of the data folder /data is full (${code}). Nothing can be recorded until it has ` +
    'room again.';
  expect(said).toBe(isFull ? sentence : undefined);
});
