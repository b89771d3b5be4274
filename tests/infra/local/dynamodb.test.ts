import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { startEmbeddedDynamoDB } from '#infra/local/dynamodb.ts';
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

test('the engine finds the last record of a stream without going through all of them', async () => {
  const folder = await makeDataFolder();
  const dataFile = join(folder.path, 'dynamodb.sqlite');
  // The second start finds the index there.
  for (const _start of [1, 2]) {
    const engine = await startEmbeddedDynamoDB(dataFile);
    await engine.stop();
  }
  const database = new DatabaseSync(dataFile);
  const plan = database
    .prepare(
      'EXPLAIN QUERY PLAN SELECT COALESCE(MAX(CAST(sequence_number AS INTEGER)), 0) + 1 ' +
        'FROM _stream_records WHERE table_name = ?1',
    )
    .all('ledger-local');
  database.close();
  await folder.remove();
  expect(plan).toMatchObject([{ detail: expect.stringContaining('USING COVERING INDEX') }]);
});
