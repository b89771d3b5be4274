// Kills the service under load repeatedly. After each kill, checks that no acknowledged operation
// is lost and none is doubled.

import { setTimeout as pause } from 'node:timers/promises';
import { openRandom, type Random } from '../support/builders/random.ts';
import { feedViolations } from '../support/readers/feed-invariants.ts';
import { findViolations } from '../support/readers/invariants.ts';
import { acknowledgementViolations, importViolations } from './checks.ts';
import { lastAccrualDate, startClients } from './clients.ts';
import type { Operation } from './operations.ts';
import {
  companies,
  openRestartableService,
  type RestartableService,
} from './restartable-service.ts';

/**
 * A new folder after this many kills, since companies can be connected for the first time only
 * once.
 */
const killsOfOneFolder = 8;
const maximumLoadMilliseconds = 2_000;

const newReport = (seed: number) => ({
  seed,
  kills: 0,
  killsAtStart: 0,
  entriesAcknowledged: 0,
  /** Requests without an acknowledgement, and the ones among them that were written. */
  unanswered: 0,
  writtenUnanswered: 0,
  repeatsCompared: 0,
  importsCutOff: 0,
  items: 0,
  seconds: 0,
  violations: [] as string[],
});
type KillReport = ReturnType<typeof newReport>;

const inParallel = async <Work>(all: readonly Work[], work: (one: Work) => Promise<unknown>) => {
  const waiting = [...all];
  const worker = async (): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) await work(next);
  };
  await Promise.all(Array.from({ length: 8 }, worker));
};

const connectedIn = ({ operations }: RestartableService) =>
  operations.flatMap(({ kind, name, acknowledged: schemaName }) => {
    const company = companies.find((it) => it.name === name);
    return kind === 'connection' && company && schemaName !== undefined
      ? [{ schemaName, journals: company.journals }]
      : [];
  });

/** Checks the stored data while no writes are in progress. */
const examine = async (target: RestartableService, dueUntil?: string): Promise<number> => {
  const items = await target.scan();
  target.violations.push(
    ...acknowledgementViolations(items, target.operations),
    ...importViolations(items, connectedIn(target)),
    ...findViolations(items, dueUntil === undefined ? {} : { dueUntil }),
  );
  return items.length;
};

const isAcknowledged = ({ acknowledged }: Operation): boolean => acknowledged !== undefined;

/** One kill under load, the start after it, and the clients' second try. */
const killOnce = async (
  target: RestartableService,
  options: { random: Random; round: number; report: KillReport; tamper: Tamper },
): Promise<void> => {
  const { random, round, report, tamper } = options;
  const before = target.operations.length;
  const clients = await startClients(target, { random, round });
  await pause(random.below(maximumLoadMilliseconds));
  await tamper(target);
  await target.kill();
  await clients.stop();
  report.kills += 1;
  if (random.once(4)) {
    await target.killAtStart(random.below(1_500));
    report.killsAtStart += 1;
  }
  await target.restart();
  report.importsCutOff += await target.importing();
  const asked = target.operations.slice(before);
  const acknowledged = asked.filter(isAcknowledged);
  const unanswered = asked.filter((it) => !isAcknowledged(it));
  const replaysBefore = target.counts.replays;
  report.unanswered += unanswered.length;
  await inParallel(
    unanswered.filter((it) => it.isIdempotent),
    target.sendUntilAnswered,
  );
  report.writtenUnanswered += target.counts.replays - replaysBefore;
  await target.settleImports();
  await inParallel(
    acknowledged.filter((it) => it.isIdempotent),
    target.sendUntilAnswered,
  );
  report.items = Math.max(report.items, await examine(target));
};

/** What is wrong with the feed, once it had time to follow the last changes. */
const examineFeed = async (target: RestartableService): Promise<string[]> => {
  for (let tries = 0; ; tries += 1) {
    const violations = feedViolations(await target.scan());
    if (violations.length === 0 || tries === 60) return violations;
    await pause(500);
  }
};

/** Repeats all entries of a folder at its end, when nothing is in progress. */
const finishFolder = async (target: RestartableService, report: KillReport): Promise<void> => {
  await target.runSchedule('post-scheduled-entries', `${lastAccrualDate}T00:05:00Z`);
  const { operations } = target;
  await inParallel(
    operations.filter((it) => it.kind === 'entry' && it.isIdempotent),
    target.sendUntilAnswered,
  );
  await examine(target, lastAccrualDate);
  target.violations.push(...(await examineFeed(target)));
  target.violations.push(...(await target.verifyBooks()));
  report.entriesAcknowledged += operations.filter(
    (it) => it.kind === 'entry' && isAcknowledged(it),
  ).length;
  report.repeatsCompared += target.counts.repeats;
  report.violations.push(...target.violations);
  await target.end();
};

/** What somebody does to the data under load, before the kill. */
type Tamper = (target: RestartableService) => Promise<void>;

/** @param options.tamper damages the data, to test the checks */
export const runKills = async (options: {
  times: number;
  seed: number;
  tamper?: Tamper;
  log?: (text: string) => void;
}): Promise<KillReport> => {
  const { times, seed, tamper = async () => {}, log = () => {} } = options;
  const startedAt = performance.now();
  const random = openRandom(seed);
  const report = newReport(seed);
  while (report.kills < times && report.violations.length === 0) {
    const target = await openRestartableService();
    const kills = Math.min(killsOfOneFolder, times - report.kills);
    for (let round = 0; round < kills && target.violations.length === 0; round += 1) {
      await killOnce(target, { random, round, report, tamper });
      log(`killed ${report.kills} times, ${target.operations.length} operations in this folder`);
    }
    await finishFolder(target, report);
  }
  report.seconds = Math.round((performance.now() - startedAt) / 1_000);
  return report;
};
