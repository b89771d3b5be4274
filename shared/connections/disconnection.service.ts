// Gives a tenant's access back at its platform and forgets its tokens, for whoever asks for it.
// Intuit lists no app without a way to do so (its technical requirements, section 1.1:
// developer.intuit.com/app/developer/qbo/docs/go-live/publish-app/technical-requirements).

import { type Platform, PlatformFailure } from '../platforms/platform.ts';
import type { TenantStatus } from '../tenants/tenants.ts';
import { type AccessDependencies, type Connections, openPlatformAccess } from './access.service.ts';

/** What became of the access at the platform; there is none where no tokens were held. */
export type EndedAccess = 'given_back' | 'had_ended' | 'none_held';

/** How often the tokens may be replaced before they are forgotten. */
const maximumAttempts = 2;

/** Thrown where the tokens were renewed again and again; nothing was forgotten. */
export class RenewedMeanwhile extends Error {}

export type DisconnectionDependencies<Name> = Omit<AccessDependencies<Name>, 'platform'> & {
  connections: Connections<Name> & {
    /** False where somebody has replaced the tokens of `version`. */
    giveUp: (name: Name, held: { version: number; reason: string }) => Promise<boolean>;
  };
  imports: {
    find: (name: Name) => Promise<{ importId: string; finishedAt: string | null } | undefined>;
    /** False where another import has taken its place, or it has ended. */
    finish: (
      name: Name,
      end: { importId: string; finishedAt: string; reason: string; tenantStatus: TenantStatus },
    ) => Promise<boolean>;
  };
};

export const openDisconnection = <Name>(
  { imports, connections, clock, sleep }: DisconnectionDependencies<Name>,
  /** Why the tenant is disconnected, as it is told. */
  reason: string,
) => {
  /** Ends the import that has not ended, so that nobody renews the tokens, and returns its id. */
  const endImport = async (name: Name): Promise<string | null> => {
    for (;;) {
      const found = await imports.find(name);
      if (found === undefined || found.finishedAt !== null) return null;
      const { importId } = found;
      const finishedAt = clock().toISOString();
      const end = { importId, finishedAt, reason, tenantStatus: 'disconnected' } as const;
      if (await imports.finish(name, end)) return importId;
    }
  };

  /** Gives the access back; `undefined` where there are no tokens any more. */
  const revoke = async (
    name: Name,
    platform: Platform,
  ): Promise<{ version: number; access: EndedAccess } | undefined> => {
    const opened = await openPlatformAccess(name, { connections, platform, clock, sleep });
    if (opened === undefined) return undefined;
    try {
      await opened.use((access) => {
        const { refreshToken } = opened.connection().tokens;
        return platform.disconnect({ ...access, refreshToken });
      });
      return { version: opened.connection().version, access: 'given_back' };
    } catch (error) {
      const hadEnded = error instanceof PlatformFailure && error.reason === 'credentials_refused';
      if (!hadEnded) throw error;
      return { version: opened.connection().version, access: 'had_ended' };
    }
  };

  /** Ends the access and forgets the tokens that it was ended with, or those that replaced them. */
  const forgetAfter = async <Access>(
    name: Name,
    endAccess: () => Promise<{ version: number; access: Access } | undefined>,
  ): Promise<Access | 'none_held'> => {
    for (let tries = 1; tries <= maximumAttempts; tries += 1) {
      const ended = await endAccess();
      if (ended === undefined) return 'none_held';
      const { version, access } = ended;
      if (await connections.giveUp(name, { version, reason })) return access;
    }
    throw new RenewedMeanwhile();
  };

  return {
    endImport,

    /**
     * Ends the access at the platform and forgets the tokens.
     * @throws PlatformFailure where the platform could not do its part; nothing was forgotten then
     * @throws RenewedMeanwhile
     */
    giveBack: (name: Name, platform: Platform): Promise<EndedAccess> =>
      forgetAfter(name, () => revoke(name, platform)),

    /**
     * Forgets the tokens without a word to the platform; they need not open for that.
     * @param readVersion which tokens these are; `undefined` where there are none any more
     * @throws RenewedMeanwhile
     */
    forget: (
      name: Name,
      readVersion: () => Promise<number | undefined>,
    ): Promise<'left_open' | 'none_held'> =>
      forgetAfter(name, async () => {
        const version = await readVersion();
        return version === undefined ? undefined : { version, access: 'left_open' };
      }),
  };
};
