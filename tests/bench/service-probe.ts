// Loaded into the measured service before anything else: writes down how large its heap is and
// which calls it makes to platforms, once a second, for the measurement to read.

import { subscribe } from 'node:diagnostics_channel';
import { renameSync, writeFileSync } from 'node:fs';
import { getHeapStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** `calls` are those to platforms, by slot and by what they are for. */
export type ProbeReading = {
  /** The heap of a service that has just started, without what nobody needs any more. */
  baseHeapMegabytes: number;
  peakHeapMegabytes: number;
  /** All of its memory, what is outside of the heap too. */
  peakResidentMegabytes: number;
  calls: Record<string, number>;
};

/** The file for the readings; without it nothing is written down. */
export const probeVariable = 'LEDGER_BENCH_PROBE';

const file = process.env[probeVariable];
const intervalMilliseconds = 1_000;

/** For as long the service is taken to start, and is asked for nothing. */
export const startSeconds = 6;

/** What a call is for, by its path and query below its slot. */
const purposeOf = (path: string): string => {
  if (/\/(oauth|connect|tokens?)\b/.test(path)) return 'tokens';
  if (/journal/i.test(path)) return 'journals';
  return /\/Accounts\b|chartofaccounts|from Account/i.test(path) ? 'accounts' : 'others';
};

const usedMegabytes = (): number => getHeapStatistics().used_heap_size / 2 ** 20;

const start = (target: string): void => {
  setFlagsFromString('--expose-gc');
  const collectGarbage = runInNewContext('gc') as () => void;
  const calls: Record<string, number> = {};
  subscribe('undici:request:create', (message) => {
    const { path } = (message as { request: { path: string } }).request;
    const [, slot, rest] = /^\/(platform_[abc])(\/.*)$/.exec(path) ?? [];
    if (slot === undefined || rest === undefined) return;
    const name = `${slot} ${purposeOf(decodeURIComponent(rest).replaceAll('+', ' '))}`;
    calls[name] = (calls[name] ?? 0) + 1;
  });
  const reading: ProbeReading = {
    baseHeapMegabytes: 0,
    peakHeapMegabytes: 0,
    peakResidentMegabytes: 0,
    calls,
  };
  let seconds = 0;
  setInterval(() => {
    seconds += 1;
    reading.peakHeapMegabytes = Math.max(reading.peakHeapMegabytes, usedMegabytes());
    reading.peakResidentMegabytes = process.resourceUsage().maxRSS / 1024;
    if (seconds <= startSeconds) {
      collectGarbage();
      reading.baseHeapMegabytes = usedMegabytes();
    }
    writeFileSync(`${target}.new`, JSON.stringify(reading));
    renameSync(`${target}.new`, target);
  }, intervalMilliseconds).unref();
};

if (file !== undefined) start(file);
