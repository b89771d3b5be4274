import { APIGatewayClient } from '@aws-sdk/client-api-gateway';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Dependencies } from '#infra/ops/command.ts';
import {
  createApplication,
  listApplications,
  resumeApplication,
  suspendApplication,
  syncApplications,
} from '#infra/ops/commands/applications.ts';
import { createKey } from '#infra/ops/commands/keys.ts';
import { CommandFailure } from '#infra/ops/errors.ts';
import { explain } from '#infra/ops/explain.ts';
import { openUsagePlan } from '#infra/ops/usage-plan.ts';
import { type Operator, openOperator } from '../../support/harnesses/operator.ts';
import { startApiGateway } from '../../support/servers/api-gateway-server.ts';

let gateway: Awaited<ReturnType<typeof startApiGateway>>;
let client: APIGatewayClient;
let operator: Operator;
let dependencies: Dependencies;

beforeEach(async () => {
  gateway = await startApiGateway(['ledger-staging', 'ledger-test']);
  client = new APIGatewayClient({ endpoint: gateway.endpoint, maxAttempts: 1 });
  operator = await openOperator({ pepper: Buffer.alloc(32, 1) });
  dependencies = {
    ...operator.dependencies,
    usagePlan: openUsagePlan(client, 'ledger-test'),
  };
});
afterEach(async () => {
  client.destroy();
  await operator.stop();
  await gateway.stop();
});

const create = async (name: string): Promise<string> =>
  String((await createApplication.run(dependencies, { name })).application_id);

/** An application of which the gateway has not heard. */
const createUnknown = async (name: string): Promise<string> => {
  const created = await createApplication.run(operator.dependencies, { name });
  return String(created.application_id);
};

const failureOf = async (act: Promise<unknown>): Promise<string> =>
  explain(await act.then(() => 'nothing failed').catch((error: unknown) => error), 'test');

const states = async () => {
  const { applications } = await listApplications.run(dependencies, {});
  const rows = applications as { application: string; usage_key: string }[];
  return rows.map(({ application, usage_key }) => [application, usage_key]);
};

const changes = (): string[] => gateway.calls.filter((call) => !call.startsWith('GET'));

describe("an application's key in the usage plan", () => {
  test('is made with the application, in the plan of its stage only', async () => {
    const ids = [await create('Bookings'), await create('Accounts')];
    const usageKeys = ids.map((id) => `application-${id}`);
    expect(gateway.plan('ledger-test')).toEqual(usageKeys);
    expect(gateway.plan('ledger-staging')).toEqual([]);
    expect([...gateway.keys.values()]).toMatchObject(
      usageKeys.map((name) => ({ name, value: name, enabled: true })),
    );
    expect(await states()).toEqual([
      ['Accounts', 'in step'],
      ['Bookings', 'in step'],
    ]);
  });

  test('is made with an application that comes with its first API key', async () => {
    const issued = await createKey.run(dependencies, { application: 'Bookings' });
    expect(gateway.plan('ledger-test')).toEqual([`application-${issued.application_id}`]);
    const madeOnce = changes();
    await createKey.run(dependencies, { application: 'Bookings' });
    expect(changes()).toEqual(madeOnce);
  });

  test('stays while the application is suspended: the refusal is the authorizer’s', async () => {
    await create('Bookings');
    await suspendApplication.run(dependencies, { application: 'Bookings' });
    expect(await states()).toEqual([['Bookings', 'in step']]);
  });

  test('is there again when the application is resumed', async () => {
    const id = await createUnknown('Bookings');
    await resumeApplication.run(dependencies, { application: 'Bookings' });
    expect(gateway.plan('ledger-test')).toEqual([`application-${id}`]);
  });

  test('is listed with what it lacks, and repaired by sync, of nobody else', async () => {
    await create('A kept');
    const disabled = `application-${await create('B disabled')}`;
    const removed = `application-${await create('C removed')}`;
    const missing = `application-${await createUnknown('D missing')}`;
    for (const key of gateway.keys.values()) {
      if (key.value === disabled) key.enabled = false;
      if (key.value === removed) gateway.removeFromPlans(key.id);
    }
    expect(await states()).toEqual([
      ['A kept', 'in step'],
      ['B disabled', 'disabled'],
      ['C removed', 'not in the plan'],
      ['D missing', 'missing'],
    ]);
    gateway.calls.length = 0;
    const { checked, repaired } = await syncApplications.run(dependencies, {});
    expect(checked).toBe(4);
    expect(repaired).toEqual([
      {
        application: 'B disabled',
        application_id: disabled.slice(12),
        usage_key: 'disabled',
      },
      {
        application: 'C removed',
        application_id: removed.slice(12),
        usage_key: 'not in the plan',
      },
      { application: 'D missing', application_id: missing.slice(12), usage_key: 'missing' },
    ]);
    expect(changes()).toHaveLength(4);
    expect(new Set((await states()).map(([, state]) => state))).toEqual(new Set(['in step']));
    expect((await syncApplications.run(dependencies, {})).repaired).toEqual([]);
    expect(changes()).toHaveLength(4);
  });
});

describe('a failure of the gateway', () => {
  const hint =
    'the application is registered, but the gateway may not know it yet and refuse it (401): run ' +
    'this again, or applications sync (AWS denies it: use credentials that may do this (User is ' +
    'not authorized to';

  test.each([
    ['before the key is made', 'POST /apikeys'],
    ['before the key is in the plan', 'POST /usageplans'],
  ])('%s leaves the application, and running it again finishes', async (_title, broken) => {
    gateway.failing = [broken];
    expect(await failureOf(create('Bookings'))).toBe(`${hint} ${broken}))`);
    expect(await states()).toEqual([
      ['Bookings', broken === 'POST /apikeys' ? 'missing' : 'not in the plan'],
    ]);
    gateway.failing = [];
    await create('Bookings');
    expect(await states()).toEqual([['Bookings', 'in step']]);
    await expect(create('Bookings')).rejects.toEqual(
      new CommandFailure('there is an application "Bookings" already'),
    );
  });

  test('leaves an application without the API key that was asked for', async () => {
    gateway.failing = ['POST /apikeys'];
    const issue = () => createKey.run(dependencies, { application: 'Bookings' });
    expect(await failureOf(issue())).toBe(`${hint} POST /apikeys))`);
    const [application] = await dependencies.applications.list();
    const keys = () => dependencies.applications.listKeys(application?.applicationId ?? '');
    expect(await keys()).toEqual([]);
    gateway.failing = [];
    await issue();
    expect(await keys()).toHaveLength(1);
    expect(await states()).toEqual([['Bookings', 'in step']]);
  });

  test('that has no plan of this name is told', async () => {
    dependencies.usagePlan = openUsagePlan(client, 'ledger-other');
    await expect(listApplications.run(dependencies, {})).rejects.toEqual(
      new CommandFailure(
        'the gateway has no usage plan "ledger-other": deploy the stage first, or check AWS_REGION',
      ),
    );
  });
});

test('the gateway of this machine has no usage plan to be in step with', async () => {
  await createUnknown('Bookings');
  const { applications } = await listApplications.run(operator.dependencies, {});
  expect(Object.keys((applications as object[])[0] ?? {})).not.toContain('usage_key');
  await expect(syncApplications.run(operator.dependencies, {})).rejects.toEqual(
    new CommandFailure('the gateway of this machine has no usage plan'),
  );
});
