// Requests for many entries whose calls to the table meet faults.

import { expect } from 'vitest';
import type { Data } from '#functions/create-journal-entries/schema.ts';
import type { SmallLedger } from '../support/builders/small-ledger.ts';
import type { Scenario } from '../support/harnesses/fault-cases.ts';
import { expectReplay, openRequest, requestScenario } from './request-scenarios.ts';
import { entries } from './scenarios.ts';

type Batch = { externalIds: readonly (string | undefined)[]; idempotencyKey?: string };

export const batches = {
  'with external_ids and an Idempotency-Key': {
    externalIds: ['one', 'two', undefined],
    idempotencyKey: 'many-1',
  },
  'without either': { externalIds: [undefined, undefined, undefined] },
} as const satisfies Record<string, Batch>;

/** Two dates, one with an earlier entry, and one scheduled entry. */
const fieldsByPlace = [{}, { date: '2026-03-20' }, { accrual_date: '2026-04-01' }];

export const batchScenario = (
  ledger: SmallLedger,
  { externalIds, idempotencyKey }: Batch,
): Scenario => {
  const { domain_url, ...entry } = entries['without an external_id'];
  const journal_entries = externalIds.map((external_id, place) => ({
    ...entry,
    ...fieldsByPlace[place],
    external_id,
  }));
  const isIdempotent = idempotencyKey !== undefined;
  const request = {
    verb: 'createEntries',
    request: () => ({
      body: { domain_url, journal_entries },
      headers: isIdempotent ? { 'Idempotency-Key': idempotencyKey } : {},
    }),
  } as const;
  const before = {
    verb: 'createEntry',
    request: () => ({ body: { domain_url, ...entry } }),
  } as const;
  const inBatch = journal_entries.length;
  return requestScenario(ledger, {
    ...request,
    isIdempotent,
    prepare: openRequest(ledger, before),
    // One batch, whole; of a part of one a fraction would show.
    countMade: (items) => (items.filter(({ kind }) => kind === 'entry').length - 1) / inBatch,
    // A sheet, a guard and an entry: the others are like them.
    actionsInConflict: (count) => [0, 2, count - 1],
    check: async ({ outcomes, items, clean }) => {
      const last = outcomes.at(-1);
      const numbers = ['MJ-20260323-0002', 'MJ-20260320-0001', 'MJ-20260323-0003'];
      const made = last?.done ? (last.value as Data).journal_entries : [];
      expect(made.map(({ journal_number }) => journal_number)).toEqual(last?.done ? numbers : []);
      if (!isIdempotent) return;
      await expectReplay(openRequest(ledger, request)(clean), {
        journal_entries: made.map((it) => ({ ...it, replayed: true })),
      });
      expect(items.filter(({ sk }) => /^EXT#/.test(String(sk)))).toHaveLength(2);
    },
  });
};
