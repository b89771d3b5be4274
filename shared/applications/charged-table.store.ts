// The table for API functions: it charges a request's units to its application.

import type { DynamoDBClientConfig } from '@aws-sdk/client-dynamodb';
import {
  type AddUnits,
  type CostBudget,
  guardClient,
  openCostGuard,
} from '../table/cost-budget.ts';
import { openTable, type Table } from '../table/table.ts';
import { openBudgetUse } from './budget-use.store.ts';

/** @param options.waitMilliseconds how long a request waits for its charge, if not the default */
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
