// `ops restore`, from a damaged table to the functions that use the restored one.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { LambdaClient } from '@aws-sdk/client-lambda';
import { afterEach, beforeEach, describe, expect, inject, test } from 'vitest';
import { localCredentials, localRegion } from '#infra/manifest/local-credentials.ts';
import { readRestoredTables } from '#infra/manifest/stages.ts';
import { loadCommand } from '#infra/ops/catalog.ts';
import type { Dependencies } from '#infra/ops/command.ts';
import { checkTableChange } from '#infra/ops/deployment/preflight.ts';
import { CommandFailure } from '#infra/ops/errors.ts';
import { runCommand } from '#infra/ops/run-command.ts';
import { openFunctionVersions } from '#infra/ops/stage/function-versions.ts';
import { openRestoration } from '#infra/ops/stage/restoration.ts';
import { openStageTable } from '#infra/ops/stage/stage-table.ts';
import { findOrCreateApplication } from '#shared/applications/issue-api-key.service.ts';
import { openFeed } from '#shared/events/feed.store.ts';
import { tenantKey } from '#shared/table/keys.ts';
import { openTable } from '#shared/table/table.ts';
import { openBooks } from '../../../support/builders/books.ts';
import { openVerification } from '../../../support/harnesses/books-verification.ts';
import { refusalOf, useOperator } from '../../../support/harnesses/operator.ts';
import { startLambdaVersions } from '../../../support/servers/lambda-versions-server.ts';
import { startRestores } from '../../../support/servers/restores-server.ts';

const operator = useOperator({ each: true });
const { harm } = openVerification(operator);
const at = '2026-03-23T09:25:00.000Z';
const target = 'ledger-test-20260323T092500Z';
const name = 'create-journal-entry';

let dynamoDB: Awaited<ReturnType<typeof startRestores>>;
let lambda: Awaited<ReturnType<typeof startLambdaVersions>>;
let folder: string;
let clients: { destroy: () => void }[];
let dependencies: Dependencies;
/** The table that the deployed functions use after `deploy`. */
let deployments: string[];
let commit: string | undefined;
let books: Awaited<ReturnType<typeof openBooks>>;

const fileOf = () => pathToFileURL(join(folder, 'restored-tables.json'));
const bound = () => readRestoredTables(fileOf());

/** The dependencies of a new process: it reads the binding. */
const open = (changes: { deploy?: (table: string) => Promise<void> } = {}): Dependencies => {
  const serving = bound().test?.name ?? operator.database.tableName;
  const client = new DynamoDBClient({ endpoint: dynamoDB.url });
  const lambdaClient = new LambdaClient({
    endpoint: lambda.url,
    region: localRegion,
    credentials: localCredentials,
  });
  clients.push(client, lambdaClient);
  const deploy = async (table: string) => {
    expect(bound().test?.name).toBe(table);
    deployments.push(table);
    lambda.publish(name, table);
  };
  return {
    ...operator.dependencies,
    stageTable: openStageTable(
      { endpoint: dynamoDB.url },
      { tableName: serving, stage: 'test', isProtected: true, throughput: undefined },
    ),
    restoration: {
      ...openRestoration(client, { stage: 'test', file: fileOf() }),
      deploy,
      ...changes,
    },
    functionVersions: openFunctionVersions(lambdaClient, { stage: 'test', tableName: serving }),
    findCommit: async () => commit,
    sleep: async () => {},
  };
};

beforeEach(async () => {
  dynamoDB = await startRestores(inject('dynamoDBEndpoint'));
  dynamoDB.window.from = Date.parse('2026-03-20T00:00:00Z') / 1_000;
  dynamoDB.window.to = Date.parse('2026-03-23T09:26:00Z') / 1_000;
  lambda = await startLambdaVersions();
  folder = mkdtempSync(join(tmpdir(), 'restore-'));
  writeFileSync(fileOf(), '{}\n');
  [clients, deployments, commit] = [[], [], 'c0ffee'];
  books = await openBooks(operator.ledger, { prefix: 'acme' });
  await books.post({
    lines: [
      ['1010', '100'],
      ['4010', '-100'],
    ],
  });
  dependencies = open();
});
afterEach(async () => {
  for (const client of clients) client.destroy();
  rmSync(folder, { recursive: true });
  await Promise.all([dynamoDB.stop(), lambda.stop()]);
});

const restore = async (options: Record<string, unknown> = { at }) => {
  const command = await loadCommand('restore');
  const call = { words: 'restore', command, options };
  return runCommand(call, dependencies, { stage: 'test', warn: () => {} });
};

const entriesOn = async (table: string) => {
  const { auditLog } = await dependencies.onTable(table).open(['auditLog']);
  return (await auditLog.list({ limit: 10 })).map(({ command, outcome, before, after }) => ({
    ...{ command, outcome, before, after },
  }));
};

describe('a restore', () => {
  test('restores, prepares, verifies, binds, deploys and checks, and is recorded', async () => {
    dynamoDB.creating.times = 3;
    expect(await restore()).toEqual({
      table: target,
      table_state: 'ACTIVE',
      dry_run: false,
      steps: [
        { step: 'restore', result: 'done' },
        { step: 'prepare', result: 'done' },
        { step: 'verify the books', result: '1 tenants, 1 entries, 0 differences' },
        { step: 'move the feeds', result: '1 feeds' },
        { step: 'bind', result: 'done: commit infra/manifest/restored-tables.json' },
        { step: 'deploy', result: 'done' },
        { step: 'check the functions', result: `1 functions use ${target}` },
      ],
    });
    expect(bound()).toEqual({ test: { name: target, streamLabel: expect.any(String) } });
    expect(deployments).toEqual([target]);
    const [old] = await entriesOn(operator.database.tableName);
    expect(old).toMatchObject({ command: 'restore', outcome: 'done', after: { table: target } });
    expect(await entriesOn(target)).toMatchObject([
      {
        command: 'restore',
        outcome: 'done',
        before: { table: operator.database.tableName },
        after: { table: target },
      },
      // The copy has what the restored time had.
      { outcome: 'started' },
    ]);
  });

  test('moves each feed beyond the sequences that the damaged table gave out', async () => {
    const { application } = await findOrCreateApplication(dependencies, 'Bookings');
    const { steps } = await restore();
    expect(steps).toContainEqual({ step: 'move the feeds', result: '1 feeds' });
    const table = openTable(target, { endpoint: inject('dynamoDBEndpoint') });
    const feed = openFeed(table, { clock: () => new Date() });
    const reading = await feed.read(application.applicationId, { after: 1_000_000, window: 10 });
    expect(reading).toMatchObject({
      outcome: 'read',
      events: [{ type: 'feed.restored', data: { restored_to: at } }],
    });
    table.close();
  });

  test('with --dry-run changes nothing', async () => {
    expect(await restore({ at, dryRun: true })).toMatchObject({
      table: target,
      table_state: 'absent',
      steps: [
        ...['restore', 'prepare', 'verify the books', 'move the feeds'],
        ...['bind', 'deploy', 'check the functions'],
      ].map((step) => ({ step, result: 'to do' })),
    });
    expect([dynamoDB.started(), deployments, bound()]).toEqual([0, [], {}]);
  });

  test('is refused for a time that cannot be restored', async () => {
    const late = '2026-03-23T09:27:00.000Z';
    const sentence =
      `${operator.database.tableName} can be restored to a time from 2026-03-20T00:00:00.000Z ` +
      'to 2026-03-23T09:26:00.000Z';
    expect(await refusalOf(restore({ at: late }))).toBe(sentence);
    expect(await refusalOf(restore({ at: late, dryRun: true }))).toBe(sentence);
  });

  test('does not bind the stage if the books differ, unless the operator accepts it', async () => {
    await harm({ ...tenantKey(books.name), sk: 'ENTRY#2026-03-20#MJ#000000001' }, 'removed');
    expect(await refusalOf(restore())).toMatch(/^the books of ledger-test-\S+ differ \(1 tenants/);
    expect([bound(), deployments]).toEqual([{}, []]);
    const { steps } = await restore({ at, acceptDifferences: true });
    expect(steps).toMatchObject([
      { step: 'restore', result: 'done before' },
      {},
      {},
      {},
      {},
      {},
      {},
    ]);
    expect(deployments).toEqual([target]);
  });

  test('that was interrupted continues, without a second restore', async () => {
    dependencies = open({
      deploy: () => Promise.reject(new CommandFailure('the deployment failed, see above')),
    });
    expect(await refusalOf(restore())).toBe('the deployment failed, see above');
    expect(Object.keys(bound())).toEqual(['test']);
    dependencies = open();
    expect(await restore()).toMatchObject({
      steps: [
        { step: 'deploy', result: 'done' },
        { step: 'check the functions', result: `1 functions use ${target}` },
      ],
    });
    expect(dynamoDB.started()).toBe(1);
  });

  test('fails if a function still uses the old table', async () => {
    lambda.publish('list-accounts', operator.database.tableName);
    expect(await refusalOf(restore())).toBe(
      `list-accounts uses ${operator.database.tableName}: run this again`,
    );
  });

  test('takes a table that was restored from a backup', async () => {
    const from = { SourceTableName: operator.database.tableName, TargetTableName: 'from-backup' };
    await dependencies.restoration?.start({
      source: from.SourceTableName,
      target: from.TargetTableName,
      at,
    });
    const { steps } = await restore({ table: 'from-backup' });
    expect(steps).toMatchObject([{ step: 'prepare' }, {}, {}, {}, {}, {}]);
    expect(bound().test?.name).toBe('from-backup');
  });

  test('works although the table is gone', async () => {
    const { tableName: source } = operator.database;
    await dependencies.restoration?.start({ source, target: 'from-backup', at });
    const gone = dependencies.onTable('table-that-is-gone');
    dependencies = { ...dependencies, ...(await gone.open(['auditLog'])) };
    expect(await restore({ table: 'from-backup' })).toMatchObject({ table: 'from-backup' });
    expect(await entriesOn('from-backup')).toMatchObject([{ command: 'restore', outcome: 'done' }]);
  });

  test('does not take a table of the same name that is something else', async () => {
    await dependencies.restoration?.start({
      ...{ source: operator.database.tableName, target, at: '2026-03-22T00:00:00Z' },
    });
    expect(await refusalOf(restore())).toMatch(/exists and is no restore of .* use --table/);
  });

  test('is refused in a checkout that does not know the last restore', async () => {
    lambda.publish(name, 'ledger-restored');
    const sentence =
      'the functions use the table ledger-restored, and this checkout ' +
      `${operator.database.tableName}: take infra/manifest/restored-tables.json from the ` +
      'operator who restored the stage';
    expect(await refusalOf(restore({ at, dryRun: true }))).toBe(sentence);
    expect(await refusalOf(restore())).toBe(sentence);
    expect(dynamoDB.started()).toBe(0);
  });

  test('keeps changes and deployments of other checkouts from the old table', async () => {
    const own = operator.database.tableName;
    lambda.publish(name, 'ledger-restored');
    const command = await loadCommand('applications create');
    const call = { words: 'applications create', command, options: { application: 'Shop' } };
    const before = await operator.database.scan();
    const change = runCommand(call, dependencies, { stage: 'test', warn: () => {} });
    expect(await refusalOf(change)).toMatch(
      /^the functions use the table ledger-restored, .*take /,
    );
    expect(await operator.database.scan()).toEqual(before);
    const deploy = (toTable?: string) =>
      refusalOf(checkTableChange(dependencies, toTable === undefined ? {} : { toTable }));
    expect(await deploy()).toMatch(`To change the table, pass --to-table ${own}`);
    expect(await deploy(own)).toBe('nothing was refused');
    // Between the stacks of a deployment, each table is in use.
    lambda.publish('list-accounts', own);
    expect(await deploy()).toBe('nothing was refused');
  });

  test('deploys the commit in service, or another one if the operator says so', async () => {
    const versions = { [name]: lambda.publish(name, operator.database.tableName) };
    const release = { readableFormats: [], versions };
    const { releases } = dependencies;
    await releases.record({ ...release, releasedAt: '2026-03-22T09:00:00.000Z', commit });
    await releases.record({ ...release, releasedAt: '2026-03-23T09:00:00.000Z', commit: 'bad' });
    // After a roll-back, the checkout still has the code that was rolled back.
    commit = 'bad';
    await releases.putInService('2026-03-22T09:00:00.000Z');
    const sentence =
      'a restore deploys this checkout of commit bad, and the release in service is of c0ffee: ' +
      'check that out and run npm ci, or pass --deploy-checkout';
    expect(await refusalOf(restore({ at, dryRun: true }))).toBe(sentence);
    expect(await refusalOf(restore())).toBe(sentence);
    expect(await restore({ at, deployCheckout: true })).toMatchObject({ table: target });
  });

  test('is not for the local service', async () => {
    dependencies = { ...dependencies, restoration: undefined };
    expect(await refusalOf(restore())).toContain('the local service has no restores');
  });
});
