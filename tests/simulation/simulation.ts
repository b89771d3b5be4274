// Random concurrent operations of several applications, with faults, late arrivals, restarts and
// clock jumps, compared with a plain model of the contract.
//
// One seed gives one run: operations, ids, moments, the order of all calls to the table, faults and
// replies. The digest of a run covers all of them. The salts of passwords, the nonces of tokens and
// the pauses between attempts differ, and no comparison depends on them.

import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { Table } from '#shared/table/table.ts';
import { openRandom, type Random } from '../support/builders/random.ts';
import { openSilence } from '../support/dynamodb/table-calls.ts';
import { openTestTable } from '../support/dynamodb/test-table.ts';
import { type Instance, openCarrying, openInstance } from '../support/harnesses/instances.ts';
import { findViolations } from '../support/readers/invariants.ts';
import { type RawItem, sortItems } from '../support/readers/item-kinds.ts';
import { readEntry } from '../support/readers/stored-entries.ts';
import { unless } from '../support/readers/violations.ts';
import { openChangeRecorder } from './change-recorder.ts';
import { openChangeStream } from './change-stream.ts';
import { tenantPlaceOf } from './entry-data.ts';
import { openModel } from './model/model.ts';
import { openOperations, type Problem } from './operations.ts';
import { openPlatformData } from './platform-data.ts';
import { openSimulatedPlatforms } from './platforms.ts';
import { openRecordings } from './recordings.ts';
import { reportViolations } from './reports.ts';
import { isToEndpoint, sendBroken } from './request-sender.ts';
import { placeOf } from './requests.ts';
import { openScheduler } from './scheduler.ts';
import { firstMoment, writeSeedData } from './seed-data.ts';
import { installVirtualClock } from './virtual-clock.ts';
import { openWorkload } from './workload.ts';

export type SimulationOptions = {
  seed: number;
  /** Operations to begin. */
  steps: number;
  /** Where DynamoDB is. */
  endpoint: string;
  /** One call to the table in this many meets a fault. */
  faultOnceIn?: number;
  /** A run checks the table about this often, and at most after every operation. */
  tableChecks?: number;
  /** Breaks the store on purpose, to see that it is noticed. */
  sabotage?: (table: Table) => Table;
  /** Is told now and then how many operations have begun. */
  progress?: (begun: number) => void;
};

const millisecondsPerHour = 3_600_000;
const maximumConcurrency = 5;
/** Operations that repeat others, or bring them to an end, once nothing new begins. */
const maximumAfterwards = 500;
/** How often everything that waits is resumed, before it counts as stuck. */
const maximumRounds = 10;

/** A clock that sometimes jumps by hours or days. It shows no moment twice. */
const openClock = (random: Random) => {
  const shown = new Set<number>();
  let now = firstMoment;
  let isSteady = false;
  const jump = (): void => {
    if (random.once(20)) now += (random.below(60) - 20) * millisecondsPerHour;
    if (random.once(300)) now += random.below(20) * 24 * millisecondsPerHour;
  };
  return {
    next: (): Date => {
      now += random.below(30) * 1000;
      if (!isSteady) jump();
      while (shown.has(now)) now += 1;
      shown.add(now);
      return new Date(now);
    },
    /** From here on it is later than ever before, and does not jump any more. */
    steady: (): void => {
      if (isSteady) return;
      isSteady = true;
      now = Math.max(...shown) + millisecondsPerHour;
    },
  };
};

const openSimulation = async (options: SimulationOptions) => {
  const { seed, steps, endpoint, faultOnceIn = 12, sabotage = (table) => table } = options;
  const random = openRandom(seed);
  // Its digest must be the same each time, and challenges are made with these.
  const keys = { current: '1', versions: { '1': Buffer.alloc(32, seed).toString('base64') } };
  const database = await openTestTable({ endpoint });
  const seedData = await writeSeedData(database.table, { random, keys });
  const platformData = openPlatformData();
  const platforms = openSimulatedPlatforms(platformData);
  const changes = openChangeRecorder(database.table.get);
  const model = openModel(seedData.rates, platformData);
  const hash = createHash('sha256');
  const note = (line: string) => void hash.update(`${line}\n`);
  const common = { random, note };
  const processClock = installVirtualClock();
  const scheduling = {
    note,
    tableName: database.tableName,
    endpoint,
    silence: await openSilence(2),
    processClock,
    keys,
    platforms,
    changes,
    faultOnceIn,
    sabotage,
  };
  const scheduler = openScheduler({ ...scheduling, random });
  const ownRandom = openRandom(seed);
  const recordings = openRecordings({
    random: ownRandom,
    scheduler: openScheduler({ ...scheduling, random: ownRandom }),
    changeStream: await openChangeStream(database),
    processClock,
  });
  const clock = openClock(random);
  const operations = openOperations({
    ...common,
    model,
    scheduler,
    platforms,
    platformData,
    clock: clock.next,
    choose: openWorkload(seedData, { random, model, platformData, changes }),
  });
  return {
    ...database,
    random,
    model,
    hash,
    scheduler,
    processClock,
    recordings,
    operations,
    changes,
    clock,
    keys,
    platforms,
    sabotage,
    most: steps + maximumAfterwards,
  };
};

type Simulation = Awaited<ReturnType<typeof openSimulation>>;

const lookAtTable = async (
  { scan, model, operations, changes }: Simulation,
  { isComplete = false, ...due }: { dueUntil?: string; isComplete?: boolean } = {},
): Promise<Problem | undefined> => {
  const items = await scan();
  const differences = [
    ...changes.violations(),
    ...findViolations(items, due),
    ...model.compare(items, operations.moment()),
    ...model.compareFeeds(items, { isComplete }),
  ];
  const step = operations.begun();
  return differences.length === 0 ? undefined : { step, operation: 'the table', differences };
};

/** Takes the next action; false if there is none left. */
const goOn = async (
  { random, scheduler, operations }: Simulation,
  { isOver }: { isOver: boolean },
): Promise<boolean> => {
  const { hasAgain, beginAgain, beginNew } = operations;
  const mayBegin = scheduler.runningOperations() < maximumConcurrency && (!isOver || hasAgain());
  if (mayBegin && random.once(2)) {
    await (hasAgain() && (isOver || random.once(2)) ? beginAgain() : beginNew());
    return true;
  }
  if (scheduler.lateCalls() > 0 && (isOver || random.once(8))) {
    await scheduler.deliverLate();
    return true;
  }
  return (await scheduler.step()) || !isOver || hasAgain();
};

const withoutEnd = (step: number): Problem => ({
  step,
  operation: 'the repeats',
  differences: ['are sent again and again, and come to no end'],
});

/** Works until nothing is left. `isOver` stops new operations. */
const work = async (
  simulation: Simulation,
  { isOver, afterEach }: { isOver: () => boolean; afterEach: () => Promise<Problem | undefined> },
): Promise<Problem | undefined> => {
  const { random, scheduler, recordings, operations, clock, most } = simulation;
  for (let goesOn = true; goesOn; ) {
    await scheduler.settle();
    const problem = operations.checkEnded() ?? (await afterEach());
    if (problem) return problem;
    if (operations.begun() > most) return withoutEnd(operations.begun());
    if (isOver()) {
      scheduler.endFaults();
      clock.steady();
    } else if (random.once(60)) scheduler.restart();
    await recordings.mayRun();
    goesOn = await goOn(simulation, { isOver: isOver() });
  }
  return undefined;
};

const isUnderWay = ({ kind, status }: RawItem): boolean =>
  kind === 'import' && status !== 'complete' && status !== 'failed';

/** Without faults, every import must end and every due entry must be posted. */
const bringToEnd = async (simulation: Simulation): Promise<Problem | undefined> => {
  const { operations, recordings, changes, scan, clock } = simulation;
  const finish = () => work(simulation, { isOver: () => true, afterEach: async () => undefined });
  let brought = changes.images().length;
  for (let round = 0; round < maximumRounds && (await scan()).some(isUnderWay); round += 1) {
    const later = (now: Date) => new Date(now.getTime() + 50 * millisecondsPerHour).toISOString();
    await operations.beginChosen((now) => ({ kind: 'resume', time: later(now) }));
    const problem = await finish();
    if (problem) return problem;
    for (const image of changes.images().slice(brought)) {
      brought += 1;
      await operations.beginChosen(() => ({ kind: 'import', image }));
      const wrong = await finish();
      if (wrong) return wrong;
    }
  }
  const time = new Date(clock.next().getTime() + 1000 * millisecondsPerHour).toISOString();
  await operations.beginChosen(() => ({ kind: 'run', time }));
  const wrong = await finish();
  if (wrong) return wrong;
  await recordings.bringToEnd();
  const problem = await lookAtTable(simulation, { dueUntil: time.slice(0, 10), isComplete: true });
  if (problem) return problem;
  const unended = (await scan()).filter(isUnderWay).map(({ pk, status }) => `${pk} is ${status}`);
  const step = operations.begun();
  return unended.length === 0
    ? undefined
    : { step, operation: 'the imports, which must have ended', differences: unended };
};

/** Carries totals, so that the reports start from them. Nothing is posted later. */
const carryTotals = async ({ table, clock, sabotage }: Simulation): Promise<void> => {
  const later = new Date(clock.next().getTime() + 1500 * millisecondsPerHour);
  await openCarrying(sabotage(table))(later.toISOString());
};

/** Broken requests that are not refused. */
const brokenRequestViolations = async (
  { operations, platforms, clock }: Simulation,
  instance: Instance,
): Promise<string[]> => {
  const found: string[] = [];
  for (const request of operations.latestRequests().filter(isToEndpoint)) {
    for (const { field, status } of await sendBroken(request, {
      instance,
      platforms,
      now: clock.next(),
    })) {
      const isRefused = status >= 400 && status < 500;
      found.push(...unless(isRefused, `${request.kind} with a broken ${field} gets ${status}`));
    }
  }
  return found;
};

const keyOf = ({ pk, sk }: RawItem): string => `${pk} ${sk}`;
const inOrder = (items: readonly RawItem[]): RawItem[] =>
  items.toSorted((one, other) => (keyOf(one) < keyOf(other) ? -1 : 1));

/** Compares the reports with the entries, and sends broken requests, when all else has ended. */
const lookAtReplies = async (simulation: Simulation): Promise<Problem | undefined> => {
  await carryTotals(simulation);
  const { table, scan, model, operations, clock, keys } = simulation;
  const items = await scan();
  const sorted = sortItems(items);
  const posted = sorted
    .all('entry')
    .flatMap((found) => readEntry(sorted, found).entry ?? [])
    .filter(({ status }) => status === 'posted');
  const instance = openInstance({
    table,
    keys,
    clock: clock.next,
  });
  const differences = await reportViolations(instance, {
    tenants: model.tenants.prefixes(),
    entriesOf: (tenant) =>
      posted.filter(({ found }) => tenantPlaceOf(found.item) === placeOf(tenant)),
    accounts: new Map(sorted.all('account').map(({ item }) => [item.code, item])),
  });
  differences.push(...(await brokenRequestViolations(simulation, instance)));
  const isUnchanged = isDeepStrictEqual(inOrder(await scan()), inOrder(items));
  differences.push(...unless(isUnchanged, 'reports or broken requests have changed the table'));
  const step = operations.begun();
  return differences.length === 0 ? undefined : { step, operation: 'the replies', differences };
};

const run = async (
  simulation: Simulation,
  { steps, tableChecks = 100, progress = () => {} }: SimulationOptions,
): Promise<Problem | undefined> => {
  const { operations } = simulation;
  const lookEvery = Math.ceil(steps / tableChecks);
  let lookAt = lookEvery;
  const afterEach = async (): Promise<Problem | undefined> => {
    if (operations.begun() < lookAt) return undefined;
    lookAt += lookEvery;
    progress(operations.begun());
    return lookAtTable(simulation);
  };
  const isOver = (): boolean => operations.begun() >= steps;
  return (
    (await work(simulation, { isOver, afterEach })) ??
    (await bringToEnd(simulation)) ??
    (await lookAtReplies(simulation))
  );
};

export const runSimulation = async (options: SimulationOptions) => {
  const simulation = await openSimulation(options);
  const { scheduler, recordings, processClock, operations, hash, scan, close } = simulation;
  try {
    const problem = await run(simulation, options);
    const items = await scan();
    return {
      ...operations.counts,
      tableCalls: scheduler.tableCalls(),
      recordings: recordings.begun(),
      entries: items.filter(({ kind }) => kind === 'entry').length,
      tenants: items.filter(({ sk }) => sk === 'TENANT').length,
      digest: hash.digest('hex'),
      problem,
    };
  } finally {
    processClock.uninstall();
    close();
  }
};
