// Entries are reversed and cancelled, with faults in the calls to the table.

import { expect } from 'vitest';
import type { SmallLedger } from '../support/builders/small-ledger.ts';
import { apiEvent, lambdaContext, readResult } from '../support/events/lambda-events.ts';
import { outcomeOf, type Scenario } from '../support/harnesses/fault-cases.ts';
import type { Instance } from '../support/harnesses/instances.ts';
import type { RawItem } from '../support/readers/item-kinds.ts';
import { entries } from './scenarios.ts';

type Verb = 'createEntry' | 'reverseEntry' | 'cancelEntry';

const inAcme = { domain_url: 'acme-k7m2xq' };

const openCalls = ({ applicationId }: SmallLedger) => {
  const eventOf = (body: object) => apiEvent({ applicationId, body: { ...inAcme, ...body } });
  return {
    eventOf,
    ask: async (instance: Instance, verb: Verb, body: object) =>
      readResult(await instance[verb](eventOf(body), lambdaContext())),
  };
};

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
  asked: (typeof reversals)[keyof typeof reversals],
): Scenario => {
  const { ask, eventOf } = openCalls(ledger);
  const body = { ...asked, date: '2026-03-23' };
  return {
    ledger,
    isIdempotent: true,
    prepare: async (clean) => {
      await ask(clean, 'createEntry', entries['with an external_id']);
      await ask(clean, 'createEntry', entries['of 150 lines']);
    },
    send: async ({ faulty }) =>
      outcomeOf(await faulty.reverseEntry(eventOf(body), lambdaContext())),
    countMade: (items) => items.filter(({ reverses }) => reverses !== undefined).length,
    check: async ({ outcomes, items, clean }) => {
      expect(outcomes.at(-1)?.value).toMatchObject({ journal_number: 'MJ-20260323-0003' });
      const [original, reversal] = [asked.original_external_id, asked.external_id].map((it) =>
        entryOf(items, it),
      );
      expect([original?.reversedBy, reversal?.reverses]).toEqual([
        ...[reversal?.entryId, original?.entryId],
      ]);
      const again = await ask(clean, 'reverseEntry', body);
      expect(again.headers).toMatchObject({ 'Idempotent-Replayed': 'true' });
      expect(again.body.data).toEqual(outcomes.at(-1)?.value);
    },
  };
};

/** The reversal is cancelled, and with that its original is free. */
export const cancellationScenario = (ledger: SmallLedger): Scenario => {
  const { ask, eventOf } = openCalls(ledger);
  const asked = { ...reversals['of many lines, scheduled'], date: '2026-03-23' };
  const named = { external_id: asked.external_id };
  return {
    ledger,
    isIdempotent: true,
    prepare: async (clean) => {
      await ask(clean, 'createEntry', entries['of 150 lines']);
      await ask(clean, 'reverseEntry', asked);
    },
    send: async ({ faulty }) =>
      outcomeOf(await faulty.cancelEntry(eventOf(named), lambdaContext())),
    check: async ({ outcomes, items, clean }) => {
      expect(outcomes.at(-1)?.value).toMatchObject({ status: 'cancelled' });
      expect(entryOf(items, asked.original_external_id)).not.toHaveProperty('reversedBy');
      expect(items.filter(({ sk }) => String(sk).startsWith('SCHEDULED#'))).toEqual([]);
      const again = await ask(clean, 'cancelEntry', named);
      expect(again.body.data).toEqual(outcomes.at(-1)?.value);
      const second = await ask(clean, 'reverseEntry', { ...asked, external_id: 'second' });
      expect(second.headers).not.toHaveProperty('Idempotent-Replayed');
    },
  };
};
