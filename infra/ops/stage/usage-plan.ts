// The gateway's usage plan of a stage. It throttles each application by its usage key, which the
// authorizer returns for each request. Without a usage key the gateway refuses requests (401).

import {
  type APIGatewayClient,
  CreateApiKeyCommand,
  CreateUsagePlanKeyCommand,
  paginateGetApiKeys,
  paginateGetUsagePlanKeys,
  paginateGetUsagePlans,
  UpdateApiKeyCommand,
} from '@aws-sdk/client-api-gateway';
import { usageKeyOf } from '#shared/applications/api-keys.ts';
import { CommandFailure } from '../errors.ts';

/** The state of an application's usage key. */
export type UsageKeyState = 'in step' | 'missing' | 'disabled' | 'not in the plan';

/** The maximum that the gateway's API allows. */
const pageSize = 500;

type GatewayKey = { id: string; isEnabled: boolean; isInPlan: boolean };

const stateOf = (key: GatewayKey | undefined): UsageKeyState => {
  if (key === undefined) return 'missing';
  if (!key.isEnabled) return 'disabled';
  return key.isInPlan ? 'in step' : 'not in the plan';
};

export type UsagePlan = ReturnType<typeof openUsagePlan>;

export const openUsagePlan = (client: APIGatewayClient, planName: string) => {
  const paging = { client, pageSize };

  const getPlanId = async (): Promise<string> => {
    for await (const { items = [] } of paginateGetUsagePlans(paging, {})) {
      const id = items.find(({ name }) => name === planName)?.id;
      if (id !== undefined) return id;
    }
    throw new CommandFailure(
      `the gateway has no usage plan "${planName}": deploy the stage first, or check AWS_REGION`,
    );
  };

  /** The gateway's keys by value. @param nameQuery only keys with this prefix */
  const findKeys = async (planId: string, nameQuery?: string): Promise<Map<string, GatewayKey>> => {
    const named = nameQuery === undefined ? {} : { nameQuery };
    const inPlan = new Set<string | undefined>();
    const ofPlan = { usagePlanId: planId, ...named };
    for await (const { items = [] } of paginateGetUsagePlanKeys(paging, ofPlan)) {
      for (const { id } of items) inPlan.add(id);
    }
    const keys = new Map<string, GatewayKey>();
    for await (const page of paginateGetApiKeys(paging, { includeValues: true, ...named })) {
      for (const { id = '', value = '', enabled = false } of page.items ?? []) {
        keys.set(value, { id, isEnabled: enabled, isInPlan: inPlan.has(id) });
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
    return { id, isEnabled: true, isInPlan: false };
  };

  return {
    /** The states of these applications' keys, in the same order. */
    states: async (applicationIds: readonly string[]): Promise<UsageKeyState[]> => {
      const keys = await findKeys(await getPlanId());
      return applicationIds.map((id) => stateOf(keys.get(usageKeyOf(id))));
    },

    /** Creates, enables and adds the key to the plan as needed. Returns its state before. */
    ensure: async (applicationId: string): Promise<UsageKeyState> => {
      const planId = await getPlanId();
      const usageKey = usageKeyOf(applicationId);
      const existing = (await findKeys(planId, usageKey)).get(usageKey);
      const key = existing ?? (await createKey(usageKey));
      if (!key.isEnabled) {
        const enable = { op: 'replace', path: '/enabled', value: 'true' } as const;
        await client.send(new UpdateApiKeyCommand({ apiKey: key.id, patchOperations: [enable] }));
      }
      if (!key.isInPlan) {
        await client.send(
          new CreateUsagePlanKeyCommand({
            usagePlanId: planId,
            keyId: key.id,
            keyType: 'API_KEY',
          }),
        );
      }
      return stateOf(existing);
    },
  };
};
