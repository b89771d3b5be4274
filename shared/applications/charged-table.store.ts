// The units that each application uses per minute, and the table that charges them.

import type { DynamoDBClientConfig } from '@aws-sdk/client-dynamodb';
import * as z from 'zod/mini';
import type { Authenticators } from '../authentication/authenticators.ts';
import {
  type AddUnits,
  type CostBudget,
  guardClient,
  openCostGuard,
  type UsedUnits,
} from '../table/cost-budget.ts';
import { secondsOf } from '../table/expiry.ts';
import { budgetKey } from '../table/keys.ts';
import { openTable, type Table } from '../table/table.ts';

const StoredUse = z.object({ readUnits: z.number(), writeUnits: z.number() });

const unitsOf = (stored: unknown): UsedUnits => {
  const { readUnits, writeUnits } = StoredUse.parse(stored);
  return { read: readUnits, write: writeUnits };
};

/** How long operators can see the use of a minute. */
const retentionSeconds = 24 * 60 * 60;

/** A minute is a text like `2026-03-24T12:00`, in UTC. */
export const openBudgetUse = (table: Table) => ({
  /** Adds to an application's used units in a minute and returns the new totals. */
  add: async (
    place: { applicationId: string; minute: string },
    { read, write }: UsedUnits,
  ): Promise<UsedUnits> =>
    unitsOf(
      await table.add(budgetKey(place), {
        amounts: { readUnits: read, writeUnits: write },
        expiresAt: secondsOf(new Date(`${place.minute}:00Z`)) + retentionSeconds,
      }),
    ),

  /** An application's used units by minute, latest first. Minutes without charges are missing. */
  list: async (
    applicationId: string,
    { from, to }: { from: string; to: string },
  ): Promise<(UsedUnits & { minute: string })[]> => {
    const items = await table.query({
      KeyConditionExpression: 'pk = :pk AND sk BETWEEN :from AND :to',
      ExpressionAttributeValues: {
        ':pk': budgetKey({ applicationId, minute: from }).pk,
        ':from': from,
        ':to': to,
      },
      ScanIndexForward: false,
    });
    return items.map((item) => ({ minute: String(item.sk), ...unitsOf(item) }));
  },
});

/**
 * Opens the table for API functions. It charges each request's units to its application.
 * @param options.waitMilliseconds the maximum time that a request waits for its charge
 */
export const openChargedTable = (
  tableName: string,
  budget: CostBudget,
  {
    clock = () => new Date(),
    waitMilliseconds,
    authenticators,
    ...config
  }: DynamoDBClientConfig & {
    clock?: () => Date;
    waitMilliseconds?: number;
    authenticators?: Authenticators | undefined;
  } = {},
): Table => {
  const add: AddUnits = (place, units) => budgetUse.add(place, units);
  const guard = openCostGuard(budget, { add, clock, waitMilliseconds });
  const table = openTable(tableName, config, {
    authenticators,
    install: (client) => guardClient(client, guard),
  });
  const budgetUse = openBudgetUse(table);
  return table;
};
