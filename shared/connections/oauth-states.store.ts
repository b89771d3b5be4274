// Pending authorizations by state hash. Each can be used once, for ten minutes.

import * as z from 'zod/mini';
import { Application } from '../applications/applications.store.ts';
import { secondsOf } from '../table/expiry.ts';
import { applicationKey, keyText, oauthStateKey, userIdKey } from '../table/keys.ts';
import { ifNotExists, type Table } from '../table/table.ts';
import { UserIdItem } from '../tenants/tenant-links.store.ts';
import { Tenant } from '../tenants/tenants.ts';
import { stateLifetimeSeconds } from './authorization-states.ts';

/** The callback's context. It always comes from here, never from the callback's own request. */
export const PendingAuthorization = z.object({
  applicationId: z.string(),
  email: z.string(),
  /** Missing in states of version 1.2.0. */
  userId: z.optional(z.string()),
  slot: z.enum(['platform_a', 'platform_b', 'platform_c']),
  cashFlowMethod: Tenant.shape.cashFlowMethod,
  /** The application's URL for the final redirect. */
  redirectUrl: z.nullable(z.string()),
  /** Our callback URL as sent to the platform. The token request must repeat it. */
  redirectUri: z.string(),
  /** The platform's id of the wanted company. Null means any company. */
  companyId: z._default(z.nullable(z.string()), null),
  /** Whether the application must confirm the connection. */
  confirmConnection: z._default(z.boolean(), false),
});
export type PendingAuthorization = z.infer<typeof PendingAuthorization>;

/** A pending authorization with its expiry in seconds since 1970. */
const Consumed = z.extend(PendingAuthorization, { expiresAt: z.int() });
export type ConsumedAuthorization = z.infer<typeof Consumed>;

/** A used state whose authorization connected a company. */
const Connected = z.object({ connected: z.literal(true), slot: z.string(), expiresAt: z.int() });

export type OAuthStates = ReturnType<typeof openOAuthStates>;

export const openOAuthStates = (table: Table) => ({
  /** Reads the context of a new authorization in one call. */
  prepare: async ({
    applicationId,
    userId,
  }: {
    applicationId: string;
    userId: string | undefined;
  }): Promise<{ email: string | undefined; redirectUrls: string[] }> => {
    const userKey = userId === undefined ? undefined : userIdKey({ applicationId, userId });
    const ofApplication = applicationKey(applicationId);
    const items = await table.getMany([ofApplication, ...(userKey ? [userKey] : [])]);
    const application = items.get(keyText(ofApplication));
    return {
      email: userKey && UserIdItem.parse(items.get(keyText(userKey)) ?? {}).email,
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
    if (!outcome.committed) throw new Error('the random state already exists');
  },

  /**
   * Deletes a state and returns its authorization. Returns `undefined` if the state is unknown,
   * used or expired. It compares the expiry, because DynamoDB deletes expired items days late.
   */
  consume: async (state: string, now: Date): Promise<ConsumedAuthorization | undefined> => {
    const item = await table.consume(oauthStateKey(state), {
      condition: 'expiresAt > :now AND attribute_not_exists(connected)',
      values: { ':now': secondsOf(now) },
    });
    return item && Consumed.parse(item);
  },

  /** Marks a used state as connected until its expiry. */
  recordConnected: async (
    state: string,
    { applicationId, email, slot, expiresAt }: ConsumedAuthorization,
  ): Promise<void> => {
    const item = { applicationId, email, slot, connected: true, expiresAt };
    await table.transact([{ put: { ...oauthStateKey(state), ...item } }]);
  },

  /** Whether a used state connected a company of this slot. */
  hasConnected: async (
    state: string,
    { slot, now }: { slot: PendingAuthorization['slot']; now: Date },
  ): Promise<boolean> => {
    const connected = Connected.safeParse(await table.get(oauthStateKey(state))).data;
    return connected?.slot === slot && connected.expiresAt > secondsOf(now);
  },
});
