// Renders the reports of commands as text.

import type { Report, Row } from './command.ts';

const labelOf = (name: string): string => name.replaceAll('_', ' ');

/** A nested value in one cell. Lists and groups are in brackets. */
const detailText = (name: string, value: unknown): string => {
  if (Array.isArray(value)) return `[${value.map((it) => detailText(name, it)).join(', ')}]`;
  if (typeof value === 'object' && value !== null) return `[${detailsText(value)}]`;
  return cellText(name, value as Row[string]);
};
const detailsText = (details: object): string =>
  Object.entries(details)
    .map(([name, value]) => `${labelOf(name)} ${detailText(name, value)}`)
    .join(', ') || '-';

/** Texts for missing values, by field. Any other field shows `-`. */
const absences: Readonly<Record<string, string>> = {
  expires_at: 'never',
  last_used_on: 'never',
  serves_entries_until: 'no limit',
};

const cellText = (name: string, value: Row[string] | undefined): string => {
  if (value === null || value === undefined) return absences[name] ?? '-';
  if (typeof value === 'object') return detailsText(value);
  return typeof value === 'boolean' ? (value ? 'yes' : 'no') : String(value);
};

/** Pads each column to its widest cell. */
const aligned = (lines: readonly (readonly string[])[]): string[] => {
  const widthOf = (column: number): number =>
    Math.max(...lines.map((line) => line[column]?.length ?? 0));
  return lines.map((line) =>
    line
      .map((cell, column) => cell.padEnd(widthOf(column)))
      .join('  ')
      .trimEnd(),
  );
};

const indented = (lines: readonly string[]): string[] => lines.map((line) => `  ${line}`);

const isRow = (item: string | Row): item is Row => typeof item !== 'string';

/** A titled list: one text per line, or a table of rows. */
const listLines = (name: string, items: readonly (string | Row)[]): string[] => {
  if (items.length === 0) return [`no ${labelOf(name)}`];
  const rows = items.filter(isRow);
  const columns = Object.keys(rows[0] ?? {});
  const table = [
    columns.map(labelOf),
    ...rows.map((row) => columns.map((it) => cellText(it, row[it]))),
  ];
  return [labelOf(name), ...indented(rows.length > 0 ? aligned(table) : items.map(String))];
};

/** Renders single values first, then the lists. */
export const renderReport = (report: Report): string => {
  const pairs: string[][] = [];
  const lists: string[] = [];
  for (const [name, value] of Object.entries(report)) {
    if (typeof value === 'object' && value !== null) lists.push(...listLines(name, value));
    else pairs.push([labelOf(name), cellText(name, value)]);
  }
  return [...aligned(pairs), ...lists].join('\n');
};
