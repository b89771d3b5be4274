// Applications, their API keys and their redirect URLs.

import * as z from 'zod/mini';
import { updateAction } from '../table/field-updates.ts';
import {
  apiKeyKey,
  apiKeyPrefix,
  applicationKey,
  applicationNameKey,
  applicationNamePartition,
  keyText,
  keyUseKey,
} from '../table/keys.ts';
import { prefixRange } from '../table/sort-ranges.ts';
import { ifExists, ifNotExists, type Table } from '../table/table.ts';
import { type KeyOwner, type Plan, plans } from './api-keys.ts';
import { keyAccesses } from './caller.ts';

export const Application = z.object({
  applicationId: z.string(),
  name: z.string(),
  status: z.enum(['active', 'suspended']),
  /** The time of the last suspension or resumption. */
  statusChangedAt: z.optional(z.string()),
  redirectUrls: z.array(z.string()),
  /** `planOf` has the default. */
  plan: z.optional(z.enum(plans)),
  createdAt: z.string(),
});
export type Application = z.infer<typeof Application>;

/** A stored key. `hash` is an HMAC with the pepper of `pepperVersion`. */
export const ApiKey = z.object({
  keyId: z.string(),
  applicationId: z.string(),
  access: z.enum(keyAccesses),
  hash: z.string(),
  pepperVersion: z.string(),
  createdAt: z.string(),
  expiresAt: z.nullable(z.iso.datetime()),
  revokedAt: z.nullable(z.iso.datetime()),
});
export type ApiKey = z.infer<typeof ApiKey>;

/** The date of a key's last use. Missing before the first use. */
export const KeyUse = z.object({ keyId: z.string(), lastUsedOn: z.iso.date() });

const NameEntry = z.object({ applicationId: z.string() });

export type Applications = ReturnType<typeof openApplications>;

export const openApplications = (table: Table) => {
  const find = async (applicationId: string): Promise<Application | undefined> => {
    const item = await table.get(applicationKey(applicationId));
    return item && Application.parse(item);
  };

  return {
    find,

    /** Finds an application by name, ignoring case. */
    findByName: async (name: string): Promise<Application | undefined> => {
      const entry = await table.get(applicationNameKey(name));
      return entry && find(NameEntry.parse(entry).applicationId);
    },

    list: async (): Promise<Application[]> => {
      const entries = await table.query({
        KeyConditionExpression: 'pk = :pk',
        ExpressionAttributeValues: { ':pk': applicationNamePartition },
      });
      const keys = entries.map((entry) => applicationKey(NameEntry.parse(entry).applicationId));
      const items = await table.getMany(keys);
      return keys.flatMap((key) => {
        const item = items.get(keyText(key));
        return item ? [Application.parse(item)] : [];
      });
    },

    /** Records a new application. Returns false if its name is taken. */
    record: async (application: Application): Promise<boolean> => {
      const { applicationId, name } = application;
      const outcome = await table.transact([
        { put: { ...applicationKey(applicationId), ...application }, condition: ifNotExists },
        { put: { ...applicationNameKey(name), applicationId }, condition: ifNotExists },
      ]);
      return outcome.committed;
    },

    /** Suspends or resumes an application. Returns false if it does not exist. */
    setStatus: async (
      applicationId: string,
      { status, now }: { status: Application['status']; now: Date },
    ): Promise<boolean> =>
      table.update(
        updateAction(applicationKey(applicationId), {
          set: { status, statusChangedAt: now.toISOString() },
          condition: ifExists,
        }),
      ),

    /** Changes the plan. Returns false if the application does not exist. */
    setPlan: async (applicationId: string, plan: Plan): Promise<boolean> =>
      table.update(
        updateAction(applicationKey(applicationId), { set: { plan }, condition: ifExists }),
      ),

    /** Replaces the redirect URLs. Returns false if they are not `expected`. */
    replaceRedirectUrls: async (
      applicationId: string,
      { expected, replacement }: { expected: string[]; replacement: string[] },
    ): Promise<boolean> =>
      table.update(
        updateAction(applicationKey(applicationId), {
          set: { redirectUrls: replacement },
          expected: { redirectUrls: expected },
        }),
      ),

    /** Reads an application, one of its keys and the key's last use in one call. */
    findWithKey: async (
      owner: KeyOwner,
    ): Promise<{
      application: Application | undefined;
      apiKey: ApiKey | undefined;
      lastUsedOn: string | undefined;
    }> => {
      const keys = {
        application: applicationKey(owner.applicationId),
        apiKey: apiKeyKey(owner),
        use: keyUseKey(owner),
      };
      const items = await table.getMany(Object.values(keys));
      const application = items.get(keyText(keys.application));
      const apiKey = items.get(keyText(keys.apiKey));
      const use = items.get(keyText(keys.use));
      return {
        application: application && Application.parse(application),
        apiKey: apiKey && ApiKey.parse(apiKey),
        lastUsedOn: use && KeyUse.parse(use).lastUsedOn,
      };
    },

    /** Records a new key. Returns false if its id is taken or its application does not exist. */
    recordKey: async (apiKey: ApiKey): Promise<boolean> => {
      const outcome = await table.transact([
        { check: applicationKey(apiKey.applicationId), condition: ifExists },
        { put: { ...apiKeyKey(apiKey), ...apiKey }, condition: ifNotExists },
      ]);
      return outcome.committed;
    },

    listKeys: async (applicationId: string): Promise<ApiKey[]> => {
      const { pk } = applicationKey(applicationId);
      const items = await table.query(prefixRange(pk, apiKeyPrefix));
      return items.map((item) => ApiKey.parse(item));
    },

    /** The dates of last use of an application's keys, by key id. */
    listLastUses: async (applicationId: string): Promise<ReadonlyMap<string, string>> => {
      const items = await table.query({
        KeyConditionExpression: 'pk = :pk',
        ExpressionAttributeValues: { ':pk': keyUseKey({ applicationId, keyId: '' }).pk },
      });
      const uses = items.map((item) => KeyUse.parse(item));
      return new Map(uses.map(({ keyId, lastUsedOn }) => [keyId, lastUsedOn]));
    },

    /** Records the use of a key. Returns false if this date or a later date is recorded. */
    recordUse: async ({ applicationId, keyId }: KeyOwner, date: string): Promise<boolean> =>
      table.update(
        updateAction(keyUseKey({ applicationId, keyId }), {
          set: { lastUsedOn: date, keyId },
          condition: `${ifNotExists} OR #lastUsedOn < :lastUsedOn`,
        }),
      ),

    /** Sets a key's expiry, now or in the future. Returns false if the key does not exist. */
    expireKey: async (owner: KeyOwner, expiresAt: string): Promise<boolean> =>
      table.update(updateAction(apiKeyKey(owner), { set: { expiresAt }, condition: ifExists })),

    /** Revokes a key permanently. Returns false if the key does not exist. */
    revokeKey: async (owner: KeyOwner, revokedAt: string): Promise<boolean> =>
      table.update(updateAction(apiKeyKey(owner), { set: { revokedAt }, condition: ifExists })),
  };
};

/**
 * Checks applications for suspension. Reads each application once, because a run can process
 * thousands of items of one application. Use it for one run only, because it never reads again.
 */
export const openSuspensions = ({ find }: Pick<Applications, 'find'>) => {
  const reads = new Map<string, Promise<boolean>>();
  const read = async (applicationId: string): Promise<boolean> => {
    try {
      return (await find(applicationId))?.status === 'suspended';
    } catch (error) {
      // The table may work again for the next item.
      reads.delete(applicationId);
      throw error;
    }
  };
  return (applicationId: string): Promise<boolean> => {
    const reading = reads.get(applicationId) ?? read(applicationId);
    reads.set(applicationId, reading);
    return reading;
  };
};
