// The processor time of other processes, as Linux accounts for it (proc_pid_stat(5)).

import { readdirSync, readFileSync } from 'node:fs';

const millisecondsPerTick = 10;

/** Milliseconds that a process has spent on a processor, in its own code and in the kernel. */
export const processorTimeOf = (pid: number): number => {
  const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const fields = text.slice(text.lastIndexOf(') ') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) * millisecondsPerTick;
};

const argumentsOf = (pid: number): string[] => {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
  } catch {
    // It has ended meanwhile.
    return [];
  }
};

/** The process of this program that was started with this argument. */
export const findProcess = (program: string, argument: string): number => {
  const found = readdirSync('/proc')
    .map(Number)
    .filter(Number.isInteger)
    .find((pid) => {
      const [command = '', ...rest] = argumentsOf(pid);
      return command.endsWith(`/${program}`) && rest.includes(argument);
    });
  if (found === undefined) throw new Error(`no process of ${program} has ${argument}`);
  return found;
};
