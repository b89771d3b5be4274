// What the operator reads: the report of a command, and the help.

import type { Command, Report, Row } from './command.ts';

const labelOf = (name: string): string => name.replaceAll('_', ' ');

/** Several values in one place: each by its name, a list or a group of them in brackets. */
const detailText = (name: string, value: unknown): string => {
  if (Array.isArray(value)) return `[${value.map((it) => detailText(name, it)).join(', ')}]`;
  if (typeof value === 'object' && value !== null) return `[${detailsText(value)}]`;
  return cellText(name, value as Row[string]);
};
const detailsText = (details: object): string =>
  Object.entries(details)
    .map(([name, value]) => `${labelOf(name)} ${detailText(name, value)}`)
    .join(', ') || '-';

/** What a missing value of these says. */
const absences: Readonly<Record<string, string>> = {
  expires_at: 'never',
  last_used_on: 'never',
  serves_entries_until: 'for good',
};

const cellText = (name: string, value: Row[string] | undefined): string => {
  if (value === null || value === undefined) return absences[name] ?? '-';
  if (typeof value === 'object') return detailsText(value);
  return typeof value === 'boolean' ? (value ? 'yes' : 'no') : String(value);
};

/** Lines of cells, each column as wide as its widest cell. */
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

/** A list under its name: texts one a line, rows as a table. */
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

/** A report as aligned text: its single values first, then each of its lists. */
export const renderReport = (report: Report): string => {
  const pairs: string[][] = [];
  const lists: string[] = [];
  for (const [name, value] of Object.entries(report)) {
    if (typeof value === 'object' && value !== null) lists.push(...listLines(name, value));
    else pairs.push([labelOf(name), cellText(name, value)]);
  }
  return [...aligned(pairs), ...lists].join('\n');
};

const program = 'npm run ops --';

const commonOptions = [
  ['--local', 'act on the service of this machine; LEDGER_DATA is its data folder'],
  ['--stage NAME', 'act on a deployed stage, by default LEDGER_STAGE'],
  ['--json', 'print one line of JSON, errors too'],
  ['--yes', 'do not ask before changing production'],
  ['--help', 'explain the command instead of doing it'],
];

/** The usage of one command, or of all that start with these words, or of all there are. */
export const renderHelp = (commands: ReadonlyMap<string, Command>, words: string): string => {
  const all = [...commands];
  const asked = all.filter(([name]) => `${name} `.startsWith(`${words} `));
  const shown = words === '' || asked.length === 0 ? all : asked;
  const nounOf = (name = ''): string | undefined => name.split(' ')[0];
  return [
    ...shown.flatMap(([name, { usage, purpose, note }], index) => [
      ...(index > 0 && nounOf(shown[index - 1]?.[0]) !== nounOf(name) ? [''] : []),
      `${program} ${name} ${usage}`.trimEnd(),
      ...indented([`${purpose}.`, ...(shown.length === 1 && note ? [note] : [])]),
    ]),
    '',
    ...indented(aligned(commonOptions)),
  ].join('\n');
};
