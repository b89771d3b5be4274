// Consents for several companies. A consent is stored with sealed tokens until its user chooses a
// company, for ten minutes. Nothing reseals these tokens: if the sealing key is rotated and retired
// within that time, the user must start again.

import * as z from 'zod/mini';
import type { Sealing } from '../sealing.ts';
import { secondsOf } from '../table/expiry.ts';
import { updateAction } from '../table/field-updates.ts';
import { oauthStateKey } from '../table/keys.ts';
import type { Table } from '../table/table.ts';
import { truncate } from '../texts.ts';
import { stateLifetimeSeconds } from './authorization-states.ts';
import { PendingAuthorization } from './oauth-states.store.ts';
import { ConnectedCompany, ConnectionTokens } from './platform-connections.ts';

/** The tokens of a consent, and the end of the platform's access if it is known. */
const ConsentTokens = z.object({ tokens: ConnectionTokens, reconnectBy: z.nullable(z.string()) });

/** The companies of a consent, and the adapter of their platform. */
const ConsentChoices = z.object({
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
 * An item has at most 400 KB (DynamoDB Developer Guide, "Quotas"). This number of companies takes
 * 360 KB with ids and names of the maximum length in four-byte characters. The rest is for the
 * tokens and other fields. A user could not find a company in a longer list anyway.
 */
export const maximumChoices = 500;
const maximumNameLength = 150;

/** A consent before its user has chosen a company. */
const OfferedConsent = z.extend(PendingAuthorization, {
  ...ConsentChoices.shape,
  sealedTokens: z.string(),
  expiresAt: z.int(),
});
export type OfferedConsent = z.infer<typeof OfferedConsent>;

/** A consent after its user has chosen, until its expiry. */
const Chosen = z.object({ chosen: z.literal(true), slot: z.string(), expiresAt: z.int() });

/** The state of the consent's authorization, and the proof from the browser that returned. */
export type ConsentName = { state: string; arrivalProof: string };

/** The table contains only a hash of this text, which cannot open the tokens. */
const textOf = ({ state, arrivalProof }: ConsentName): string => `${state}.${arrivalProof}`;

type Consent = z.infer<typeof ConsentChoices> & z.infer<typeof ConsentTokens>;

export type HeldConsents = ReturnType<typeof openHeldConsents>;

export const openHeldConsents = (table: Table, sealing: Sealing) => ({
  /** Stores a consent whose state was consumed. */
  record: async (
    name: ConsentName,
    { pending, consent, now }: { pending: PendingAuthorization; consent: Consent; now: Date },
  ): Promise<OfferedConsent> => {
    const { tokens, reconnectBy, adapter } = consent;
    const choices = consent.choices.map((choice) => ({
      ...choice,
      name: choice.name && truncate(maximumNameLength, choice.name),
    }));
    const expiresAt = secondsOf(now) + stateLifetimeSeconds;
    const text = JSON.stringify({ tokens, reconnectBy });
    const sealedTokens = await sealing.seal(text, textOf(name));
    const offered = { ...pending, adapter, choices, sealedTokens, expiresAt };
    await table.transact([{ put: { ...oauthStateKey(textOf(name)), ...offered } }]);
    return offered;
  },

  /** The consent of this name and slot, if it exists and has not expired. */
  find: async (
    name: ConsentName,
    { slot, now }: { slot: PendingAuthorization['slot']; now: Date },
  ): Promise<OfferedConsent | 'chosen' | undefined> => {
    const item = await table.get(oauthStateKey(textOf(name)));
    const consent = (item?.chosen ? Chosen : OfferedConsent).safeParse(item).data;
    if (consent?.slot !== slot || consent.expiresAt <= secondsOf(now)) return undefined;
    return 'chosen' in consent ? 'chosen' : consent;
  },

  /**
   * Opens the tokens and deletes them from the table, so only one choice counts. Returns
   * `undefined` if another choice was first or the consent has expired.
   */
  consume: async (
    name: ConsentName,
    { sealedTokens }: OfferedConsent,
    now: Date,
  ): Promise<z.infer<typeof ConsentTokens> | undefined> => {
    const isOurs = await table.update(
      updateAction(oauthStateKey(textOf(name)), {
        set: { chosen: true, sealedTokens: undefined, choices: undefined },
        expected: { sealedTokens },
        condition: 'expiresAt > :now',
        values: { ':now': secondsOf(now) },
      }),
    );
    if (!isOurs) return undefined;
    return ConsentTokens.parse(JSON.parse(await sealing.open(sealedTokens, textOf(name))));
  },
});
