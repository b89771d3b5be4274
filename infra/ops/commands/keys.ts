// The operator's commands for API keys.

import * as z from 'zod/mini';
import { keyStatus, readKeyId } from '#shared/domain/api-keys.ts';
import type { ApiKey } from '#shared/store/applications.ts';
import { issueApiKey } from '../../issue-api-key.ts';
import { type Dependencies, defineChange, defineQuery, type Readers } from '../command.ts';
import { CommandFailure } from '../errors.ts';
import { applicationName, dayCount, keyId, moment } from '../options.ts';
import { cacheNote, ensureUsageKey, getApplication } from './applications.ts';

const millisecondsPerDay = 86_400_000;

type KnownKey = { apiKey: ApiKey; lastUsedOn: string | undefined };

const summaryOf = ({ apiKey, lastUsedOn }: KnownKey, now: Date) => ({
  key_id: apiKey.keyId,
  access: apiKey.access,
  status: keyStatus(apiKey, now),
  created_at: apiKey.createdAt,
  expires_at: apiKey.expiresAt,
  last_used_on: lastUsedOn ?? null,
  revoked_at: apiKey.revokedAt,
  pepper_version: apiKey.pepperVersion,
});

/** When a new key expires: as its creator says, otherwise as the stage has it; `null` is never. */
const endOf = (
  {
    expiresInDays,
    expiresAt,
    neverExpires,
  }: {
    expiresInDays?: number | undefined;
    expiresAt?: string | undefined;
    neverExpires?: true | undefined;
  },
  { now, rules }: { now: number; rules: Dependencies['rules'] },
): string | null => {
  if (expiresAt !== undefined) return expiresAt;
  const days = neverExpires ? 'unlimited' : (expiresInDays ?? rules.apiKeyLifetimeDays);
  return days === 'unlimited' ? null : new Date(now + days * millisecondsPerDay).toISOString();
};

export const createKey = defineChange({
  usage:
    '--application NAME [--read-only] ' +
    '[--expires-in-days N | --expires-at ISO_TIME | --never-expires]',
  purpose: 'Issue an API key to an application',
  note:
    'Keep the key now: only its hash is stored, so it cannot be shown again. ' +
    'It expires after a year on a deployed stage, and never on this machine, unless you say ' +
    'when. With --read-only it is for looking only, and stays so.',
  change: { after: ['application_id', 'key_id', 'access', 'expires_at'] },
  options: z
    .strictObject({
      application: applicationName,
      readOnly: z.optional(z.literal(true)),
      expiresInDays: z.optional(dayCount),
      expiresAt: z.optional(moment),
      neverExpires: z.optional(z.literal(true)),
    })
    .check(
      z.refine(({ expiresInDays, expiresAt, neverExpires }) => {
        return [expiresInDays, expiresAt, neverExpires].filter(Boolean).length <= 1;
      }, 'give one of --expires-in-days, --expires-at and --never-expires'),
    ),
  run: async (dependencies, { application: name, readOnly, ...options }) => {
    const now = dependencies.clock().getTime();
    const end = endOf(options, { now, rules: dependencies.rules });
    if (end !== null && Date.parse(end) <= now) {
      throw new CommandFailure('the key would have expired already');
    }
    const remedy = 'register it by applications create';
    const found = await getApplication(dependencies, name, remedy);
    const { applicationId, name: application } = found;
    await dependencies.secrets.readFilled('api-key-pepper');
    await ensureUsageKey(dependencies, { applicationId });
    const access = readOnly ? 'read_only' : 'full';
    const issued = await issueApiKey(dependencies, { applicationId, access, expiresAt: end });
    if (issued === undefined) {
      throw new CommandFailure('the key could not be recorded; try again');
    }
    return {
      application,
      application_id: applicationId,
      key_id: issued.keyId,
      api_key: issued.apiKey,
      access,
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

const getKey = async ({ applications }: Readers, keyId: string): Promise<KnownKey> => {
  const owner = readKeyId(keyId);
  const { apiKey, lastUsedOn } = owner ? await applications.findWithKey(owner) : {};
  if (apiKey) return { apiKey, lastUsedOn };
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
    const { apiKey, lastUsedOn } = await getKey(dependencies, key);
    if (apiKey.revokedAt !== null) throw new CommandFailure(`${key} is revoked for ever`);
    await dependencies.applications.expireKey(apiKey, at);
    const expiring = { apiKey: { ...apiKey, expiresAt: at }, lastUsedOn };
    return summaryOf(expiring, dependencies.clock());
  },
});

export const revokeKey = defineChange({
  usage: '--key KEY_ID',
  purpose: 'End a key at once and for ever',
  note: cacheNote,
  change: changeOfKey,
  options: z.strictObject({ key: keyId }),
  run: async (dependencies, { key }) => {
    const { apiKey, lastUsedOn } = await getKey(dependencies, key);
    const now = dependencies.clock();
    // A key that is revoked already keeps the time of it.
    const revokedAt = apiKey.revokedAt ?? now.toISOString();
    if (apiKey.revokedAt === null) await dependencies.applications.revokeKey(apiKey, revokedAt);
    return summaryOf({ apiKey: { ...apiKey, revokedAt }, lastUsedOn }, now);
  },
});
