// What initiate-oauth accepts and returns.

import * as z from 'zod/mini';
import {
  maximumRedirectUrlLength,
  ruleBrokenByRedirectUrl,
} from '#shared/connections/redirect-urls.ts';
import type { EndpointDocumentation } from '#shared/endpoint/documentation.ts';
import { acrossFields } from '#shared/field-relations.ts';
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
    description: 'The final URL for the browser. If it is omitted, a plain page is shown.',
  }),
);

export const PathParameters = z.object({
  // A deployment can have other names for its platforms, so these names are documented only.
  platform: z.string().check(
    z.meta({
      description: 'The accounting platform, by its name in the deployment.',
      enum: slotNames,
      example: slotNames[0],
    }),
  ),
});

const confirmationParameter = 'confirmation_code';

/**
 * A request to confirm the connection needs a redirect URL, which brings the code to the
 * application. The URL must not have the parameter for the code yet.
 */
const confirmationProblem = (redirectUrl: unknown): { message: string; params?: object } | null => {
  if (redirectUrl === undefined) return { message: 'required' };
  const query = typeof redirectUrl === 'string' ? URL.parse(redirectUrl)?.searchParams : undefined;
  const isTaken = query?.has(confirmationParameter);
  const params = { rule: 'no_reserved_parameter' };
  return isTaken ? { message: 'redirect_url_not_valid', params } : null;
};

export const Request = z
  .strictObject({
    user_id: userId.check(z.describe('Id of the user who will own the tenant.')),
    cash_flow_method: cashFlowMethod.check(
      z.describe("Method of the tenant's statement of cash flows."),
    ),
    redirect_url: z.optional(redirectUrl),
    platform_company_id: z.optional(
      platformCompanyId.check(
        z.describe(
          'Id of the company to connect, on the platform. If it is omitted and the ' +
            'consent covers several companies, the user chooses one.',
        ),
      ),
    ),
    confirm_connection: z.optional(
      queryBoolean.check(
        z.describe(
          'Whether the connection waits until the application confirms it with ' +
            "confirm-tenant, in the user's session. It requires a `redirect_url`. Defaults " +
            'to false.',
        ),
      ),
    ),
  })
  .check(
    acrossFields(({ confirm_connection, redirect_url }, { addIssue }) => {
      const problem = confirm_connection === true ? confirmationProblem(redirect_url) : null;
      if (problem) addIssue({ code: 'custom', path: ['redirect_url'], ...problem });
    }),
  );

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
  description: `Returns the URL of the platform's consent page. Send the user's browser there within
ten minutes. After the user consents, the service creates the tenant, starts its import and sends
the browser to \`{redirect_url}?status=success&domain_url=<prefix>\`. If the consent covers several
companies, a page of the service asks the user which company to connect. The user must answer within
ten minutes, in the browser that returned from the consent. With \`platform_company_id\`, the
service connects that company without asking.

A company that the application connected before keeps its tenant and its name. Its tokens are
renewed and its cash-flow method is replaced, if the tenant is linked to the user. Consent never
gives a user access to another user's books. To give more users access, the application links them
with link-tenant.

At your redirect URL, trust your own session, not the query: anyone can open the URL with any
\`status\` and \`domain_url\`. The service connects the company for the user of the
\`authorization_url\`, even if another person consents. An attacker can send this URL to that
person. To prevent this, use \`confirm_connection\`: the browser then also brings a
\`confirmation_code\`, and the tenant is \`pending\`.
Nothing is imported and nothing of the company can be read until your application confirms the
connection with confirm-tenant, using the session's user and the code. A company that was connected
before keeps its old connection until then. After an hour without confirmation, the user must start
again.

Without \`confirm_connection\`, check that the arriving user is logged in and is the user for whom
you started the authorization, and read the user's tenants in the profile. If it is another user,
end the access with disconnect-tenant and unlink the new tenant with unlink-tenant. Until then, the
user who started could read the imported data. Without a \`redirect_url\`, you cannot check this.
The section "Who connects a company" of the introduction explains the protection for each platform.

If the authorization fails, the browser goes to \`{redirect_url}?status=error&error=<code>\`, with
one of these codes:

${errorList}

Without a \`redirect_url\`, a plain page shows the same information. A plain page also answers an
authorization that is unknown, used or older than ten minutes. If the user reloads the page after
the company is connected, the page says so and does not redirect again.

\`redirect_url\` is https, or http to localhost, 127.0.0.1 or [::1]. It has no user name and no
fragment, and its query has none of \`status\`, \`domain_url\`, \`error\`, \`code\` and \`state\`.
If the application has registered redirect URLs, the origin and path must equal those of a
registered URL.`,
  errors: ['user_not_found', 'platform_not_connectable'],
  examples: [
    {
      name: 'A browser that returns to the application',
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
