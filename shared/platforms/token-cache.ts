// Caches a company's settings for the lifetime of an access token, which is about an hour. Users
// can change these settings.

import type { CompanyAccess } from './platform.ts';

export const oncePerToken = <Value, Options extends unknown[]>(
  read: (access: CompanyAccess, ...options: Options) => Promise<Value>,
) => {
  const cache = new Map<string, { accessToken: string; value: Value }>();
  return async (access: CompanyAccess, ...options: Options): Promise<Value> => {
    const { companyId, accessToken } = access;
    const cached = cache.get(companyId);
    if (cached?.accessToken === accessToken) return cached.value;
    const value = await read(access, ...options);
    cache.set(companyId, { accessToken, value });
    return value;
  };
};
