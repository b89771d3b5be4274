// The environment variables of functions, on this machine and deployed.

import type { Slot } from '#shared/platforms/slots.ts';
import type { SecretName } from './function-row.ts';
import { type FunctionName, readOnlyRoutes } from './manifest.ts';
import { functionNameOf, metricsNamespaceOf, secretIdOf, tableNameOf } from './names.ts';
import type { StageSettings } from './stages.ts';

export type EnvironmentInputs = {
  settings: StageSettings;
  /** Defaults to the stage's table. */
  tableName?: string;
  /** The functions get the ids of these secrets, not the values. */
  secrets: readonly SecretName[];
  /** The functions that they invoke. */
  invokes?: readonly FunctionName[];
  /** The alias for these invocations. Without it, they name no version. */
  alias?: string;
  /** The address of the callback, for functions that send browsers there. */
  callbackBaseUrl?: string;
  /** Replaces the address of the National Bank of Poland. */
  nbpRatesUrl?: string;
  /** Addresses that replace the platforms' hosts. */
  platformBaseUrls?: Readonly<Record<Slot, string>>;
};

const secretVariables: Record<SecretName, string> = {
  'authenticator-keys': 'AUTHENTICATOR_SECRET',
  'api-key-pepper': 'API_KEY_PEPPER_SECRET',
  'token-sealing-keys': 'TOKEN_SEALING_SECRET',
  'oauth-state-keys': 'OAUTH_STATE_SECRET',
  'platform-clients': 'PLATFORM_CLIENTS_SECRET',
  'webhook-sealing-keys': 'WEBHOOK_SEALING_SECRET',
};

/** `IMPORT_TENANT_DATA_FUNCTION` for import-tenant-data. Its value is the name at Lambda. */
const functionVariable = (name: FunctionName): string =>
  `${name.toUpperCase().replaceAll('-', '_')}_FUNCTION`;

/** The API of the National Bank of Poland (https://api.nbp.pl/en.html). */
const publicNbpRatesUrl = 'https://api.nbp.pl/api/';

export const environmentOf = (
  stage: string,
  { settings, tableName, secrets, invokes = [], alias, ...urls }: EnvironmentInputs,
): Record<string, string> => {
  const { callbackBaseUrl, platformBaseUrls, nbpRatesUrl = publicNbpRatesUrl } = urls;
  const qualifier = alias === undefined ? '' : `:${alias}`;
  const slot = (name: Slot) => ({
    ...settings.platforms[name],
    ...(platformBaseUrls && { baseUrlOverride: platformBaseUrls[name] }),
  });
  return {
    TABLE_NAME: tableName ?? tableNameOf(stage),
    ...Object.fromEntries(secrets.map((name) => [secretVariables[name], secretIdOf(stage, name)])),
    ...Object.fromEntries(
      invokes.map((name) => [functionVariable(name), functionNameOf(stage, name) + qualifier]),
    ),
    PLATFORMS: JSON.stringify({
      platform_a: slot('platform_a'),
      platform_b: slot('platform_b'),
      platform_c: slot('platform_c'),
    }),
    COST_BUDGET: JSON.stringify(settings.costBudget),
    IMPORT_WRITE_UNITS: String(settings.importWriteUnits),
    READ_ONLY_ROUTES: readOnlyRoutes.join(' '),
    BASE_DOMAIN: settings.baseDomain,
    ...(callbackBaseUrl !== undefined && { CALLBACK_BASE_URL: callbackBaseUrl }),
    EXCHANGE_RATES_URL: settings.exchangeRatesUrl,
    NBP_RATES_URL: nbpRatesUrl,
    RATE_MAXIMUM_AGE_DAYS: String(settings.rateMaximumAgeDays),
    QUOTAS: JSON.stringify(settings.quotas),
    REDIRECT_REGISTRATION: settings.redirectRegistration,
    WEBHOOK_TARGETS: settings.webhookTargets,
    // Nothing collects metrics on this machine.
    ...(stage !== 'local' && { METRICS_NAMESPACE: metricsNamespaceOf(stage) }),
  };
};
