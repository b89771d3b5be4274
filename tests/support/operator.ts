// What the operator's commands work with, on a table of their own.

import { randomBytes } from 'node:crypto';
import type { Dependencies } from '#infra/ops/command.ts';
import type { VersionedKeys } from '#shared/secrets.ts';
import { openApplications } from '#shared/store/applications.ts';
import { openExchangeRates } from '#shared/store/exchange-rates.ts';
import { openTestTable } from './database.ts';

export const openOperator = async () => {
  const database = await openTestTable();
  const pepper = randomBytes(32);
  const keys: VersionedKeys = { current: '1', versions: { '1': pepper.toString('base64') } };
  const clock = { now: new Date('2026-03-23T09:30:00.000Z') };
  const dependencies: Dependencies = {
    applications: openApplications(database.table),
    exchangeRates: openExchangeRates(database.table, { maximumAgeDays: undefined }),
    pepper: { read: async () => keys, readAgain: async () => keys },
    clock: () => clock.now,
    random: randomBytes,
  };
  return { database, dependencies, pepper, clock };
};
