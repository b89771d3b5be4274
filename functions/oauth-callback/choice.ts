// The user has chosen one of the companies that a consent is good for, or none of them.

import type { HeldConsents } from '#shared/connections/held-consents.store.ts';
import type { UrlReply } from '#shared/endpoint/url.ts';
import type { Platforms } from '#shared/platforms/registry.ts';
import type { Connecting } from './connecting.ts';
import { single } from './grant.ts';
import { type AuthorizationResult, choicePage, companyField } from './replies.ts';
import type { Revisit, Visit } from './revisit.ts';

export type ChoiceDependencies = {
  consents: Pick<HeldConsents, 'find' | 'consume'>;
  platforms: Platforms;
  clock: () => Date;
};

export const openChoice = (
  { consents, platforms, clock }: ChoiceDependencies,
  { connecting, revisit }: { connecting: Connecting; revisit: Revisit },
) => {
  return async (visit: Visit): Promise<UrlReply> => {
    const { proven, arrivalProof, slot, request } = visit;
    const { state } = proven;
    const name = { state, arrivalProof };
    const { requestId, form } = request;
    const offered = await consents.find(name, { slot, now: clock() });
    if (offered === undefined || offered === 'chosen') return revisit(visit);
    const isCancelled = single(form, 'decision') === 'cancel';
    const companyId = single(form, companyField);
    const choice = offered.choices.find((one) => one.companyId === companyId);
    // Whoever sends something else than the page has is asked again, and nothing is used up.
    if (choice === undefined && !isCancelled)
      return choicePage(name, offered, { isRepeated: true });
    const held = await consents.consume(name, offered, clock());
    if (held === undefined) return revisit(visit);
    const work = async (): Promise<AuthorizationResult> => {
      if (isCancelled || choice === undefined) return { error: 'access_denied' };
      const platform = await platforms.get(slot);
      // Tokens are shown to nobody but the platform that gave them.
      if (platform.adapter !== offered.adapter) throw new Error('the slot has another adapter now');
      return connecting.connect(offered, { platform, choice, ...held });
    };
    const result = await connecting.conclude(offered, { requestId, work });
    return connecting.answer({ state, consumed: offered, requestId }, result);
  };
};
