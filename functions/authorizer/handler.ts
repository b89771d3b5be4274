// Decides by its API key whether a request may pass, and for which application.

import { hashApiKey, hashMatches, readApiKey } from '#shared/domain/api-keys.ts';
import type { Log } from '#shared/log.ts';
import { keyOfVersion, type Secret, type VersionedKeys } from '#shared/secrets.ts';
import type { ApiKey, Applications } from '#shared/store/applications.ts';
import { createAuthorizerHandler, type Decision } from '#shared/triggers/authorizer.ts';

export type Dependencies = {
  applications: Pick<Applications, 'findWithKey'>;
  pepper: Secret<VersionedKeys>;
  clock: () => Date;
  log: Log;
};

const notAccepted = (reason: string): Decision => ({ outcome: 'not_accepted', reason });

const isOver = (moment: string | null, now: Date): boolean =>
  moment !== null && Date.parse(moment) <= now.getTime();

export const createHandler = ({ applications, pepper, clock, log }: Dependencies) => {
  const isGenuine = async (given: string, kept: ApiKey): Promise<boolean> =>
    hashMatches(hashApiKey(given, await keyOfVersion(pepper, kept.pepperVersion)), kept.hash);

  return createAuthorizerHandler(
    async (given) => {
      const ids = readApiKey(given);
      if (ids === undefined) return notAccepted('malformed');
      const { application, apiKey } = await applications.findWithKey(ids);
      if (application === undefined || apiKey === undefined) return notAccepted('unknown');
      if (!(await isGenuine(given, apiKey))) return notAccepted('unknown');
      if (isOver(apiKey.revokedAt, clock())) return notAccepted('revoked');
      if (isOver(apiKey.expiresAt, clock())) return notAccepted('expired');
      const { applicationId, keyId } = apiKey;
      const outcome = application.status === 'active' ? 'allow' : 'suspended';
      return { outcome, caller: { applicationId, keyId } };
    },
    { log },
  );
};
