// The gateway's usage plans of a stage. They throttle each application by its usage key, which the
// authorizer returns for each request. Without a usage key the gateway refuses requests (401).

import {
  type APIGatewayClient,
  CreateApiKeyCommand,
  CreateUsagePlanKeyCommand,
  DeleteUsagePlanKeyCommand,
  paginateGetApiKeys,
  paginateGetUsagePlanKeys,
  paginateGetUsagePlans,
  UpdateApiKeyCommand,
} from '@aws-sdk/client-api-gateway';
import { type Plan, planOf, plans, usageKeyOf } from '#shared/applications/api-keys.ts';
import type { Application } from '#shared/applications/applications.store.ts';
import { CommandFailure } from '../errors.ts';

/** The state of an application's usage key. */
export type UsageKeyState =
  | 'in step'
  | 'missing'
  | 'disabled'
  | 'not in the plan'
  | 'in another plan';

/** The maximum that the gateway's API allows. */
const pageSize = 500;

/** An application with its plan. */
type Planned = Pick<Application, 'applicationId' | 'plan'>;

/** `planId` is the usage plan of this stage that has the key. */
type GatewayKey = { id: string; isEnabled: boolean; planId: string | undefined };

const stateOf = (key: GatewayKey | undefined, planId: string | undefined): UsageKeyState => {
  if (key === undefined) return 'missing';
  if (!key.isEnabled) return 'disabled';
  if (key.planId === undefined) return 'not in the plan';
  return key.planId === planId ? 'in step' : 'in another plan';
};

export type UsagePlan = ReturnType<typeof openUsagePlan>;

/** @param nameOf the names of the stage's usage plans */
export const openUsagePlan = (client: APIGatewayClient, nameOf: (plan: Plan) => string) => {
  const paging = { client, pageSize };

  /** The ids of the stage's usage plans. */
  const findPlanIds = async (): Promise<Map<Plan, string>> => {
    const ids = new Map<Plan, string>();
    for await (const { items = [] } of paginateGetUsagePlans(paging, {})) {
      for (const { id = '', name } of items) {
        const plan = plans.find((it) => nameOf(it) === name);
        if (plan) ids.set(plan, id);
      }
    }
    return ids;
  };

  const getPlanId = (ids: ReadonlyMap<Plan, string>, plan: Plan): string => {
    const id = ids.get(plan);
    if (id !== undefined) return id;
    throw new CommandFailure(
      `the gateway has no usage plan "${nameOf(plan)}": deploy the stage first, or check ` +
        'AWS_REGION',
    );
  };

  /** The gateway's keys by value. @param nameQuery only keys with this prefix */
  const findKeys = async (
    planIds: ReadonlyMap<Plan, string>,
    nameQuery?: string,
  ): Promise<Map<string, GatewayKey>> => {
    const named = nameQuery === undefined ? {} : { nameQuery };
    const planIdOf = new Map<string | undefined, string>();
    for (const usagePlanId of planIds.values()) {
      const ofPlan = { usagePlanId, ...named };
      for await (const { items = [] } of paginateGetUsagePlanKeys(paging, ofPlan)) {
        for (const { id } of items) planIdOf.set(id, usagePlanId);
      }
    }
    const keys = new Map<string, GatewayKey>();
    for await (const page of paginateGetApiKeys(paging, { includeValues: true, ...named })) {
      for (const { id = '', value = '', enabled = false } of page.items ?? []) {
        keys.set(value, { id, isEnabled: enabled, planId: planIdOf.get(id) });
      }
    }
    return keys;
  };

  const createKey = async (usageKey: string): Promise<GatewayKey> => {
    const { id = '' } = await client.send(
      new CreateApiKeyCommand({
        name: usageKey,
        value: usageKey,
        description: 'Counts the requests of one application of the ledger. Grants no access.',
        enabled: true,
      }),
    );
    return { id, isEnabled: true, planId: undefined };
  };

  return {
    /** The states of these applications' keys, in the same order. */
    states: async (applications: readonly Planned[]): Promise<UsageKeyState[]> => {
      const planIds = await findPlanIds();
      // Also without applications, to report a stage without plans.
      getPlanId(planIds, 'large');
      const keys = await findKeys(planIds);
      return applications.map((it) =>
        stateOf(keys.get(usageKeyOf(it.applicationId)), getPlanId(planIds, planOf(it))),
      );
    },

    /** Creates, enables and moves the key to the plan as needed. Returns its state before. */
    ensure: async (application: Planned): Promise<UsageKeyState> => {
      const planIds = await findPlanIds();
      const usagePlanId = getPlanId(planIds, planOf(application));
      const usageKey = usageKeyOf(application.applicationId);
      const existing = (await findKeys(planIds, usageKey)).get(usageKey);
      const key = existing ?? (await createKey(usageKey));
      if (!key.isEnabled) {
        const enable = { op: 'replace', path: '/enabled', value: 'true' } as const;
        await client.send(new UpdateApiKeyCommand({ apiKey: key.id, patchOperations: [enable] }));
      }
      if (key.planId !== usagePlanId) {
        // A key can be in one plan of a stage only. In between, its requests are refused (401).
        if (key.planId !== undefined) {
          const from = { usagePlanId: key.planId, keyId: key.id };
          await client.send(new DeleteUsagePlanKeyCommand(from));
        }
        const to = { usagePlanId, keyId: key.id, keyType: 'API_KEY' };
        await client.send(new CreateUsagePlanKeyCommand(to));
      }
      return stateOf(existing, usagePlanId);
    },
  };
};
