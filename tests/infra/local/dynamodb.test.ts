import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { makeDataFolder } from '../../support/processes/service.ts';

const run = promisify(execFile);
const projectFolder = new URL('../../..', import.meta.url).pathname;

/** Makes the process believe that it runs elsewhere, before anything else is loaded. */
const elsewhere =
  "data:text/javascript,Object.defineProperty(process,'platform',{value:'sunos'});" +
  "Object.defineProperty(process,'arch',{value:'mips'})";

test('a platform without an embedded engine is told what to do instead', async () => {
  const folder = await makeDataFolder();
  const start = run('node', ['--import', elsewhere, 'infra/start.ts'], {
    cwd: projectFolder,
    env: { ...process.env, AWS_ENDPOINT_URL_DYNAMODB: '', LEDGER_DATA: folder.path },
  });
  const failed = start.then(
    () => expect.fail('it started'),
    (error: { code: number; stderr: string }) => error,
  );
  const { code, stderr } = await failed;
  await folder.remove();
  expect([code, stderr.trim()]).toEqual([
    1,
    'There is no embedded DynamoDB for sunos-mips here. Install it, if it is to be had:\n\n' +
      '  npm install --no-save @dynoxide/sunos-mips@1.2.1\n\n' +
      'or start DynamoDB Local and point AWS_ENDPOINT_URL_DYNAMODB at it.',
  ]);
});
