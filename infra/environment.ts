// The environment that functions read: the same names on this machine and deployed.

import { secretIdOf } from './secret-ids.ts';
import { type StageName, stages } from './stages.ts';
import { tableNameOf } from './table.ts';

/** What is known only where the service runs. */
export type Surroundings = {
  callbackBaseUrl: string;
  /** Where each platform slot's adapter finds its platform. */
  platformBaseUrls: Record<'platform_a' | 'platform_b' | 'platform_c', string>;
};

export const environmentOf = (
  stage: StageName,
  { callbackBaseUrl, platformBaseUrls }: Surroundings,
): Record<string, string> => {
  const { platforms, ...settings } = stages[stage];
  const { platform_a, platform_b, platform_c } = platforms;
  return {
    TABLE_NAME: tableNameOf(stage),
    API_KEY_PEPPER_SECRET: secretIdOf(stage, 'api-key-pepper'),
    TOKEN_SEALING_SECRET: secretIdOf(stage, 'token-sealing-keys'),
    PLATFORM_CLIENTS_SECRET: secretIdOf(stage, 'platform-clients'),
    PLATFORMS: JSON.stringify({
      platform_a: { ...platform_a, baseUrl: platformBaseUrls.platform_a },
      platform_b: { ...platform_b, baseUrl: platformBaseUrls.platform_b },
      platform_c: { ...platform_c, baseUrl: platformBaseUrls.platform_c },
    }),
    BASE_DOMAIN: settings.baseDomain,
    CALLBACK_BASE_URL: callbackBaseUrl,
    EXCHANGE_RATES_URL: settings.exchangeRatesUrl,
    RATE_MAXIMUM_AGE_DAYS: String(settings.rateMaximumAgeDays),
    REDIRECT_REGISTRATION: settings.redirectRegistration,
  };
};
