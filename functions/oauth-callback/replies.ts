// The pages and redirects for a browser that returns from the platform.

import type { ConsentName, OfferedConsent } from '#shared/connections/held-consents.store.ts';
import type { PendingAuthorization } from '#shared/connections/oauth-states.store.ts';
import { withParameters } from '#shared/connections/redirect-urls.ts';
import type { Page, UrlReply } from '#shared/endpoint/url.ts';
import { type AuthorizationError, authorizationErrors } from '#shared/platforms/error-codes.ts';

/**
 * The end of an authorization: the prefix of its tenant, or an error. With a confirmation code, the
 * connection waits for the application to confirm it.
 */
export type AuthorizationResult =
  | { prefix: string; confirmationCode?: string }
  | { error: AuthorizationError };

export const notFound: Page = {
  outcome: 'route_not_found',
  status: 404,
  title: 'There is nothing here',
  text: 'Check the address.',
};

export const methodNotAllowed: Page = {
  outcome: 'method_not_allowed',
  status: 405,
  title: 'This does not work here',
  text: 'This address only takes GET and POST requests.',
  headers: { Allow: 'GET, POST' },
};

const goBack = 'Go back to the application that you came from; you can close this page.';

/**
 * For a state that has connected a company, until the state expires. The page does not name the
 * company, because other people may read the browser's history.
 */
export const connectedAlready: Page = {
  outcome: 'connected_already',
  status: 200,
  title: 'The company is already connected',
  text: `You need not do anything else. ${goBack}`,
};

/**
 * For a second choice, for example by a second click. The first may still be in progress, so it is
 * unknown whether the company is connected.
 */
export const chosenAlready: Page = {
  outcome: 'chosen_already',
  status: 200,
  title: 'A company was already chosen',
  text: `Connecting it takes a few seconds. ${goBack}`,
};

/** One page for all other invalid states. It reveals nothing about them. */
export const stateNotAccepted: Page = {
  outcome: 'state_not_accepted',
  status: 400,
  title: 'This link does not work any more',
  text:
    'It was used already, or it is more than ten minutes old. Go back to the application that ' +
    'you came from and start again there.',
};

/** The form fields for the company and the proof. */
export const companyField = 'company';
export const proofField = 'proof';

/**
 * Asks the user to choose one of the companies of a consent. Only the browser that returned from
 * the consent has both the state and the proof, and they can be used once.
 */
export const choicePage = (
  { state, arrivalProof }: ConsentName,
  { applicationId, choices, redirectUrl }: OfferedConsent,
  { isRepeated = false } = {},
): Page => ({
  outcome: isRepeated ? 'company_not_chosen' : 'company_to_be_chosen',
  status: isRepeated ? 400 : 200,
  applicationId,
  title: 'Which company do you want to connect?',
  text:
    (isRepeated ? 'Choose one of these companies. ' : '') +
    'You gave access to several companies. You can connect one of them here. To connect another, ' +
    'start again in the application that you came from. This page works for ten minutes.',
  form: {
    hidden: { state, [proofField]: arrivalProof },
    legend: 'Company',
    field: companyField,
    choices: choices.map(({ companyId, name }) => ({
      value: companyId,
      label: name ?? 'A company without a name',
      note: companyId,
    })),
    submit: 'Connect',
    cancel: 'Cancel',
    leadsTo: redirectUrl,
  },
});

const statusOf: Record<AuthorizationError, number> = {
  access_denied: 400,
  authorization_failed: 400,
  application_suspended: 403,
  company_not_consented: 403,
  too_many_companies: 422,
  company_connected_by_another_user: 403,
  tenant_quota_reached: 422,
  platform_failed: 502,
  platform_timed_out: 504,
  internal_error: 500,
};

const pageOf = (result: AuthorizationResult): Omit<Page, 'outcome'> =>
  'prefix' in result
    ? {
        status: 200,
        title: 'The company is connected',
        text: `It has the name ${result.prefix} here. ${goBack}`,
      }
    : {
        status: statusOf[result.error],
        title: 'The company was not connected',
        text: `${authorizationErrors[result.error]} (${result.error}) ${goBack}`,
      };

const parametersOf = (result: AuthorizationResult): Record<string, string> => {
  if ('error' in result) return { status: 'error', error: result.error };
  const { prefix, confirmationCode } = result;
  return {
    status: 'success',
    domain_url: prefix,
    ...(confirmationCode !== undefined && { confirmation_code: confirmationCode }),
  };
};

/** The reply to a known authorization. */
export const replyWith = (
  { redirectUrl, applicationId }: PendingAuthorization,
  result: AuthorizationResult,
): UrlReply => {
  const outcome = 'prefix' in result ? 'success' : result.error;
  const tenant = 'prefix' in result ? result.prefix : undefined;
  const page = { outcome, applicationId, tenant, ...pageOf(result) };
  if (redirectUrl === null) return page;
  const redirectTo = withParameters(redirectUrl, parametersOf(result));
  return { outcome, applicationId, tenant, status: page.status, redirectTo };
};
