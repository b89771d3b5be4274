// Reads what the platform says in the callback's query (RFC 6749 sections 3.1 and 4.1.2).

import type { AuthorizationError } from '#shared/platforms/error-codes.ts';

/** A parameter that is given exactly once (RFC 6749 section 3.1). */
export const single = (query: URLSearchParams, name: string): string | undefined => {
  const [value, ...more] = query.getAll(name);
  return more.length === 0 ? value : undefined;
};

const maximumCodeLength = 4096;

/** The code of an authorization that was granted, or why there is none (section 4.1.2.1). */
export const readGrant = (
  query: URLSearchParams,
): { code: string } | { error: AuthorizationError } => {
  if (query.has('error')) {
    const denied = single(query, 'error') === 'access_denied';
    return { error: denied ? 'access_denied' : 'authorization_failed' };
  }
  const code = single(query, 'code') ?? '';
  return code === '' || code.length > maximumCodeLength
    ? { error: 'authorization_failed' }
    : { code };
};
