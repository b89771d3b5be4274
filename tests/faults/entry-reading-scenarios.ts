// Entries are read and listed, with faults in the calls to the table.

import { expect } from 'vitest';
import type { SmallLedger } from '../support/builders/small-ledger.ts';
import { apiEvent, lambdaContext, readResult } from '../support/events/lambda-events.ts';
import { outcomeOf, type Scenario } from '../support/harnesses/fault-cases.ts';
import { entries } from './scenarios.ts';

const posted = [entries['of 150 lines'], entries.scheduled];

/** Posts the entries and records the replies, which the reads must show. */
const postedBefore = ({ applicationId }: SmallLedger) => {
  const answered: unknown[] = [];
  const prepare: Scenario['prepare'] = async (clean) => {
    for (const body of posted) {
      const reply = await clean.createEntry(apiEvent({ applicationId, body }), lambdaContext());
      answered.push(readResult(reply).body.data);
    }
  };
  const eventOf = (query: Record<string, string>) =>
    apiEvent({ applicationId, method: 'GET', query: { domain_url: 'acme-k7m2xq', ...query } });
  return { answered, prepare, eventOf };
};

/** The reply has the whole entry, or the request fails. */
export const entryViewScenario = (ledger: SmallLedger): Scenario => {
  const { answered, prepare, eventOf } = postedBefore(ledger);
  const event = eventOf({ external_id: 'long' });
  return {
    ...{ ledger, prepare, isIdempotent: true },
    send: async ({ faulty }) => outcomeOf(await faulty.getEntry(event, lambdaContext())),
    check: ({ outcomes }) => expect(outcomes.at(-1)?.value).toEqual(answered[0]),
  };
};

/** A page has every entry in full, or the request fails. */
export const entryPageScenario = (
  ledger: SmallLedger,
  query: { status?: 'scheduled' } = {},
): Scenario => {
  const { answered, prepare, eventOf } = postedBefore(ledger);
  const event = eventOf({ order: 'asc', ...query });
  return {
    ...{ ledger, prepare, isIdempotent: true },
    send: async ({ faulty }) => outcomeOf(await faulty.listEntries(event, lambdaContext())),
    check: ({ outcomes }) => {
      const journal_entries = query.status ? answered.slice(1) : answered;
      expect(outcomes.at(-1)?.value).toEqual({ journal_entries, next_cursor: null });
    },
  };
};
