// All parts of the benchmark, and the printer of their results.

import { cpus, totalmem } from 'node:os';
import { authenticators } from './rows/measure-authenticators.ts';
import { batches } from './measure-batches.ts';
import { besideImports } from './measure-beside-imports.ts';
import { events } from './measure-events.ts';
import { imports } from './measure-imports.ts';
import { neighbours } from './measure-neighbours.ts';
import { oneDate } from './measure-one-date.ts';
import { operations } from './measure-operations.ts';
import { reports } from './measure-reports.ts';
import { throughput } from './measure-throughput.ts';
import type { Part } from './part.ts';
import { rows } from './rows/measure-rows.ts';

// biome-ignore lint/suspicious/noExplicitAny: each part has rows of its own.
type AnyPart = Part<any>;

export const parts: Record<string, AnyPart> = {
  rows,
  operations,
  throughput,
  reports,
  authenticators,
  batches,
  'one-date': oneDate,
  neighbours,
  events,
  'beside-imports': besideImports,
  imports,
};

/** The rows of each part, and when it was measured. */
export type Results = {
  machine: string;
  parts: Record<string, { date: string; rows: object[] }>;
};

export const machineNow = (): string =>
  `${cpus().length} cores of ${cpus()[0]?.model ?? 'unknown'}, ` +
  `${Math.round(totalmem() / 1e9)} GB, Node ${process.version.slice(1)}`;

/** A Markdown table with aligned columns, readable in a terminal as well. */
export const tableText = <Row>(
  columns: Record<string, (row: Row) => string | number>,
  rows: readonly Row[],
): string => {
  const table = Object.entries(columns).map(([heading, cellOf]) => {
    const cells = [heading, ...rows.map((row) => String(cellOf(row)))];
    const width = Math.max(...cells.map(({ length }) => length));
    return [...cells.map((cell) => ` ${cell.padEnd(width)} `), '-'.repeat(width + 2)];
  });
  const line = (place: number) => `|${table.map((column) => column.at(place)).join('|')}|`;
  return [line(0), line(-1), ...rows.map((_, place) => line(place + 1))].join('\n');
};

const targetColumns = {
  target: ({ target }: { target: string }) => target,
  result: ({ found }: { found: string }) => found,
  met: ({ isMet }: { isMet: boolean }) => (isMet ? 'yes' : 'NO'),
};

export const markdownOf = ({ machine, parts: measured }: Results): string => {
  const sections = Object.entries(parts).flatMap(([name, part]) => {
    const result = measured[name];
    return result ? [{ part, ...result }] : [];
  });
  const verdicts = sections.flatMap(({ part, rows }) => part.targets(rows));
  return [
    '# Benchmarks',
    `Measured by \`npm run bench\` on ${machine}, as [README.md](README.md) describes. ` +
      'Times are milliseconds, p50 / p99.',
    ['## Targets', tableText(targetColumns, verdicts)].join('\n\n'),
    ...sections.map(({ part: { title, columns }, rows, date }) =>
      [`## ${title}`, `Measured ${date}.`, tableText(columns, rows)].join('\n\n'),
    ),
  ]
    .join('\n\n')
    .concat('\n');
};

/** Rounds to three decimals: microseconds for times. More would be noise. */
export const jsonOf = (results: object): string =>
  `${JSON.stringify(
    results,
    (_name, value) => (typeof value === 'number' ? Number(value.toFixed(3)) : value),
    2,
  )}\n`;
