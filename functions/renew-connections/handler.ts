// Renews the tokens of connections that were not used for a month, before the platform ends them.
// Connections of a suspended application stay due until it is resumed; the platform may end them
// first.

import {
  openBackgroundTurns,
  type StepEnd,
  type TurnDependencies,
  type TurnLimits,
} from '#shared/background/background-turns.service.ts';
import { openPlatformAccess } from '#shared/connections/access.service.ts';
import type { Connections } from '#shared/connections/connections.store.ts';
import { connectionEnd } from '#shared/connections/disconnection.service.ts';
import { createScheduleHandler } from '#shared/endpoint/schedule.ts';
import type { TenantHistory } from '#shared/history/tenant-history.store.ts';
import { byService } from '#shared/history/tenant-history.ts';
import { PlatformFailure } from '#shared/platforms/platform.ts';
import type { Platforms } from '#shared/platforms/registry.ts';
import { dueConnectionPartition } from '#shared/table/due-keys.ts';
import type { TenantName } from '#shared/table/keys.ts';
import { tenantFields } from '#shared/tenants/domain-names.ts';
import type { TenantReader } from '#shared/tenants/tenant-links.store.ts';

export type Dependencies = TurnDependencies & {
  connections: Connections;
  tenants: Pick<TenantReader, 'find'>;
  history: Pick<TenantHistory, 'recordWith'>;
  platforms: Platforms;
  sleep: (milliseconds: number) => Promise<unknown>;
};

/** A step can wait long for a platform, so a run starts no step in its last minute. */
const limits: TurnLimits = {
  concurrency: 4,
  turnMilliseconds: 5_000,
  turnUnits: 100,
  reserveMilliseconds: 60_000,
};

type Outcome = 'renewed' | 'disconnected' | 'not_renewed' | 'not_due';

export const createHandler = (dependencies: Dependencies) => {
  const { connections, tenants, history, platforms, clock, sleep, log, metrics } = dependencies;
  const turns = openBackgroundTurns(dependencies);

  const renew = async (name: TenantName): Promise<Outcome> => {
    const tenant = await tenants.find(name);
    if (tenant === undefined || tenant.platform === 'manual') {
      throw new Error('a connection belongs to no connected tenant');
    }
    const platform = await platforms.get(tenant.platform);
    const access = await openPlatformAccess(name, { connections, platform, clock, sleep });
    if (access === undefined) return 'not_due';
    try {
      await access.renew();
      return 'renewed';
    } catch (error) {
      if (!(error instanceof PlatformFailure)) throw error;
      log.warn('the platform did not renew tokens', { ...tenantFields(name), error });
      // The next runs try again, for at least another month.
      if (error.reason !== 'credentials_refused') return 'not_renewed';
      const { version } = access.connection();
      const { reason } = error;
      const at = clock().toISOString();
      const change = { ...byService, at, ...connectionEnd(reason) };
      const isGivenUp = await connections.giveUp(name, { version, reason }, (actions) =>
        history.recordWith(name, actions, { change }),
      );
      if (!isGivenUp) return 'not_due';
      metrics.tenantDisconnected();
      return 'disconnected';
    }
  };

  return createScheduleHandler(
    async (run) => {
      const counts: Record<Outcome, number> = {
        renewed: 0,
        disconnected: 0,
        not_renewed: 0,
        not_due: 0,
      };
      const summary = await turns.run(run, {
        ...limits,
        partitions: [dueConnectionPartition],
        listAhead: connections.listAhead,
        begin: (_, name) => async (): Promise<StepEnd> => {
          const outcome = await renew(name);
          counts[outcome] += 1;
          return outcome === 'not_renewed' ? 'later' : 'done';
        },
      });
      return { ...counts, ...summary };
    },
    { log, metrics },
  );
};
