import { appendFile, readdir, readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { SQSClient } from '@aws-sdk/client-sqs';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Dependencies } from '#infra/ops/command.ts';
import { listFailures, redriveFailures } from '#infra/ops/commands/failures.ts';
import { openFailureQueue } from '#infra/ops/stage/failure-queue.ts';
import { requestImportAction } from '#shared/imports/imports.store.ts';
import type { TenantName } from '#shared/table/keys.ts';
import { openApplication } from '../../support/builders/applications.ts';
import { addTenant } from '../../support/builders/platforms/connected-tenants.ts';
import { useOperator } from '../../support/harnesses/operator.ts';
import { failedBatch, failedInvocation, startQueue } from '../../support/servers/queue-server.ts';

const queueName = 'ledger-test-failed-records';

let queue: Awaited<ReturnType<typeof startQueue>>;
let client: SQSClient;
let dependencies: Dependencies;
const operator = useOperator({ each: true });
beforeEach(async () => {
  queue = await startQueue(queueName);
  client = new SQSClient({ endpoint: queue.endpoint });
  dependencies = { ...operator.dependencies, failures: openFailureQueue(client, queueName) };
});
afterEach(async () => {
  client.destroy();
  await queue.stop();
});

const at = (time: string): string => `2026-03-23T${time}.000Z`;

/** A tenant whose import was requested at this time. The clock shows 09:30. */
const importSince = async (prefix: string, time: string) => {
  const { table } = operator.database;
  const name = await addTenant(operator.ledger, { prefix });
  const requestedAt = at(time);
  await table.transact([
    requestImportAction(name, { importId: `import of ${prefix}`, requestedAt }),
  ]);
  return name;
};

const leaseOf = (prefix: string) => ({ importId: `import of ${prefix}`, runId: 'run' });

/** A running import whose lease ends at this time. */
const runningUntil = async (prefix: string, time: string) => {
  const name = await importSince(prefix, '08:00:00');
  const now = new Date(Date.parse(at(time)) - 60_000);
  const lease = { ...leaseOf(prefix), now, runsWithoutProgress: 1 };
  await dependencies.imports.acquireLease(name, lease);
  return name;
};

/** An import that waits until this time. */
const waitingUntil = async (prefix: string, time: string) => {
  const name = await runningUntil(prefix, '09:00:00');
  const times = { now: new Date(at('09:00:00')), until: new Date(at(time)) };
  const wait = { ...leaseOf(prefix), ...times };
  const limited = { reason: 'rate_limited', runsWithoutProgress: 1 };
  await dependencies.imports.defer(name, { ...wait, ...limited });
  return name;
};

const importOf = (name: TenantName) => ({
  application_id: name.applicationId,
  schema_name: name.schemaName,
  import_id: `import of ${name.schemaName}`,
});
const requested = (name: TenantName, times: { requestedAt: string; continuesAt: string }) => ({
  ...importOf(name),
  status: 'requested',
  reason: null,
  requested_at: at(times.requestedAt),
  progressed_at: at(times.requestedAt),
  continues_at: at(times.continuesAt),
  application_suspended: false,
  overdue: false,
});
const resumed = (name: TenantName, reason: string | null = null) => ({
  ...importOf(name),
  status: 'requested',
  reason,
});

const list = () => listFailures.run(dependencies, {});
const redrive = () => redriveFailures.run(dependencies, {});

/** A listed failure. A field is `null` if the message does not have it. */
const listed = (more: object) => ({
  failure_id: expect.any(String),
  failed_at: null,
  function: null,
  reason: 'RetryAttemptsExhausted',
  records: 1,
  shard_id: null,
  sequence_number: null,
  in_stream: true,
  application_id: null,
  schema_name: null,
  import_id: null,
  ...more,
});
const inQueue = (more: object = {}) =>
  listed({
    failure_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
    failed_at: '2026-03-23T09:25:49.717Z',
    function: 'ledger-test-start-imports',
    shard_id: 'shardId-00000001573689847184-864758bb',
    sequence_number: '800000000003126276362',
    ...more,
  });
const notUnderstood = listed({
  reason: 'not the message of a failed record or invocation',
  records: null,
  in_stream: null,
});
/** The request of a failed invocation, in both queues. */
const run = { applicationId: 'app1', schemaName: 'acme', importId: 'import-1' };
const ofRun = listed({
  failed_at: '2026-03-23T09:25:49.717Z',
  function: 'ledger-test-import-tenant-data',
  reason: 'RetriesExhausted',
  records: null,
  in_stream: null,
  application_id: 'app1',
  schema_name: 'acme',
  import_id: 'import-1',
});

describe('the failures of a deployed stage', () => {
  test('are listed with the unfinished imports, and stay in the queue', async () => {
    const later = await importSince('later', '09:29:00');
    const sooner = await importSince('sooner', '09:25:00');
    const old = failedBatch({ arrivedAt: '2026-03-22T09:30:00Z' });
    queue.send(failedBatch(), old, failedInvocation(run), 'something');
    const all = {
      failures: [inQueue(), inQueue({ in_stream: false }), ofRun, notUnderstood],
      unfinished_imports: [
        requested(sooner, { requestedAt: '09:25:00', continuesAt: '09:35:00' }),
        requested(later, { requestedAt: '09:29:00', continuesAt: '09:39:00' }),
      ],
    };
    expect(await list()).toEqual(all);
    expect(queue.content().map(({ isVisible }) => isVisible)).toEqual(Array(4).fill(true));
    expect(await list()).toEqual(all);
  });

  test('are listed with the next attempt of each import, and whether it is overdue', async () => {
    await runningUntil('dead', '09:26:59');
    await runningUntil('late', '09:27:00');
    await waitingUntil('limited', '12:00:00');
    expect((await list()).unfinished_imports).toMatchObject([
      { schema_name: 'dead', status: 'running', reason: null, overdue: true },
      { schema_name: 'late', status: 'running', reason: null, overdue: false },
      { schema_name: 'limited', status: 'waiting', reason: 'rate_limited', overdue: false },
    ]);
  });

  test('are all listed if there are many', async () => {
    queue.send(...Array.from({ length: 37 }, () => failedBatch()));
    const { failures } = await list();
    expect(failures).toHaveLength(37);
    const ids = (failures as { failure_id: string }[]).map((it) => it.failure_id);
    expect(new Set(ids).size).toBe(37);
  });

  test('are redriven: due imports resume, other imports keep waiting', async () => {
    const old = await importSince('old', '09:20:00');
    const young = await importSince('young', '09:20:01');
    const dead = await runningUntil('dead', '09:30:00');
    const alive = await runningUntil('alive', '09:31:00');
    const passed = await waitingUntil('passed', '09:29:00');
    const limited = await waitingUntil('limited', '12:00:00');
    const { imports } = dependencies;
    const names = [old, dead, passed, young, alive, limited];
    const before = await Promise.all(names.map((name) => imports.find(name)));
    queue.send(
      ...Array.from({ length: 12 }, () => failedBatch({ arrivedAt: '2026-03-23T09:27:58Z' })),
    );
    expect(await redrive()).toMatchObject({
      resumed_imports: [resumed(passed, 'rate_limited'), resumed(old), resumed(dead)],
      waiting_imports: [
        requested(young, { requestedAt: '09:20:01', continuesAt: '09:30:01' }),
        { schema_name: 'alive', status: 'running' },
        { schema_name: 'limited', status: 'waiting' },
      ],
      removed_failures: 12,
      left_failures: 0,
    });
    expect(queue.content()).toEqual([]);
    // Only their status has changed, so they resume from their checkpoints.
    const resumedImports = before.slice(0, 3).map((it) => ({ ...it, status: 'requested' }));
    expect(await Promise.all(names.map((name) => imports.find(name)))).toEqual([
      ...resumedImports,
      ...before.slice(3),
    ]);
    expect((await list()).unfinished_imports).toHaveLength(6);
    expect(await redrive()).toMatchObject({ resumed_imports: [] });
  });

  test('do not resume the imports of a suspended application, which are not overdue', async () => {
    const { applicationId } = await importSince('old', '09:00:00');
    await openApplication(operator.database.table, applicationId).suspend();
    const waiting = { application_suspended: true, overdue: false };
    expect((await list()).unfinished_imports).toMatchObject([waiting]);
    expect(await redrive()).toMatchObject({ resumed_imports: [], waiting_imports: [waiting] });
  });

  test('of other functions stay in the queue, as do unknown messages', async () => {
    const other = failedBatch({ functionName: 'ledger-test-other' });
    queue.send(other, 'something', failedBatch(), failedInvocation('of another form'));
    expect(await redrive()).toMatchObject({ removed_failures: 2, left_failures: 2 });
    expect(queue.content()).toEqual(
      [other, 'something'].map((body) => ({ body, isVisible: true })),
    );
  });

  test('do not resume an import that has ended or is resuming', async () => {
    const finished = await importSince('finished', '09:00:00');
    await dependencies.imports.finish(finished, {
      importId: 'import of finished',
      finishedAt: at('09:01:00'),
      reason: null,
      tenantStatus: 'active',
    });
    const nothing = { resumed_imports: [], waiting_imports: [] };
    expect(await redrive()).toEqual({ ...nothing, removed_failures: 0, left_failures: 0 });
    expect(await dependencies.imports.find(finished)).toMatchObject({ status: 'complete' });
    await importSince('old', '09:00:00');
    dependencies.imports = { ...dependencies.imports, resume: async () => false };
    expect(await redrive()).toMatchObject(nothing);
  });

  test('stay visible in the queue if an import cannot be resumed', async () => {
    await importSince('old', '09:00:00');
    queue.send(failedBatch());
    const resume = () => Promise.reject(new Error('the table is unavailable'));
    dependencies.imports = { ...dependencies.imports, resume };
    await expect(redrive()).rejects.toThrow('the table is unavailable');
    expect(queue.content()).toEqual([{ body: failedBatch(), isVisible: true }]);
  });

  test('cannot be listed without a queue', async () => {
    dependencies.failures = openFailureQueue(client, 'ledger-other-failed-records');
    await expect(list()).rejects.toMatchObject({ name: 'QueueDoesNotExist' });
  });
});

describe('the failures of the local service', () => {
  const lineOf = (sequenceNumber: string, functionName = 'start-imports') =>
    `${JSON.stringify({
      function: functionName,
      record: {
        dynamodb: { ApproximateCreationDateTime: at('09:20:00'), SequenceNumber: sequenceNumber },
      },
    })}\n`;
  const inFile = (sequence_number: string) =>
    listed({
      failure_id: expect.stringMatching(/^[0-9a-f]{16}$/),
      function: 'start-imports',
      sequence_number,
    });
  beforeEach(() => {
    dependencies = operator.dependencies;
  });

  test('are read from a file in the data folder, which need not exist', async () => {
    expect(await list()).toEqual({ failures: [], unfinished_imports: [] });
    const lines = `${lineOf('1')}not JSON\n${failedInvocation(run)}\n${lineOf('2')}`;
    await appendFile(operator.failedRecords, lines);
    expect((await list()).failures).toEqual([inFile('1'), notUnderstood, ofRun, inFile('2')]);
  });

  test('are redriven, and new failures in the meantime are kept', async () => {
    const failed = await importSince('failed', '09:20:00');
    const [handled, other] = [lineOf('1'), lineOf('2', 'other')];
    await appendFile(operator.failedRecords, handled + other);
    const { imports } = dependencies;
    const meanwhile = lineOf('3');
    const resume: typeof imports.resume = async (...args) => {
      await appendFile(operator.failedRecords, meanwhile);
      return imports.resume(...args);
    };
    dependencies = { ...dependencies, imports: { ...imports, resume } };
    expect(await redrive()).toEqual({
      resumed_imports: [resumed(failed)],
      waiting_imports: [],
      removed_failures: 1,
      left_failures: 1,
    });
    expect(await readFile(operator.failedRecords, 'utf8')).toBe(other + meanwhile);
    expect(await readdir(dirname(operator.failedRecords))).not.toContain(
      'failed-records.jsonl.taken',
    );
  });
});
