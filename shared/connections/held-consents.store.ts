// Consents that are good for several companies: each is held under the hash of its name, its tokens
// sealed, until its user has chosen one of them, once, for ten minutes. Nobody seals them anew:
// where a sealing key is rotated and retired within these minutes, its user starts again.

import * as z from 'zod/mini';
import type { Sealing } from '../sealing.ts';
import { secondsOf } from '../table/expiry.ts';
import { oauthStateKey } from '../table/keys.ts';
import type { Table } from '../table/table.ts';
import { truncate } from '../texts.ts';
import { stateLifetimeSeconds } from './authorization-states.ts';
import { PendingAuthorization } from './oauth-states.store.ts';
import { ConnectedCompany, ConnectionTokens } from './platform-connections.ts';

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

/**
 * An item has room for 400 KB (DynamoDB Developer Guide, "Quotas"). So many companies, each with a
 * name of so many characters of four bytes and with its id, take 360 KB at the most; the tokens and
 * the rest have what is left. Nobody would find theirs among more.
 */
export const maximumChoices = 500;
const maximumNameLength = 150;

/** A consent whose user has still to choose; the tokens are opened once that is done. */
const OfferedConsent = z.extend(PendingAuthorization, {
  ...Offered.shape,
  sealedTokens: z.string(),
  expiresAt: z.int(),
});
export type OfferedConsent = z.infer<typeof OfferedConsent>;

/** What is left of a consent, to its end, once its user has chosen. */
const Chosen = z.object({ chosen: z.literal(true), slot: z.string(), expiresAt: z.int() });

/** The state that has led to a consent, and the proof of the browser that has come back from it. */
export type ConsentName = { state: string; arrivalProof: string };

/** The table has no more than a hash of this, which alone does not open the tokens. */
const textOf = ({ state, arrivalProof }: ConsentName): string => `${state}.${arrivalProof}`;

type Consent = z.infer<typeof Offered> & z.infer<typeof Held>;

export type HeldConsents = ReturnType<typeof openHeldConsents>;

export const openHeldConsents = (table: Table, sealing: Sealing) => ({
  /** Holds a consent whose state was consumed. */
  record: async (
    name: ConsentName,
    held: { pending: PendingAuthorization; consent: Consent; now: Date },
  ): Promise<OfferedConsent> => {
    const { tokens, reconnectBy, adapter } = held.consent;
    const choices = held.consent.choices.map((choice) => ({
      ...choice,
      name: choice.name && truncate(maximumNameLength, choice.name),
    }));
    const expiresAt = secondsOf(held.now) + stateLifetimeSeconds;
    const text = JSON.stringify({ tokens, reconnectBy });
    const sealedTokens = await sealing.seal(text, textOf(name));
    const offered = { ...held.pending, adapter, choices, sealedTokens, expiresAt };
    await table.transact([{ put: { ...oauthStateKey(textOf(name)), ...offered } }]);
    return offered;
  },

  /** The consent of this name and slot, until its time is over, if one is held. */
  find: async (
    name: ConsentName,
    { slot, now }: { slot: PendingAuthorization['slot']; now: Date },
  ): Promise<OfferedConsent | 'chosen' | undefined> => {
    const item = await table.get(oauthStateKey(textOf(name)));
    const found = (item?.chosen ? Chosen : OfferedConsent).safeParse(item).data;
    if (found?.slot !== slot || found.expiresAt <= secondsOf(now)) return undefined;
    return 'chosen' in found ? 'chosen' : found;
  },

  /**
   * Opens the tokens and forgets them in the table, so that one choice counts. `undefined` where
   * another one was faster, or the time is over.
   */
  consume: async (
    name: ConsentName,
    { sealedTokens }: OfferedConsent,
    now: Date,
  ): Promise<z.infer<typeof Held> | undefined> => {
    const isOurs = await table.update({
      update: oauthStateKey(textOf(name)),
      expression: 'SET chosen = :true REMOVE sealedTokens, choices',
      condition: 'sealedTokens = :sealedTokens AND expiresAt > :now',
      values: { ':true': true, ':sealedTokens': sealedTokens, ':now': secondsOf(now) },
    });
    if (!isOurs) return undefined;
    return Held.parse(JSON.parse(await sealing.open(sealedTokens, textOf(name))));
  },
});
