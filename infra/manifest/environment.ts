// The environment that functions read: the same names on this machine and deployed.

import type { Slot } from '#shared/platforms/slots.ts';
import type { SecretName } from './function-row.ts';
import { type FunctionName, readOnlyRoutes } from './manifest.ts';
import { functionNameOf, metricsNamespaceOf, secretIdOf, tableNameOf } from './names.ts';
import type { StageSettings } from './stages.ts';

export type EnvironmentInputs = {
  settings: StageSettings;
  /** Where it is not the stage's own table. */
  tableName?: string;
  /** The secrets that the functions use: their ids are in the environment, not their values. */
  secrets: readonly SecretName[];
  /** The functions that they ask Lambda to call. */
  invokes?: readonly FunctionName[];
  /** The alias that they are called by, where they have one. */
  alias?: string;
  /** Where the callback is reached, for the functions that send browsers there. */
  callbackBaseUrl?: string;
  /** What each slot's platform is called at instead of its own hosts, if anything. */
  platformBaseUrls?: Readonly<Record<Slot, string>>;
};

const secretVariables: Record<SecretName, string> = {
  'api-key-pepper': 'API_KEY_PEPPER_SECRET',
  'token-sealing-keys': 'TOKEN_SEALING_SECRET',
  'oauth-state-keys': 'OAUTH_STATE_SECRET',
  'platform-clients': 'PLATFORM_CLIENTS_SECRET',
};

/** `IMPORT_TENANT_DATA_FUNCTION` for import-tenant-data: what Lambda knows that function by. */
const functionVariable = (name: FunctionName): string =>
  `${name.toUpperCase().replaceAll('-', '_')}_FUNCTION`;

export const environmentOf = (
  stage: string,
  { settings, tableName, secrets, invokes = [], alias, ...urls }: EnvironmentInputs,
): Record<string, string> => {
  const { callbackBaseUrl, platformBaseUrls } = urls;
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
    READ_ONLY_ROUTES: readOnlyRoutes.join(' '),
    BASE_DOMAIN: settings.baseDomain,
    ...(callbackBaseUrl !== undefined && { CALLBACK_BASE_URL: callbackBaseUrl }),
    EXCHANGE_RATES_URL: settings.exchangeRatesUrl,
    RATE_MAXIMUM_AGE_DAYS: String(settings.rateMaximumAgeDays),
    QUOTAS: JSON.stringify(settings.quotas),
    REDIRECT_REGISTRATION: settings.redirectRegistration,
    POWERTOOLS_METRICS_NAMESPACE: metricsNamespaceOf(stage),
  };
};
