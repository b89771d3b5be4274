// Clients that post entries, create users and tenants and connect a company, all at once, until
// they are told to stop.

import { setTimeout as pause } from 'node:timers/promises';
import { laterDate } from '../support/builders/far-dates.ts';
import type { Random } from '../support/builders/random.ts';
import {
  batchNamed,
  cancellationOf,
  connectionOf,
  entryNamed,
  lockOn,
  type Operation,
  reversalOf,
  tenantNamed,
  userNamed,
} from './operations.ts';
import { companies, type RestartableService } from './restartable-service.ts';

const clientCount = 6;

/** Everything that is scheduled here is due by then. */
export const lastAccrualDate = laterDate('12-31');

const dates = ['2026-03-23', '2026-03-23', '2026-03-23', '2026-03-20', '2026-02-27'];
/** Each has its own sheet. The last ones are scheduled, with many entries on a date. */
const accrualDates = ['2026-01-31', '2026-03-23', laterDate('03-15'), laterDate('06-15')];
const lineCounts = [2, 2, 2, 3, 120];

const isScheduled = ({ body }: Operation): boolean =>
  String(body.accrual_date) > laterDate('01-01');

/** Cancels or reverses an entry without a correction, if there is one. */
const correctionOf = (operations: readonly Operation[], random: Random): Operation | undefined => {
  const corrected = new Set(
    operations.flatMap(({ kind, name, body }) =>
      kind === 'cancellation' ? [name] : kind === 'reversal' ? [body.original_external_id] : [],
    ),
  );
  const candidates = operations.filter(
    ({ kind, isIdempotent, acknowledged, name, body }) =>
      kind === 'entry' &&
      isIdempotent &&
      acknowledged !== undefined &&
      !corrected.has(name) &&
      !corrected.has(body.external_id),
  );
  if (candidates.length === 0) return undefined;
  const entry = random.pick(candidates);
  return isScheduled(entry)
    ? cancellationOf(entry)
    : reversalOf(`number ${operations.length}`, entry);
};

/** A different date for each lock, before all entries. */
const lockDateOf = (number: number): string =>
  new Date(Date.UTC(1990, 0, 1 + number)).toISOString().slice(0, 10);

/** The next request of a client, with a unique name. */
const nextOperation = ({ operations, ownerId }: RestartableService, random: Random): Operation => {
  const name = `number ${operations.length}`;
  const chance = random.below(100);
  if (chance < 4) return userNamed(`user-${operations.length}@example.com`);
  if (chance < 9) return tenantNamed(`Company ${name}`, ownerId);
  const books = operations.filter((it) => it.kind === 'tenant' && it.acknowledged !== undefined);
  const schemaName = random.pick(random.once(3) ? books : books.slice(0, 1)).acknowledged ?? '';
  const domainUrl = schemaName.replaceAll('_', '-');
  if (chance < 12) return lockOn(lockDateOf(operations.length), domainUrl);
  const correction = chance < 30 ? correctionOf(operations, random) : undefined;
  if (correction) return correction;
  return (chance < 45 ? batchNamed : entryNamed)(name, {
    domainUrl,
    date: random.pick(dates),
    lineCount: random.pick(lineCounts),
    currency: random.pick(['EUR', 'USD', 'JPY']) === 'EUR' ? 'EUR' : 'USD',
    accrualDate: random.once(3) ? random.pick(accrualDates) : undefined,
    externalId: random.once(4) ? undefined : `external ${name}`,
  });
};

/** Starts the clients. `stop` resolves when all clients have ended. */
export const startClients = async (
  target: RestartableService,
  { random, round }: { random: Random; round: number },
) => {
  let stopped = false;
  const company = companies[round % companies.length];
  if (company === undefined) throw new Error('there is no company to connect');
  const granted = { ...company, grant: await target.grantOf(company) };
  const connection = connectionOf(granted, { userId: target.ownerId, round });

  const client = async (source: Random): Promise<void> => {
    while (!stopped) {
      const answered = await target.attempt(target.add(nextOperation(target, source)));
      if (!answered) await pause(5);
    }
  };
  /** Posts the scheduled entries once per round, at a random moment. */
  const clock = async (afterMilliseconds: number): Promise<void> => {
    await pause(afterMilliseconds);
    const time = `${lastAccrualDate}T00:05:00Z`;
    if (!stopped) await target.runSchedule('post-scheduled-entries', time).catch(() => {});
  };

  const all = Promise.all([
    target.attempt(target.add(connection)),
    clock(random.below(1_000)),
    ...Array.from({ length: clientCount }, () => client(random.branch())),
  ]);
  return {
    stop: async (): Promise<void> => {
      stopped = true;
      await all;
    },
  };
};
