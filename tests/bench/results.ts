// The results of a benchmark run, with its command and machine.

import { cpus, loadavg, totalmem } from 'node:os';
import type { ImportTime } from '#infra/aws/sizes.ts';
import type { BatchesResult } from './measure-batches.ts';
import type { FairnessResult } from './measure-fairness.ts';
import type { GrowthResults } from './measure-growth.ts';
import type { LongRunResult } from './measure-long-run.ts';
import type { NeighboursResult } from './measure-neighbours.ts';
import type { OperationResult } from './measure-operations.ts';
import type { ReportsResult } from './measure-reports.ts';
import type { ThroughputResults } from './measure-throughput.ts';

export type Results = {
  date: string;
  command: string;
  seconds: number;
  machine: ReturnType<typeof machineNow>;
  operations: OperationResult[];
  growth: GrowthResults;
  fairness: FairnessResult;
  longRun: LongRunResult;
  reports: ReportsResult;
  batches: BatchesResult;
  neighbours: NeighboursResult;
  imports: ImportTime[];
} & ThroughputResults;

export const machineNow = () => ({
  processor: cpus()[0]?.model ?? 'unknown',
  cores: cpus().length,
  memoryGigabytes: Math.round(totalmem() / 1e9),
  node: process.version,
  /** The load average of the minute before. */
  loadBefore: Number(loadavg()[0]?.toFixed(2)),
});

/** Rounds to three decimals: microseconds for times. More would be noise. */
export const textOfResults = (results: unknown): string =>
  `${JSON.stringify(
    results,
    (_name, value) => (typeof value === 'number' ? Number(value.toFixed(3)) : value),
    2,
  )}\n`;
