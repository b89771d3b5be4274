// A post into a busy inbox whose holder is gone: the request waits, holds the inbox, and records
// the entries of others with its own.

import { expect } from 'vitest';
import { openEntryReader } from '#shared/entries/entry-reader.store.ts';
import { openDateInbox } from '#shared/entries/inbox/date-inbox.store.ts';
import type { ApiEntry } from '#shared/entries/journal-entry.ts';
import { ticketOf } from '#shared/table/inbox-keys.ts';
import { entryKey } from '#shared/table/keys.ts';
import type { Table } from '#shared/table/table.ts';
import { euroEntry } from '../support/builders/requests.ts';
import { ledgerTime, type SmallLedger } from '../support/builders/small-ledger.ts';
import { apiEvent, keepReply, lambdaContext } from '../support/events/lambda-events.ts';
import { outcomeOf, type Scenario } from '../support/harnesses/fault-cases.ts';
import type { RawItem } from '../support/readers/item-kinds.ts';

const date = '2026-03-23';
const of = { series: 'MJ', date } as const;
const now = Date.parse(ledgerTime);

/** The requests of others, in the order of arrival. */
const others = [
  { externalId: 'waits', deadline: now + 3_000 },
  { externalId: 'recorded before', deadline: now + 3_000 },
  { externalId: 'too late', deadline: now - 1 },
  { externalId: 'waits', deadline: now + 3_000 },
];

const leaveOthers = async (
  table: Table,
  { applicationId }: Pick<SmallLedger, 'applicationId'>,
): Promise<void> => {
  const name = { applicationId, schemaName: 'acme_k7m2xq' };
  const inbox = openDateInbox(table, name, of);
  const recorded = await openEntryReader(table).get(entryKey(name, { ...of, sequence: 1 }));
  const { entryId: _, journalNumber: __, postingSequence, hash, ...entry } = recorded as ApiEntry;
  for (const [place, { externalId, deadline }] of others.entries()) {
    const random = new Uint8Array(9).fill(place);
    const request = {
      entry: { ...entry, status: 'posted' as const, externalId },
      random,
      idempotencyKey: undefined,
      user: undefined,
    };
    await inbox.add(ticketOf(now - 10 + place, random), request, { now, deadline });
  }
  await inbox.markBusy(now);
};

export const inboxScenario = (ledger: SmallLedger, externalId?: string): Scenario => {
  const { applicationId } = ledger;
  const memo = 'The own entry';
  const eventOf = (changes: object) =>
    apiEvent({
      applicationId,
      body: { domain_url: 'acme-k7m2xq', ...euroEntry({ date, ...changes }) },
    });
  const entriesIn = (items: readonly RawItem[]) => items.filter(({ kind }) => kind === 'entry');
  return {
    ledger,
    isIdempotent: externalId !== undefined,
    prepare: async (clean, table) => {
      const event = eventOf({ external_id: 'recorded before' });
      keepReply(await clean.createEntry(event, lambdaContext()));
      await leaveOthers(table, ledger);
    },
    send: async ({ faulty }) => {
      const event = eventOf({ memo, external_id: externalId });
      return outcomeOf(await faulty.createEntry(event, lambdaContext()));
    },
    countMade: (items) => entriesIn(items).filter((item) => item.memo === memo).length,
    check: ({ items, outcomes }) => {
      const isDone = outcomes.at(-1)?.done === true;
      const numbers = entriesIn(items).map((item) => [item.externalId ?? null, item.sk]);
      const own = entriesIn(items).find((item) => item.memo === memo);
      expect(numbers.filter(([id]) => id === 'too late')).toEqual([]);
      const states = items
        .filter(({ sk }) => String(sk).startsWith('INBOX#'))
        .map(({ state }) => state);
      if (!isDone) return;
      expect(states.slice(0, 4)).toEqual(['recorded', 'returned', 'waiting', 'returned']);
      expect(numbers.find(([id]) => id === 'waits')?.[1]).toBe(`ENTRY#${date}#MJ#000000002`);
      expect(outcomes.at(-1)?.value).toMatchObject({
        journal_number: 'MJ-20260323-0003',
        journal_entry_id: own?.entryId,
      });
    },
  };
};
