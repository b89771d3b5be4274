import { beforeEach, describe, expect, test } from 'vitest';
import { type Imports, openImports, requestImportAction } from '#shared/imports/imports.store.ts';
import { openImportReports } from '#shared/operator/import-reports.store.ts';
import {
  type OperatorQueries,
  openOperatorQueries,
} from '#shared/operator/operator-queries.store.ts';
import { connectionKey, type TenantName, tenantKey, tenantNameOf } from '#shared/table/keys.ts';
import { openTableScan } from '#shared/table/table-scan.ts';
import { openTestTable } from '../../support/dynamodb/test-table.ts';

let database: Awaited<ReturnType<typeof openTestTable>>;
let imports: Imports;
let operatorQueries: OperatorQueries;
let importReports: ReturnType<typeof openImportReports>;
beforeEach(async () => {
  database = await openTestTable();
  imports = openImports(database.table);
  importReports = openImportReports(database.table);
  const { table, tableName, endpoint } = database;
  operatorQueries = openOperatorQueries(table, openTableScan(tableName, { endpoint }));
});

const nameOf = (schemaName: string): TenantName => ({ applicationId: 'app1', schemaName });
const at = (time: string): string => `2026-03-23T${time}.000Z`;

describe('a list of all connections', () => {
  test('finds the connections of all tenants, over several pages', async () => {
    const names = Array.from({ length: 15 }, (_, index) => nameOf(`tenant_${index}`));
    // Ten of these items fill a page of 1 MB.
    const padding = 'x'.repeat(100_000);
    for (const [index, name] of names.entries()) {
      await database.table.transact([
        { put: { ...tenantKey(name), padding } },
        { put: { ...connectionKey(name), sealedTokens: `${index % 2}.sealed` } },
      ]);
    }
    // A connection after its disconnection.
    await database.table.transact([{ put: { ...connectionKey(nameOf('given_up')), version: 2 } }]);
    const connections = await operatorQueries.connections();
    const bySchema = (one: { name: TenantName }, other: { name: TenantName }) =>
      one.name.schemaName < other.name.schemaName ? -1 : 1;
    expect(connections.sort(bySchema)).toEqual(
      names.map((name, index) => ({ name, sealingVersion: String(index % 2) })).sort(bySchema),
    );
  });
});

describe('an import', () => {
  const requestImport = async (schemaName: string, time: string): Promise<TenantName> => {
    const name = nameOf(schemaName);
    const request = { importId: schemaName, requestedAt: at(time) };
    await database.table.transact([{ put: tenantKey(name) }, requestImportAction(name, request)]);
    return name;
  };
  const leasedAt = (time: string) => ({
    runId: 'run',
    now: new Date(at(time)),
    runsWithoutProgress: 1,
  });
  const finish = (name: TenantName) =>
    imports.finish(name, {
      importId: name.schemaName,
      finishedAt: at('12:00:00'),
      reason: 'rate_limited',
      tenantStatus: 'import_failed',
    });

  test('is listed until it ends, ordered by the next attempt', async () => {
    await requestImport('requested', '11:00:00');
    await finish(await requestImport('ended', '09:00:00'));
    const running = { importId: 'running', ...leasedAt('11:08:59') };
    await imports.acquireLease(await requestImport('running', '11:02:00'), running);
    const waiting = { importId: 'waiting', ...leasedAt('08:01:00') };
    const until = new Date(at('23:00:00'));
    const name = await requestImport('waiting', '08:00:00');
    await imports.acquireLease(name, waiting);
    await imports.defer(name, { ...waiting, until, reason: 'rate_limited' });
    const unfinished = await importReports.listUnfinished();
    expect(unfinished.map(({ status, nextAttemptAt }) => [status, nextAttemptAt])).toEqual([
      ['running', at('11:09:59')],
      ['requested', at('11:10:00')],
      ['waiting', at('23:00:00')],
    ]);
    expect(unfinished[2]).toEqual(await importReports.find(name));
  });
});

describe("a tenant's name", () => {
  test('is read back from the key of each of its items', () => {
    const name = { applicationId: '0123456789abcdef', schemaName: 'acme_works' };
    expect([tenantKey(name), connectionKey(name)].map(tenantNameOf)).toEqual([name, name]);
  });

  test.each(['APPS', 'APP#app1', 'APP#app1#USER#a@b.c', 'APP#app1#TENANT#', 'DOMAIN#acme'])(
    'is not read from the key of something else: %s',
    (pk) => expect(tenantNameOf({ pk })).toBeUndefined(),
  );
});
