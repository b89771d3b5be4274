// Pending authorizations: stored under the hash of their state, used once, for ten minutes.

import * as z from 'zod/mini';
import { Application } from '../applications/applications.store.ts';
import { secondsOf } from '../table/expiry.ts';
import { applicationKey, keyText, oauthStateKey, userIdKey } from '../table/keys.ts';
import { ifNotExists, type Table } from '../table/table.ts';
import { UserIdEntry } from '../users/users.store.ts';
import { stateLifetimeSeconds } from './authorization-states.ts';

/** What the callback must know; none of it is ever read from the callback's own request. */
export const PendingAuthorization = z.object({
  applicationId: z.string(),
  email: z.string(),
  slot: z.enum(['platform_a', 'platform_b', 'platform_c']),
  cashFlowMethod: z.enum(['direct', 'indirect']),
  /** Where the application wants the browser at last. */
  redirectUrl: z.nullable(z.string()),
  /** Our callback as the platform was told it: its code is only traded for that very address. */
  redirectUri: z.string(),
  /** The company that the application wants, by its id at the platform; any where null. */
  companyId: z._default(z.nullable(z.string()), null),
  /** Whether the connection waits until the application has confirmed it. */
  confirmConnection: z._default(z.boolean(), false),
});
export type PendingAuthorization = z.infer<typeof PendingAuthorization>;

/** A pending authorization and when its state ends (seconds since 1970). */
const Consumed = z.extend(PendingAuthorization, { expiresAt: z.int() });
export type ConsumedAuthorization = z.infer<typeof Consumed>;

/** What is left of a state whose authorization has connected a company. */
const Connected = z.object({ connected: z.literal(true), slot: z.string(), expiresAt: z.int() });

export type OAuthStates = ReturnType<typeof openOAuthStates>;

export const openOAuthStates = (table: Table) => ({
  /** What an authorization must know first, in one call. */
  prepare: async (asked: {
    applicationId: string;
    userId: string | undefined;
  }): Promise<{ email: string | undefined; redirectUrls: string[] }> => {
    const { applicationId, userId } = asked;
    const userKey = userId === undefined ? undefined : userIdKey({ applicationId, userId });
    const ofApplication = applicationKey(applicationId);
    const items = await table.getMany([ofApplication, ...(userKey ? [userKey] : [])]);
    const user = userKey && items.get(keyText(userKey));
    const application = items.get(keyText(ofApplication));
    return {
      email: user && UserIdEntry.parse(user).email,
      redirectUrls: application ? Application.parse(application).redirectUrls : [],
    };
  },

  record: async (
    state: string,
    { pending, now }: { pending: PendingAuthorization; now: Date },
  ): Promise<void> => {
    const expiresAt = secondsOf(now) + stateLifetimeSeconds;
    const outcome = await table.transact([
      { put: { ...oauthStateKey(state), ...pending, expiresAt }, condition: ifNotExists },
    ]);
    if (!outcome.committed) throw new Error('a random state was drawn twice');
  },

  /**
   * Deletes a state and returns it, so that it works once. `undefined` where it is unknown, used
   * or expired (the table's own expiry may be days late, so it is compared here).
   */
  consume: async (state: string, now: Date): Promise<ConsumedAuthorization | undefined> => {
    const item = await table.consume(oauthStateKey(state), {
      condition: 'expiresAt > :now AND attribute_not_exists(connected)',
      values: { ':now': secondsOf(now) },
    });
    return item && Consumed.parse(item);
  },

  /** Keeps of a state that was consumed, to its end, that it has connected a company. */
  recordConnected: async (
    state: string,
    { applicationId, email, slot, expiresAt }: ConsumedAuthorization,
  ): Promise<void> => {
    const item = { applicationId, email, slot, connected: true, expiresAt };
    await table.transact([{ put: { ...oauthStateKey(state), ...item } }]);
  },

  /** Whether a state that cannot be consumed has connected a company of this slot. */
  hasConnected: async (
    state: string,
    { slot, now }: { slot: PendingAuthorization['slot']; now: Date },
  ): Promise<boolean> => {
    const found = Connected.safeParse(await table.get(oauthStateKey(state))).data;
    return found?.slot === slot && found.expiresAt > secondsOf(now);
  },
});
