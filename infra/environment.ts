// The environment that functions read: the same names on this machine and deployed.

import type { Slot } from '#shared/platforms/slots.ts';
import type { SecretName } from './manifest.ts';
import { metricsNamespaceOf } from './names.ts';
import { secretIdOf } from './secret-ids.ts';
import type { StageSettings } from './stages.ts';
import { tableNameOf } from './table.ts';

export type Surroundings = {
  settings: StageSettings;
  /** The secrets that the functions use: their ids are in the environment, not their values. */
  secrets: readonly SecretName[];
  /** Where the callback is reached, for the functions that send browsers there. */
  callbackBaseUrl?: string;
  /** Where each platform slot's adapter finds its platform. */
  platformBaseUrls: Record<Slot, string>;
};

const secretVariables: Record<SecretName, string> = {
  'api-key-pepper': 'API_KEY_PEPPER_SECRET',
  'token-sealing-keys': 'TOKEN_SEALING_SECRET',
  'platform-clients': 'PLATFORM_CLIENTS_SECRET',
};

export const environmentOf = (
  stage: string,
  { settings, secrets, callbackBaseUrl, platformBaseUrls }: Surroundings,
): Record<string, string> => {
  const { platform_a, platform_b, platform_c } = settings.platforms;
  return {
    TABLE_NAME: tableNameOf(stage),
    ...Object.fromEntries(secrets.map((name) => [secretVariables[name], secretIdOf(stage, name)])),
    PLATFORMS: JSON.stringify({
      platform_a: { ...platform_a, baseUrl: platformBaseUrls.platform_a },
      platform_b: { ...platform_b, baseUrl: platformBaseUrls.platform_b },
      platform_c: { ...platform_c, baseUrl: platformBaseUrls.platform_c },
    }),
    BASE_DOMAIN: settings.baseDomain,
    ...(callbackBaseUrl !== undefined && { CALLBACK_BASE_URL: callbackBaseUrl }),
    EXCHANGE_RATES_URL: settings.exchangeRatesUrl,
    RATE_MAXIMUM_AGE_DAYS: String(settings.rateMaximumAgeDays),
    REDIRECT_REGISTRATION: settings.redirectRegistration,
    POWERTOOLS_METRICS_NAMESPACE: metricsNamespaceOf(stage),
  };
};
