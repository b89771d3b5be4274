// Consents that are good for several companies: each is held under the hash of its state, its tokens
// sealed, until its user has chosen one of them, once, for ten minutes.

import * as z from 'zod/mini';
import { stateLifetimeSeconds } from '../domain/authorization-states.ts';
import { ConnectedCompany, ConnectionTokens } from '../domain/platform-connections.ts';
import { oauthStateKey } from './keys.ts';
import { PendingAuthorization, secondsOf } from './oauth-states.ts';
import type { Sealing } from './sealing.ts';
import type { Table } from './table.ts';

/** What the consent gave: tokens, and when the access ends whatever is done, if that is known. */
const Held = z.object({ tokens: ConnectionTokens, reconnectBy: z.nullable(z.string()) });

/** The companies that it is good for, and the adapter of the platform that they are at. */
const Offered = z.object({
  adapter: ConnectedCompany.shape.adapter,
  choices: z.array(
    z.object({
      companyId: ConnectedCompany.shape.companyId,
      dataCenter: z.nullable(z.string()),
      name: z.nullable(z.string()),
    }),
  ),
});

/** As it is shown to its user: the tokens stay closed. */
const OfferedConsent = z.extend(PendingAuthorization, { ...Offered.shape, expiresAt: z.int() });
export type OfferedConsent = z.infer<typeof OfferedConsent>;

const StoredConsent = z.extend(OfferedConsent, { sealedTokens: z.string() });

type Consent = z.infer<typeof Offered> & z.infer<typeof Held>;

export type HeldConsents = ReturnType<typeof openHeldConsents>;

export const openHeldConsents = (table: Table, sealing: Sealing) => ({
  /** Holds the consent that a state has led to, which was consumed. */
  record: async (
    state: string,
    held: { pending: PendingAuthorization; consent: Consent; now: Date },
  ): Promise<OfferedConsent> => {
    const { tokens, reconnectBy, ...offered } = held.consent;
    const expiresAt = secondsOf(held.now) + stateLifetimeSeconds;
    const shown: OfferedConsent = { ...held.pending, ...offered, expiresAt };
    // The table has no more than a hash of the state, so that it cannot open the tokens by itself.
    const sealedTokens = await sealing.seal(JSON.stringify({ tokens, reconnectBy }), state);
    await table.transact([{ put: { ...oauthStateKey(state), ...shown, sealedTokens } }]);
    return shown;
  },

  /** The consent that is held for a state of this slot, unless its time is over. */
  find: async (
    state: string,
    { slot, now }: { slot: PendingAuthorization['slot']; now: Date },
  ): Promise<OfferedConsent | undefined> => {
    const item = await table.get(oauthStateKey(state));
    if (item?.sealedTokens === undefined) return undefined;
    const found = OfferedConsent.parse(item);
    return found.slot === slot && found.expiresAt > secondsOf(now) ? found : undefined;
  },

  /** Deletes a consent and returns it with its tokens, so that one choice counts. */
  consume: async (state: string, now: Date): Promise<(OfferedConsent & Consent) | undefined> => {
    const item = await table.consume(oauthStateKey(state), {
      condition: 'expiresAt > :now AND attribute_exists(sealedTokens)',
      values: { ':now': secondsOf(now) },
    });
    if (item === undefined) return undefined;
    const { sealedTokens, ...offered } = StoredConsent.parse(item);
    const held = Held.parse(JSON.parse(await sealing.open(sealedTokens, state)));
    return { ...offered, ...held };
  },
});
