// Authorizes requests by API key and identifies the calling application.

import {
  hashApiKey,
  hashMatches,
  type KeyOwner,
  keyStatus,
  readApiKey,
} from '#shared/applications/api-keys.ts';
import type { ApiKey, Applications } from '#shared/applications/applications.store.ts';
import { createAuthorizerHandler, type Decision } from '#shared/endpoint/authorizer.ts';
import { dateOf, isWithin } from '#shared/money/dates.ts';
import { currentKey, findKeyOfVersion, type Secret, type VersionedKeys } from '#shared/secrets.ts';
import type { Log, Telemetry } from '#shared/telemetry.ts';

export type Dependencies = Telemetry & {
  applications: Pick<Applications, 'findWithKey' | 'recordUse'>;
  pepper: Secret<VersionedKeys>;
  /** The routes that read-only keys may call, as `GET/path`. */
  readOnlyRoutes: readonly string[];
  clock: () => Date;
  sleep: (milliseconds: number) => Promise<unknown>;
};

const notAccepted = (reason: string): Decision => ({ outcome: 'not_accepted', reason });

/** The hash of no key. An unknown id takes the same time as a wrong secret. */
const hashOfNoKey = Buffer.alloc(32).toString('base64');

/** The maximum time that a reply waits for the record. Lambda freezes the function after it. */
export const maximumRecordingMilliseconds = 150;
/** Pause after a failed record. During a fault, each process delays only one reply per minute. */
const pauseMilliseconds = 60_000;

/**
 * Opens the record of the day on which a key was last used. Operators check it before they revoke a
 * key. No request fails because of it.
 */
export const openKeyUse = ({
  applications,
  clock,
  sleep,
  log,
}: {
  applications: Pick<Applications, 'recordUse'>;
  clock: () => Date;
  sleep: (milliseconds: number) => Promise<unknown>;
  log: Log;
}) => {
  let pausedAt = Number.NEGATIVE_INFINITY;

  /** Records today's first use. Never throws. */
  return async (owner: KeyOwner, lastUsedOn: string | undefined): Promise<void> => {
    const now = clock();
    const today = dateOf(now);
    const isRecorded = lastUsedOn !== undefined && lastUsedOn >= today;
    const isPaused = isWithin(pauseMilliseconds, { since: pausedAt, now: now.getTime() });
    if (isRecorded || isPaused) return;
    const recording = applications.recordUse(owner, today).then(
      () => true,
      (error: unknown) => {
        log.warn('key use not recorded', { key_id: owner.keyId, error });
        return false;
      },
    );
    const timeout = sleep(maximumRecordingMilliseconds).then(() => false);
    const inTime = await Promise.race([recording, timeout]);
    if (!inTime) pausedAt = now.getTime();
  };
};

export const createHandler = (dependencies: Dependencies) => {
  const { applications, pepper, readOnlyRoutes, clock, log, metrics } = dependencies;

  const pepperOf = async (apiKey: ApiKey | undefined): Promise<Buffer | undefined> =>
    apiKey ? findKeyOfVersion(pepper, apiKey.pepperVersion) : (await currentKey(pepper)).key;

  const recordUse = openKeyUse(dependencies);

  return createAuthorizerHandler(
    async (keyText) => {
      const ids = readApiKey(keyText);
      if (ids === undefined) return notAccepted('malformed');
      // In parallel, because the authorizer has a time limit of five seconds.
      const [{ application, apiKey, lastUsedOn }] = await Promise.all([
        applications.findWithKey(ids),
        pepper.read(),
      ]);
      const pepperKey = await pepperOf(apiKey);
      if (pepperKey === undefined) return notAccepted('pepper_retired');
      const isGenuine = hashMatches(hashApiKey(keyText, pepperKey), apiKey?.hash ?? hashOfNoKey);
      if (!isGenuine || apiKey === undefined || application === undefined) {
        return notAccepted('unknown');
      }
      const status = keyStatus(apiKey, clock());
      if (status !== 'live') return notAccepted(status);
      const { applicationId, keyId, access } = apiKey;
      const caller = { applicationId, keyId, access };
      if (application.status !== 'active') return { outcome: 'suspended', caller };
      await recordUse(caller, lastUsedOn);
      return { outcome: 'allow', caller };
    },
    { readOnlyRoutes, log, metrics },
  );
};
