// What confirm-tenant accepts and returns.

import * as z from 'zod/mini';
import type { EndpointDocumentation } from '#shared/endpoint/documentation.ts';
import { domainUrl, nonBlankText, userId } from '#shared/fields.ts';
import { TenantSummary } from '#shared/tenants/tenant.view.ts';

const maximumCodeLength = 255;

export const Request = z.strictObject({
  domain_url: domainUrl.check(
    z.describe('The tenant, as the browser brought it to the `redirect_url`.'),
  ),
  user_id: userId.check(
    z.describe('The user of the session in which the browser arrived: its id, or its digits.'),
  ),
  confirmation_code: nonBlankText(maximumCodeLength).check(
    z.describe('The `confirmation_code` that the same browser brought.'),
  ),
});
export type Request = z.output<typeof Request>;

export const Data = TenantSummary;
export type Data = TenantSummary;

export const documentation: EndpointDocumentation = {
  summary: 'Confirm tenant',
  description: `Confirms a connection that initiate-oauth started with \`confirm_connection\`: the
tenant becomes \`importing\`, and its import is requested. A company that was connected before gets
its new tokens now.

Send the user of the browser's own session, and never the one for whom you remember to have started
the authorization: the request succeeds only if both are the same user, and so proves who has
consented. The \`confirmation_code\` proves that the consent came back in this browser: nobody else
knows it, neither the user's profile nor a log has it, and it confirms once.

Everything that does not fit is answered as \`confirmation_not_found\`, so that none tells anything
about another: a tenant or a user that does not exist or is not yours, another user than the one who
started, a wrong code, and a connection that is more than an hour old or was replaced by a later
consent. A repeat of a request that has confirmed is answered with the tenant as it is by now, with
the header \`Idempotent-Replayed: true\`, until the hour is over.

You need not decline: what is not confirmed within an hour ends by itself. It is refused and shown
nowhere from then on, and the sealed tokens are deleted with it, within days. They are not revoked
at the platform, since that could end another user's access to the same company.`,
  errors: ['confirmation_not_found', 'company_connected_meanwhile', 'contention'],
  replyHeaders: {
    'Idempotent-Replayed': '`true` if an earlier request has confirmed this connection.',
  },
  examples: [
    {
      name: 'The user who started the authorization comes back',
      request: {
        domain_url: 'company-p3vh8d',
        user_id: 4503599627370497,
        confirmation_code: 'x2vO1m0eP9Zr8n5tQ4uC7bYkLwHs3aJdGfXiTqRjMNA',
      },
      data: {
        tenant_domain_url: 'company-p3vh8d',
        schema_name: 'company_p3vh8d',
        platform: 'platform_a',
        company_name: 'Difference Works',
        currency: 'EUR',
        cash_flow_method: 'indirect',
        financial_year_end: '12-31',
        lock_date: null,
        locked_from: null,
        status: 'importing',
        status_reason: null,
        reconnect_by: null,
        created_at: '2026-03-23T09:30:00.000Z',
      },
    },
  ],
};
