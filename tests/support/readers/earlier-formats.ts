// Tables of earlier versions in their stored formats. tests/data/README.md describes them.

import { readFileSync } from 'node:fs';
import type { RawItem } from './item-kinds.ts';

const readData = (name: string) =>
  JSON.parse(readFileSync(new URL(`../../data/${name}`, import.meta.url), 'utf8'));

/** The table of version 1.0.0. */
export const format3Items: readonly RawItem[] = readData('format-3.json');

/** The day after it was made. */
export const afterFormat3 = new Date('2026-11-23T12:00:00.000Z');

type ReportPath =
  | `reports/${'trial_balance' | 'account_ledger' | 'balance_sheet'}`
  | `reports/${'profit_and_loss' | 'cash_flow'}`;

/** A table, and reports of the version that wrote it. */
type WrittenTable = {
  items: readonly RawItem[];
  replies: readonly { path: ReportPath; query: Record<string, string>; data: { digest: string } }[];
};

/** The tables of later formats, by their format. */
export const writtenTables: Readonly<Record<4 | 5, WrittenTable>> = {
  4: readData('format-4.json'),
  5: readData('format-5.json'),
};

/** The day after they were made. */
export const afterWrittenTables = new Date('2026-11-25T12:00:00.000Z');
