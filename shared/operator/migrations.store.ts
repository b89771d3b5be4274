// The stored format: what the table is stamped with, and how a table of the earlier format is
// brought to this one.

import * as z from 'zod/mini';
import { countTenants } from '../applications/quota-counts.store.ts';
import { convertDueEntries } from '../entries/schedule/earlier-due-entries.store.ts';
import { formatKey } from '../table/keys.ts';
import type { Conversion, MigrationStep } from '../table/migration-step.ts';
import type { Table } from '../table/table.ts';
import type { TableScan } from '../table/table-scan.ts';
import { movePasswords } from '../users/users.store.ts';

/**
 * The format in which this version stores its data. It goes up when stored items get another place
 * or form.
 */
export const currentFormat = 4;

/** The first format that has a stamp. A table without one has the format before it, or is new. */
const firstStampedFormat = 4;

/** Brings the table from the earlier format to the current one. All steps share one scan. */
const steps: readonly MigrationStep[] = [movePasswords, countTenants, convertDueEntries];

/** The formats that this version reads: it migrates the earlier one. */
export const readableFormats: readonly number[] = [currentFormat - 1, currentFormat];

/** The table has data of another version, which this one cannot use. */
export class FormatNotReadable extends Error {
  constructor(format: number) {
    super(
      `the table has stored format ${format}, and this version of the ledger reads ` +
        readableFormats.join(' and '),
    );
  }
}

/** A migration that changes of others disturbed until it gave up. What it converted stays. */
export class MigrationDisturbed extends Error {}

const Stamp = z.object({ format: z.int() });

/** How many conversions are under way at once: few, since the service runs beside them. */
const concurrency = 8;

/** A pass in which changes of others got in the way is followed by another, up to this many. */
const maximumPasses = 10;

export type MigrationReport = {
  formatBefore: number;
  format: number;
  itemsRead: number;
  steps: { name: string; converted: number }[];
};

/** One conversion that a pass wants, by the place of its step. */
type Wanted = { step: number; conversion: Conversion };

export type Migrations = ReturnType<typeof openMigrations>;

export const openMigrations = (
  table: Pick<Table, 'get' | 'transact'>,
  { scan, steps: ofMigration = steps }: { scan: Pick<TableScan, 'pages'>; steps?: typeof steps },
) => {
  const findFormat = async (): Promise<number> => {
    const item = await table.get(formatKey);
    return item ? Stamp.parse(item).format : firstStampedFormat - 1;
  };

  /** Stamps the table, unless a later version has done so. */
  const stamp = async (now: Date): Promise<void> => {
    const { committed } = await table.transact([
      {
        update: formatKey,
        expression: 'SET #format = :format, stampedAt = :now',
        condition: 'attribute_not_exists(#format) OR #format <= :format',
        names: { '#format': 'format' },
        values: { ':format': currentFormat, ':now': now.toISOString() },
      },
    ]);
    if (!committed) throw new FormatNotReadable(await findFormat());
  };

  /** Yields the conversions that one pass over the table asks for, page by page. */
  async function* conversionsOfPass(): AsyncGenerator<{ itemsRead: number; wanted: Wanted[] }> {
    const started = ofMigration.map((step) => step.start());
    for await (const page of scan.pages()) {
      const wanted = page.flatMap((item) =>
        started
          .map(({ convert }, step) => ({ step, conversion: convert(item) }))
          .filter(({ conversion }) => conversion.length > 0),
      );
      yield { itemsRead: page.length, wanted };
    }
    const last = started.flatMap(({ finish }, step) =>
      (finish?.() ?? []).map((conversion) => ({ step, conversion })),
    );
    yield { itemsRead: 0, wanted: last };
  }

  /** Carries conversions out, a few at once. Returns the steps of those that took place. */
  const carryOut = async (wanted: readonly Wanted[]): Promise<number[]> => {
    const done: number[] = [];
    const open = wanted.values();
    const work = async (): Promise<void> => {
      for (const { step, conversion } of open) {
        if ((await table.transact(conversion)).committed) done.push(step);
      }
    };
    await Promise.all(Array.from({ length: concurrency }, work));
    return done;
  };

  /** One pass over the table. Returns how many conversions changes of others kept from it. */
  const runPass = async (report: MigrationReport, isDryRun: boolean): Promise<number> => {
    let disturbed = 0;
    report.itemsRead = 0;
    for await (const { itemsRead, wanted } of conversionsOfPass()) {
      const done = isDryRun ? wanted.map(({ step }) => step) : await carryOut(wanted);
      for (const [place, step] of report.steps.entries()) {
        step.converted += done.filter((it) => it === place).length;
      }
      report.itemsRead += itemsRead;
      disturbed += wanted.length - done.length;
    }
    return disturbed;
  };

  const runPasses = async (report: MigrationReport, isDryRun: boolean): Promise<void> => {
    for (let pass = 1; ; pass += 1) {
      const disturbed = await runPass(report, isDryRun);
      if (disturbed === 0) return;
      if (pass < maximumPasses) continue;
      throw new MigrationDisturbed(
        `${disturbed} items changed while they were converted, and ${pass} passes were made: run ` +
          'the migration again when less is written',
      );
    }
  };

  return {
    findFormat,

    /**
     * Migrates a table of the earlier format and stamps it; a table that has its stamp is left
     * alone. It may be killed at any moment and run again, and two may run at once.
     *
     * @param options.isDryRun whether only to count what would be converted
     * @param options.again whether to convert what a table has that was stamped before: an earlier
     *   version that was brought back for a time writes the earlier format
     * @throws FormatNotReadable, MigrationDisturbed
     */
    migrate: async ({
      now,
      isDryRun = false,
      again = false,
    }: {
      now: Date;
      isDryRun?: boolean;
      again?: boolean;
    }): Promise<MigrationReport> => {
      const formatBefore = await findFormat();
      if (!readableFormats.includes(formatBefore)) throw new FormatNotReadable(formatBefore);
      const report = {
        ...{ formatBefore, format: formatBefore, itemsRead: 0 },
        steps: ofMigration.map(({ name }) => ({ name, converted: 0 })),
      };
      if (formatBefore === currentFormat && !again) return report;
      await runPasses(report, isDryRun);
      if (isDryRun) return report;
      await stamp(now);
      return { ...report, format: currentFormat };
    },
  };
};
