// A weekly verification that is disturbed ends in the next run, and finds nothing.

import { expect } from 'vitest';
import { verificationKey } from '#shared/table/due-keys.ts';
import { openVerifications } from '#shared/verification/verifications.store.ts';
import { openVerifying } from '../support/harnesses/verifying.ts';
import type { carryScenario } from './scenarios.ts';

type Scenario = ReturnType<typeof carryScenario>;

const name = { applicationId: '', schemaName: 'acme_k7m2xq' };

/** @param carried the scenario whose books are verified */
export const verificationScenario = ({ ledger, prepare, ...carried }: Scenario): Scenario => {
  const tenant = { ...name, applicationId: ledger.applicationId };
  return {
    ledger,
    isIdempotent: true,
    violationOptions: carried.violationOptions,
    prepare: async (clean, table) => {
      await prepare?.(clean, table);
      await openVerifications(table).request(tenant, new Date('2026-03-20'));
    },
    send: ({ faultyTable }) =>
      openVerifying(faultyTable)('2026-06-20').then(
        (value) => ({ done: true, again: false, value }),
        () => ({ done: false, again: true, value: undefined }),
      ),
    check: async ({ table }) => {
      const item = await table.get(verificationKey(tenant));
      expect(item).toMatchObject({ differences: 0, entries: 7 });
      expect(item).not.toHaveProperty('due_pk');
    },
  };
};
