// Credentials of a platform that a caller holds: read from the request, and tried at the platform.

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

/** All three, or none: the schema lets nothing else through. */
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

/** Asks the platform for the company. @throws ApiError where it does not give it */
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
 * Uses the refresh token, and proves that what it gives is good for the company: only then may it
 * take the place of tokens that work. Access tokens end by themselves, so it is the refresh token
 * that a connection lives by; one that is wrong would show within the hour, and disconnect it.
 *
 * It is used last, when nothing else can refuse the request: platforms replace it, and a refusal
 * that follows would take it from the caller. Whoever crashes between here and the write leaves the
 * caller's to be sent again, for as long as the platform's grace lasts (see platforms/access.ts).
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
