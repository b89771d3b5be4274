// Registers an application and issues API keys to it, for the operator and for the local demo.

import { hashApiKey, newApiKey, newApplicationId } from '#shared/applications/api-keys.ts';
import type { Application, Applications } from '#shared/applications/applications.store.ts';
import type { KeyAccess } from '#shared/applications/caller.ts';
import { currentKey, type Secret, type VersionedKeys } from '#shared/secrets.ts';

export type KeyIssuing = {
  applications: Applications;
  pepper: Secret<VersionedKeys>;
  clock: () => Date;
  random: (bytes: number) => Buffer;
};

/** Records a new application, or returns the application with this name, ignoring case. */
export const findOrCreateApplication = async (
  { applications, clock, random }: Omit<KeyIssuing, 'pepper'>,
  name: string,
): Promise<{ application: Application; created: boolean }> => {
  const application: Application = {
    applicationId: newApplicationId(random),
    name,
    status: 'active',
    redirectUrls: [],
    createdAt: clock().toISOString(),
  };
  for (;;) {
    const existing = await applications.findByName(name);
    if (existing) return { application: existing, created: false };
    // This fails if another process has just taken the name.
    if (await applications.record(application)) return { application, created: true };
  }
};

/**
 * Issues a key to an existing application. The key is not stored. Returns `undefined` if the
 * application does not exist or the random id is taken.
 */
export const issueApiKey = async (
  { applications, pepper, clock, random }: KeyIssuing,
  {
    applicationId,
    access,
    expiresAt,
  }: { applicationId: string; access: KeyAccess; expiresAt: string | null },
): Promise<{ keyId: string; apiKey: string } | undefined> => {
  const { keyId, apiKey } = newApiKey(applicationId, random);
  const { version, key } = await currentKey(pepper);
  const isRecorded = await applications.recordKey({
    keyId,
    applicationId,
    access,
    hash: hashApiKey(apiKey, key),
    pepperVersion: version,
    createdAt: clock().toISOString(),
    expiresAt,
    revokedAt: null,
  });
  return isRecorded ? { keyId, apiKey } : undefined;
};
