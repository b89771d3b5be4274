// The demo application and its API key, which the printed requests use.

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
const DemoKey = z.object({ api_key: z.string() });

type Demo = { applicationId: string; apiKey: string };

/** Returns the demo key of an earlier run if it still works, or issues a new one. */
export const prepareDemo = async (dependencies: KeyIssuing, dataFolder: string): Promise<Demo> => {
  const file = join(dataFolder, 'demo-key.json');
  const text = await readFile(file, 'utf8').catch(() => '{}');
  const earlierKey = DemoKey.safeParse(JSON.parse(text)).data?.api_key ?? '';
  const owner = await findOwner(dependencies, earlierKey);
  if (owner !== undefined) return { applicationId: owner, apiKey: earlierKey };
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

/** The application of a key, if the key works. */
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
