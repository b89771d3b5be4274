// A state that is not good any more, or not yet used up, comes again: a calm page for each.

import type { Slot } from '#shared/platforms/slots.ts';
import type { ProvenState } from '#shared/state-keys.ts';
import type { HeldConsents } from '#shared/store/held-consents.ts';
import type { OAuthStates } from '#shared/store/oauth-states.ts';
import type { Page, UrlRequest } from '#shared/triggers/url.ts';
import { choicePage, chosenAlready, connectedAlready, stateNotAccepted } from './replies.ts';

/** A request of a browser with a state of ours, at the callback of a slot. */
export type Visit = { proven: ProvenState; slot: Slot; request: UrlRequest };

export type Revisit = ReturnType<typeof openRevisit>;

export const openRevisit =
  ({
    states,
    consents,
    clock,
  }: {
    states: Pick<OAuthStates, 'hasConnected'>;
    consents: Pick<HeldConsents, 'find'>;
    clock: () => Date;
  }) =>
  async ({ proven: { state }, slot }: Pick<Visit, 'proven' | 'slot'>): Promise<Page> => {
    const now = clock();
    const offered = await consents.find(state, { slot, now });
    if (offered === 'chosen') return chosenAlready;
    if (offered) return choicePage(state, offered);
    return (await states.hasConnected(state, { slot, now })) ? connectedAlready : stateNotAccepted;
  };
