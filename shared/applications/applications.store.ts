// Applications, their API keys and their redirect URLs.

import * as z from 'zod/mini';
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
import { ifNotExists, type Table } from '../table/table.ts';
import { keyAccesses } from './api-keys.ts';

export const Application = z.object({
  applicationId: z.string(),
  name: z.string(),
  status: z.enum(['active', 'suspended']),
  /** When it was last suspended or resumed, if it ever was. */
  statusChangedAt: z.optional(z.string()),
  redirectUrls: z.array(z.string()),
  createdAt: z.string(),
});
export type Application = z.infer<typeof Application>;

/** A key as it is stored. `hash` is keyed with the pepper of `pepperVersion`. */
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

/** When a key was last used, to the day. It is not there before the first use. */
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

    /** The application of this name, in any case. */
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

    /** Records a new application; false where its name is taken. */
    record: async (application: Application): Promise<boolean> => {
      const { applicationId, name } = application;
      const outcome = await table.transact([
        { put: { ...applicationKey(applicationId), ...application }, condition: ifNotExists },
        { put: { ...applicationNameKey(name), applicationId }, condition: ifNotExists },
      ]);
      return outcome.committed;
    },

    /** Suspends an application or takes it back; false where there is none. */
    setStatus: async (
      applicationId: string,
      { status, now }: { status: Application['status']; now: Date },
    ): Promise<boolean> => {
      return table.update({
        update: applicationKey(applicationId),
        expression: 'SET #status = :status, statusChangedAt = :now',
        condition: 'attribute_exists(pk)',
        names: { '#status': 'status' },
        values: { ':status': status, ':now': now.toISOString() },
      });
    },

    /** Replaces the list of redirect URLs, unless it is no longer `expected`. */
    replaceRedirectUrls: async (
      applicationId: string,
      { expected, replacement }: { expected: string[]; replacement: string[] },
    ): Promise<boolean> => {
      return table.update({
        update: applicationKey(applicationId),
        expression: 'SET redirectUrls = :replacement',
        condition: 'redirectUrls = :expected',
        values: { ':expected': expected, ':replacement': replacement },
      });
    },

    /** The application and one of its keys, with the date of its last use, in one call. */
    findWithKey: async (owner: {
      applicationId: string;
      keyId: string;
    }): Promise<{
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

    /** Records a new key; false where its id is taken or its application is not there. */
    recordKey: async (apiKey: ApiKey): Promise<boolean> => {
      const outcome = await table.transact([
        { check: applicationKey(apiKey.applicationId), condition: 'attribute_exists(pk)' },
        { put: { ...apiKeyKey(apiKey), ...apiKey }, condition: ifNotExists },
      ]);
      return outcome.committed;
    },

    listKeys: async (applicationId: string): Promise<ApiKey[]> => {
      const { pk } = applicationKey(applicationId);
      const items = await table.query(prefixRange(pk, apiKeyPrefix));
      return items.map((item) => ApiKey.parse(item));
    },

    /** The dates on which an application's keys were last used, by key id. */
    listLastUses: async (applicationId: string): Promise<ReadonlyMap<string, string>> => {
      const items = await table.query({
        KeyConditionExpression: 'pk = :pk',
        ExpressionAttributeValues: { ':pk': keyUseKey({ applicationId, keyId: '' }).pk },
      });
      const uses = items.map((item) => KeyUse.parse(item));
      return new Map(uses.map(({ keyId, lastUsedOn }) => [keyId, lastUsedOn]));
    },

    /** Records that a key was used on a date; false where that date or a later one is recorded. */
    recordUse: async (
      { applicationId, keyId }: { applicationId: string; keyId: string },
      date: string,
    ): Promise<boolean> =>
      table.update({
        update: keyUseKey({ applicationId, keyId }),
        expression: 'SET lastUsedOn = :date, keyId = :keyId',
        condition: 'attribute_not_exists(pk) OR lastUsedOn < :date',
        values: { ':date': date, ':keyId': keyId },
      }),

    /** Ends a key at a time that may be in the future; false where there is no such key. */
    expireKey: async (
      owner: { applicationId: string; keyId: string },
      expiresAt: string,
    ): Promise<boolean> => setKey(table, owner, { field: 'expiresAt', value: expiresAt }),

    /** Revokes a key for ever; false where there is no such key. */
    revokeKey: async (
      owner: { applicationId: string; keyId: string },
      revokedAt: string,
    ): Promise<boolean> => setKey(table, owner, { field: 'revokedAt', value: revokedAt }),
  };
};

/**
 * Says which applications are suspended. Each is read once, so that a run passes over thousands of
 * items of a suspended one at the cost of one read. It is for one run: what it has read it keeps.
 */
export const openSuspensions = ({ find }: Pick<Applications, 'find'>) => {
  const reads = new Map<string, Promise<boolean>>();
  const read = async (applicationId: string): Promise<boolean> => {
    try {
      return (await find(applicationId))?.status === 'suspended';
    } catch (error) {
      // The next who asks may find the table well again.
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

const setKey = async (
  table: Table,
  owner: { applicationId: string; keyId: string },
  { field, value }: { field: 'expiresAt' | 'revokedAt'; value: string },
): Promise<boolean> => {
  return table.update({
    update: apiKeyKey(owner),
    expression: `SET ${field} = :value`,
    condition: 'attribute_exists(pk)',
    values: { ':value': value },
  });
};
