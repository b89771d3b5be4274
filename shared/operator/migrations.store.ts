// The stored format of the table: its stamp, and the migration from the previous format.

import * as z from 'zod/mini';
import { numberAccounts } from '../accounts/account-numbers.store.ts';
import { countTenants } from '../applications/quota-counts.store.ts';
import { listCancelled } from '../entries/schedule/cancellations.store.ts';
import { convertDueEntries } from '../entries/schedule/earlier-due-entries.store.ts';
import { enrolTenants } from '../sheets/carry-enrolment.store.ts';
import { updateAction } from '../table/field-updates.ts';
import { formatKey } from '../table/keys.ts';
import type { Conversion, MigrationStep } from '../table/migration-step.ts';
import type { Table } from '../table/table.ts';
import type { TableScan } from '../table/table-scan.ts';
import { listTenants } from '../tenants/tenant-lists.store.ts';
import { movePasswords } from '../users/users.store.ts';

/** The stored format of this version. It increases when the keys or fields of items change. */
export const currentFormat = 6;

/** The first format with a stamp. A table without a stamp has an earlier format, or is new. */
const firstStampedFormat = 4;

/**
 * The steps from all earlier formats to the current one. They share one scan, and items in the
 * current format need no conversion.
 */
const steps: readonly MigrationStep[] = [
  movePasswords,
  countTenants,
  convertDueEntries,
  enrolTenants,
  listTenants,
  listCancelled,
  numberAccounts,
];

/** The first version of the ledger with each format that this one can read. */
const versions: Readonly<Record<number, string>> = {
  3: '1.0.0',
  4: '1.1.0',
  5: '1.2.0',
  6: '1.3.0',
};

/** The first version with the current format. The package's version is at least this one. */
export const formatVersion = versions[currentFormat] ?? '';

/** The formats that this version can read. It migrates tables from the others to the last. */
export const readableFormats: readonly number[] = Object.keys(versions).map(Number);

/** What reads a format that this version cannot read. `written` is the version in the stamp. */
export const readerOf = (format: number, written?: string): string => {
  const known = `reads the formats ${readableFormats.join(', ')}`;
  if (format <= currentFormat) return `${known}: no version reads this one`;
  return `${known}: use ${written ? `version ${written}` : `a version after ${formatVersion}`}`;
};

/** This version cannot read the table's format. */
export class FormatNotReadable extends Error {
  constructor({ format, version }: Stamp) {
    super(
      `the table has stored format ${format}, and this version of the ledger ` +
        readerOf(format, version),
    );
  }
}

/** Other writes prevented conversions in every pass. Finished conversions stay. */
export class MigrationDisturbed extends Error {}

/** `version` is missing in stamps of version 1.1.0. */
const Stamp = z.object({ format: z.int(), version: z.optional(z.string()) });
type Stamp = z.infer<typeof Stamp>;

/** Low, because the service runs during a migration. */
const maximumConcurrency = 8;

/** Each pass repeats the conversions that other writes prevented. */
const maximumPasses = 10;

type MigrationReport = {
  formatBefore: number;
  format: number;
  itemsRead: number;
  steps: { name: string; converted: number }[];
};

/** A conversion, and the index of its step. */
type StepConversion = { step: number; conversion: Conversion };

export const openMigrations = (
  table: Pick<Table, 'get' | 'transact'>,
  { scan, steps: ofMigration = steps }: { scan: Pick<TableScan, 'pages'>; steps?: typeof steps },
) => {
  const findStamp = async (): Promise<Stamp> => {
    const item = await table.get(formatKey);
    return item ? Stamp.parse(item) : { format: firstStampedFormat - 1 };
  };

  /** @throws FormatNotReadable */
  const assertReadable = async (): Promise<number> => {
    const found = await findStamp();
    if (!readableFormats.includes(found.format)) throw new FormatNotReadable(found);
    return found.format;
  };

  /** Stamps the table, unless it has the stamp of a later version. */
  const stamp = async (now: Date): Promise<void> => {
    const { committed } = await table.transact([
      updateAction(formatKey, {
        set: { format: currentFormat, version: formatVersion, stampedAt: now.toISOString() },
        condition: 'attribute_not_exists(#format) OR #format <= :format',
      }),
    ]);
    if (!committed) throw new FormatNotReadable(await findStamp());
  };

  /** Yields the conversions of one pass over the table, page by page. */
  async function* conversionsOfPass(): AsyncGenerator<{
    itemsRead: number;
    conversions: StepConversion[];
  }> {
    const started = ofMigration.map((step) => step.start());
    for await (const page of scan.pages()) {
      const conversions = page.flatMap((item) =>
        started
          .map(({ convert }, step) => ({ step, conversion: convert(item) }))
          .filter(({ conversion }) => conversion.length > 0),
      );
      yield { itemsRead: page.length, conversions };
    }
    const last = started.flatMap(({ finish }, step) =>
      (finish?.() ?? []).map((conversion) => ({ step, conversion })),
    );
    // One at a time, because a step's conversions can depend on its earlier ones.
    for (const conversion of last) yield { itemsRead: 0, conversions: [conversion] };
  }

  /** Writes conversions, several at a time. Returns the steps of the committed conversions. */
  const convertAll = async (conversions: readonly StepConversion[]): Promise<number[]> => {
    const committed: number[] = [];
    const remaining = conversions.values();
    const work = async (): Promise<void> => {
      for (const { step, conversion } of remaining) {
        if ((await table.transact(conversion)).committed) committed.push(step);
      }
    };
    await Promise.all(Array.from({ length: maximumConcurrency }, work));
    return committed;
  };

  /** One pass over the table. Returns the number of conversions that other writes prevented. */
  const runPass = async (report: MigrationReport, isDryRun: boolean): Promise<number> => {
    let disturbed = 0;
    report.itemsRead = 0;
    for await (const { itemsRead, conversions } of conversionsOfPass()) {
      const converted = isDryRun
        ? conversions.map(({ step }) => step)
        : await convertAll(conversions);
      for (const [index, step] of report.steps.entries()) {
        step.converted += converted.filter((it) => it === index).length;
      }
      report.itemsRead += itemsRead;
      disturbed += conversions.length - converted.length;
    }
    return disturbed;
  };

  const runPasses = async (report: MigrationReport, isDryRun: boolean): Promise<void> => {
    for (let pass = 1; ; pass += 1) {
      const disturbed = await runPass(report, isDryRun);
      if (disturbed === 0) return;
      if (pass < maximumPasses) continue;
      throw new MigrationDisturbed(
        `${disturbed} items changed during their conversion in the last of ${pass} passes: run ` +
          'the migration again when there are fewer writes',
      );
    }
  };

  return {
    findFormat: async (): Promise<number> => (await findStamp()).format,

    assertReadable,

    /**
     * Migrates a table of the previous format and stamps it. Does nothing to a table with the
     * current stamp. It can be killed and run again, and two migrations can run at the same time.
     *
     * @param options.isDryRun only counts the conversions
     * @param options.again migrates a table with the current stamp too, because a rollback to the
     *   previous version has written items in the previous format
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
      const formatBefore = await assertReadable();
      const report = {
        formatBefore,
        format: formatBefore,
        itemsRead: 0,
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
