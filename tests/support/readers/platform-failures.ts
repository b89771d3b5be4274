// The failures of a platform's calls as plain data, after a search for secrets.

import { inspect } from 'node:util';
import { PlatformFailure } from '#shared/platforms/platform.ts';

/** @throws if the work succeeds, fails in another way, or reveals one of `secrets` */
export const failureOf = async (failing: Promise<unknown>, secrets: readonly string[]) => {
  const error = await failing.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof PlatformFailure)) throw new Error(`no PlatformFailure: ${inspect(error)}`);
  const everything = inspect(error, { depth: null, showHidden: true }) + JSON.stringify(error);
  if (secrets.some((secret) => everything.includes(secret))) throw new Error('a secret is out');
  const { reason, retryAfterSeconds, platformError, cause } = error;
  const message = (cause as Error | undefined)?.message ?? '';
  return { reason, retryAfterSeconds, platformError, cause: message };
};
