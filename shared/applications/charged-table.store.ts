// The table as the API's functions open it: what a request uses is charged to its application.

import type { DynamoDBClientConfig } from '@aws-sdk/client-dynamodb';
import {
  type AddUnits,
  type CostBudget,
  guardClient,
  openCostGuard,
} from '../table/cost-budget.ts';
import { openTable, type Table } from '../table/table.ts';
import { openBudgetUse } from './budget-use.store.ts';

/**
 * Opens the table with a budget for each application.
 *
 * @param options.waitMilliseconds how long a request waits for a charge, if not as long as usual
 */
export const openChargedTable = (
  tableName: string,
  budget: CostBudget,
  {
    clock = () => new Date(),
    waitMilliseconds,
    ...config
  }: DynamoDBClientConfig & { clock?: () => Date; waitMilliseconds?: number } = {},
): Table => {
  const add: AddUnits = (place, units) => budgetUse.add(place, units);
  const guard = openCostGuard(budget, { add, clock, waitMilliseconds });
  const table = openTable(tableName, config, (client) => guardClient(client, guard));
  const budgetUse = openBudgetUse(table);
  return table;
};
