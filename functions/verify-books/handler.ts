// Verifies the books of each tenant once a week: it recomputes sheets, totals, hashes, guards and
// the history, and compares. A killed run continues where it was.

import {
  openBackgroundTurns,
  type Step,
  type TurnDependencies,
  type TurnLimits,
} from '#shared/background/background-turns.service.ts';
import { createScheduleHandler } from '#shared/endpoint/schedule.ts';
import type { RecordedBooks } from '#shared/operator/recorded-books.store.ts';
import type { RecordedTotalsStore } from '#shared/operator/recorded-totals.store.ts';
import { dueVerificationPartition } from '#shared/table/due-keys.ts';
import type { TenantName } from '#shared/table/keys.ts';
import type { Progress, Verifications } from '#shared/verification/verifications.store.ts';
import {
  openTenantVerification,
  type TenantVerification,
} from '#shared/verification/verify-tenant.service.ts';

export type Dependencies = TurnDependencies & {
  verifications: Verifications;
  books: RecordedBooks;
  recordedTotals: () => Promise<RecordedTotalsStore>;
  sleep: (milliseconds: number) => Promise<unknown>;
};

/** Few at the same time: the requests of applications come first. */
const limits: TurnLimits = {
  concurrency: 2,
  turnMilliseconds: 10_000,
  turnUnits: 4_000,
  reserveMilliseconds: 60_000,
};

/** A step begins no sheet after this time. */
const sheetsMilliseconds = 5_000;

/** A log line names at most this many differences. `ops books verify` lists all. */
const maximumLogged = 20;

export const createHandler = (dependencies: Dependencies) => {
  const { verifications, books, recordedTotals, sleep, clock, log, metrics } = dependencies;
  const turns = openBackgroundTurns(dependencies);

  const verify = (name: TenantName, count: { verified: number; differences: number }): Step => {
    let opened: { progress: Progress; verification: TenantVerification } | undefined;
    const open = async () => ({
      progress: await verifications.read(name),
      verification: await openTenantVerification(name, {
        books,
        recordedTotals,
        sleep,
        repair: false,
      }),
    });
    const advance = async ({ progress, verification }: NonNullable<typeof opened>) => {
      if (progress.check > 0) {
        await verification.checks[progress.check - 1]?.();
        return { ...progress, check: progress.check + 1 };
      }
      const endsAt = performance.now() + sheetsMilliseconds;
      const isStopped = () => performance.now() >= endsAt;
      // One after another: requests come first.
      const options = { from: progress.next, concurrency: 1, isStopped };
      const next = await verification.verifySheets(options);
      return { ...progress, next, check: next === undefined ? 1 : 0 };
    };
    return async () => {
      opened ??= await open();
      const { verification } = opened;
      const advanced = await advance(opened).catch((error: unknown) => {
        // The next attempt begins anew. What this one still counts is lost with it.
        opened = undefined;
        throw error;
      });
      const { entries, differences } = verification.take();
      if (differences.length > 0) {
        metrics.booksDiffer();
        const { applicationId: application_id, schemaName: schema_name } = name;
        const first = differences.slice(0, maximumLogged);
        log.error('books differ', { application_id, schema_name, differences: first });
      }
      const progress = {
        ...advanced,
        entries: advanced.entries + entries,
        differences: advanced.differences + differences.length,
      };
      opened.progress = progress;
      if (progress.check <= verification.checks.length) {
        await verifications.save(name, progress);
        return 'more';
      }
      await verifications.end(name, progress, clock());
      count.verified += 1;
      count.differences += progress.differences;
      return 'done';
    };
  };

  return createScheduleHandler(
    async (run) => {
      const count = { verified: 0, differences: 0 };
      const summary = await turns.run(run, {
        ...limits,
        partitions: [dueVerificationPartition],
        begin: (_, name) => verify(name, count),
      });
      return { ...count, ...summary };
    },
    { log, metrics },
  );
};
