// Kills a process with everything that it started, as a machine does that has run out of memory.

import { execFileSync } from 'node:child_process';

/** The parent of every process that there is, by its id. */
const readParents = (): Map<number, number> =>
  new Map(
    execFileSync('ps', ['-eo', 'pid=,ppid='], { encoding: 'utf8' })
      .trim()
      .split('\n')
      .map((line) => {
        const [pid = 0, parent = 0] = line.trim().split(/\s+/).map(Number);
        return [pid, parent];
      }),
  );

/** A process and all that descends from it, the youngest first. */
export const processTreeOf = (root: number): number[] => {
  const parents = readParents();
  const childrenOf = (parent: number): number[] =>
    [...parents].flatMap(([pid, its]) => (its === parent ? [pid] : []));
  const within = (pid: number): number[] => [...childrenOf(pid).flatMap(within), pid];
  return within(root);
};

/** Nobody gets to do anything about it: the database goes first, and its guard before us. */
export const killTree = (processes: readonly number[]): void => {
  for (const pid of processes) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
    }
  }
};
