import { beforeAll, describe, expect, test } from 'vitest';
import { AccessDenied, grantsOf, withinGrants } from '#infra/local/grants.ts';
import { type FunctionName, functions } from '#infra/manifest.ts';
import { meterCall } from '#shared/table-metering.ts';
import { runEveryFunction } from '../../support/harnesses/every-function.ts';

const names = Object.keys(functions) as FunctionName[];

describe('what a row grants is what its function does to the table:', () => {
  let actions: Awaited<ReturnType<typeof runEveryFunction>>['actions'];

  beforeAll(async () => {
    ({ actions } = await runEveryFunction());
  });

  test.each(names)('%s', (name) => {
    const remedy = 'Set the row in infra/manifest.ts, or reach the call in every-function.ts.';
    expect([...(actions.get(name) ?? [])].sort(), remedy).toEqual(grantsOf(functions[name]).sort());
  });
});

describe('the local server', () => {
  const calling = (operation: string) => () =>
    meterCall({ operation, input: {} }, async () => ({}));

  test('lets a function do what its row grants', async () => {
    await expect(withinGrants('authorizer', calling('BatchGetItem'))).resolves.toEqual({});
  });

  test('fails a function that goes beyond its row, and says with what', async () => {
    const denied = withinGrants('authorizer', calling('PutItem'));
    await expect(denied).rejects.toBeInstanceOf(AccessDenied);
    await expect(denied).rejects.toThrow('authorizer is not granted PutItem');
  });

  test('does so too where the function fails by itself', async () => {
    const work = async () => {
      await calling('Query')();
      throw new Error('Unauthorized');
    };
    await expect(withinGrants('authorizer', work)).rejects.toBeInstanceOf(AccessDenied);
  });

  test('passes on how a function fails within its grants', async () => {
    const fault = new Error('Unauthorized');
    await expect(withinGrants('authorizer', () => Promise.reject(fault))).rejects.toBe(fault);
  });
});
