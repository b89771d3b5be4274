// The operator's commands for tenants' connections to their platforms.

import {
  type EndedAccess,
  openDisconnection,
  RenewedMeanwhile,
} from '#shared/connections/disconnection.service.ts';
import type { ConnectionReport } from '#shared/operator/operator-queries.store.ts';
import { type Platform, PlatformFailure } from '#shared/platforms/platform.ts';
import type { Slot } from '#shared/platforms/slots.ts';
import type { TenantName } from '#shared/table/keys.ts';
import { type Dependencies, defineChange, defineQuery, type Readers } from '../command.ts';
import { CommandFailure, IncompleteChange } from '../errors.ts';
import { flag } from '../options.ts';
import { getLinkedTenant, tenantOptions } from './tenants.ts';

/** The reason recorded on the tenant and its import. */
const reason = 'disconnected_by_operator';

const summaryOf = ({ adapter, companyId, dataCenter }: ConnectionReport) => ({
  adapter,
  company_id: companyId,
  data_center: dataCenter,
});

/** @throws CommandFailure if the tenant was created without credentials */
const getConnection = async (
  { operatorQueries }: Pick<Readers, 'operatorQueries'>,
  name: TenantName,
): Promise<ConnectionReport> => {
  const connection = await operatorQueries.connection(name);
  if (connection === undefined) throw new CommandFailure('the tenant was never connected');
  return connection;
};

export const showConnection = defineQuery({
  needs: ['applications', 'connections', 'operatorQueries', 'tenants'],
  options: tenantOptions,
  run: async (dependencies, options) => {
    const { name, tenant, identity } = await getLinkedTenant(dependencies, options);
    const connection = await getConnection(dependencies, name);
    const { tokens } = (await dependencies.connections.find(name)) ?? {};
    return {
      ...identity,
      status: tenant.status,
      status_reason: tenant.statusReason ?? null,
      slot: tenant.platform,
      ...summaryOf(connection),
      tokens: tokens === undefined ? 'forgotten' : 'held',
      access_token_ends_at: tokens?.expiresAt ?? null,
      sealing_version: connection.sealingVersion,
      connection_version: connection.version,
    };
  },
});

/** The platform that issued the tokens. They must not be sent to another one. */
const getPlatform = async (
  { platforms }: Pick<Dependencies, 'platforms'>,
  { slot, adapter }: { slot: Slot; adapter: string },
): Promise<Platform> => {
  const platform = await platforms.get(slot);
  if (platform.adapter === adapter) return platform;
  throw new CommandFailure(
    `the tokens are for ${adapter}, but ${slot} is now ${platform.adapter}: set ${slot} to ` +
      `${adapter}, or delete the tokens with --forget`,
  );
};

/** `access` in the report. */
const accessTexts: Record<Exclude<EndedAccess | 'left_open', 'none_held'>, string> = {
  given_back: 'given back',
  had_ended: 'had ended before',
  left_open: 'left open at the platform',
};

/** @throws IncompleteChange if the platform failed */
const explainFailure = (error: unknown): never => {
  if (error instanceof RenewedMeanwhile) {
    throw new CommandFailure('the tokens were renewed twice meanwhile: run this again');
  }
  if (!(error instanceof PlatformFailure)) throw error;
  throw new IncompleteChange(
    'the platform did not revoke the access, and the tokens were not deleted: run this again, or ' +
      'delete the tokens anyway with --forget',
    { cause: error },
  );
};

const disconnectNeeds = [
  'applications',
  'clock',
  'connections',
  'imports',
  'operatorQueries',
  'platforms',
  'sleep',
  'tenants',
] as const;

/** Deletes the tokens. Returns what happened to the access at the platform. */
const endAccess = async (
  dependencies: Pick<Dependencies, (typeof disconnectNeeds)[number]>,
  { name, platform }: { name: TenantName; platform: Platform | undefined },
): Promise<string> => {
  /** Reads the version without unsealing the tokens. Undefined if they are deleted already. */
  const readVersion = async (): Promise<number | undefined> => {
    const { version, sealingVersion } = await getConnection(dependencies, name);
    return sealingVersion === null ? undefined : version;
  };
  const disconnection = openDisconnection(dependencies, { reason });
  const ending = platform
    ? disconnection.giveBack(name, platform)
    : disconnection.forget(name, readVersion);
  const access = await ending.catch(explainFailure);
  if (access === 'none_held') throw new CommandFailure('the tenant has just been disconnected');
  return accessTexts[access];
};

export const disconnect = defineChange({
  change: {
    before: async (dependencies, options) => {
      const { name, tenant } = await getLinkedTenant(dependencies, options);
      return { status: tenant.status, ...summaryOf(await getConnection(dependencies, name)) };
    },
    after: ['status', 'access', 'ended_import'],
  },
  needs: disconnectNeeds,
  options: { ...tenantOptions, forget: flag('delete the tokens without calling the platform') },
  run: async (dependencies, { forget, ...options }) => {
    const { name, tenant, identity } = await getLinkedTenant(dependencies, options);
    const connection = await getConnection(dependencies, name);
    const { adapter, sealingVersion } = connection;
    if (sealingVersion === null) {
      throw new CommandFailure(`${options.tenant} is disconnected: its tokens are deleted`);
    }
    const slot = tenant.platform;
    const platform = forget ? undefined : await getPlatform(dependencies, { slot, adapter });
    const endedImport = await openDisconnection(dependencies, { reason }).endImport(name);
    const access = await endAccess(dependencies, { name, platform });
    return {
      ...identity,
      status: 'disconnected',
      status_before: tenant.status,
      ...summaryOf(connection),
      access,
      ended_import: endedImport,
    };
  },
});

export const commands = { show: showConnection, disconnect };
