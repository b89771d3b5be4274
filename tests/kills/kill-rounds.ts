// Kills the service under load, again and again, and checks each time that nothing acknowledged is
// lost and nothing is there twice.

import { setTimeout as pause } from 'node:timers/promises';
import { openRandom, type Random } from '../support/builders/random.ts';
import { findViolations } from '../support/readers/invariants.ts';
import { broken, brokenImports } from './checks.ts';
import { lastAccrualDate, startClients } from './clients.ts';
import { beginLife, companies, type Life } from './life.ts';
import type { Operation } from './operations.ts';

/** A data folder is given up then, so that there are companies to connect for the first time. */
const killsOfOneFolder = 8;
const maximumLoadMilliseconds = 2_000;

export type KillReport = {
  seed: number;
  kills: number;
  killsAtStart: number;
  entriesAcknowledged: number;
  /** What a kill cut off from its acknowledgement: all of it, and what had been written. */
  unanswered: number;
  writtenUnanswered: number;
  repeatsCompared: number;
  importsCutOff: number;
  items: number;
  seconds: number;
  violations: string[];
};

const inParallel = async <Work>(all: readonly Work[], work: (one: Work) => Promise<unknown>) => {
  const waiting = [...all];
  const worker = async (): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) await work(next);
  };
  await Promise.all(Array.from({ length: 8 }, worker));
};

const connectedIn = ({ operations }: Life) =>
  operations.flatMap(({ kind, name, acknowledged: schemaName }) => {
    const company = companies.find((it) => it.name === name);
    return kind === 'connection' && company && schemaName !== undefined
      ? [{ schemaName, journals: company.journals }]
      : [];
  });

/** Everything that can be seen to be wrong while nobody writes. */
const examine = async (life: Life, dueUntil?: string): Promise<number> => {
  const items = await life.scan();
  life.violations.push(
    ...broken(items, life.operations),
    ...brokenImports(items, connectedIn(life)),
    ...findViolations(items, dueUntil === undefined ? {} : { dueUntil }),
  );
  return items.length;
};

const isAcknowledged = ({ acknowledged }: Operation): boolean => acknowledged !== undefined;

/** One kill under load, the start after it, and the clients' second try. */
const killOnce = async (
  life: Life,
  options: { random: Random; round: number; report: KillReport; meddle: Meddle },
): Promise<void> => {
  const { random, round, report, meddle } = options;
  const before = life.operations.length;
  const clients = await startClients(life, { random, round });
  await pause(random.below(maximumLoadMilliseconds));
  await meddle(life);
  await life.kill();
  await clients.stop();
  report.kills += 1;
  if (random.once(4)) {
    await life.killAtStart(random.below(1_500));
    report.killsAtStart += 1;
  }
  await life.restart();
  report.importsCutOff += await life.importing();
  const asked = life.operations.slice(before);
  const acknowledged = asked.filter(isAcknowledged);
  const unanswered = asked.filter((it) => !isAcknowledged(it));
  const replaysBefore = life.counts.replays;
  report.unanswered += unanswered.length;
  await inParallel(
    unanswered.filter((it) => it.isIdempotent),
    life.insist,
  );
  report.writtenUnanswered += life.counts.replays - replaysBefore;
  await life.settleImports();
  await inParallel(
    acknowledged.filter((it) => it.isIdempotent),
    life.insist,
  );
  report.items = Math.max(report.items, await examine(life));
};

/** At its end a folder is asked for everything once more, when nothing is left to wait for. */
const endLife = async (life: Life, report: KillReport): Promise<void> => {
  await life.runSchedule('post-scheduled-entries', `${lastAccrualDate}T00:05:00Z`);
  const { operations } = life;
  await inParallel(
    operations.filter((it) => it.kind === 'entry' && it.isIdempotent),
    life.insist,
  );
  await examine(life, lastAccrualDate);
  report.entriesAcknowledged += operations.filter(
    (it) => it.kind === 'entry' && isAcknowledged(it),
  ).length;
  report.repeatsCompared += life.counts.repeats;
  report.violations.push(...life.violations);
  await life.end();
};

/** What somebody does to the data under load, before the kill. */
export type Meddle = (life: Life) => Promise<void>;

/**
 * @param options.meddle spoils the data on purpose, so that the checks themselves can be checked
 */
export const runKills = async (options: {
  times: number;
  seed: number;
  meddle?: Meddle;
  tell?: (text: string) => void;
}): Promise<KillReport> => {
  const { times, seed, meddle = async () => {}, tell = () => {} } = options;
  const startedAt = performance.now();
  const random = openRandom(seed);
  const report: KillReport = {
    seed,
    kills: 0,
    killsAtStart: 0,
    entriesAcknowledged: 0,
    unanswered: 0,
    writtenUnanswered: 0,
    repeatsCompared: 0,
    importsCutOff: 0,
    items: 0,
    seconds: 0,
    violations: [],
  };
  while (report.kills < times && report.violations.length === 0) {
    const life = await beginLife();
    const kills = Math.min(killsOfOneFolder, times - report.kills);
    for (let round = 0; round < kills && life.violations.length === 0; round += 1) {
      await killOnce(life, { random, round, report, meddle });
      tell(`killed ${report.kills} times, ${life.operations.length} operations in this folder`);
    }
    await endLife(life, report);
  }
  report.seconds = Math.round((performance.now() - startedAt) / 1_000);
  return report;
};
