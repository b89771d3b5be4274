// The dependencies that the functions of the API share.

import * as z from 'zod/mini';
import { openChargedTable } from '../applications/charged-table.store.ts';
import { openKeyedAuthenticators } from '../authentication/authenticators.container.ts';
import { readEnvironment } from '../environment.ts';
import { CostBudget } from '../table/cost-budget.ts';
import { openTelemetry } from '../telemetry.container.ts';

/** @param settings the function's own environment variables, in addition to the common ones */
export const openApi = <Settings extends z.core.$ZodShape>(
  functionName: string,
  settings: Settings,
) => {
  const common = { TABLE_NAME: z.string(), COST_BUDGET: CostBudget };
  const environment = readEnvironment({ ...settings, ...common });
  // Only functions that use items of tenants have this setting.
  const secretId = (environment as Record<string, unknown>).AUTHENTICATOR_SECRET;
  const authenticators =
    typeof secretId === 'string' ? openKeyedAuthenticators(secretId) : undefined;
  return {
    environment,
    table: openChargedTable(environment.TABLE_NAME, environment.COST_BUDGET, { authenticators }),
    clock: () => new Date(),
    ...openTelemetry(functionName),
  };
};
