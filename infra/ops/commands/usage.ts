// The operator's command that shows an application's use of its budget.

import * as z from 'zod/mini';
import { minuteOf } from '#shared/table/cost-budget.ts';
import { defineQuery } from '../command.ts';
import { applicationName } from '../options.ts';
import { getApplication } from './applications.ts';

const shownMinutes = 60;

export const showUsage = defineQuery({
  usage: '--application NAME',
  purpose: 'Show the table units that an application was charged in the last hour',
  note: 'Requests that use 20 units or fewer are free. Minutes without charges are not listed.',
  options: z.strictObject({ application: applicationName }),
  run: async ({ applications, budgetUse, clock, rules }, { application: name }) => {
    const { name: application, applicationId } = await getApplication({ applications }, name);
    const now = clock();
    const first = new Date(now.getTime() - (shownMinutes - 1) * 60_000);
    const minutes = { from: minuteOf(first), to: minuteOf(now) };
    return {
      application,
      application_id: applicationId,
      read_units_a_minute: rules.costBudget.readUnits,
      write_units_a_minute: rules.costBudget.writeUnits,
      minutes: (await budgetUse.list(applicationId, minutes)).map(({ minute, read, write }) => ({
        minute,
        read_units: read,
        write_units: write,
      })),
    };
  },
});
