// Imports a connected company's chart of accounts.

import type { Log } from '#shared/log.ts';
import type { Metrics } from '#shared/metrics.ts';
import { PlatformFailure, type PlatformFailureReason } from '#shared/platforms/platform.ts';
import type { Platforms } from '#shared/platforms/registry.ts';
import type { Connections } from '#shared/store/connections.ts';
import { Import, type Imports } from '#shared/store/imports.ts';
import type { TenantName } from '#shared/store/keys.ts';
import type { TenantReader } from '#shared/store/tenants.ts';
import { createStreamHandler } from '#shared/triggers/stream.ts';
import { openAccess } from './access.ts';
import { type Patience, patiently } from './patience.ts';

export type Dependencies = {
  imports: Imports;
  connections: Connections;
  tenants: Pick<TenantReader, 'find'>;
  platforms: Platforms;
  clock: () => Date;
  sleep: Patience['sleep'];
  log: Log;
  metrics: Metrics;
};

const statusAfter = (
  reason: PlatformFailureReason | null,
): 'active' | 'import_failed' | 'disconnected' => {
  if (reason === null) return 'active';
  return reason === 'credentials_refused' ? 'disconnected' : 'import_failed';
};

export const createHandler = (dependencies: Dependencies) => {
  const { imports, connections, tenants, platforms, clock, sleep, log, metrics } = dependencies;

  /** Records page after page, and adds the codes of their accounts to `codes`. */
  const importAccounts = async (
    name: TenantName,
    { codes, patience }: { codes: Set<string>; patience: Patience },
  ): Promise<void> => {
    const tenant = await tenants.find(name);
    if (tenant === undefined || tenant.platform === 'manual') {
      throw new Error('an import was asked for without a connected tenant');
    }
    const platform = await platforms.get(tenant.platform);
    const { companyId, use } = await openAccess(name, { connections, platform, clock, sleep });
    let from: string | undefined;
    do {
      const page = await patiently(
        () => use((accessToken) => platform.accountPage(accessToken, { companyId, from })),
        patience,
      );
      await imports.recordAccounts(name, page.accounts);
      metrics.importPageRead();
      for (const { code } of page.accounts) codes.add(code);
      from = page.next;
    } while (from !== undefined);
  };

  /** The reason of a platform's failure, which ends an import too; anything else is thrown. */
  const reasonOf = (error: unknown, about: Record<string, string>): PlatformFailureReason => {
    if (!(error instanceof PlatformFailure)) throw error;
    log.warn('the platform failed', { ...about, error });
    return error.reason;
  };

  return createStreamHandler(
    async ({ item, remainingMilliseconds }) => {
      const { applicationId, schemaName, importId } = Import.parse(item);
      const name = { applicationId, schemaName };
      const about = { application_id: applicationId, schema_name: schemaName, import_id: importId };
      // The stream delivers at least once, and a later import may have taken this one's place.
      const current = await imports.find(name);
      if (current?.importId !== importId || current.status !== 'requested') {
        return { ...about, outcome: 'nothing_to_do' };
      }
      const codes = new Set<string>();
      const reason = await importAccounts(name, {
        codes,
        patience: { sleep, remainingMilliseconds },
      }).then(
        () => null,
        (error: unknown) => reasonOf(error, about),
      );
      const tenantStatus = statusAfter(reason);
      const finished = await imports.finish(name, {
        importId,
        finishedAt: clock().toISOString(),
        accountsImported: codes.size,
        reason,
        tenantStatus,
      });
      if (finished && reason !== null) metrics.importFailed();
      const outcome = finished ? (reason ?? 'success') : 'superseded';
      return { ...about, outcome, accounts_imported: codes.size };
    },
    { log, metrics },
  );
};
