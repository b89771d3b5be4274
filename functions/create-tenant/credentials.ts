// Reads a caller's platform credentials from the request and tests them on the platform.

import { apiErrorOf } from '#shared/platforms/error-codes.ts';
import {
  type CompanyAccess,
  type Platform,
  type PlatformCompany,
  PlatformFailure,
  type PlatformTokens,
} from '#shared/platforms/platform.ts';
import type { Request } from './schema.ts';

export type Credentials = CompanyAccess & { refreshToken: string };

/** The schema accepts all three credentials or none. */
export const credentialsOf = (input: Request): Credentials | undefined => {
  const { access_token, refresh_token, platform_company_id, data_center } = input;
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
    accessToken: access_token,
    refreshToken: refresh_token,
  };
};

/** Reads the company from the platform. @throws ApiError if the platform refuses */
export const readCompany = async (
  platform: Platform,
  access: CompanyAccess,
): Promise<PlatformCompany> => {
  try {
    return await platform.company(access);
  } catch (error) {
    throw error instanceof PlatformFailure ? apiErrorOf(error, '/access_token') : error;
  }
};

/**
 * Exchanges the refresh token for new tokens and tests them on the company, before they replace
 * tokens that work. A connection depends on its refresh token: with a wrong one, it would be
 * disconnected within the hour, when the access token expires.
 *
 * This is the last check. Platforms replace a refresh token when it is used, so a later refusal
 * would take it from the caller. After a crash before the write, the caller can send the old token
 * again within the platform's grace period.
 */
export const handOver = async (
  platform: Platform,
  { refreshToken, dataCenter }: Pick<Credentials, 'refreshToken' | 'dataCenter'>,
  company: PlatformCompany,
): Promise<PlatformTokens> => {
  try {
    const tokens = await platform.refresh({ refreshToken, dataCenter });
    await platform.company({ ...company, accessToken: tokens.accessToken });
    return tokens;
  } catch (error) {
    if (!(error instanceof PlatformFailure)) throw error;
    const isOfAnotherCompany = error.reason === 'company_not_found';
    throw apiErrorOf(
      isOfAnotherCompany ? new PlatformFailure('credentials_refused', { cause: error }) : error,
      '/refresh_token',
    );
  }
};
