import { randomBytes } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { AccessDenied, withinPermissions } from '#infra/local/stand-ins/permissions.ts';
import { iamPattern } from '#infra/local/stand-ins/policies.ts';
import type { FunctionRow } from '#infra/manifest/function-row.ts';
import { type FunctionName, functions } from '#infra/manifest/manifest.ts';
import { newApplicationId } from '#shared/applications/api-keys.ts';
import { dueImportPartition, dueIndex } from '#shared/table/due-keys.ts';
import { apiKeyKey, type Key, passwordKey, tenantKey } from '#shared/table/keys.ts';
import { meterCall, noteInvocation } from '#shared/table/metering.ts';
import { type PartitionKind, partitionPatterns } from '#shared/table/partitions.ts';

const names = Object.keys(functions) as FunctionName[];

const batchOf = (...Keys: Key[]) => ({ RequestItems: { ledger: { Keys } } });
const putting = (...items: Key[]) => ({ TransactItems: items.map((Item) => ({ Put: { Item } })) });
const dueImports = {
  IndexName: dueIndex,
  KeyConditionExpression: 'due_pk = :partition',
  ExpressionAttributeValues: { ':partition': dueImportPartition },
};

test('no function writes what operators write', () => {
  const operatorsOwn = new Set<PartitionKind>(['applications', 'applicationNames']);
  const writers = names.filter((name) => functions[name].writes.some((it) => operatorsOwn.has(it)));
  expect(writers).toEqual([]);
});

test('passwords are written with users, and not read', () => {
  const owner = { applicationId: newApplicationId(randomBytes), email: 'ada@example.com' };
  const key = passwordKey(owner).pk;
  const withAccess = (kindsOf: (row: FunctionRow) => readonly PartitionKind[]) =>
    names.filter((name) =>
      kindsOf(functions[name]).some((it) => iamPattern(partitionPatterns[it]).test(key)),
    );
  expect(withAccess(({ writes }) => writes)).toEqual(['ensure-user', 'update-user', 'erase-user']);
  expect(withAccess(({ reads, queriesDue = [] }) => [...reads, ...queriesDue])).toEqual([
    'update-user',
  ]);
});

describe('the local server', () => {
  const calling =
    (operation: string, input = {}) =>
    () =>
      meterCall({ operation, input }, async () => ({}));
  const applicationId = newApplicationId(randomBytes);
  const apiKey = apiKeyKey({ applicationId, keyId: 'k' });
  const tenant = tenantKey({ applicationId, schemaName: 'acme' });

  test("allows the calls that a function's row permits", async () => {
    await expect(withinPermissions('authorizer', calling('BatchGetItem'))).resolves.toEqual({});
  });

  test('fails a function that goes beyond its row, and says with what', async () => {
    const denied = withinPermissions('authorizer', calling('PutItem'));
    await expect(denied).rejects.toBeInstanceOf(AccessDenied);
    await expect(denied).rejects.toThrow('authorizer lacks the permissions PutItem');
  });

  test.each([
    ['reads', 'applications', 'create-journal-entry', 'BatchGetItem', batchOf(tenant, apiKey)],
    ['reads', 'tenants', 'authorizer', 'BatchGetItem', batchOf(apiKey, tenant)],
    ['writes', 'applications', 'authorizer', 'UpdateItem', { Key: apiKey }],
    ['writes', 'applications', 'oauth-callback', 'TransactWriteItems', putting(tenant, apiKey)],
    ['reads', 'dueImports', 'post-scheduled-entries', 'Query', dueImports],
    [
      'reads',
      'ELSEWHERE',
      'get-user-profile',
      'BatchGetItem',
      batchOf({ pk: 'ELSEWHERE', sk: '' }),
    ],
  ] as const)(
    'fails a function that %s %s without a permission: %s',
    async (access, kind, name, operation, input) => {
      const denied = withinPermissions(name, calling(operation, input));
      await expect(denied).rejects.toThrow(
        `${name} lacks the permissions to ${access.slice(0, -1)} ${kind};`,
      );
    },
  );

  test('refuses the same call every time, and only to the function that lacks it', async () => {
    const readTenant = calling('BatchGetItem', batchOf(tenant));
    for (let time = 0; time < 3; time += 1) {
      await expect(withinPermissions('get-journal-entry', readTenant)).resolves.toEqual({});
      await expect(withinPermissions('authorizer', readTenant)).rejects.toThrow('read tenants');
    }
  });

  test('fails a function that calls another without a permission', async () => {
    const denied = withinPermissions('resume-imports', async () =>
      noteInvocation('import-tenant-data'),
    );
    await expect(denied).rejects.toThrow('lacks the permissions to invoke import-tenant-');
  });

  test('fails a function without a permission even if the function fails itself', async () => {
    const work = async () => {
      await calling('Query')();
      throw new Error('Unauthorized');
    };
    await expect(withinPermissions('authorizer', work)).rejects.toBeInstanceOf(AccessDenied);
  });

  test('passes on the error of a function within its permissions', async () => {
    const fault = new Error('Unauthorized');
    await expect(withinPermissions('authorizer', () => Promise.reject(fault))).rejects.toBe(fault);
  });
});
