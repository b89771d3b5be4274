// Renews the tokens of connections that nobody has used for a month, before the platform ends them.
// Those of a suspended application stay due until it is resumed; a platform may end them by then.

import type { Log } from '#shared/log.ts';
import type { Metrics } from '#shared/metrics.ts';
import { openPlatformAccess } from '#shared/platforms/access.ts';
import { PlatformFailure } from '#shared/platforms/platform.ts';
import type { Platforms } from '#shared/platforms/registry.ts';
import { type Applications, openSuspensions } from '#shared/store/applications.ts';
import type { Connections } from '#shared/store/connections.ts';
import type { TenantName } from '#shared/store/keys.ts';
import type { TenantReader } from '#shared/store/tenants.ts';
import { createScheduleHandler } from '#shared/triggers/schedule.ts';

export type Dependencies = {
  applications: Pick<Applications, 'find'>;
  connections: Connections;
  tenants: Pick<TenantReader, 'find'>;
  platforms: Platforms;
  clock: () => Date;
  sleep: (milliseconds: number) => Promise<unknown>;
  log: Log;
  metrics: Metrics;
};

/** A run stops this long before its end; what is left is due in the next run as well. */
const reserveMilliseconds = 60_000;

type Outcome = 'renewed' | 'disconnected' | 'not_renewed' | 'not_due' | 'suspended';

const nothingDone: Record<Outcome | 'failed', number> = {
  renewed: 0,
  disconnected: 0,
  not_renewed: 0,
  not_due: 0,
  suspended: 0,
  failed: 0,
};

export const createHandler = (dependencies: Dependencies) => {
  const { applications, connections, tenants, platforms, clock, sleep, log, metrics } =
    dependencies;

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
      const { applicationId: application_id, schemaName: schema_name } = name;
      log.warn('the platform did not renew tokens', { application_id, schema_name, error });
      // What may pass is due in the next run as well, for another month at least.
      if (error.reason !== 'credentials_refused') return 'not_renewed';
      const { version } = access.connection();
      const givenUp = await connections.giveUp(name, { version, reason: error.reason });
      if (!givenUp) return 'not_due';
      metrics.tenantDisconnected();
      return 'disconnected';
    }
  };

  return createScheduleHandler(
    async ({ scheduledFor, remainingMilliseconds }) => {
      const isSuspended = openSuspensions(applications);
      const summary = { ...nothingDone };
      for await (const name of connections.listDue(scheduledFor)) {
        if (remainingMilliseconds() < reserveMilliseconds) break;
        try {
          summary[(await isSuspended(name.applicationId)) ? 'suspended' : await renew(name)] += 1;
        } catch (error) {
          // One connection that cannot be opened must not hold up the others.
          summary.failed += 1;
          const { applicationId: application_id, schemaName: schema_name } = name;
          log.error('tokens not renewed', { application_id, schema_name, error });
        }
      }
      if (summary.failed > 0) throw new Error(`tokens of ${summary.failed} tenants not renewed`);
      return summary;
    },
    { log, metrics },
  );
};
