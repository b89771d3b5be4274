// What confirm-tenant accepts and returns.

import * as z from 'zod/mini';
import type { EndpointDocumentation } from '#shared/endpoint/documentation.ts';
import { replayedField } from '#shared/endpoint/replay.view.ts';
import { domainUrl, nonBlankText, userId } from '#shared/fields.ts';
import { TenantSummary } from '#shared/tenants/tenant.view.ts';
import { exampleTenant } from '#shared/tenants/tenant-example.view.ts';

const maximumCodeLength = 255;

export const Request = z.strictObject({
  domain_url: domainUrl.check(
    z.describe('The `domain_url` that the browser brought to the `redirect_url`.'),
  ),
  user_id: userId.check(
    z.describe('Id of the user in whose session the browser arrived: an integer or its digits.'),
  ),
  confirmation_code: nonBlankText(maximumCodeLength).check(
    z.describe('The `confirmation_code` that the same browser brought.'),
  ),
});

export const Data = z.extend(TenantSummary, { replayed: replayedField });
z.globalRegistry.add(Data, {
  id: 'ConfirmedTenant',
  description: 'A tenant, and whether an earlier request confirmed its connection.',
});

export const documentation: EndpointDocumentation = {
  summary: 'Confirm tenant',
  description: `Confirms a connection that initiate-oauth started with \`confirm_connection\`. The
tenant becomes \`importing\`, and its import is requested. If the company was connected before, its
tokens are replaced now.

Send the user of the browser's own session, not the user for whom you started the authorization. The
request succeeds only if they are the same user. This proves who gave consent. The
\`confirmation_code\` proves that the consent returned in this browser. Neither the user's profile
nor any log contains the code, and it can be used once.

Every mismatch has the same answer, \`confirmation_not_found\`, so it reveals nothing: an unknown
tenant or user, another application's tenant or user, another user than the one who started, a wrong
code, and a connection that is over an hour old or was replaced by a later consent. Within the hour,
a repeat of a successful request returns the tenant's current state with the header
\`Idempotent-Replayed: true\`.

You need not reject a connection: it expires after an hour if it is not confirmed. From then on it
is refused and hidden, and its sealed tokens are deleted within days. They are not revoked at the
platform, because this could end another user's access to the same company.`,
  errors: ['confirmation_not_found', 'company_connected_meanwhile', 'contention'],
  replyHeaders: {
    'Idempotent-Replayed': '`true` if an earlier request confirmed this connection.',
  },
  examples: [
    {
      name: 'The user who started the authorization returns',
      request: {
        domain_url: 'company-p3vh8d',
        user_id: 4503599627370497,
        confirmation_code: 'x2vO1m0eP9Zr8n5tQ4uC7bYkLwHs3aJdGfXiTqRjMNA',
      },
      data: {
        ...exampleTenant,
        tenant_domain_url: 'company-p3vh8d',
        schema_name: 'company_p3vh8d',
        platform: 'platform_a',
        company_name: 'Difference Works',
        status: 'importing',
        replayed: false,
      },
    },
  ],
};
