// The operator's command for what an application uses of its budget.

import * as z from 'zod/mini';
import { minuteOf } from '#shared/cost-budget.ts';
import { defineQuery } from '../command.ts';
import { applicationName } from '../options.ts';
import { getApplication } from './applications.ts';

/** How far back the command looks. */
const shownMinutes = 60;

export const showUsage = defineQuery({
  usage: '--application NAME',
  purpose: 'Show the units of the table that an application was charged for in the last hour',
  note:
    'Requests that use 20 units or fewer are free and are not counted. Minutes in which nothing ' +
    'was charged are left out.',
  options: z.strictObject({ application: applicationName }),
  run: async ({ applications, budgetUse, clock, rules }, { application: name }) => {
    const { name: application, applicationId } = await getApplication({ applications }, name);
    const now = clock();
    const first = new Date(now.getTime() - (shownMinutes - 1) * 60_000);
    const minutes = { from: minuteOf(first), to: minuteOf(now) };
    return {
      ...{ application, application_id: applicationId },
      read_units_a_minute: rules.costBudget.readUnits,
      write_units_a_minute: rules.costBudget.writeUnits,
      minutes: (await budgetUse.list(applicationId, minutes)).map(({ minute, read, write }) => ({
        ...{ minute, read_units: read, write_units: write },
      })),
    };
  },
});
