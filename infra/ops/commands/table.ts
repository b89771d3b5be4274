// The operator's commands for the table: settings, restored tables and migrations.

import { defineChange, defineQuery } from '../command.ts';
import { CommandFailure } from '../errors.ts';
import { flag, optional, required, tableName } from '../options.ts';
import type { TableSetting } from '../stage/stage-table.ts';

const rowsOf = (settings: readonly TableSetting[]) =>
  settings.map((it) => ({ ...it, in_step: it.found === it.wanted }));

export const checkTable = defineQuery({
  needs: ['stageTable'],
  options: { table: optional(tableName) },
  run: async ({ stageTable }, { table }) => {
    const current = await stageTable.check(table);
    return {
      table: current.tableName,
      stream_label: current.streamLabel,
      encryption_key: current.encryptionKey,
      settings: rowsOf(current.settings),
    };
  },
});

export const prepareTable = defineChange({
  change: { after: ['table', 'stream_label', 'switched_on'] },
  needs: ['stageTable'],
  options: { table: required(tableName) },
  run: async ({ stageTable }, { table }) => {
    const { before, after } = await stageTable.prepare(table);
    const missing = after.differing.map(({ setting }) => setting);
    if (missing.length > 0) {
      throw new CommandFailure(`${table} still lacks ${missing.join(', ')}: run this again`);
    }
    return {
      table,
      stream_label: after.streamLabel,
      switched_on: before.differing.map(({ setting }) => setting),
    };
  },
});

export const migrateTable = defineChange({
  change: {
    happens: ({ dryRun }) => !dryRun,
    before: async ({ migrations }) => ({ format: await migrations.findFormat() }),
    after: ['format', 'items_read', 'steps'],
  },
  needs: ['clock', 'migrations'],
  options: {
    dryRun: flag('only count the items'),
    again: flag('convert even if the table already has the format'),
  },
  run: async ({ migrations, clock }, { dryRun = false, again = false }) => {
    const report = await migrations.migrate({ now: clock(), isDryRun: dryRun, again });
    return {
      dry_run: dryRun,
      format_before: report.formatBefore,
      format: report.format,
      items_read: report.itemsRead,
      steps: report.steps.map(({ name, converted }) => ({ step: name, converted })),
    };
  },
});

export const commands = { check: checkTable, prepare: prepareTable, migrate: migrateTable };
