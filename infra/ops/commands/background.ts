// The operator's commands for background work that is stuck.

import * as z from 'zod/mini';
import type { StuckItem } from '#shared/store/due-index.ts';
import {
  dueConnectionPartition,
  dueDatePartitions,
  dueImportPartition,
} from '#shared/store/due-keys.ts';
import { dateOfPlace, tenantNameOf } from '#shared/store/keys.ts';
import { type Dependencies, defineChange, defineQuery, type Readers } from '../command.ts';
import { applicationName, tenantPrefix } from '../options.ts';
import { getTenant, tenantUsage } from './tenants.ts';

/** The kinds of background work, with the partitions of the due index that list them. */
const kinds = {
  scheduled_entries: dueDatePartitions,
  import: [dueImportPartition],
  connection: [dueConnectionPartition],
} as const;
type Kind = keyof typeof kinds;

type Stuck = StuckItem & { kind: Kind };

const listStuck = async ({ dueWork, clock }: Pick<Readers, 'dueWork' | 'clock'>) => {
  const now = clock();
  const names = Object.keys(kinds) as Kind[];
  const lists = await Promise.all(
    names.map(async (kind) =>
      (await dueWork.listStuck(kinds[kind], now)).map((it): Stuck => ({ ...it, kind })),
    ),
  );
  return lists.flat();
};

const rowOf = ({ kind, item, stuck, nextAttemptAt }: Stuck) => {
  const name = tenantNameOf(item);
  return {
    work: kind,
    application_id: name?.applicationId ?? null,
    schema_name: name?.schemaName ?? null,
    date: kind === 'scheduled_entries' ? dateOfPlace(item) : null,
    ...stuck,
    next_attempt_at: nextAttemptAt,
  };
};

export const listBackground = defineQuery({
  usage: '',
  purpose: 'List the background work that is stuck, of all kinds and applications',
  note:
    'Work is stuck if it failed for a reason of its own. It is tried again by itself, after five ' +
    'minutes and then after longer pauses, up to a day; nobody else waits for it. The runbook ' +
    'explains the reasons under background-work-stuck.',
  options: z.strictObject({}),
  run: async (dependencies) => ({ stuck: (await listStuck(dependencies)).map(rowOf) }),
});

const RetryOptions = z
  .strictObject({
    tenant: z.optional(tenantPrefix),
    application: z.optional(applicationName),
    all: z._default(z.boolean(), false),
  })
  .check(
    z.refine(
      ({ tenant, application, all }) =>
        all
          ? tenant === undefined && application === undefined
          : tenant !== undefined && application !== undefined,
      'give --tenant and --application, or --all',
    ),
  );

/** The stuck work that is to be retried: that of one tenant, or all. */
const listToRetry = async (
  dependencies: Dependencies,
  { tenant = '', application = '', all }: z.output<typeof RetryOptions>,
): Promise<Stuck[]> => {
  const stuck = await listStuck(dependencies);
  if (all) return stuck;
  const { name } = await getTenant(dependencies, { tenant, application });
  return stuck.filter(({ item }) => {
    const owner = tenantNameOf(item);
    return owner?.applicationId === name.applicationId && owner.schemaName === name.schemaName;
  });
};

export const retryBackground = defineChange({
  usage: `(${tenantUsage} | --all)`,
  purpose: 'Let stuck background work be tried again in the next run, as if it had never failed',
  note:
    'The next run comes within 15 minutes for scheduled entries, 2 for imports and 10 for ' +
    'connections. Work that fails again is stuck again, and the alarm rings again.',
  change: { after: ['retried'] },
  options: RetryOptions,
  run: async (dependencies, options) => {
    const { dueWork, clock } = dependencies;
    const retried: Stuck[] = [];
    for (const found of await listToRetry(dependencies, options)) {
      if (await dueWork.retry(found.item, clock())) retried.push(found);
    }
    return { retried: retried.map(rowOf) };
  },
});
