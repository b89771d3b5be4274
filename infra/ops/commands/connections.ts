// The operator's commands for the connections of tenants to their platforms.

import * as z from 'zod/mini';
import {
  type EndedAccess,
  openDisconnection,
  RenewedMeanwhile,
} from '#shared/platforms/disconnection.ts';
import { type Platform, PlatformFailure } from '#shared/platforms/platform.ts';
import type { Slot } from '#shared/platforms/slots.ts';
import type { TenantName } from '#shared/store/keys.ts';
import type { ConnectionReport } from '#shared/store/operator-queries.ts';
import { type Dependencies, defineChange, defineQuery, type Readers } from '../command.ts';
import { CommandFailure, IncompleteChange } from '../errors.ts';
import { getLinkedTenant, tenantOptions, tenantUsage } from './tenants.ts';

/** Why an import was ended, and why the tenant is disconnected. */
const reason = 'disconnected_by_operator';

const summaryOf = ({ adapter, companyId, dataCenter }: ConnectionReport) => ({
  adapter,
  company_id: companyId,
  data_center: dataCenter,
});

/** @throws CommandFailure where there is none: the tenant was created without credentials */
const getConnection = async (
  { operatorQueries }: Readers,
  name: TenantName,
): Promise<ConnectionReport> => {
  const connection = await operatorQueries.connection(name);
  if (connection === undefined) throw new CommandFailure('the tenant was never connected');
  return connection;
};

export const showConnection = defineQuery({
  usage: tenantUsage,
  purpose: 'Show to which company of its platform a tenant is connected; never a token',
  note:
    'The access token is renewed whenever it is needed, so its end is no end of the connection. ' +
    'The connection version counts how often the tokens were replaced.',
  options: z.strictObject(tenantOptions),
  run: async (dependencies, asked) => {
    const { name, tenant, identity } = await getLinkedTenant(dependencies, asked);
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

/** The platform that gave the tokens, which are shown to no other. */
const getPlatform = async (
  { platforms }: Dependencies,
  { slot, adapter }: { slot: Slot; adapter: string },
): Promise<Platform> => {
  const platform = await platforms.get(slot);
  if (platform.adapter === adapter) return platform;
  throw new CommandFailure(
    `the tokens are of ${adapter}, and ${slot} is bound to ${platform.adapter} now: bind it to ` +
      `${adapter}, or forget the tokens with --forget`,
  );
};

/** What became of the access, in words. */
const inWords: Record<Exclude<EndedAccess | 'left_open', 'none_held'>, string> = {
  given_back: 'given back',
  had_ended: 'had ended before',
  left_open: 'left open at the platform',
};

/** @throws IncompleteChange where the platform could not do its part */
const explainFailure = (error: unknown): never => {
  if (error instanceof RenewedMeanwhile) {
    throw new CommandFailure('the tokens were renewed twice in the meantime: run this again');
  }
  if (!(error instanceof PlatformFailure)) throw error;
  throw new IncompleteChange(
    'the platform did not take the access back, and nothing was forgotten: run this again, or ' +
      'with --forget to forget the tokens all the same',
    { cause: error },
  );
};

/** Ends the access, forgets the tokens, and says what became of the access at the platform. */
const endAccess = async (
  dependencies: Dependencies,
  { name, platform }: { name: TenantName; platform: Platform | undefined },
): Promise<string> => {
  /** The version of tokens that need not open; `undefined` where they are forgotten already. */
  const readVersion = async (): Promise<number | undefined> => {
    const { version, sealingVersion } = await getConnection(dependencies, name);
    return sealingVersion === null ? undefined : version;
  };
  const disconnection = openDisconnection(dependencies, reason);
  const ended = platform
    ? disconnection.giveBack(name, platform)
    : disconnection.forget(name, readVersion);
  const access = await ended.catch(explainFailure);
  if (access === 'none_held') throw new CommandFailure('somebody else disconnected it just now');
  return inWords[access];
};

export const disconnect = defineChange({
  usage: `${tenantUsage} [--forget]`,
  purpose: "Give a tenant's access back at its platform, and forget its tokens",
  note:
    'What was imported stays. At Xero this ends the connection of this company only: the others ' +
    'of its user stay connected. With --forget nothing is said to the platform, where the access ' +
    'then stays open until its user removes it.',
  change: {
    before: async (dependencies, asked) => {
      const { name, tenant } = await getLinkedTenant(dependencies, asked);
      return { status: tenant.status, ...summaryOf(await getConnection(dependencies, name)) };
    },
    after: ['status', 'access', 'ended_import'],
  },
  options: z.strictObject({ ...tenantOptions, forget: z._default(z.boolean(), false) }),
  run: async (dependencies, { forget, ...asked }) => {
    const { name, tenant, identity } = await getLinkedTenant(dependencies, asked);
    const connection = await getConnection(dependencies, name);
    const { adapter, sealingVersion } = connection;
    if (sealingVersion === null) {
      throw new CommandFailure(`${asked.tenant} is disconnected: its tokens are forgotten`);
    }
    const slot = tenant.platform;
    const platform = forget ? undefined : await getPlatform(dependencies, { slot, adapter });
    const endedImport = await openDisconnection(dependencies, reason).endImport(name);
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
