// Entry point of ensure-user.

import { randomBytes } from 'node:crypto';
import * as z from 'zod/mini';
import { CostBudget } from '#shared/cost-budget.ts';
import { hashPassword } from '#shared/domain/passwords.ts';
import { newUserId } from '#shared/domain/user-ids.ts';
import { readEnvironment } from '#shared/environment.ts';
import { openObservability } from '#shared/observability.ts';
import { openChargedTable } from '#shared/store/charged-table.ts';
import { openUsers } from '#shared/store/users.ts';
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
