// The imported journals of a tenant as the table has them, each put together from its items.

import * as z from 'zod/mini';
import { ImportedJournal, JournalLine } from '#shared/entries/journal-entry.ts';
import { entryKey, type TenantName } from '#shared/table/keys.ts';
import type { Table } from '#shared/table/table.ts';

const Header = z.extend(ImportedJournal, { sk: z.string(), lineCount: z.int() });
const FurtherLines = z.object({ sk: z.string(), lines: z.array(JournalLine) });

/** In the order of their dates and numbers. @throws where one lacks some of its lines */
export const readJournals = async (table: Table, name: TenantName): Promise<ImportedJournal[]> => {
  const { pk } = entryKey(name, { series: 'IJ', date: '', sequence: 0 });
  const items = await table.query({
    KeyConditionExpression: 'pk = :pk AND begins_with(sk, :entries)',
    ExpressionAttributeValues: { ':pk': pk, ':entries': 'ENTRY#' },
  });
  const further = items.filter(({ kind }) => kind !== 'entry').map((it) => FurtherLines.parse(it));
  return items
    .filter(({ entryType }) => entryType === 'Imported Journal')
    .map((item) => {
      const { sk, lineCount, ...journal } = Header.parse(item);
      const more = further.filter((it) => it.sk.startsWith(`${sk}#`));
      const lines = [...journal.lines, ...more.flatMap((it) => it.lines)];
      const isWhole = lines.every(({ lineNumber }, index) => lineNumber === index + 1);
      if (lines.length !== lineCount || !isWhole) throw new Error(`${sk} is not whole`);
      return { ...journal, lines };
    });
};

/** What the numbers of these journals would be without a gap or a repetition, in their order. */
export const numbersWithoutGaps = (journals: readonly ImportedJournal[]): string[] => {
  const counts = new Map<string, number>();
  return journals.map(({ date }) => {
    const sequence = (counts.get(date) ?? 0) + 1;
    counts.set(date, sequence);
    return `IJ-${date.replaceAll('-', '')}-${String(sequence).padStart(4, '0')}`;
  });
};
