// The operator's commands for API keys.

import * as z from 'zod/mini';
import { keyStatus, readKeyId } from '#shared/domain/api-keys.ts';
import type { ApiKey } from '#shared/store/applications.ts';
import { issueApiKey } from '../../issue-api-key.ts';
import { defineChange, defineQuery, type Readers } from '../command.ts';
import { CommandFailure } from '../errors.ts';
import { applicationName, dayCount, keyId, moment } from '../options.ts';
import { cacheNote, ensureUsageKey, getApplication } from './applications.ts';

const millisecondsPerDay = 86_400_000;

const summaryOf = (apiKey: ApiKey, now: Date) => ({
  key_id: apiKey.keyId,
  status: keyStatus(apiKey, now),
  created_at: apiKey.createdAt,
  expires_at: apiKey.expiresAt,
  revoked_at: apiKey.revokedAt,
  pepper_version: apiKey.pepperVersion,
});

export const createKey = defineChange({
  usage: '--application NAME [--expires-in-days N | --expires-at ISO_TIME]',
  purpose: 'Issue an API key to an application',
  note: 'Keep the key now: only its hash is stored, so it cannot be shown again.',
  change: { after: ['application_id', 'key_id', 'expires_at'] },
  options: z
    .strictObject({
      application: applicationName,
      expiresInDays: z.optional(dayCount),
      expiresAt: z.optional(moment),
    })
    .check(
      z.refine(({ expiresInDays, expiresAt }) => !(expiresInDays && expiresAt), {
        error: 'give --expires-in-days or --expires-at, not both',
      }),
    ),
  run: async (dependencies, { application: name, expiresInDays, expiresAt }) => {
    const now = dependencies.clock().getTime();
    const end =
      expiresInDays === undefined
        ? (expiresAt ?? null)
        : new Date(now + expiresInDays * millisecondsPerDay).toISOString();
    if (end !== null && Date.parse(end) <= now) {
      throw new CommandFailure('the key would have expired already');
    }
    const remedy = 'register it by applications create';
    const found = await getApplication(dependencies, name, remedy);
    const { applicationId, name: application } = found;
    await dependencies.secrets.readFilled('api-key-pepper');
    await ensureUsageKey(dependencies, { applicationId });
    const issued = await issueApiKey(dependencies, { applicationId, expiresAt: end });
    if (issued === undefined) {
      throw new CommandFailure('the key could not be recorded; try again');
    }
    return {
      application,
      application_id: applicationId,
      key_id: issued.keyId,
      api_key: issued.apiKey,
      expires_at: end,
    };
  },
});

export const listKeys = defineQuery({
  usage: '--application NAME',
  purpose: "List an application's keys, the newest first",
  options: z.strictObject({ application: applicationName }),
  run: async (dependencies, { application: name }) => {
    const { applicationId, name: application } = await getApplication(dependencies, name);
    const keys = await dependencies.applications.listKeys(applicationId);
    const newestFirst = keys.sort((one, other) => (one.createdAt > other.createdAt ? -1 : 1));
    return {
      application,
      application_id: applicationId,
      keys: newestFirst.map((apiKey) => summaryOf(apiKey, dependencies.clock())),
    };
  },
});

const getKey = async ({ applications }: Readers, keyId: string): Promise<ApiKey> => {
  const owner = readKeyId(keyId);
  const found = owner && (await applications.findWithKey(owner));
  if (found?.apiKey) return found.apiKey;
  throw new CommandFailure(`there is no key ${keyId}`);
};

const changeOfKey = {
  before: async (dependencies: Readers, { key }: { key: string }) =>
    summaryOf(await getKey(dependencies, key), dependencies.clock()),
  after: ['status', 'expires_at', 'revoked_at'],
};

export const expireKey = defineChange({
  usage: '--key KEY_ID --at ISO_TIME',
  purpose: 'Let a key end at a time, sooner or later than was set',
  note: cacheNote,
  change: changeOfKey,
  options: z.strictObject({ key: keyId, at: moment }),
  run: async (dependencies, { key, at }) => {
    const apiKey = await getKey(dependencies, key);
    if (apiKey.revokedAt !== null) throw new CommandFailure(`${key} is revoked for ever`);
    await dependencies.applications.expireKey(apiKey, at);
    return summaryOf({ ...apiKey, expiresAt: at }, dependencies.clock());
  },
});

export const revokeKey = defineChange({
  usage: '--key KEY_ID',
  purpose: 'End a key at once and for ever',
  note: cacheNote,
  change: changeOfKey,
  options: z.strictObject({ key: keyId }),
  run: async (dependencies, { key }) => {
    const apiKey = await getKey(dependencies, key);
    const now = dependencies.clock();
    // A key that is revoked already keeps the time of it.
    const revokedAt = apiKey.revokedAt ?? now.toISOString();
    if (apiKey.revokedAt === null) await dependencies.applications.revokeKey(apiKey, revokedAt);
    return summaryOf({ ...apiKey, revokedAt }, now);
  },
});
