// A state that is not good any more, or not yet used up, comes again: a calm page for each.

import type { HeldConsents } from '#shared/connections/held-consents.store.ts';
import type { OAuthStates } from '#shared/connections/oauth-states.store.ts';
import type { ProvenState } from '#shared/connections/state-keys.ts';
import type { Page, UrlRequest } from '#shared/endpoint/url.ts';
import type { Slot } from '#shared/platforms/slots.ts';
import { choicePage, chosenAlready, connectedAlready, stateNotAccepted } from './replies.ts';

/**
 * A request of a browser with a state of ours, at the callback of a slot. `arrivalProof` is of the
 * code that it has, or as its form has it.
 */
export type Visit = {
  proven: ProvenState;
  arrivalProof: string;
  slot: Slot;
  request: UrlRequest;
};

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
  async ({ proven: { state }, arrivalProof, slot }: Visit): Promise<Page> => {
    const now = clock();
    if (await states.hasConnected(state, { slot, now })) return connectedAlready;
    const offered = await consents.find({ state, arrivalProof }, { slot, now });
    if (offered === 'chosen') return chosenAlready;
    return offered ? choicePage({ state, arrivalProof }, offered) : stateNotAccepted;
  };
