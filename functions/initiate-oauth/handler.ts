// Starts an accounting platform's authorization and returns the URL for the browser.

import type { Caller } from '#shared/applications/caller.ts';
import { codeChallengeOf, type StateKeys } from '#shared/connections/authorization-states.ts';
import type { OAuthStates } from '#shared/connections/oauth-states.store.ts';
import {
  type RedirectRegistration,
  registrationProblems,
} from '#shared/connections/redirect-urls.ts';
import { type ApiRequest, createApiHandler } from '#shared/endpoint/api.ts';
import { ApiError, type Problem, problem, throwIfProblems } from '#shared/errors.ts';
import type { Platform } from '#shared/platforms/platform.ts';
import type { Platforms } from '#shared/platforms/registry.ts';
import {
  callbackUrl,
  type Slot,
  type Slots,
  slotNamed,
  slotNames,
} from '#shared/platforms/slots.ts';
import type { Telemetry } from '#shared/telemetry.ts';
import { Data, Request } from './schema.ts';

export type Dependencies = Telemetry & {
  states: Pick<OAuthStates, 'prepare' | 'record'>;
  slots: Slots;
  platforms: Platforms;
  callbackBaseUrl: string;
  registration: RedirectRegistration;
  clock: () => Date;
  stateKeys: Pick<StateKeys, 'issue'>;
  newNonce: () => string;
};

const normalCompanyId = ({ companyIdOf }: Platform, id: string | undefined): string | undefined =>
  id === undefined ? undefined : companyIdOf(id);

/** Checked before the user consents, because a consent for an invalid id would be useless. */
const companyIdProblems = (platform: Platform, id: string | undefined): Problem[] =>
  id !== undefined && normalCompanyId(platform, id) === undefined
    ? [problem('company_id_not_valid', '/platform_company_id')]
    : [];

export const createHandler = (dependencies: Dependencies) => {
  const { states, slots, platforms, callbackBaseUrl, registration, clock } = dependencies;
  const { stateKeys, newNonce, log, metrics } = dependencies;

  const slotInPath = ({ pathParameter }: Pick<ApiRequest<unknown>, 'pathParameter'>): Slot => {
    const slot = slotNamed(slots, pathParameter('platform') ?? '');
    if (slot !== undefined) return slot;
    const allowed = slotNames.map((name) => slots[name].name);
    const details = [problem('not_an_allowed_value', '/platform', { allowed })];
    throw new ApiError('platform_not_connectable', { details });
  };

  const redirectUrlProblems = async (
    { applicationId }: Caller,
    redirectUrl: string | undefined,
  ): Promise<Problem[]> => {
    if (redirectUrl === undefined) return [];
    const { redirectUrls: registered } = await states.prepare({ applicationId, userId: undefined });
    return registrationProblems(redirectUrl, { registered, registration });
  };

  return createApiHandler(
    {
      from: 'query',
      request: Request,
      data: Data,
      handle: async (request) => {
        const slot = slotInPath(request);
        const { applicationId } = request.caller;
        const { user_id, cash_flow_method, redirect_url, platform_company_id } = request.input;
        const { confirm_connection = false } = request.input;
        const { email, redirectUrls: registered } = await states.prepare({
          applicationId,
          userId: String(user_id),
        });
        if (email === undefined) throw new ApiError('user_not_found');
        const platform = await platforms.get(slot);
        throwIfProblems([
          ...registrationProblems(redirect_url, { registered, registration }),
          ...companyIdProblems(platform, platform_company_id),
        ]);
        const redirectUri = callbackUrl({ baseUrl: callbackBaseUrl, platform: slots[slot].name });
        const { state, codeVerifier } = await stateKeys.issue(newNonce());
        await states.record(state, {
          pending: {
            applicationId,
            email,
            userId: String(user_id),
            slot,
            cashFlowMethod: cash_flow_method,
            redirectUrl: redirect_url ?? null,
            redirectUri,
            companyId: normalCompanyId(platform, platform_company_id) ?? null,
            confirmConnection: confirm_connection,
          },
          now: clock(),
        });
        const codeChallenge = codeChallengeOf(codeVerifier);
        const url = platform.authorizationUrl({ redirectUri, state, codeChallenge });
        return { data: { authorization_url: url } };
      },
      storeProblems: async (request) => {
        const slot = slotInPath(request);
        const input = request.input as Record<string, unknown>;
        const redirectUrl = Request.shape.redirect_url.safeParse(input.redirect_url).data;
        const companyId = Request.shape.platform_company_id.safeParse(
          input.platform_company_id,
        ).data;
        return [
          ...(await redirectUrlProblems(request.caller, redirectUrl)),
          ...(companyId ? companyIdProblems(await platforms.get(slot), companyId) : []),
        ];
      },
    },
    { log, metrics },
  );
};
