// What initiate-oauth accepts and returns.

import * as z from 'zod/mini';
import {
  maximumRedirectUrlLength,
  ruleBrokenByRedirectUrl,
} from '#shared/connections/redirect-urls.ts';
import type { EndpointDocumentation } from '#shared/endpoint/documentation.ts';
import {
  cashFlowMethod,
  namedRule,
  platformCompanyId,
  queryBoolean,
  rule,
  userId,
} from '#shared/fields.ts';
import { authorizationErrors } from '#shared/platforms/error-codes.ts';
import { slotNames } from '#shared/platforms/slots.ts';

const redirectUrl = z.string().check(
  rule<string>('too_long', (text) => text.length <= maximumRedirectUrlLength, {
    maximum: maximumRedirectUrlLength,
  }),
  namedRule('redirect_url_not_valid', ruleBrokenByRedirectUrl),
  z.meta({
    format: 'uri',
    maxLength: maximumRedirectUrlLength,
    description: 'Where the browser is sent at the end; without it, a plain page is shown.',
  }),
);

export const PathParameters = z.object({
  // A deployment may name its platforms otherwise, so that these names are documented only.
  platform: z.string().check(
    z.meta({
      description: 'The accounting platform, under the name that the deployment gives it.',
      enum: slotNames,
      example: slotNames[0],
    }),
  ),
});

const confirmationParameter = 'confirmation_code';

/**
 * What a request to confirm the connection needs: a redirect URL, which brings the application the
 * code, in a parameter that is not there yet.
 */
const problemOfConfirming = (redirectUrl: unknown): { message: string; params?: object } | null => {
  if (redirectUrl === undefined) return { message: 'required' };
  const query = typeof redirectUrl === 'string' ? URL.parse(redirectUrl)?.searchParams : undefined;
  const isTaken = query?.has(confirmationParameter);
  const params = { rule: 'no_reserved_parameter' };
  return isTaken ? { message: 'redirect_url_not_valid', params } : null;
};

export const Request = z
  .strictObject({
    user_id: userId.check(z.describe('The user that will own the tenant: its id.')),
    cash_flow_method: cashFlowMethod.check(
      z.describe("Method of the tenant's statement of cash flows."),
    ),
    redirect_url: z.optional(redirectUrl),
    platform_company_id: z.optional(
      platformCompanyId.check(
        z.describe(
          'Id of the company at the platform that is to be connected; without it, the user ' +
            'chooses where the consent is for several.',
        ),
      ),
    ),
    confirm_connection: z.optional(
      queryBoolean.check(
        z.describe(
          'Whether the connection waits until the application confirms it by confirm-tenant, in ' +
            "the user's session. It needs a `redirect_url`. False if left out.",
        ),
      ),
    ),
  })
  .check(
    z.superRefine(
      ({ confirm_connection, redirect_url }, { addIssue }) => {
        const problem = confirm_connection === true ? problemOfConfirming(redirect_url) : null;
        if (problem) addIssue({ code: 'custom', path: ['redirect_url'], ...problem });
      },
      { when: ({ value }) => typeof value === 'object' && value !== null },
    ),
  );
export type Request = z.output<typeof Request>;

export const Data = z.object({
  authorization_url: z
    .string()
    .check(z.meta({ format: 'uri', description: "The platform's consent page, for the browser." })),
});
export type Data = z.output<typeof Data>;

const errorList = Object.entries(authorizationErrors)
  .map(([error, meaning]) => `- \`${error}\`: ${meaning}`)
  .join('\n');

export const documentation: EndpointDocumentation = {
  summary: 'Initiate platform authorization',
  description: `Returns the URL of the platform's consent page; send the user's browser there
within ten minutes. After consent the service creates the tenant, starts its import and sends the
browser to \`{redirect_url}?status=success&domain_url=<prefix>\`. Where the consent is for several
companies, a page of the service asks the user which one is to be connected, within ten minutes and
in the browser that came back from the consent alone; with \`platform_company_id\` it is that one,
and nobody is asked.

A company that the application has connected before keeps its tenant and its name: its tokens are
renewed and its cash-flow method is set anew, if the tenant is linked to the user. Consent alone
never gives a user the books of somebody else; the application links further users by link-tenant.

At your redirect URL, trust your own session and not the query: anybody can open that URL with any
\`status\` and \`domain_url\`. Whoever consents connects the company for the user of the
\`authorization_url\`, and an attacker can send such a URL to somebody else. With
\`confirm_connection\` the browser also brings a \`confirmation_code\`, and the tenant is
\`pending\`: nothing is imported, and nothing of the company can be read, until your application
confirms the connection by confirm-tenant with the user of the session and that code. A company that
was connected before stays connected as it was until then. Who does not confirm within an hour
starts again.

Without \`confirm_connection\`, check that the user who arrives is logged in and is the one for
whom you started the authorization, and read in the user's profile which tenants it has. If somebody
else arrives, give the access back by disconnect-tenant and unlink the new tenant by unlink-tenant:
what was imported until then was open to the user who started. Without a \`redirect_url\` you
cannot tell. "Who connects a company" in the introduction says what is bound at each platform.

Where it fails the browser goes to \`{redirect_url}?status=error&error=<code>\`, with one of these:

${errorList}

Without a \`redirect_url\` a plain page says the same, and so does one for an authorization that is
unknown, used or older than ten minutes. Who reloads the page of one that has connected a company is
told that, and is not sent to the \`redirect_url\` a second time. \`redirect_url\` is https, or http
to localhost, 127.0.0.1 or [::1]; it has no user name, no fragment, and none of \`status\`,
\`domain_url\`, \`error\`, \`code\` and \`state\` in its query. Where the application has
registered redirect URLs, origin and path must equal those of one of them.`,
  errors: ['user_not_found', 'platform_not_connectable'],
  examples: [
    {
      name: 'A browser that comes back to the application',
      request: {
        user_id: '4503599627370497',
        cash_flow_method: 'indirect',
        redirect_url: 'https://app.example.com/connected',
      },
      data: {
        authorization_url:
          'https://platform.example.com/authorize?response_type=code&client_id=ledger' +
          '&redirect_uri=https%3A%2F%2Fcallback.example.com%2Foauth%2Fplatform_a%2Fcallback' +
          '&scope=accounting.read&state=x2vO1m0eP9Zr8n5tQ4uC7bYkLwHs3aJdGfXiTqRjMNA',
      },
    },
  ],
};
