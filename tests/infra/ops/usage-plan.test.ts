import { APIGatewayClient } from '@aws-sdk/client-api-gateway';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { usagePlanNameOf } from '#infra/manifest/names.ts';
import type { Dependencies } from '#infra/ops/command.ts';
import {
  changePlan,
  createApplication,
  listApplications,
  resumeApplication,
  suspendApplication,
  syncApplications,
} from '#infra/ops/commands/applications.ts';
import { createKey } from '#infra/ops/commands/keys.ts';
import { explain } from '#infra/ops/explain.ts';
import { openUsagePlan } from '#infra/ops/stage/usage-plan.ts';
import { refusalOf, useOperator } from '../../support/harnesses/operator.ts';
import { startApiGateway } from '../../support/servers/api-gateway-server.ts';

let gateway: Awaited<ReturnType<typeof startApiGateway>>;
let client: APIGatewayClient;
let dependencies: Dependencies;

const operator = useOperator({ each: true, pepper: Buffer.alloc(32, 1) });
beforeEach(async () => {
  gateway = await startApiGateway([
    'ledger-staging',
    'ledger-test',
    'ledger-test-small',
    'ledger-test-medium',
  ]);
  client = new APIGatewayClient({ endpoint: gateway.endpoint, maxAttempts: 1 });
  dependencies = {
    ...operator.dependencies,
    usagePlan: openUsagePlan(client, (plan) => usagePlanNameOf('test', plan)),
  };
});
afterEach(async () => {
  client.destroy();
  await gateway.stop();
});

/** Creates an application and returns its usage key. */
const create = async (name: string, parts = dependencies): Promise<string> =>
  `application-${(await createApplication.run(parts, { application: name })).application_id}`;

/** An application without a usage key. */
const createUnknown = (name: string) => create(name, operator.dependencies);

const issueKey = () => createKey.run(dependencies, { application: 'Bookings' });

const states = async () => {
  const { applications } = await listApplications.run(dependencies, {});
  const rows = applications as { application: string; usage_key: string }[];
  return Object.fromEntries(rows.map(({ application, usage_key }) => [application, usage_key]));
};

const changes = (): string[] => gateway.calls.filter((call) => !call.startsWith('GET'));

describe("an application's usage key", () => {
  test('is created with the application, only in the plan of its stage', async () => {
    const usageKeys = [await create('Bookings'), await create('Accounts')];
    expect(gateway.plan('ledger-test')).toEqual(usageKeys);
    expect(gateway.plan('ledger-staging')).toEqual([]);
    expect([...gateway.keys.values()]).toMatchObject(
      usageKeys.map((name) => ({ name, value: name, enabled: true })),
    );
    expect(await states()).toEqual({ Accounts: 'in step', Bookings: 'in step' });
  });

  test('is created with the first API key if it is missing, only once', async () => {
    const usageKey = await createUnknown('Bookings');
    await issueKey();
    expect(gateway.plan('ledger-test')).toEqual([usageKey]);
    const madeOnce = changes();
    await issueKey();
    expect(changes()).toEqual(madeOnce);
  });

  test('moves to the plan of the application, and back', async () => {
    const usageKey = await create('Bookings');
    const inPlans = () =>
      ['', '-small', '-medium'].map((plan) => gateway.plan(`ledger-test${plan}`));
    const change = (plan: 'small' | 'medium' | 'large') =>
      changePlan.run(dependencies, { application: 'Bookings', plan });
    expect(await change('small')).toMatchObject({ application: 'Bookings', plan: 'small' });
    expect(inPlans()).toEqual([[], [usageKey], []]);
    await change('medium');
    expect(inPlans()).toEqual([[], [], [usageKey]]);
    await issueKey();
    expect(inPlans()).toEqual([[], [], [usageKey]]);
    expect(await states()).toEqual({ Bookings: 'in step' });
    await change('large');
    expect(inPlans()).toEqual([[usageKey], [], []]);
  });

  test('in another plan is repaired by sync', async () => {
    const usageKey = await create('Bookings');
    await dependencies.applications.setPlan(usageKey.slice(12), 'small');
    expect(await states()).toEqual({ Bookings: 'in another plan' });
    await syncApplications.run(dependencies, {});
    expect(gateway.plan('ledger-test-small')).toEqual([usageKey]);
    expect(gateway.plan('ledger-test')).toEqual([]);
  });

  test('stays during a suspension, and is created by a resume if missing', async () => {
    const usageKeys = [await create('Suspended'), await createUnknown('Bookings')];
    await suspendApplication.run(dependencies, { application: 'Suspended' });
    expect(await states()).toEqual({ Bookings: 'missing', Suspended: 'in step' });
    await resumeApplication.run(dependencies, { application: 'Bookings' });
    expect(gateway.plan('ledger-test')).toEqual(usageKeys);
  });

  test('is listed with its state, and repaired by sync only if needed', async () => {
    await create('A kept');
    const disabled = await create('B disabled');
    const removed = await create('C removed');
    const missing = await createUnknown('D missing');
    for (const key of gateway.keys.values()) {
      if (key.value === disabled) key.enabled = false;
      if (key.value === removed) gateway.removeFromPlans(key.id);
    }
    const lacking = {
      'B disabled': 'disabled',
      'C removed': 'not in the plan',
      'D missing': 'missing',
    };
    expect(await states()).toEqual({ 'A kept': 'in step', ...lacking });
    gateway.calls.length = 0;
    const ids = [disabled, removed, missing].map((usageKey) => usageKey.slice(12));
    expect(await syncApplications.run(dependencies, {})).toEqual({
      checked: 4,
      repaired: Object.entries(lacking).map(([application, usage_key], index) => ({
        application,
        application_id: ids[index],
        usage_key,
      })),
    });
    expect(changes()).toHaveLength(4);
    expect(new Set(Object.values(await states()))).toEqual(new Set(['in step']));
    expect((await syncApplications.run(dependencies, {})).repaired).toEqual([]);
    expect(changes()).toHaveLength(4);
  });
});

describe('a failure of the gateway', () => {
  const failureOf = async (act: Promise<unknown>): Promise<string> =>
    explain(await act.then(() => 'nothing failed').catch((error: unknown) => error), 'test');
  const hint =
    'the application is registered, but without its usage key the gateway refuses its requests ' +
    '(401): run this again, or run applications sync (AWS denied the request: use credentials ' +
    'with the required permission (User is not authorized to';

  test.each([
    ['POST /apikeys', 'missing'],
    ['POST /usageplans', 'not in the plan'],
  ])('at %s keeps the application, and a second run completes it', async (broken, state) => {
    gateway.failing.push(broken);
    expect(await failureOf(create('Bookings'))).toBe(`${hint} ${broken}))`);
    expect(await states()).toEqual({ Bookings: state });
    gateway.failing.pop();
    await create('Bookings');
    expect(await states()).toEqual({ Bookings: 'in step' });
    expect(await refusalOf(create('Bookings'))).toBe('the application "Bookings" already exists');
  });

  test('issues no API key', async () => {
    await createUnknown('Bookings');
    gateway.failing.push('POST /apikeys');
    expect(await failureOf(issueKey())).toBe(`${hint} POST /apikeys))`);
    const [application] = await dependencies.applications.list();
    const keys = () => dependencies.applications.listKeys(application?.applicationId ?? '');
    expect(await keys()).toEqual([]);
    gateway.failing.pop();
    await issueKey();
    expect(await keys()).toHaveLength(1);
    expect(await states()).toEqual({ Bookings: 'in step' });
  });

  test('is explained if there is no plan with this name', async () => {
    dependencies.usagePlan = openUsagePlan(client, (plan) => usagePlanNameOf('other', plan));
    expect(await refusalOf(listApplications.run(dependencies, {}))).toBe(
      'the gateway has no usage plan "ledger-other": deploy the stage first, or check AWS_REGION',
    );
  });
});

test('the local service has no usage plan', async () => {
  await createUnknown('Bookings');
  const { applications } = await listApplications.run(operator.dependencies, {});
  expect(Object.keys((applications as object[])[0] ?? {})).not.toContain('usage_key');
  expect(await refusalOf(syncApplications.run(operator.dependencies, {}))).toBe(
    'the local service has no usage plan',
  );
});
