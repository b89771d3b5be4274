// Entries are reversed and cancelled, with faults in the calls to the table.

import { expect } from 'vitest';
import type { SmallLedger } from '../support/builders/small-ledger.ts';
import { readResult } from '../support/events/lambda-events.ts';
import type { Scenario } from '../support/harnesses/fault-cases.ts';
import type { RawItem } from '../support/readers/item-kinds.ts';
import { expectReplay, openRequest, requestScenario, type Verb } from './request-scenarios.ts';
import { entries } from './scenarios.ts';

const domain_url = 'acme-k7m2xq';

const openCall = (ledger: SmallLedger, verb: Verb, fields: object) =>
  openRequest(ledger, { verb, request: () => ({ body: { domain_url, ...fields } }) });

const entryOf = (items: readonly RawItem[], externalId: string): RawItem | undefined =>
  items.find((item) => item.kind === 'entry' && item.externalId === externalId);

export const reversals = {
  'at once': { original_external_id: 'invoice-42', external_id: 'reversal-42' },
  'of many lines, scheduled': {
    original_external_id: 'long',
    external_id: 'reversal-long',
    accrual_date: '2026-04-01',
  },
} as const;

/** The entry is reversed once, and a caller that lost the reply finds the reversal. */
export const reversalScenario = (
  ledger: SmallLedger,
  fields: (typeof reversals)[keyof typeof reversals],
): Scenario => {
  const body = { domain_url, ...fields, date: '2026-03-23' };
  const request = { verb: 'reverseEntry', request: () => ({ body }) } as const;
  return requestScenario(ledger, {
    ...request,
    prepare: async (clean) => {
      await openCall(ledger, 'createEntry', entries['with an external_id'])(clean);
      await openCall(ledger, 'createEntry', entries['of 150 lines'])(clean);
    },
    countMade: (items) => items.filter(({ reverses }) => reverses !== undefined).length,
    check: async ({ outcomes, items, clean }) => {
      expect(outcomes.at(-1)?.value).toMatchObject({ journal_number: 'MJ-20260323-0003' });
      const original = entryOf(items, fields.original_external_id);
      const reversal = entryOf(items, fields.external_id);
      expect(original?.reversedBy).toBe(reversal?.entryId);
      expect(reversal?.reverses).toBe(original?.entryId);
      expect(reversal?.entryId).toBeDefined();
      await expectReplay(openRequest(ledger, request)(clean), outcomes.at(-1)?.value);
    },
  });
};

/** A balance in dollars is revalued once, at once with the reversal. */
export const revaluationScenario = (ledger: SmallLedger): Scenario => {
  const { memo, entries: lines } = entries['without an external_id'];
  const body = { differences: 'unrealised', reverse_on_next_day: true, external_id: 'march' };
  const request = {
    verb: 'postRevaluation',
    request: () => ({ body: { domain_url, as_of: '2026-03-23', ...body } }),
  } as const;
  return requestScenario(ledger, {
    ...request,
    prepare: async (clean) => {
      const posted = { memo, entries: lines, date: '2026-03-20', reportingCurrency: 'EUR' };
      const inDollars = { ...posted, transactionCurrency: 'USD' };
      await openCall(ledger, 'createEntry', inDollars)(clean);
    },
    countMade: (items) => items.filter(({ entryType }) => entryType === 'Revaluation').length / 2,
    check: async ({ outcomes, clean }) => {
      expect(outcomes.at(-1)?.value).toMatchObject({
        journal_entry: { journal_number: 'RV-20260323-0001' },
        reversal: { journal_number: 'RV-20260324-0001' },
      });
      await expectReplay(openRequest(ledger, request)(clean), outcomes.at(-1)?.value);
    },
  });
};

/** The reversal is cancelled, and with that its original is free. */
export const cancellationScenario = (ledger: SmallLedger): Scenario => {
  const reversal = { ...reversals['of many lines, scheduled'], date: '2026-03-23' };
  const body = { domain_url, external_id: reversal.external_id };
  const request = { verb: 'cancelEntry', request: () => ({ body }) } as const;
  return requestScenario(ledger, {
    ...request,
    prepare: async (clean) => {
      await openCall(ledger, 'createEntry', entries['of 150 lines'])(clean);
      await openCall(ledger, 'reverseEntry', reversal)(clean);
    },
    check: async ({ outcomes, items, clean }) => {
      expect(outcomes.at(-1)?.value).toMatchObject({ status: 'cancelled' });
      expect(entryOf(items, reversal.original_external_id)).not.toHaveProperty('reversedBy');
      expect(items.filter(({ sk }) => String(sk).startsWith('SCHEDULED#'))).toEqual([]);
      const again = readResult(await openRequest(ledger, request)(clean));
      expect(again.body.data).toEqual({ ...Object(outcomes.at(-1)?.value), replayed: true });
      const second = openCall(ledger, 'reverseEntry', { ...reversal, external_id: 'second' });
      const { status, headers } = readResult(await second(clean));
      expect(status).toBe(200);
      expect(headers).not.toHaveProperty('Idempotent-Replayed');
    },
  });
};
