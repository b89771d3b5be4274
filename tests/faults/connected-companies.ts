// Companies that are connected to a platform in memory, and the functions that work on them: the
// platform and its clock restart for each case, and issue the same tokens in the same order.

import type { ScheduledEvent } from 'aws-lambda';
import { expect } from 'vitest';
import { openConnections } from '#shared/connections/connections.store.ts';
import { withExpiry } from '#shared/platforms/platform.ts';
import type { Slot } from '#shared/platforms/slots.ts';
import { openSealing } from '#shared/sealing.ts';
import { connectionKey, type TenantName } from '#shared/table/keys.ts';
import type { Table } from '#shared/table/table.ts';
import { openTenants } from '#shared/tenants/tenants.store.ts';
import { testQuotas } from '../support/builders/quotas.ts';
import { fixedSecret } from '../support/builders/secrets.ts';
import { ledgerTime, type SmallLedger } from '../support/builders/small-ledger.ts';
import { connectionOf, newSuffix, tenantOf } from '../support/builders/tenants.ts';
import type { Fault } from '../support/dynamodb/table-faults.ts';
import { lambdaContext } from '../support/events/lambda-events.ts';
import {
  type BackgroundFunctions,
  openBackgroundFunctions,
} from '../support/harnesses/instances.ts';
import { acme, openFakePlatform } from '../support/servers/fake-platform.ts';

export type Books = Omit<NonNullable<Parameters<typeof openFakePlatform>[0]>, 'clock'>;

/** Long pauses, since a run that polls a lease would poll it too often. */
const minimumBackoffMilliseconds = 10_000;
/** Refresh tokens that were replaced are dead by then. */
const graceAndMore = 31 * 60_000;

/**
 * The SDK treats these like a lost connection, which other files cover. To include them:
 * EVERY_FAULT=1 vitest run --project proof tests/faults
 */
export const leaveOut: readonly Fault[] = process.env.EVERY_FAULT
  ? []
  : ['server error before', 'server error after'];

export const importId = 'first';

export const openCompanies = (ledger: SmallLedger, books: Books = {}) => {
  const sealing = openSealing(fixedSecret(ledger.keys));
  const startedAt = Date.parse(ledgerTime);
  const world = { now: startedAt, fake: openFakePlatform() };
  const clock = () => new Date(world.now);

  /** The functions on this table. `remaining` is the time left for a run. */
  const functionsOn = (table: Table, remaining = () => 300_000): BackgroundFunctions =>
    openBackgroundFunctions({
      table,
      clock,
      sleep: async (milliseconds) => {
        world.now += Math.max(milliseconds, minimumBackoffMilliseconds);
      },
      remainingMilliseconds: remaining,
      platforms: world.fake.platforms,
      keys: ledger.keys,
    });

  const runAt = (moment: number) =>
    [{ time: new Date(moment).toISOString() } as ScheduledEvent, lambdaContext(300_000)] as const;

  /**
   * A company is still connected: the stored refresh token is the platform's latest, since earlier
   * ones expire after the grace period, and no lease blocks a refresh.
   */
  const expectConnected = async (table: Table, name: TenantName): Promise<void> => {
    world.now += graceAndMore;
    const held = await openConnections(table, sealing).find(name);
    expect(world.fake.isRefreshable(held?.tokens.refreshToken ?? ''), name.schemaName).toBe(true);
    const leasedUntil = (await table.get(connectionKey(name)))?.refreshLeaseUntil;
    expect(Date.parse(String(leasedUntil ?? ledgerTime))).toBeLessThan(world.now);
  };

  return {
    world,
    begin: (): void => {
      world.now = startedAt;
      world.fake = openFakePlatform({ ...books, clock });
    },
    /** Connects the company of a slot, with the next tokens that the platform gives. */
    connect: async (table: Table, slot: Slot): Promise<TenantName> => {
      const creation = await openTenants(table, { sealing, newSuffix, quotas: testQuotas }).connect(
        ledger.user,
        {
          ...connectionOf(acme.companyId, {
            details: { platform: slot, companyName: slot, createdAt: ledgerTime },
            importId,
          }),
          tokens: withExpiry(world.fake.issueTokens(), clock()),
        },
      );
      return tenantOf(creation);
    },
    functionsOn,
    runAt,
    expectConnected,
  };
};
