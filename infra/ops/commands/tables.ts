// The operator's commands for the table itself, most of all for one that was restored.

import * as z from 'zod/mini';
import { defineChange, defineQuery } from '../command.ts';
import { CommandFailure } from '../errors.ts';
import { tableName } from '../options.ts';
import type { TableSetting } from '../stage-table.ts';

const rowsOf = (settings: readonly TableSetting[]) =>
  settings.map((it) => ({ ...it, in_step: it.found === it.wanted }));

export const checkTable = defineQuery({
  usage: '[--table NAME]',
  purpose: "Show how the stage's table, or another, has the settings that the stage needs",
  note:
    'A restored table comes without its stream, time to live, point-in-time recovery, tags and ' +
    'protection, and maybe without its maximum throughput: table prepare gives it them.',
  options: z.strictObject({ table: z.optional(tableName) }),
  run: async ({ stageTable }, { table }) => {
    const found = await stageTable.check(table);
    return {
      table: found.tableName,
      stream_label: found.streamLabel,
      encryption_key: found.encryptionKey,
      settings: rowsOf(found.settings),
    };
  },
});

export const prepareTable = defineChange({
  usage: '--table NAME',
  purpose: 'Give a restored table the settings that a restore leaves out, before it serves',
  note:
    'Put name and stream label into the row of the stage in infra/stages.ts, as restoredTable, ' +
    'and deploy: the runbook has the whole drill in restore-the-table.',
  change: { after: ['table', 'stream_label', 'switched_on'] },
  options: z.strictObject({ table: tableName }),
  run: async ({ stageTable }, { table }) => {
    const { before, after } = await stageTable.prepare(table);
    const left = after.differing.map(({ setting }) => setting);
    if (left.length > 0) {
      throw new CommandFailure(`${table} still lacks ${left.join(', ')}: run this again`);
    }
    return {
      table,
      stream_label: after.streamLabel,
      switched_on: before.differing.map(({ setting }) => setting),
      restored_table: `restoredTable: { name: '${table}', streamLabel: '${after.streamLabel}' },`,
    };
  },
});

export const migrateTable = defineChange({
  usage: '[--dry-run] [--again]',
  purpose: "Bring the table's items to the format in which this version stores them",
  note:
    'npm run deploy and npm start do this by themselves. It can be stopped at any moment and run ' +
    'again, while the service runs; it reads every item of the table. --dry-run only counts. ' +
    '--again converts what an earlier version wrote that was brought back for a time.',
  change: {
    happens: ({ dryRun }) => !dryRun,
    before: async ({ migrations }) => ({ format: await migrations.findFormat() }),
    after: ['format', 'items_read', 'steps'],
  },
  options: z.strictObject({
    dryRun: z._default(z.boolean(), false),
    again: z._default(z.boolean(), false),
  }),
  run: async ({ migrations, clock }, { dryRun, again }) => {
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
