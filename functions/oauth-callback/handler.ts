// Takes the browser back from the platform, creates the tenant and asks for its import.

import { arrivalProofOf } from '#shared/connections/authorization-states.ts';
import type { HeldConsents } from '#shared/connections/held-consents.store.ts';
import type { OAuthStates } from '#shared/connections/oauth-states.store.ts';
import type { StateKeys } from '#shared/connections/state-keys.ts';
import { createUrlHandler } from '#shared/endpoint/url.ts';
import type { Log } from '#shared/log.ts';
import type { Metrics } from '#shared/metrics.ts';
import { platformInPath } from '#shared/platforms/callback-urls.ts';
import { type Slots, slotNamed } from '#shared/platforms/slots.ts';
import { type ArrivalDependencies, openArrival } from './arrival.ts';
import { type ChoiceDependencies, openChoice } from './choice.ts';
import { type ConnectingDependencies, openConnecting } from './connecting.ts';
import { single } from './grant.ts';
import { methodNotAllowed, notFound, proofField, stateNotAccepted } from './replies.ts';
import { openRevisit } from './revisit.ts';

export type Dependencies = ArrivalDependencies &
  ChoiceDependencies &
  ConnectingDependencies & {
    states: Pick<OAuthStates, 'consume' | 'recordConnected' | 'hasConnected'>;
    consents: HeldConsents;
    stateKeys: Pick<StateKeys, 'recognise'>;
    slots: Slots;
    log: Log;
    metrics: Metrics;
  };

export const createHandler = (dependencies: Dependencies) => {
  const { stateKeys, slots, log, metrics } = dependencies;
  const parts = {
    connecting: openConnecting(dependencies),
    revisit: openRevisit(dependencies),
  };
  const arrive = openArrival(dependencies, parts);
  const choose = openChoice(dependencies, parts);

  return createUrlHandler(
    async (request) => {
      const slot = slotNamed(slots, platformInPath(request.path) ?? '');
      if (slot === undefined) return notFound;
      const { method } = request;
      if (method !== 'GET' && method !== 'POST') return methodNotAllowed;
      const given = method === 'GET' ? request.query : request.form;
      const proven = await stateKeys.recognise(single(given, 'state') ?? '');
      if (proven === undefined) return stateNotAccepted;
      const arrivalProof =
        method === 'GET'
          ? arrivalProofOf(proven.state, single(given, 'code') ?? '')
          : (single(given, proofField) ?? '');
      const visit = { proven, arrivalProof, slot, request };
      return method === 'GET' ? arrive(visit) : choose(visit);
    },
    { log, metrics },
  );
};
