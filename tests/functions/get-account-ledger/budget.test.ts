// What a page of an account's ledger reads at most, of a date with more than that.

import { expect, test } from 'vitest';
import { entryActions } from '#shared/entries/entry-items.store.ts';
import type { JournalLine } from '#shared/entries/journal-entry.ts';
import { countEntry, emptySheet, withNextSequence } from '#shared/sheets/day-sheet.ts';
import { sheetAction } from '#shared/sheets/day-sheets.store.ts';
import { entryKey } from '#shared/table/keys.ts';
import type { Action } from '#shared/table/table.ts';
import { expectedEntry } from '../../support/builders/journal-entry.ts';
import { openTestLedger } from '../../support/builders/ledger.ts';
import { costOf } from '../../support/dynamodb/costs.ts';
import { openReportCalls } from '../../support/harnesses/reports.ts';

const ledger = await openTestLedger();
const { ask } = openReportCalls(ledger);
const date = '2026-03-20';
const unitsOfMegabyte = 256;

/** Entries as large as an item may be, of which the first and the last move the bank. */
const seedLargeEntries = async (count: number): Promise<string> => {
  const { prefix, ...name } = await ledger.createTenant('Large Entries');
  const [debit, , credit] = expectedEntry.lines as [JournalLine, JournalLine, JournalLine];
  const puts = (actions: Action[]) => actions.flatMap((it) => ('put' in it ? [it.put] : []));
  let sheet = emptySheet;
  for (let sequence = 1; sequence <= count; sequence += 1) {
    const account = sequence === 1 || sequence === count ? '1010' : '1000';
    const counted = countEntry(
      {
        ...{ ...expectedEntry, memo: 'x'.repeat(390_000), entryId: String(sequence) },
        ...{ journalNumber: `MJ-20260320-${String(sequence).padStart(4, '0')}` },
        ...{ transactionAmount: '100.00', reportingAmount: '115.96', bookAmount: '100.00' },
        lines: [
          { ...debit, account, debit: '100.00', bookDebit: '100.00', reportingDebit: '115.96' },
          { ...credit, lineNumber: 2 },
        ],
      },
      withNextSequence(sheet),
    );
    sheet = counted.sheet;
    const place = { series: 'MJ', date, sequence } as const;
    await ledger.seed(...puts(entryActions(entryKey(name, place), counted.entry)));
  }
  const change = { before: emptySheet, after: sheet };
  await ledger.seed(...puts([sheetAction(name, { series: 'MJ', date }, change)]));
  return prefix;
};

test('a page reads eight megabytes at most, and the next one goes on from there', async () => {
  const domain_url = await seedLargeEntries(26);
  const query = { domain_url, account: '1010', from: date, to: date };
  const balances: string[][] = [];
  let cursor: string | null = null;
  do {
    const cost = await costOf(async () => {
      const { body } = await ask('ledger', { ...query, ...(cursor && { cursor }) });
      balances.push(body.data.lines.map((line: { balance: string }) => line.balance));
      cursor = body.data.next_cursor;
    });
    expect(cost.units.read).toBeLessThan(8.1 * unitsOfMegabyte);
  } while (cursor);
  expect(balances).toEqual([['100.00'], ['200.00']]);
});
