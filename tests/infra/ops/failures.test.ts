import { appendFile, readdir, readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { SQSClient } from '@aws-sdk/client-sqs';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Dependencies } from '#infra/ops/command.ts';
import { listFailures, redriveFailures } from '#infra/ops/commands/failures.ts';
import { openFailureQueue } from '#infra/ops/failure-queue.ts';
import { importAction } from '#shared/store/imports.ts';
import type { TenantName } from '#shared/store/keys.ts';
import { addTenant } from '../../support/connected-tenants.ts';
import { type Operator, openOperator } from '../../support/operator.ts';
import { failedBatch, startQueue } from '../../support/queue-server.ts';

const queueName = 'ledger-test-failed-records';

let operator: Operator;
let queue: Awaited<ReturnType<typeof startQueue>>;
let client: SQSClient;
let dependencies: Dependencies;
beforeEach(async () => {
  operator = await openOperator();
  queue = await startQueue(queueName);
  client = new SQSClient({ endpoint: queue.endpoint });
  dependencies = { ...operator.dependencies, failures: openFailureQueue(client, queueName) };
});
afterEach(async () => {
  client.destroy();
  await queue.stop();
  await operator.stop();
});

/** A tenant whose import was asked for at a time of the day; it is half past nine. */
const importSince = async (prefix: string, time: string, isConnected = true) => {
  const { table } = operator.database;
  const name = await addTenant({ table, issuing: operator.dependencies }, { prefix, isConnected });
  const requestedAt = `2026-03-23T${time}.000Z`;
  await table.transact([importAction(name, { importId: `import of ${prefix}`, requestedAt })]);
  return name;
};
const waiting = (name: TenantName, prefix: string, time: string) => ({
  application_id: name.applicationId,
  schema_name: name.schemaName,
  import_id: `import of ${prefix}`,
  requested_at: `2026-03-23T${time}.000Z`,
});
const restarted = (name: TenantName) => ({
  application_id: name.applicationId,
  schema_name: name.schemaName,
  import_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
  requested_at: '2026-03-23T09:30:00.000Z',
});

const list = () => listFailures.run(dependencies, {});
const redrive = (olderThanMinutes = 15) => redriveFailures.run(dependencies, { olderThanMinutes });

const inQueue = (more: object = {}) => ({
  failure_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
  failed_at: '2026-03-23T09:25:49.717Z',
  function: 'ledger-test-import-tenant-data',
  reason: 'RetryAttemptsExhausted',
  records: 1,
  shard_id: 'shardId-00000001573689847184-864758bb',
  sequence_number: '800000000003126276362',
  in_stream: true,
  ...more,
});
const notUnderstood = {
  failure_id: expect.any(String),
  failed_at: null,
  function: null,
  reason: 'not the message of a failed record',
  records: null,
  shard_id: null,
  sequence_number: null,
  in_stream: null,
};

describe('the failures of a deployed stage', () => {
  test('are none where all went well', async () => {
    expect(await list()).toEqual({ failures: [], waiting_imports: [] });
    expect(await redrive()).toEqual({
      restarted_imports: [],
      imports_without_connection: [],
      removed_failures: 0,
      left_failures: 0,
    });
  });

  test('are listed with the imports that wait, and stay where they are', async () => {
    const later = await importSince('later', '09:20:00');
    const sooner = await importSince('sooner', '09:10:00');
    queue.send(failedBatch(), failedBatch({ arrivedAt: '2026-03-22T09:30:00Z' }), 'something');
    const listed = {
      failures: [inQueue(), inQueue({ in_stream: false }), notUnderstood],
      waiting_imports: [waiting(sooner, 'sooner', '09:10:00'), waiting(later, 'later', '09:20:00')],
    };
    expect(await list()).toEqual(listed);
    expect(queue.content().map(({ isVisible }) => isVisible)).toEqual([true, true, true]);
    expect(await list()).toEqual(listed);
  });

  test('are listed to the last, however many there are', async () => {
    queue.send(...Array.from({ length: 37 }, () => failedBatch()));
    const { failures } = await list();
    expect(failures).toHaveLength(37);
    const ids = (failures as { failure_id: string }[]).map((it) => it.failure_id);
    expect(new Set(ids).size).toBe(37);
  });

  test('are made up for: imports from before the last of them, or that wait too long', async () => {
    const old = await importSince('old', '09:14:59');
    const failed = await importSince('failed', '09:27:59');
    const young = await importSince('young', '09:29:30');
    queue.send(
      ...Array.from({ length: 12 }, () => failedBatch({ arrivedAt: '2026-03-23T09:27:58Z' })),
    );
    expect(await redrive()).toEqual({
      restarted_imports: [restarted(old), restarted(failed)],
      imports_without_connection: [],
      removed_failures: 12,
      left_failures: 0,
    });
    expect(queue.content()).toEqual([]);
    expect(await dependencies.imports.find(young)).toMatchObject({ importId: 'import of young' });
    expect(await dependencies.imports.find(failed)).toMatchObject({
      importId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      status: 'requested',
      requestedAt: '2026-03-23T09:30:00.000Z',
    });
    expect((await dependencies.tenants.find(failed))?.status).toBe('importing');
  });

  test('that asking again does not make up for are left, and what is no failure', async () => {
    queue.send(failedBatch({ functionName: 'ledger-test-other' }), 'something', failedBatch());
    expect(await redrive()).toMatchObject({ removed_failures: 1, left_failures: 2 });
    expect(queue.content()).toEqual([
      { body: failedBatch({ functionName: 'ledger-test-other' }), isVisible: true },
      { body: 'something', isVisible: true },
    ]);
  });

  test('leave an import alone that is finished, or of a tenant without a connection', async () => {
    const finished = await importSince('finished', '09:00:00');
    await dependencies.imports.finish(finished, {
      importId: 'import of finished',
      finishedAt: '2026-03-23T09:01:00.000Z',
      accountsImported: 3,
      reason: null,
      tenantStatus: 'active',
    });
    const unconnected = await importSince('unconnected', '09:00:00', false);
    expect(await redrive()).toMatchObject({
      restarted_imports: [],
      imports_without_connection: [{ schema_name: unconnected.schemaName }],
    });
    expect(await dependencies.imports.find(finished)).toMatchObject({ status: 'complete' });
  });

  test('stay in the queue, for others to see, where an import cannot be asked for', async () => {
    await importSince('old', '09:00:00');
    queue.send(failedBatch());
    const request = () => Promise.reject(new Error('the table is away'));
    dependencies.imports = { ...dependencies.imports, request };
    await expect(redrive()).rejects.toThrow('the table is away');
    expect(queue.content()).toEqual([{ body: failedBatch(), isVisible: true }]);
  });

  test('cannot be listed where there is no queue', async () => {
    dependencies.failures = openFailureQueue(client, 'ledger-other-failed-records');
    await expect(list()).rejects.toMatchObject({ name: 'QueueDoesNotExist' });
  });
});

describe('the failures of this machine', () => {
  const lineOf = (sequenceNumber: string, functionName = 'import-tenant-data') =>
    `${JSON.stringify({
      function: functionName,
      record: {
        eventID: 'x',
        dynamodb: {
          ApproximateCreationDateTime: '2026-03-23T09:20:00.000Z',
          SequenceNumber: sequenceNumber,
        },
      },
    })}\n`;
  const inFile = (sequence_number: string, more: object = {}) => ({
    failure_id: expect.stringMatching(/^[0-9a-f]{16}$/),
    failed_at: null,
    function: 'import-tenant-data',
    reason: 'RetryAttemptsExhausted',
    records: 1,
    shard_id: null,
    sequence_number,
    in_stream: true,
    ...more,
  });
  beforeEach(() => {
    dependencies = operator.dependencies;
  });

  test('are read from the file of the data folder, which need not be there', async () => {
    expect(await list()).toEqual({ failures: [], waiting_imports: [] });
    await appendFile(operator.failedRecords, `${lineOf('1')}not JSON\n${lineOf('2')}`);
    expect((await list()).failures).toEqual([inFile('1'), notUnderstood, inFile('2')]);
  });

  test('are made up for, and what comes meanwhile is kept', async () => {
    const failed = await importSince('failed', '09:20:00');
    const [handled, other] = [lineOf('1'), lineOf('2', 'other')];
    await appendFile(operator.failedRecords, handled + other);
    const { imports } = dependencies;
    const meanwhile = lineOf('3');
    dependencies = {
      ...dependencies,
      imports: {
        ...imports,
        request: async (...asked) => {
          await appendFile(operator.failedRecords, meanwhile);
          return imports.request(...asked);
        },
      },
    };
    expect(await redrive()).toEqual({
      restarted_imports: [restarted(failed)],
      imports_without_connection: [],
      removed_failures: 1,
      left_failures: 1,
    });
    expect(await readFile(operator.failedRecords, 'utf8')).toBe(other + meanwhile);
    expect(await readdir(dirname(operator.failedRecords))).not.toContain(
      'failed-records.jsonl.taken',
    );
  });
});
