// The demo application and its key, so that the printed requests work as they are.

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod/mini';
import { hashApiKey, hashMatches, keyStatus, readApiKey } from '#shared/applications/api-keys.ts';
import {
  findOrCreateApplication,
  issueApiKey,
  type KeyIssuing,
} from '#shared/applications/issue-api-key.service.ts';
import { keyOfVersion } from '#shared/secrets.ts';
import { writeWhole } from './data-folder.ts';

const applicationName = 'Demo';
const Kept = z.object({ api_key: z.string() });

export type Demo = { applicationId: string; apiKey: string };

/** Finds the demo key of an earlier run, if it still works, or issues one. */
export const prepareDemo = async (dependencies: KeyIssuing, dataFolder: string): Promise<Demo> => {
  const file = join(dataFolder, 'demo-key.json');
  const text = await readFile(file, 'utf8').catch(() => '{}');
  const kept = Kept.safeParse(JSON.parse(text)).data?.api_key ?? '';
  const keptOwner = await findOwner(dependencies, kept);
  if (keptOwner !== undefined) return { applicationId: keptOwner, apiKey: kept };
  const { application } = await findOrCreateApplication(dependencies, applicationName);
  const { applicationId } = application;
  const issued = await issueApiKey(dependencies, {
    applicationId,
    access: 'full',
    expiresAt: null,
  });
  if (issued === undefined) throw new Error('the demo key could not be recorded');
  const { apiKey } = issued;
  await writeWhole(file, JSON.stringify({ api_key: apiKey }));
  return { applicationId, apiKey };
};

/** The application of a key that works, or `undefined`. */
const findOwner = async (
  { applications, pepper, clock }: Omit<KeyIssuing, 'random'>,
  apiKey: string,
): Promise<string | undefined> => {
  const ids = readApiKey(apiKey);
  const stored = ids && (await applications.findWithKey(ids)).apiKey;
  if (!stored || keyStatus(stored, clock()) !== 'live') return undefined;
  const hash = hashApiKey(apiKey, await keyOfVersion(pepper, stored.pepperVersion));
  return hashMatches(hash, stored.hash) ? stored.applicationId : undefined;
};
