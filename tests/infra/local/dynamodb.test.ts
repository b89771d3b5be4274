import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { startEmbeddedDynamoDB } from '#infra/local/dynamodb.ts';
import { makeDataFolder } from '../../support/processes/service.ts';

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
