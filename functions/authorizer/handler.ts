// Decides by its API key whether a request may pass, and for which application.

import { hashApiKey, hashMatches, keyStatus, readApiKey } from '#shared/applications/api-keys.ts';
import type { ApiKey, Applications } from '#shared/applications/applications.store.ts';
import { createAuthorizerHandler, type Decision } from '#shared/endpoint/authorizer.ts';
import type { Log } from '#shared/log.ts';
import type { Metrics } from '#shared/metrics.ts';
import { currentKey, findKeyOfVersion, type Secret, type VersionedKeys } from '#shared/secrets.ts';
import { openKeyUse } from './key-use.ts';

export type Dependencies = {
  applications: Pick<Applications, 'findWithKey' | 'recordUse'>;
  pepper: Secret<VersionedKeys>;
  /** The routes that read-only keys may call, as `GET/path`. */
  readOnlyRoutes: readonly string[];
  clock: () => Date;
  sleep: (milliseconds: number) => Promise<unknown>;
  log: Log;
  metrics: Metrics;
};

const notAccepted = (reason: string): Decision => ({ outcome: 'not_accepted', reason });

/** A hash that no key has: an unknown id must cost the same time as a wrong secret. */
const hashOfNoKey = Buffer.alloc(32).toString('base64');

export const createHandler = (dependencies: Dependencies) => {
  const { applications, pepper, readOnlyRoutes, clock, log, metrics } = dependencies;

  const pepperOf = async (kept: ApiKey | undefined): Promise<Buffer | undefined> =>
    kept ? findKeyOfVersion(pepper, kept.pepperVersion) : (await currentKey(pepper)).key;

  const recordUse = openKeyUse(dependencies);

  return createAuthorizerHandler(
    async (given) => {
      const ids = readApiKey(given);
      if (ids === undefined) return notAccepted('malformed');
      // The pepper is there when the key is: the two together have to fit into five seconds.
      const [{ application, apiKey, lastUsedOn }] = await Promise.all([
        applications.findWithKey(ids),
        pepper.read(),
      ]);
      const pepperKey = await pepperOf(apiKey);
      if (pepperKey === undefined) return notAccepted('pepper_retired');
      const isGenuine = hashMatches(hashApiKey(given, pepperKey), apiKey?.hash ?? hashOfNoKey);
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
