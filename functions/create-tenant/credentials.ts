// Tries a caller's credentials at the platform before anything is written.

import { refusalOf } from '#shared/platforms/failures.ts';
import {
  type Platform,
  type PlatformCompany,
  PlatformFailure,
  type PlatformTokens,
} from '#shared/platforms/platform.ts';

export type Credentials = { companyId: string; tokens: PlatformTokens };

/** Reads the company; a refused access token is refreshed once. */
const readCompany = async (
  platform: Platform,
  { companyId, tokens }: Credentials,
): Promise<{ company: PlatformCompany; tokens: PlatformTokens }> => {
  try {
    return { company: await platform.company(tokens.accessToken, companyId), tokens };
  } catch (error) {
    const refused = error instanceof PlatformFailure && error.reason === 'credentials_refused';
    if (!refused) throw error;
    const renewed = await platform.refresh(tokens.refreshToken);
    return { company: await platform.company(renewed.accessToken, companyId), tokens: renewed };
  }
};

/**
 * The company that the credentials open, with the tokens to keep: the platform may have replaced
 * those that were given. @throws Refusal where the platform refuses or fails
 */
export const proveCredentials = async (
  platform: Platform,
  credentials: Credentials,
): Promise<{ company: PlatformCompany; tokens: PlatformTokens }> => {
  try {
    return await readCompany(platform, credentials);
  } catch (error) {
    throw error instanceof PlatformFailure ? refusalOf(error) : error;
  }
};
