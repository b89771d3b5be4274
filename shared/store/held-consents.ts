// Consents that are good for several companies: each is held under the hash of its state, its
// tokens sealed, until its user has chosen one of them, once, for ten minutes. Nobody seals them
// anew: where a sealing key is rotated and retired within these minutes, its user starts again.

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

/** A consent whose user has still to choose; the tokens are opened once that is done. */
const OfferedConsent = z.extend(PendingAuthorization, {
  ...Offered.shape,
  sealedTokens: z.string(),
  expiresAt: z.int(),
});
export type OfferedConsent = z.infer<typeof OfferedConsent>;

/** What is left of a consent, to its end, once its user has chosen. */
const Chosen = z.object({ chosen: z.literal(true), slot: z.string(), expiresAt: z.int() });

type Consent = z.infer<typeof Offered> & z.infer<typeof Held>;

export type HeldConsents = ReturnType<typeof openHeldConsents>;

export const openHeldConsents = (table: Table, sealing: Sealing) => ({
  /** Holds the consent that a state has led to, which was consumed. */
  record: async (
    state: string,
    held: { pending: PendingAuthorization; consent: Consent; now: Date },
  ): Promise<OfferedConsent> => {
    const { tokens, reconnectBy, adapter, choices } = held.consent;
    const expiresAt = secondsOf(held.now) + stateLifetimeSeconds;
    // The table has no more than a hash of the state, which alone does not open the tokens.
    const sealedTokens = await sealing.seal(JSON.stringify({ tokens, reconnectBy }), state);
    const offered = { ...held.pending, adapter, choices, sealedTokens, expiresAt };
    await table.transact([{ put: { ...oauthStateKey(state), ...offered } }]);
    return offered;
  },

  /** The consent that is held for a state of this slot until its time is over, if one is. */
  find: async (
    state: string,
    { slot, now }: { slot: PendingAuthorization['slot']; now: Date },
  ): Promise<OfferedConsent | 'chosen' | undefined> => {
    const item = await table.get(oauthStateKey(state));
    const found = (item?.chosen ? Chosen : OfferedConsent).safeParse(item).data;
    if (found?.slot !== slot || found.expiresAt <= secondsOf(now)) return undefined;
    return 'chosen' in found ? 'chosen' : found;
  },

  /**
   * Opens the tokens and forgets them in the table, so that one choice counts. `undefined` where
   * another one was faster, or the time is over.
   */
  consume: async (
    state: string,
    { sealedTokens }: OfferedConsent,
    now: Date,
  ): Promise<z.infer<typeof Held> | undefined> => {
    const isOurs = await table.update({
      update: oauthStateKey(state),
      expression: 'SET chosen = :true REMOVE sealedTokens, choices',
      condition: 'sealedTokens = :sealedTokens AND expiresAt > :now',
      values: { ':true': true, ':sealedTokens': sealedTokens, ':now': secondsOf(now) },
    });
    if (!isOurs) return undefined;
    return Held.parse(JSON.parse(await sealing.open(sealedTokens, state)));
  },
});
