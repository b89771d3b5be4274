// What is read of a company's settings once for each of its access tokens. These end within the
// hour or so, and what was read with them: people change settings while a process lives on.

import type { CompanyAccess } from './platform.ts';

export const oncePerToken = <Value, Options>(
  read: (access: CompanyAccess, options: Options) => Promise<Value>,
) => {
  const known = new Map<string, { accessToken: string; value: Value }>();
  return async (access: CompanyAccess, options: Options): Promise<Value> => {
    const { companyId, accessToken } = access;
    const found = known.get(companyId);
    if (found?.accessToken === accessToken) return found.value;
    const value = await read(access, options);
    known.set(companyId, { accessToken, value });
    return value;
  };
};
