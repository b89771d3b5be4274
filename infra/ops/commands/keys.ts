// The operator's commands for API keys.

import { keyStatus, readKeyId } from '#shared/applications/api-keys.ts';
import type { ApiKey } from '#shared/applications/applications.store.ts';
import { defineChange, defineQuery, type Readers } from '../command.ts';
import { CommandFailure } from '../errors.ts';
import * as option from '../options.ts';
import { ensureUsageKey, getApplication } from './applications.ts';

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

export const createKey = defineChange({
  needs: ['applications', 'clock', 'pepper', 'random', 'rules', 'secrets', 'usagePlan'],
  change: { after: ['application_id', 'key_id', 'access', 'expires_at'] },
  options: {
    application: option.required(option.applicationName),
    readOnly: option.flag('a key that cannot change anything'),
    expiresInDays: option.optional(option.count, 'a number of days from now'),
    expiresAt: option.optional(option.timestamp),
    neverExpires: option.flag('a key without an end'),
  },
  ruleBrokenBy: ({ expiresInDays, expiresAt, neverExpires }) =>
    [expiresInDays, expiresAt, neverExpires].filter(Boolean).length > 1
      ? 'pass only one of --expires-in-days, --expires-at and --never-expires'
      : undefined,
  run: async (dependencies, { application: name, readOnly, ...expiry }) => {
    const { clock, rules, secrets } = dependencies;
    const now = clock().getTime();
    const days = expiry.neverExpires
      ? 'unlimited'
      : (expiry.expiresInDays ?? rules.apiKeyLifetimeDays);
    const byDays =
      days === 'unlimited' ? null : new Date(now + days * millisecondsPerDay).toISOString();
    const expiresAt = expiry.expiresAt ?? byDays;
    if (expiresAt !== null && Date.parse(expiresAt) <= now) {
      throw new CommandFailure('the key would already have expired');
    }
    const found = await getApplication(dependencies, name, 'run applications create first');
    const { applicationId, name: application } = found;
    await secrets.readFilled('api-key-pepper');
    await ensureUsageKey(dependencies, found);
    const { issueApiKey } = await import('#shared/applications/issue-api-key.service.ts');
    const access = readOnly ? 'read_only' : 'full';
    const issued = await issueApiKey(dependencies, { applicationId, access, expiresAt });
    if (issued === undefined) throw new CommandFailure('the key could not be recorded; try again');
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
  options: { application: option.required(option.applicationName) },
  run: async (readers, { application: name }) => {
    const { applicationId, name: application } = await getApplication(readers, name);
    const keys = await readers.applications.listKeys(applicationId);
    const lastUses = await readers.applications.listLastUses(applicationId);
    const newestFirst = keys.sort((one, other) => (one.createdAt > other.createdAt ? -1 : 1));
    return {
      application,
      application_id: applicationId,
      keys: newestFirst.map((apiKey) =>
        summaryOf({ apiKey, lastUsedOn: lastUses.get(apiKey.keyId) }, readers.clock()),
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
  before: async (readers: Pick<Readers, 'applications' | 'clock'>, { key }: { key: string }) =>
    summaryOf(await getKey(readers, key), readers.clock()),
  after: ['status', 'expires_at', 'revoked_at'],
};

export const expireKey = defineChange({
  needs: ['applications', 'clock'],
  change: changeOfKey,
  options: { key: option.required(option.keyId), at: option.required(option.timestamp) },
  run: async (dependencies, { key, at }) => {
    const { apiKey, lastUsedOn } = await getKey(dependencies, key);
    if (apiKey.revokedAt !== null) throw new CommandFailure(`${key} is revoked permanently`);
    await dependencies.applications.expireKey(apiKey, at);
    const expiring = { apiKey: { ...apiKey, expiresAt: at }, lastUsedOn };
    return summaryOf(expiring, dependencies.clock());
  },
});

export const revokeKey = defineChange({
  needs: ['applications', 'clock'],
  change: changeOfKey,
  options: { key: option.required(option.keyId) },
  run: async ({ applications, clock }, { key }) => {
    const { apiKey, lastUsedOn } = await getKey({ applications }, key);
    // A revoked key keeps its first time of revocation.
    const revokedAt = apiKey.revokedAt ?? clock().toISOString();
    if (apiKey.revokedAt === null) await applications.revokeKey(apiKey, revokedAt);
    return summaryOf({ apiKey: { ...apiKey, revokedAt }, lastUsedOn }, clock());
  },
});

export const commands = {
  create: createKey,
  list: listKeys,
  expire: expireKey,
  revoke: revokeKey,
};
