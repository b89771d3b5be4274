// Receives the browser from the platform, creates the tenant and requests its import.

import { arrivalProofOf, type StateKeys } from '#shared/connections/authorization-states.ts';
import type { OAuthStates } from '#shared/connections/oauth-states.store.ts';
import { createUrlHandler } from '#shared/endpoint/url.ts';
import { platformInPath, type Slots, slotNamed } from '#shared/platforms/slots.ts';
import type { Telemetry } from '#shared/telemetry.ts';
import { type ConnectingDependencies, openConnecting } from './connecting.ts';
import { methodNotAllowed, notFound, proofField, stateNotAccepted } from './replies.ts';
import { openVisits, single, type VisitDependencies } from './visits.ts';

export type Dependencies = VisitDependencies &
  ConnectingDependencies &
  Telemetry & {
    states: Pick<OAuthStates, 'consume' | 'recordConnected' | 'hasConnected'>;
    stateKeys: Pick<StateKeys, 'recognise'>;
    slots: Slots;
  };

export const createHandler = (dependencies: Dependencies) => {
  const { stateKeys, slots, log, metrics } = dependencies;
  const visits = openVisits(dependencies, openConnecting(dependencies));

  return createUrlHandler(
    async (request) => {
      const slot = slotNamed(slots, platformInPath(request.path) ?? '');
      if (slot === undefined) return notFound;
      const { method } = request;
      if (method !== 'GET' && method !== 'POST') return methodNotAllowed;
      const parameters = method === 'GET' ? request.query : request.form;
      const proven = await stateKeys.recognise(single(parameters, 'state') ?? '');
      if (proven === undefined) return stateNotAccepted;
      const arrivalProof =
        method === 'GET'
          ? arrivalProofOf(proven.state, single(parameters, 'code') ?? '')
          : (single(parameters, proofField) ?? '');
      const visit = { proven, arrivalProof, slot, request };
      return method === 'GET' ? visits.arrive(visit) : visits.choose(visit);
    },
    { log, metrics },
  );
};
