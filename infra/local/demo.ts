// The demo application and its key, so that the printed requests work as they are.

import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod/mini';
import {
  hashApiKey,
  hashMatches,
  newApiKey,
  newApplicationId,
  readApiKey,
} from '#shared/domain/api-keys.ts';
import { currentKey, keyOfVersion, type Secret, type VersionedKeys } from '#shared/secrets.ts';
import type { Applications } from '#shared/store/applications.ts';
import { writeWhole } from './data-folder.ts';

const applicationName = 'Demo';
const Kept = z.object({ api_key: z.string() });

export type Demo = { applicationId: string; apiKey: string };

/** Finds the demo key of an earlier run, if it still works, or makes one. */
export const prepareDemo = async (
  applications: Applications,
  { pepper, dataFolder }: { pepper: Secret<VersionedKeys>; dataFolder: string },
): Promise<Demo> => {
  const file = join(dataFolder, 'demo-key.json');
  const text = await readFile(file, 'utf8').catch(() => '{}');
  const kept = Kept.safeParse(JSON.parse(text)).data?.api_key;
  if (kept !== undefined && (await works(kept, { applications, pepper }))) {
    return { applicationId: readApiKey(kept)?.applicationId ?? '', apiKey: kept };
  }
  const createdAt = new Date().toISOString();
  const applicationId = await findOrCreate(applications, createdAt);
  const { keyId, apiKey } = newApiKey(applicationId, randomBytes);
  const { version, key } = await currentKey(pepper);
  await applications.recordKey({
    keyId,
    applicationId,
    hash: hashApiKey(apiKey, key),
    pepperVersion: version,
    createdAt,
    expiresAt: null,
    revokedAt: null,
  });
  await writeWhole(file, JSON.stringify({ api_key: apiKey }));
  return { applicationId, apiKey };
};

const findOrCreate = async (applications: Applications, createdAt: string): Promise<string> => {
  const existing = await applications.findByName(applicationName);
  if (existing) return existing.applicationId;
  const applicationId = newApplicationId(randomBytes);
  await applications.record({
    applicationId,
    name: applicationName,
    status: 'active',
    redirectUrls: [],
    createdAt,
  });
  return applicationId;
};

const works = async (
  apiKey: string,
  { applications, pepper }: { applications: Applications; pepper: Secret<VersionedKeys> },
): Promise<boolean> => {
  const ids = readApiKey(apiKey);
  const found = ids && (await applications.findWithKey(ids));
  const stored = found?.apiKey;
  if (!stored || stored.revokedAt !== null || stored.expiresAt !== null) return false;
  const hash = hashApiKey(apiKey, await keyOfVersion(pepper, stored.pepperVersion));
  return hashMatches(hash, stored.hash) && found.application?.status === 'active';
};
