// Reads the CPU time of other processes on Linux (proc_pid_stat(5)).

import { readdirSync, readFileSync } from 'node:fs';

const millisecondsPerTick = 10;

/** User and system CPU time of a process in milliseconds. */
export const cpuTimeOf = (pid: number): number => {
  const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const fields = text.slice(text.lastIndexOf(') ') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) * millisecondsPerTick;
};

const argumentsOf = (pid: number): string[] => {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
  } catch {
    // The process has ended.
    return [];
  }
};

/** The id of the process with this program and argument. @throws Error if none matches */
export const findProcess = (program: string, argument: string): number => {
  const id = readdirSync('/proc')
    .map(Number)
    .filter(Number.isInteger)
    .find((pid) => {
      const [command = '', ...rest] = argumentsOf(pid);
      return command.endsWith(`/${program}`) && rest.includes(argument);
    });
  if (id === undefined) throw new Error(`there is no process of ${program} with ${argument}`);
  return id;
};
