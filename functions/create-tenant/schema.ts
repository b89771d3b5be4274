// What create-tenant accepts and returns.

import * as z from 'zod/mini';
import type { EndpointDocumentation } from '#shared/endpoint/documentation.ts';
import { replayedField } from '#shared/endpoint/replay.view.ts';
import { indexedMetadata } from '#shared/entries/drafts/metadata.ts';
import { acrossFields } from '#shared/field-relations.ts';
import {
  cashFlowMethod,
  companyName,
  currency,
  nonBlankText,
  oneLine,
  platformCompanyId,
  userId,
} from '#shared/fields.ts';
import { type AdapterName, type Slot, slotNamed, slotNames } from '#shared/platforms/slots.ts';
import { zohoDataCenters } from '#shared/platforms/zoho/zoho-data-centers.ts';
import { entryYearsFields } from '#shared/tenants/entry-years.ts';
import { followPlatformEdits } from '#shared/tenants/follow-platform-edits.ts';
import { TenantReference } from '#shared/tenants/tenant.view.ts';

const token = nonBlankText(8192).check(oneLine);
const secondsPerYear = 31_536_000;

const owner = userId.check(
  z.describe('Id of the user who owns the tenant: an integer or its digits.'),
);

/** The fields that are the same in every stage. The values of `platform` differ. */
const fields = {
  cash_flow_method: cashFlowMethod.check(z.describe('Method of the statement of cash flows.')),
  company_name: z.optional(companyName.check(z.describe('Name of the company.'))),
  currency: z.optional(
    currency.check(z.describe('Book currency of the company: an ISO 4217 code, for example EUR.')),
  ),
  ...entryYearsFields,
  indexed_metadata: indexedMetadata,
  follow_platform_edits: followPlatformEdits,
  access_token: z.optional(token.check(z.describe("The platform's access token."))),
  refresh_token: z.optional(token.check(z.describe("The platform's refresh token."))),
  expires_in: z.optional(
    z
      .int()
      .check(
        z.gte(1),
        z.lte(secondsPerYear),
        z.describe('Accepted and ignored: the service renews the tokens at once.'),
      ),
  ),
  platform_company_id: z.optional(
    platformCompanyId.check(
      z.describe(
        "Id of the company on the platform: Xero's tenantId, QuickBooks' realmId or " +
          "Zoho's organization_id.",
      ),
    ),
  ),
  data_center: z.optional(
    z.enum(zohoDataCenters).check(z.describe('Zoho data center of the company. Defaults to `us`.')),
  ),
};

const company = ['company_name', 'currency'] as const;
const credentials = ['access_token', 'refresh_token', 'platform_company_id'] as const;
const connection = [...credentials, 'expires_in', 'data_center', 'follow_platform_edits'] as const;

type Field = (typeof company)[number] | (typeof connection)[number];

/** The public name and the adapter of each slot of a stage. */
type SlotBindings = Readonly<Record<Slot, { name: string; adapter: AdapterName }>>;

/** The fields that a platform requires and those that it refuses. */
const rulesOf = (
  slots: SlotBindings,
  platform: Slot | 'manual',
  input: Partial<Record<Field, unknown>>,
): { required: readonly Field[]; refused: readonly Field[] } => {
  if (platform === 'manual') return { required: company, refused: connection };
  const refused: Field[] = slots[platform].adapter === 'zoho' ? [] : ['data_center'];
  if (platform !== 'platform_c') return { required: credentials, refused };
  const connects = connection.some((field) => input[field] !== undefined);
  return { required: connects ? [...company, ...credentials] : company, refused };
};

/**
 * The request schema of a stage. It checks the rules of the platform even if other fields are
 * invalid, because a reply lists every problem.
 */
export const requestFor = (slots: SlotBindings) =>
  z
    .strictObject({
      user_id: owner,
      platform: z
        .enum(['manual', ...slotNames.map((slot) => slots[slot].name)])
        .check(
          z.describe(
            'The accounting platform to connect, or `manual`. A deployment can give its ' +
              'platforms other names.',
          ),
        ),
      ...fields,
    })
    .check(
      acrossFields((input, { addIssue }) => {
        const { platform: name } = input;
        const platform = name === 'manual' ? name : slotNamed(slots, name);
        if (platform === undefined) return;
        const { required, refused } = rulesOf(slots, platform, input);
        for (const field of required) {
          if (input[field] === undefined)
            addIssue({ code: 'custom', message: 'required', path: [field] });
        }
        for (const field of refused) {
          if (input[field] === undefined) continue;
          addIssue({ code: 'custom', message: 'field_not_for_platform', path: [field] });
        }
      }),
    );

/** The default public names and adapters of the slots. */
const contractSlots: SlotBindings = {
  platform_a: { name: 'platform_a', adapter: 'xero' },
  platform_b: { name: 'platform_b', adapter: 'quickbooks' },
  platform_c: { name: 'platform_c', adapter: 'zoho' },
};

export const Request = requestFor(contractSlots);
export type Request = z.output<typeof Request>;

export const Data = z.extend(TenantReference, {
  replayed: replayedField,
  has_exchange_rates: z
    .optional(z.boolean())
    .check(
      z.describe(
        'Only if no platform is connected: whether there are exchange rates for the currency ' +
          'today. If not, entries in other currencies need your own `exchange_rate`.',
      ),
    ),
});
z.globalRegistry.add(Data, {
  id: 'CreatedTenant',
  description: 'The names of a new tenant, and its platform.',
});
export type Data = z.output<typeof Data>;

/** The rules of a platform as JSON Schema. */
const documentedRulesOf = (platform: Slot | 'manual') => {
  const { required, refused } = rulesOf(contractSlots, platform, {});
  const whenConnected = rulesOf(contractSlots, platform, { access_token: 'token' }).required;
  const implied = whenConnected.filter((field) => !required.includes(field));
  const dependentRequired = Object.fromEntries(connection.map((field) => [field, implied]));
  return { required, refused, ...(implied.length > 0 && { dependentRequired }) };
};

export const documentation: EndpointDocumentation = {
  summary: 'Create tenant',
  description: `Creates a company for a user. The other required fields depend on the platform:

- \`manual\`: \`company_name\` and \`currency\`. The company starts with a default chart of accounts
  and the calendar year as its fiscal year. You can change the fiscal year with update-tenant.
  \`has_exchange_rates\` tells you if the currency has none.
- \`platform_a\`, \`platform_b\`: \`access_token\`, \`refresh_token\` and \`platform_company_id\`.
  The platform provides the currency, the fiscal year, the chart of accounts and the manual
  journals, and the name unless you set \`company_name\`.
- \`platform_c\`: \`company_name\` and \`currency\`. With all three credentials, the company is
  connected; without any, it starts like \`manual\`. \`data_center\` is the company's Zoho data
  center.

The tenant's prefix consists of the company's name and a random suffix. Store it.

If a platform is connected and you set \`currency\`, it must be the currency of the company on the
platform.

The service tests both tokens on the platform before it writes anything: it needs a valid access
token, and it uses the refresh token to get new tokens, which it stores. Platforms replace a refresh
token when it is used, so stop using yours. After a \`retryable\` failure, or if you get no reply,
send the same request again within minutes: platforms accept a replaced refresh token for a short
time. Refused credentials change nothing, even if the company is already connected.

A company that the application connected before keeps its tenant, with its name and all
settings except one: its cash-flow method is replaced. Its tokens are renewed and its import starts
again. Only a user who is linked to the tenant can do this. For other users, the request is refused
as \`company_connected_by_another_user\` until the application links them.

A connected tenant has the status \`importing\` until its chart of accounts and manual journals are
imported.`,
  errors: [
    'user_not_found',
    'idempotency_key_reused',
    'company_connected_by_another_user',
    'platform_refused_credentials',
    'platform_failed',
    'platform_timed_out',
    'contention',
  ],
  requestHeaders: {
    'Idempotency-Key':
      'Optional: 1 to 255 visible ASCII characters, unique within the application. ' +
      'Keys never expire. A repeat with the same key creates nothing and returns the ' +
      'same tenant. If its content differs, other than in credentials, it is refused ' +
      'as idempotency_key_reused.',
  },
  replyHeaders: {
    'Idempotent-Replayed':
      '`true` if an earlier request with this Idempotency-Key created the tenant.',
  },
  requestAlternatives: {
    field: 'platform',
    rules: Object.fromEntries(
      (['manual', ...slotNames] as const).map((platform) => [
        platform,
        documentedRulesOf(platform),
      ]),
    ),
  },
  examples: [
    {
      name: 'A company with manual books',
      request: {
        user_id: 4503599627370497,
        platform: 'manual',
        cash_flow_method: 'indirect',
        company_name: 'Analytical Engines',
        currency: 'EUR',
      },
      data: {
        tenant_domain_url: 'analytical-engines-k7m2xq',
        schema_name: 'analytical_engines_k7m2xq',
        platform: 'manual',
        replayed: false,
        has_exchange_rates: true,
      },
    },
    {
      name: 'A company on a platform, with your own tokens',
      request: {
        user_id: 4503599627370497,
        platform: 'platform_a',
        cash_flow_method: 'direct',
        access_token: 'the access token',
        refresh_token: 'the refresh token',
        expires_in: 1800,
        platform_company_id: '5c1d6f0e-8a43-4d0e-9f3c-2b7a51c9e0d4',
      },
      data: {
        tenant_domain_url: 'difference-works-p3vh8d',
        schema_name: 'difference_works_p3vh8d',
        platform: 'platform_a',
        replayed: false,
      },
    },
  ],
};
