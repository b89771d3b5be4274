// The processor time of the processes that a measurement started.

import { readdirSync, readFileSync } from 'node:fs';

/** Linux counts processor time in hundredths of a second. */
const millisecondsPerTick = 10;

type Process = { pid: number; parent: number; name: string; milliseconds: number };

/** Reads /proc/PID/stat (proc_pid_stat(5)); undefined if the process has ended. */
const readProcess = (pid: number): Process | undefined => {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const name = text.slice(text.indexOf('(') + 1, text.lastIndexOf(')'));
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    const ticks = Number(fields[11]) + Number(fields[12]);
    return { pid, parent: Number(fields[1]), name, milliseconds: ticks * millisecondsPerTick };
  } catch {
    return undefined;
  }
};

/** Milliseconds of processor time since their start. */
export type ProcessorTimes = { service: number; engine: number };

/**
 * The times of a process and its descendants: of the engines, and of all others. The clients are in
 * this process, so it does not count.
 */
export const processorTimes = (root = process.pid): ProcessorTimes => {
  const processes = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => readProcess(Number(name)) ?? []);
  const below = (parent: number): Process[] =>
    processes.flatMap((it) => (it.parent === parent ? [it, ...below(it.pid)] : []));
  const ofRoot = processes.filter(({ pid }) => pid === root && pid !== process.pid);
  const sumOf = (isEngine: boolean): number =>
    [...ofRoot, ...below(root)]
      .filter(({ name }) => (name === 'dynoxide') === isEngine)
      .reduce((sum, { milliseconds }) => sum + milliseconds, 0);
  return { service: sumOf(false), engine: sumOf(true) };
};
