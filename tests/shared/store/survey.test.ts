import { beforeAll, describe, expect, test } from 'vitest';
import { importAction, openImports } from '#shared/store/imports.ts';
import { connectionKey, type TenantName, tenantKey, tenantNameOf } from '#shared/store/keys.ts';
import { openSurvey, type Survey } from '#shared/store/survey.ts';
import { openTestTable } from '../../support/database.ts';

let database: Awaited<ReturnType<typeof openTestTable>>;
let survey: Survey;
beforeAll(async () => {
  database = await openTestTable();
  survey = openSurvey(database.tableName, { endpoint: database.endpoint });
});

const nameOf = (schemaName: string): TenantName => ({ applicationId: 'app1', schemaName });

describe('a survey', () => {
  test('finds the connections of all tenants, over the pages of the table', async () => {
    const names = Array.from({ length: 30 }, (_, index) => nameOf(`tenant_${index}`));
    // Ten of these items and their table's page of 1 MB is full.
    const padding = 'x'.repeat(100_000);
    for (const [index, name] of names.entries()) {
      await database.table.transact([
        { put: { ...tenantKey(name), padding } },
        { put: { ...connectionKey(name), sealedTokens: `${index % 2}.sealed` } },
      ]);
    }
    const found = await survey.connections();
    const bySchema = (one: { name: TenantName }, other: { name: TenantName }) =>
      one.name.schemaName < other.name.schemaName ? -1 : 1;
    expect(found.sort(bySchema)).toEqual(
      names.map((name, index) => ({ name, sealingVersion: String(index % 2) })).sort(bySchema),
    );
  });

  test('finds the imports that have not ended, the oldest first', async () => {
    const imports = openImports(database.table);
    for (const [schemaName, time] of [
      ['later', '11:00'],
      ['ended', '09:00'],
      ['sooner', '10:00'],
    ] as const) {
      const asked = { importId: schemaName, requestedAt: `2026-03-23T${time}:00.000Z` };
      const name = nameOf(schemaName);
      await database.table.transact([{ put: tenantKey(name) }, importAction(name, asked)]);
    }
    await imports.finish(nameOf('ended'), {
      importId: 'ended',
      finishedAt: '2026-03-23T12:00:00.000Z',
      accountsImported: 0,
      reason: 'rate_limited',
      tenantStatus: 'import_failed',
    });
    const found = await survey.requestedImports();
    expect(found.map(({ importId }) => importId)).toEqual(['sooner', 'later']);
    expect(found[0]).toEqual(await imports.find(nameOf('sooner')));
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
