// The operator's commands for background work that is stuck.

import type { StuckItem } from '#shared/background/due-index.store.ts';
import {
  dueCarryPartition,
  dueConnectionPartition,
  dueDatePartitions,
  dueFeedPartition,
  dueImportPartition,
  dueVerificationPartition,
} from '#shared/table/due-keys.ts';
import { eventSourceOf } from '#shared/table/event-keys.ts';
import { dateOfPlace, tenantNameOf } from '#shared/table/keys.ts';
import { type Dependencies, defineChange, defineQuery, type Readers } from '../command.ts';
import { applicationName, flag, optional, tenantPrefix, type Values } from '../options.ts';
import { getTenant, isTenantOrAll } from './tenants.ts';

/** Partitions of the due index by kind of background work. */
const kinds = {
  scheduled_entries: dueDatePartitions,
  import: [dueImportPartition],
  connection: [dueConnectionPartition],
  totals: [dueCarryPartition],
  verification: [dueVerificationPartition],
  events: [dueFeedPartition],
} as const;
type Kind = keyof typeof kinds;

type StuckWork = StuckItem & { kind: Kind };

const listStuck = async ({ dueWork, clock }: Pick<Readers, 'dueWork' | 'clock'>) => {
  const now = clock();
  const names = Object.keys(kinds) as Kind[];
  const lists = await Promise.all(
    names.map(async (kind) =>
      (await dueWork.listStuck(kinds[kind], now)).map((it): StuckWork => ({ ...it, kind })),
    ),
  );
  return lists.flat();
};

const rowOf = ({ kind, item, stuck, nextAttemptAt }: StuckWork) => {
  const name = tenantNameOf(item);
  return {
    work: kind,
    application_id: eventSourceOf(item)?.applicationId ?? null,
    schema_name: name?.schemaName ?? null,
    date: kind === 'scheduled_entries' ? dateOfPlace(item) : null,
    ...stuck,
    next_attempt_at: nextAttemptAt,
  };
};

export const listBackground = defineQuery({
  needs: ['dueWork', 'clock'],
  options: {},
  run: async (dependencies) => ({ stuck: (await listStuck(dependencies)).map(rowOf) }),
});

const retryOptions = {
  tenant: optional(tenantPrefix),
  application: optional(applicationName),
  all: flag('the stuck work of all tenants'),
};

/** The stuck work of one tenant, or of all. */
const listToRetry = async (
  dependencies: Pick<Dependencies, 'applications' | 'clock' | 'dueWork' | 'tenants'>,
  { tenant = '', application = '', all }: Values<typeof retryOptions>,
): Promise<StuckWork[]> => {
  const stuck = await listStuck(dependencies);
  if (all) return stuck;
  const { name } = await getTenant(dependencies, { tenant, application });
  return stuck.filter(({ item }) => {
    const owner = tenantNameOf(item);
    return owner?.applicationId === name.applicationId && owner.schemaName === name.schemaName;
  });
};

export const retryBackground = defineChange({
  change: { after: ['retried'] },
  needs: ['applications', 'clock', 'dueWork', 'tenants'],
  options: retryOptions,
  ruleBrokenBy: ({ tenant, application, all }) =>
    isTenantOrAll({ tenant, application, all })
      ? undefined
      : 'pass --tenant and --application, or --all',
  run: async (dependencies, options) => {
    const { dueWork, clock } = dependencies;
    const retried: StuckWork[] = [];
    for (const work of await listToRetry(dependencies, options)) {
      if (await dueWork.retry(work.item, clock())) retried.push(work);
    }
    return { retried: retried.map(rowOf) };
  },
});

export const commands = { list: listBackground, retry: retryBackground };
