// Ends a tenant's access at its platform and deletes its tokens. Intuit requires every app to offer
// this (its technical requirements, section 1.1:
// developer.intuit.com/app/developer/qbo/docs/go-live/publish-app/technical-requirements).

import type { NewChange } from '../history/tenant-history.ts';
import type { Imports } from '../imports/imports.store.ts';
import { isFailure, type Platform } from '../platforms/platform.ts';
import type { TenantName } from '../table/keys.ts';
import type { Action } from '../table/table.ts';
import { type AccessDependencies, openPlatformAccess } from './access.service.ts';
import type { Connections } from './connections.store.ts';

/** The result at the platform. `none_held` means that there were no tokens. */
export type EndedAccess = 'given_back' | 'had_ended' | 'none_held';

/** How often to try if the tokens are replaced meanwhile. */
const maximumAttempts = 2;

/** The tokens were replaced at every attempt, so none were deleted. */
export class RenewedMeanwhile extends Error {}

type Write = (actions: Action[]) => Promise<{ committed: boolean }>;

/** What a disconnection changes, for the history of the tenant. */
type ConnectionEnd = Pick<NewChange, 'what' | 'subject' | 'before' | 'after'>;

/** The end of the connection itself. */
export const connectionEnd = (reason: string): ConnectionEnd => ({
  what: 'company_disconnected',
  subject: null,
  before: {},
  after: { status: 'disconnected', status_reason: reason },
});

export type DisconnectionDependencies = Omit<AccessDependencies, 'platform'> & {
  connections: Pick<Connections, 'giveUp'>;
  imports: Pick<Imports, 'find' | 'finish'>;
};

/**
 * @param options.reason the reason in the tenant's status
 * @param options.writeWith returns a function that writes actions together with a record of the
 *   change; by default, they are written alone
 */
export const openDisconnection = (
  { imports, connections, clock, sleep }: DisconnectionDependencies,
  { reason, writeWith }: { reason: string; writeWith?: (change: ConnectionEnd) => Write },
) => {
  /** Ends an unfinished import, which could renew the tokens, and returns its id. */
  const endImport = async (name: TenantName): Promise<string | null> => {
    for (;;) {
      const lastImport = await imports.find(name);
      if (lastImport === undefined || lastImport.finishedAt !== null) return null;
      const { importId } = lastImport;
      const finishedAt = clock().toISOString();
      const end = { importId, finishedAt, reason, tenantStatus: 'disconnected' } as const;
      const after = { tenant_status: 'disconnected', reason };
      const change = { what: 'import_ended', subject: importId, before: {}, after } as const;
      if (await imports.finish(name, end, writeWith?.(change))) return importId;
    }
  };

  /** Revokes the access. Returns `undefined` if there are no tokens. */
  const revoke = async (
    name: TenantName,
    platform: Platform,
  ): Promise<{ version: number; access: EndedAccess } | undefined> => {
    const opened = await openPlatformAccess(name, { connections, platform, clock, sleep });
    if (opened === undefined) return undefined;
    let access: EndedAccess = 'given_back';
    try {
      await opened.use((current) => {
        const { refreshToken } = opened.connection().tokens;
        return platform.disconnect({ ...current, refreshToken });
      });
    } catch (error) {
      if (!isFailure(error, 'credentials_refused')) throw error;
      access = 'had_ended';
    }
    return { version: opened.connection().version, access };
  };

  /** Ends the access and deletes the tokens. Repeats both if the tokens were replaced. */
  const forgetAfter = async <Access>(
    name: TenantName,
    endAccess: () => Promise<{ version: number; access: Access } | undefined>,
  ): Promise<Access | 'none_held'> => {
    for (let tries = 1; tries <= maximumAttempts; tries += 1) {
      const ended = await endAccess();
      if (ended === undefined) return 'none_held';
      const { version, access } = ended;
      const write = writeWith?.(connectionEnd(reason));
      if (await connections.giveUp(name, { version, reason }, write)) return access;
    }
    throw new RenewedMeanwhile();
  };

  return {
    endImport,

    /**
     * Ends the access at the platform and deletes the tokens.
     * @throws PlatformFailure if the platform did not end the access; the tokens remain
     * @throws RenewedMeanwhile
     */
    giveBack: (name: TenantName, platform: Platform): Promise<EndedAccess> =>
      forgetAfter(name, () => revoke(name, platform)),

    /**
     * Deletes the tokens without calling the platform. Also works for tokens that cannot be opened.
     * @param readVersion returns the tokens' version, `undefined` if there are none
     * @throws RenewedMeanwhile
     */
    forget: (
      name: TenantName,
      readVersion: () => Promise<number | undefined>,
    ): Promise<'left_open' | 'none_held'> =>
      forgetAfter(name, async () => {
        const version = await readVersion();
        return version === undefined ? undefined : { version, access: 'left_open' };
      }),
  };
};
