// Entry point of ensure-user.

import { randomBytes } from 'node:crypto';
import * as z from 'zod/mini';
import { openChargedTable } from '#shared/applications/charged-table.store.ts';
import { readEnvironment } from '#shared/environment.ts';
import { openObservability } from '#shared/observability.ts';
import { CostBudget } from '#shared/table/cost-budget.ts';
import { hashPassword } from '#shared/users/passwords.ts';
import { newUserId } from '#shared/users/user-ids.ts';
import { openUsers } from '#shared/users/users.store.ts';
import { createHandler } from './handler.ts';

const { TABLE_NAME, COST_BUDGET } = readEnvironment({
  TABLE_NAME: z.string(),
  COST_BUDGET: CostBudget,
});

export const handler = createHandler({
  users: openUsers(openChargedTable(TABLE_NAME, COST_BUDGET)),
  clock: () => new Date(),
  newUserId: () => newUserId(randomBytes),
  hashPassword: (password) => hashPassword(password, randomBytes),
  ...openObservability('ensure-user'),
});
