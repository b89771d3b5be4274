// What create-tenant accepts and returns.

import * as z from 'zod/mini';
import type { EndpointDocumentation } from '#shared/endpoint/documentation.ts';
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
import { TenantReference } from '#shared/tenants/tenant.view.ts';

const token = nonBlankText(8192).check(oneLine);
const secondsPerYear = 31_536_000;

const owner = userId.check(
  z.describe('The user that owns the tenant: its id, as an integer or as its digits.'),
);

/** The fields that are the same in every stage: `platform` is not, for its names. */
const fields = {
  cash_flow_method: cashFlowMethod.check(z.describe('Method of its statement of cash flows.')),
  company_name: z.optional(companyName.check(z.describe('Name of the company.'))),
  currency: z.optional(
    currency.check(z.describe("The company's currency, an ISO 4217 code such as EUR.")),
  ),
  access_token: z.optional(token.check(z.describe("The platform's access token."))),
  refresh_token: z.optional(token.check(z.describe("The platform's refresh token."))),
  expires_in: z.optional(
    z
      .int()
      .check(
        z.gte(1),
        z.lte(secondsPerYear),
        z.describe('Accepted for clients that send it: the service renews the tokens at once.'),
      ),
  ),
  platform_company_id: z.optional(
    platformCompanyId.check(
      z.describe(
        "Id of the company at the platform: Xero's tenantId, QuickBooks' realmId, Zoho's " +
          'organization_id.',
      ),
    ),
  ),
  data_center: z.optional(
    z
      .enum(zohoDataCenters)
      .check(z.describe('Data center of Zoho that keeps the company; `us` if left out.')),
  ),
};

const company = ['company_name', 'currency'] as const;
const credentials = ['access_token', 'refresh_token', 'platform_company_id'] as const;
const connection = [...credentials, 'expires_in', 'data_center'] as const;

type Field = (typeof company)[number] | (typeof connection)[number];

/** The slots of a stage: what callers call them, and which adapter serves each. */
type SlotBindings = Readonly<Record<Slot, { name: string; adapter: AdapterName }>>;

/** Which fields the tenant of a platform must have, and which it has no use for. */
const rulesOf = (
  slots: SlotBindings,
  platform: Slot | 'manual',
  given: Partial<Record<Field, unknown>>,
): { required: readonly Field[]; refused: readonly Field[] } => {
  if (platform === 'manual') return { required: company, refused: connection };
  const refused: Field[] = slots[platform].adapter === 'zoho' ? [] : ['data_center'];
  if (platform !== 'platform_c') return { required: credentials, refused };
  const connects = connection.some((field) => given[field] !== undefined);
  return { required: connects ? [...company, ...credentials] : company, refused };
};

/**
 * The request of a stage with these slots. The rules of the platform are checked
 * even where other fields are wrong, so that a reply names every problem.
 */
export const requestFor = (slots: SlotBindings) =>
  z
    .strictObject({
      user_id: owner,
      platform: z
        .enum(['manual', ...slotNames.map((slot) => slots[slot].name)])
        .check(
          z.describe(
            'The accounting platform that the tenant is linked to, or `manual`. A deployment may ' +
              'give its platforms other names.',
          ),
        ),
      ...fields,
    })
    .check(
      z.superRefine(
        (given, { addIssue }) => {
          const { platform: name } = given;
          const platform = name === 'manual' ? name : slotNamed(slots, name);
          if (platform === undefined) return;
          const { required, refused } = rulesOf(slots, platform, given);
          for (const field of required) {
            if (given[field] === undefined)
              addIssue({ code: 'custom', message: 'required', path: [field] });
          }
          for (const field of refused) {
            if (given[field] === undefined) continue;
            addIssue({ code: 'custom', message: 'field_not_for_platform', path: [field] });
          }
        },
        { when: ({ value }) => typeof value === 'object' && value !== null },
      ),
    );

/** The contract's own names, with the platforms that stand behind them first. */
const contractSlots: SlotBindings = {
  platform_a: { name: 'platform_a', adapter: 'xero' },
  platform_b: { name: 'platform_b', adapter: 'quickbooks' },
  platform_c: { name: 'platform_c', adapter: 'zoho' },
};

export const Request = requestFor(contractSlots);
export type Request = z.output<typeof Request>;

export const Data = TenantReference;
export type Data = TenantReference;

/** What `rulesOf` says of a platform, in the words of JSON Schema. */
const documentedRulesOf = (platform: Slot | 'manual') => {
  const { required, refused } = rulesOf(contractSlots, platform, {});
  const whenConnected = rulesOf(contractSlots, platform, { access_token: 'given' }).required;
  const implied = whenConnected.filter((field) => !required.includes(field));
  const dependentRequired = Object.fromEntries(connection.map((field) => [field, implied]));
  return { required, refused, ...(implied.length > 0 && { dependentRequired }) };
};

export const documentation: EndpointDocumentation = {
  summary: 'Create tenant',
  description: `Creates a company for a user. What else is required depends on the platform:

- \`manual\`: \`company_name\` and \`currency\`. The company starts with a default chart of
  accounts and the calendar year as its fiscal year, which update-tenant changes.
- \`platform_a\`, \`platform_b\`: \`access_token\`, \`refresh_token\` and
  \`platform_company_id\`. The name, unless \`company_name\` gives another, the currency, the
  fiscal year, the chart of accounts and the manual journals come from the platform.
- \`platform_c\`: \`company_name\` and \`currency\`. With all three credentials too it is connected;
  without any it starts like \`manual\`. \`data_center\` says where Zoho keeps the company.

The prefix of the tenant is made of the company's name and a random suffix: keep it.

Where a platform is connected, a \`currency\` that is given must be that of the platform's company.

Both tokens are tried at the platform before anything is written: the access token must be good
still, and the refresh token is used to get new ones, which are kept. With that the tokens are
handed over: platforms replace a refresh token when it is used, so do not go on using yours. After a
failure that is \`retryable\`, or none at all, send the same request again within minutes: platforms
accept a refresh token that was just replaced for a short time. Credentials that are refused change
nothing, whatever the company is connected with.

A company that the application has connected before keeps its tenant, its name, its fiscal year and
its lock: its tokens are renewed, its cash-flow method is set anew and its import starts again. Only
a user that the tenant is linked to can do this; for anybody else it is refused as
\`company_connected_by_another_user\`, until the application links the user to the tenant.

A connected tenant has status \`importing\` in the user's profile until its chart of accounts and
its manual journals are there.`,
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
      'Optional, 1 to 255 visible ASCII characters, unique for ever within the application. A ' +
      'request that is sent again with the same key creates nothing and returns the same tenant; ' +
      'with other content (credentials aside) it is refused as idempotency_key_reused.',
  },
  replyHeaders: {
    'Idempotent-Replayed': '`true` where an earlier request with this Idempotency-Key is answered.',
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
      name: 'A company kept by hand',
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
      },
    },
    {
      name: 'A company of a platform, with tokens that the caller holds',
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
      },
    },
  ],
};
