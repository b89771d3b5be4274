// Preloaded into the measured service: writes its heap size and its calls to platforms to a file
// every second.

import { subscribe } from 'node:diagnostics_channel';
import { renameSync, writeFileSync } from 'node:fs';
import { getHeapStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** `calls` counts calls to platforms by slot and purpose. */
export type ProbeReading = {
  /** The heap of the service after its start, without garbage. */
  baseHeapMegabytes: number;
  peakHeapMegabytes: number;
  /** Including memory outside the heap. */
  peakResidentMegabytes: number;
  calls: Record<string, number>;
};

/** The environment variable with the path for the readings. If it is not set, the probe is off. */
export const probeVariable = 'LEDGER_BENCH_PROBE';

const file = process.env[probeVariable];
const intervalMilliseconds = 1_000;

/** The time for the service to start. Send no requests before. */
export const startSeconds = 6;

/** The purpose of a call, by its path and query. */
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
