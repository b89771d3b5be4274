// A post into a busy inbox that nobody holds: the request holds it and records the entries of
// others with its own.

import { expect } from 'vitest';
import { openEntryReader } from '#shared/entries/entry-reader.store.ts';
import { openDateInbox } from '#shared/entries/inbox/date-inbox.store.ts';
import { inboxContentOf } from '#shared/entries/inbox/waiting-entry.store.ts';
import type { ApiEntry } from '#shared/entries/journal-entry.ts';
import { updateAction } from '#shared/table/field-updates.ts';
import { ticketOf } from '#shared/table/inbox-keys.ts';
import { entryKey, sheetKey } from '#shared/table/keys.ts';
import type { Table } from '#shared/table/table.ts';
import { euroEntry } from '../support/builders/requests.ts';
import { ledgerTime, type SmallLedger } from '../support/builders/small-ledger.ts';
import { apiEvent, keepReply, lambdaContext } from '../support/events/lambda-events.ts';
import { outcomeOf, type Scenario } from '../support/harnesses/fault-cases.ts';
import type { RawItem } from '../support/readers/item-kinds.ts';

const date = '2026-03-23';
const of = { series: 'MJ', date } as const;
const now = Date.parse(ledgerTime);
const [inTime, tooLate] = [now + 60_000, now - 1];

/** The requests of others, in the order of arrival. */
const others = [
  { externalId: 'waits', deadline: inTime },
  { externalId: 'recorded before', deadline: inTime },
  { externalId: 'too late', deadline: tooLate },
  { externalId: 'waits', deadline: inTime },
];

const leaveOthers = async (
  table: Table,
  { applicationId }: Pick<SmallLedger, 'applicationId'>,
): Promise<void> => {
  const name = { applicationId, schemaName: 'acme_k7m2xq' };
  const inbox = openDateInbox(table, name, of);
  const recorded = await openEntryReader(table).get(entryKey(name, { ...of, sequence: 1 }));
  const {
    entryId: _,
    journalNumber: __,
    postingSequence,
    hash,
    hashVersion,
    ...entry
  } = recorded as ApiEntry;
  for (const [place, { externalId, deadline }] of others.entries()) {
    const random = new Uint8Array(9).fill(place);
    const waiting = { ...entry, status: 'posted' as const, externalId };
    const single = { entry: waiting, random, idempotencyKey: undefined, user: undefined };
    const content = inboxContentOf(single) ?? '';
    await inbox.add(ticketOf(now - 10 + place, random), { content, now, deadline });
  }
  await table.update(updateAction(sheetKey(name, of), { set: { inboxUntil: inTime } }));
};

export const inboxScenario = (ledger: SmallLedger): Scenario => {
  const { applicationId } = ledger;
  const memo = 'The own entry';
  let tries = 0;
  const eventOf = (changes: object) =>
    apiEvent({
      applicationId,
      body: { domain_url: 'acme-k7m2xq', ...euroEntry({ date, ...changes }) },
    });
  const entriesIn = (items: readonly RawItem[]) => items.filter(({ kind }) => kind === 'entry');
  return {
    ledger,
    isIdempotent: true,
    begin: () => {
      tries = 0;
    },
    // The time stands still during a try. A hold has ended by itself before the next one.
    clock: () => new Date(now + tries * 700),
    prepare: async (clean, table) => {
      keepReply(
        await clean.createEntry(eventOf({ external_id: 'recorded before' }), lambdaContext()),
      );
      await leaveOthers(table, ledger);
    },
    send: async ({ faulty }) => {
      const own = faulty.createEntry(eventOf({ memo, external_id: 'own' }), lambdaContext());
      tries += 1;
      return outcomeOf(await own);
    },
    countMade: (items) => entriesIn(items).filter((item) => item.memo === memo).length,
    check: ({ items, outcomes }) => {
      const ids = entriesIn(items).map(({ externalId }) => externalId);
      expect(ids.toSorted()).toEqual([...new Set(ids)].toSorted());
      expect(ids).not.toContain('too late');
      const waited = items.filter(({ sk }) => String(sk).startsWith('INBOX#'));
      if (outcomes.length > 1 || outcomes[0]?.done !== true) return;
      expect(waited.map(({ state }) => state)).toEqual([
        'recorded',
        'returned',
        'waiting',
        'returned',
        'recorded',
      ]);
    },
  };
};
