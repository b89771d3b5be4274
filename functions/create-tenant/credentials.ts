// Credentials of a platform that a caller holds: read from the request, and tried at the platform.

import { apiErrorOf } from '#shared/platforms/error-codes.ts';
import {
  type CompanyAddress,
  type Platform,
  type PlatformCompany,
  PlatformFailure,
  type PlatformTokens,
} from '#shared/platforms/platform.ts';
import type { Request } from './schema.ts';

export type Credentials = CompanyAddress & { tokens: PlatformTokens };

/** How long an access token is taken to live where the caller does not say. */
const defaultLifetimeSeconds = 1800;

/** All three, or none: the schema lets nothing else through. */
export const credentialsOf = (input: Request): Credentials | undefined => {
  const { access_token, refresh_token, platform_company_id, expires_in, data_center } = input;
  if (
    access_token === undefined ||
    refresh_token === undefined ||
    platform_company_id === undefined
  ) {
    return undefined;
  }
  return {
    companyId: platform_company_id,
    dataCenter: data_center ?? null,
    tokens: {
      accessToken: access_token,
      refreshToken: refresh_token,
      expiresInSeconds: expires_in ?? defaultLifetimeSeconds,
    },
  };
};

/**
 * Tries the credentials before anything is written. A refused access token is not refreshed here:
 * platforms replace the refresh token, and a refusal that followed would lose the caller's.
 */
export const readCompany = async (
  platform: Platform,
  { companyId, dataCenter, tokens }: Credentials,
): Promise<PlatformCompany> => {
  try {
    return await platform.company({ companyId, dataCenter, accessToken: tokens.accessToken });
  } catch (error) {
    throw error instanceof PlatformFailure ? apiErrorOf(error) : error;
  }
};
