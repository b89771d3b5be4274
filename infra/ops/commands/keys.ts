// The operator's commands for API keys.

import { keyStatus, readKeyId } from '#shared/applications/api-keys.ts';
import type { ApiKey } from '#shared/applications/applications.store.ts';
import { type Dependencies, defineChange, defineQuery, type Readers } from '../command.ts';
import { CommandFailure } from '../errors.ts';
import {
  applicationName,
  dayCount,
  flag,
  keyId,
  optional,
  required,
  timestamp,
} from '../options.ts';
import { cacheNote, ensureUsageKey, getApplication } from './applications.ts';

const millisecondsPerDay = 86_400_000;

type KeyWithUse = { apiKey: ApiKey; lastUsedOn: string | undefined };

const summaryOf = ({ apiKey, lastUsedOn }: KeyWithUse, now: Date) => ({
  key_id: apiKey.keyId,
  access: apiKey.access,
  status: keyStatus(apiKey, now),
  created_at: apiKey.createdAt,
  expires_at: apiKey.expiresAt,
  last_used_on: lastUsedOn ?? null,
  revoked_at: apiKey.revokedAt,
  pepper_version: apiKey.pepperVersion,
});

/** When a new key expires: by the options, or else by the stage's default. `null` is never. */
const expiryOf = (
  {
    expiresInDays,
    expiresAt,
    neverExpires,
  }: {
    expiresInDays?: number | undefined;
    expiresAt?: string | undefined;
    neverExpires?: boolean | undefined;
  },
  { now, rules }: { now: number; rules: Dependencies['rules'] },
): string | null => {
  if (expiresAt !== undefined) return expiresAt;
  const days = neverExpires ? 'unlimited' : (expiresInDays ?? rules.apiKeyLifetimeDays);
  return days === 'unlimited' ? null : new Date(now + days * millisecondsPerDay).toISOString();
};

export const createKey = defineChange({
  note:
    'Save the key now: only its hash is stored, so it cannot be shown again. By default it ' +
    'expires after a year on a deployed stage, and never on the local service. A --read-only key ' +
    'cannot change anything, and cannot be upgraded.',
  change: { after: ['application_id', 'key_id', 'access', 'expires_at'] },
  needs: ['applications', 'clock', 'pepper', 'random', 'rules', 'secrets', 'usagePlan'],
  options: {
    application: required(applicationName),
    readOnly: flag('a key that cannot change anything'),
    expiresInDays: optional(dayCount),
    expiresAt: optional(timestamp),
    neverExpires: flag('a key without an end'),
  },
  ruleBrokenBy: ({ expiresInDays, expiresAt, neverExpires }) =>
    [expiresInDays, expiresAt, neverExpires].filter(Boolean).length > 1
      ? 'pass only one of --expires-in-days, --expires-at and --never-expires'
      : undefined,
  run: async (dependencies, { application: name, readOnly, ...options }) => {
    const now = dependencies.clock().getTime();
    const expiresAt = expiryOf(options, { now, rules: dependencies.rules });
    if (expiresAt !== null && Date.parse(expiresAt) <= now) {
      throw new CommandFailure('the key would have expired already');
    }
    const { applicationId, name: application } = await getApplication(
      dependencies,
      name,
      'run applications create first',
    );
    await dependencies.secrets.readFilled('api-key-pepper');
    await ensureUsageKey(dependencies, { applicationId });
    const { issueApiKey } = await import('#shared/applications/issue-api-key.service.ts');
    const access = readOnly ? 'read_only' : 'full';
    const issued = await issueApiKey(dependencies, { applicationId, access, expiresAt });
    if (issued === undefined) {
      throw new CommandFailure('the key could not be recorded; try again');
    }
    return {
      application,
      application_id: applicationId,
      key_id: issued.keyId,
      api_key: issued.apiKey,
      access,
      expires_at: expiresAt,
    };
  },
});

export const listKeys = defineQuery({
  needs: ['applications', 'clock'],
  options: { application: required(applicationName) },
  run: async (dependencies, { application: name }) => {
    const { applicationId, name: application } = await getApplication(dependencies, name);
    const keys = await dependencies.applications.listKeys(applicationId);
    const lastUses = await dependencies.applications.listLastUses(applicationId);
    const now = dependencies.clock();
    const newestFirst = keys.sort((one, other) => (one.createdAt > other.createdAt ? -1 : 1));
    return {
      application,
      application_id: applicationId,
      keys: newestFirst.map((apiKey) =>
        summaryOf({ apiKey, lastUsedOn: lastUses.get(apiKey.keyId) }, now),
      ),
    };
  },
});

const getKey = async (
  { applications }: Pick<Readers, 'applications'>,
  keyId: string,
): Promise<KeyWithUse> => {
  const owner = readKeyId(keyId);
  const { apiKey, lastUsedOn } = owner ? await applications.findWithKey(owner) : {};
  if (apiKey) return { apiKey, lastUsedOn };
  throw new CommandFailure(`there is no key ${keyId}`);
};

const changeOfKey = {
  before: async (dependencies: Pick<Readers, 'applications' | 'clock'>, { key }: { key: string }) =>
    summaryOf(await getKey(dependencies, key), dependencies.clock()),
  after: ['status', 'expires_at', 'revoked_at'],
};

export const expireKey = defineChange({
  note: cacheNote,
  change: changeOfKey,
  needs: ['applications', 'clock'],
  options: { key: required(keyId), at: required(timestamp) },
  run: async (dependencies, { key, at }) => {
    const { apiKey, lastUsedOn } = await getKey(dependencies, key);
    if (apiKey.revokedAt !== null) throw new CommandFailure(`${key} is revoked permanently`);
    await dependencies.applications.expireKey(apiKey, at);
    const expiring = { apiKey: { ...apiKey, expiresAt: at }, lastUsedOn };
    return summaryOf(expiring, dependencies.clock());
  },
});

export const revokeKey = defineChange({
  note: cacheNote,
  change: changeOfKey,
  needs: ['applications', 'clock'],
  options: { key: required(keyId) },
  run: async (dependencies, { key }) => {
    const { apiKey, lastUsedOn } = await getKey(dependencies, key);
    const now = dependencies.clock();
    // A revoked key keeps its first time of revocation.
    const revokedAt = apiKey.revokedAt ?? now.toISOString();
    if (apiKey.revokedAt === null) await dependencies.applications.revokeKey(apiKey, revokedAt);
    return summaryOf({ apiKey: { ...apiKey, revokedAt }, lastUsedOn }, now);
  },
});

export const commands = { create: createKey, list: listKeys, expire: expireKey, revoke: revokeKey };
