// The entries and sheets of a tenant as its items have them, and what each sheet must be by its
// entries alone: added up in whole hundredths, without the product's own arithmetic.

import { readEntry } from '#shared/entries/entry-items.store.ts';
import type { JournalEntry } from '#shared/entries/journal-entry.ts';
import { openDaySheets } from '#shared/sheets/day-sheets.store.ts';
import { entryPrefix, readEntryKey, type TenantName, tenantKey } from '#shared/table/keys.ts';
import type { Table } from '#shared/table/table.ts';

/** Every entry of a tenant, in the order of their dates, series and numbers. */
export const readEntries = async (table: Table, name: TenantName): Promise<JournalEntry[]> => {
  const items = await table.query({
    KeyConditionExpression: 'pk = :pk AND begins_with(sk, :entries)',
    ExpressionAttributeValues: { ':pk': tenantKey(name).pk, ':entries': entryPrefix },
  });
  const placeOf = ({ sk }: { sk?: unknown }) => JSON.stringify(readEntryKey({ sk: String(sk) }));
  return [...Map.groupBy(items, placeOf).values()].map((parts) => {
    const entry = readEntry(parts);
    if (entry === undefined) throw new Error(`an entry at ${parts[0]?.sk} is not whole`);
    return entry;
  });
};

const hundredths = (text: string): bigint => BigInt(text.replace('.', ''));

type Totals = { debit: bigint; credit: bigint; cashEffect: bigint };

const rowsOf = (entries: readonly JournalEntry[]): Map<string, Totals> => {
  const rows = new Map<string, Totals>();
  const add = (key: string, more: Partial<Totals>) => {
    const row = rows.get(key) ?? { debit: 0n, credit: 0n, cashEffect: 0n };
    row.debit += more.debit ?? 0n;
    row.credit += more.credit ?? 0n;
    row.cashEffect += more.cashEffect ?? 0n;
    rows.set(key, row);
  };
  for (const { lines, bookCurrency, transactionCurrency } of entries) {
    const touchesCash = lines.some(({ isCash }) => isCash);
    for (const { account, isCash, ...line } of lines) {
      const [debit, credit] = [hundredths(line.bookDebit), hundredths(line.bookCredit)];
      add(account, { debit, credit, cashEffect: touchesCash && !isCash ? credit - debit : 0n });
      if (transactionCurrency !== bookCurrency) {
        const amounts = { debit: hundredths(line.debit), credit: hundredths(line.credit) };
        add(`${account} ${transactionCurrency}`, amounts);
      }
    }
  }
  return rows;
};

const movementOfCash = (entries: readonly JournalEntry[]): bigint =>
  entries
    .flatMap(({ lines }) => lines.filter(({ isCash }) => isCash))
    .reduce((sum, it) => sum + hundredths(it.bookDebit) - hundredths(it.bookCredit), 0n);

const sumOf = (rows: Iterable<Totals>, field: keyof Totals): bigint =>
  [...rows].reduce((sum, row) => sum + row[field], 0n);

const shown = (rows: ReadonlyMap<string, Totals>): string[] =>
  [...rows]
    .map(([key, { debit, credit, cashEffect }]) => `${key}: ${debit} ${credit} ${cashEffect}`)
    .sort();

/** Each sheet as it is beside what it must be, and the sums that must be equal on each. */
export const auditSheets = async (table: Table, name: TenantName) => {
  const entries = await readEntries(table, name);
  const sheets = await openDaySheets(table).list(name);
  return sheets.map(({ date, series, rows, lastSequence, counted, head }) => {
    const isOfSeries = (entry: JournalEntry) => entry.journalNumber.startsWith(series);
    const ofSeries = entries.filter(isOfSeries);
    const posted = ofSeries
      .filter((it) => it.status === 'posted' && it.postingDate === date)
      .sort((one, other) => Number(one.postingSequence) - Number(other.postingSequence));
    const kept = new Map(
      rows.map(({ account, currency, ...amounts }) => {
        const [debit, credit, cashEffect] = [amounts.debit, amounts.credit, amounts.cashEffect];
        const totals = { debit, credit, cashEffect };
        const inHundredths = Object.entries(totals).map(([field, amount]) => [
          field,
          hundredths(amount.toFixed(2)),
        ]);
        const key = currency === null ? account : `${account} ${currency}`;
        return [key, Object.fromEntries(inHundredths) as Totals];
      }),
    );
    const booked = [...kept].filter(([key]) => !key.includes(' ')).map(([, totals]) => totals);
    return {
      posted,
      found: { ...{ date, series, lastSequence, counted, head }, rows: shown(kept) },
      expected: {
        ...{ date, series, counted: posted.length },
        lastSequence: ofSeries.filter((it) => it.date === date).length,
        head: posted.at(-1)?.hash ?? '0'.repeat(64),
        rows: shown(rowsOf(posted)),
      },
      balances: [sumOf(booked, 'debit'), sumOf(booked, 'credit')],
      cash: [sumOf(booked, 'cashEffect'), movementOfCash(posted)],
    };
  });
};
