// Creates a company tenant, kept by hand or linked to an accounting platform.

import { isDeepStrictEqual } from 'node:util';
import * as z from 'zod/mini';
import { defaultChart } from '#shared/domain/default-chart.ts';
import { userId } from '#shared/domain/fields.ts';
import type { Tenant } from '#shared/domain/tenants.ts';
import { ApiError, type Problem, problem, throwIfProblems } from '#shared/errors.ts';
import type { Log } from '#shared/log.ts';
import type { Metrics } from '#shared/metrics.ts';
import { apiErrorOf } from '#shared/platforms/error-codes.ts';
import {
  type CompanyAddress,
  type Platform,
  type PlatformCompany,
  PlatformFailure,
  type PlatformTokens,
  withExpiry,
} from '#shared/platforms/platform.ts';
import type { Platforms } from '#shared/platforms/registry.ts';
import { publicName, type Slot, type Slots, slotNamed } from '#shared/platforms/slots.ts';
import type { IdempotencyRecord, IdempotentRequest } from '#shared/store/idempotency-keys.ts';
import type { Creation, Owner, Tenants } from '#shared/store/tenants.ts';
import {
  type ApiReply,
  type ApiRequest,
  type Caller,
  createApiHandler,
} from '#shared/triggers/api.ts';
import { Data, type Request, requestFor } from './schema.ts';

export type Dependencies = {
  tenants: Pick<Tenants, 'prepare' | 'create' | 'connect' | 'get'>;
  slots: Slots;
  platforms: Platforms;
  clock: () => Date;
  newImportId: () => string;
  log: Log;
  metrics: Metrics;
};

const HasUser = z.object({ user_id: userId });

/** How long an access token is taken to live where the caller does not say. */
const defaultLifetimeSeconds = 1800;

const keyProblems = (idempotencyKey: string | undefined): Problem[] =>
  idempotencyKey === undefined || /^[\x21-\x7e]{1,255}$/.test(idempotencyKey)
    ? []
    : [problem('idempotency_key_not_valid', '/Idempotency-Key')];

/** All three, or none: the schema lets nothing else through. */
const credentialsOf = (input: Request): Credentials | undefined => {
  const { access_token, refresh_token, platform_company_id, expires_in, data_center } = input;
  return access_token === undefined ||
    refresh_token === undefined ||
    platform_company_id === undefined
    ? undefined
    : {
        companyId: platform_company_id,
        dataCenter: data_center ?? null,
        tokens: {
          accessToken: access_token,
          refreshToken: refresh_token,
          expiresInSeconds: expires_in ?? defaultLifetimeSeconds,
        },
      };
};

/** What an Idempotency-Key stands for. Tokens change from one try to the next, so they are not. */
const idempotentRequestOf = (
  idempotencyKey: string | undefined,
  { input, platform }: { input: Request; platform: Slot | 'manual' },
): IdempotentRequest | undefined =>
  idempotencyKey === undefined
    ? undefined
    : {
        idempotencyKey,
        request: {
          userId: String(input.user_id),
          platform,
          cashFlowMethod: input.cash_flow_method,
          companyName: input.company_name ?? null,
          currency: input.currency ?? null,
          companyId: input.platform_company_id ?? null,
          dataCenter: input.data_center ?? null,
        },
      };

type Credentials = CompanyAddress & { tokens: PlatformTokens };

/**
 * Tries the credentials before anything is written. A refused access token is not refreshed here:
 * platforms replace the refresh token, and a refusal that followed would lose the caller's.
 */
const readCompany = async (
  platform: Platform,
  { companyId, dataCenter, tokens }: Credentials,
): Promise<PlatformCompany> => {
  try {
    return await platform.company({ companyId, dataCenter, accessToken: tokens.accessToken });
  } catch (error) {
    throw error instanceof PlatformFailure ? apiErrorOf(error) : error;
  }
};

type Asked = {
  owner: Owner;
  input: Request;
  preferredIsFree: boolean;
  idempotentRequest: IdempotentRequest | undefined;
};

export const createHandler = (dependencies: Dependencies) => {
  const { tenants, slots, platforms, clock, newImportId, log, metrics } = dependencies;

  const dataOf = (tenant: Tenant): Data => ({
    tenant_domain_url: tenant.prefix,
    schema_name: tenant.schemaName,
    platform: publicName(slots, tenant.platform),
  });

  const replay = async (
    idempotencyRecord: IdempotencyRecord,
    { owner, idempotentRequest }: Pick<Asked, 'owner' | 'idempotentRequest'>,
  ): Promise<ApiReply<Data>> => {
    if (!isDeepStrictEqual(idempotencyRecord.request, idempotentRequest?.request)) {
      throw new ApiError('idempotency_key_reused');
    }
    const { applicationId } = owner;
    const tenant = await tenants.get({ applicationId, schemaName: idempotencyRecord.schemaName });
    metrics.replayed();
    return { data: dataOf(tenant), headers: { 'Idempotent-Replayed': 'true' } };
  };

  const create = (
    platform: Tenant['platform'],
    { owner, input, preferredIsFree, idempotentRequest }: Asked,
  ): Promise<Creation> => {
    const { company_name: companyName, currency, cash_flow_method: cashFlowMethod } = input;
    if (companyName === undefined || currency === undefined) {
      throw new Error('a missing field was not refused');
    }
    const createdAt = clock().toISOString();
    return tenants.create(owner, {
      details: { platform, companyName, currency, cashFlowMethod, createdAt },
      accounts: defaultChart,
      preferredIsFree,
      idempotentRequest,
    });
  };

  const connect = async (
    { slot, credentials }: { slot: Slot; credentials: Credentials },
    { owner, input, idempotentRequest }: Asked,
  ): Promise<Creation> => {
    const platform = await platforms.get(slot);
    const company = await readCompany(platform, credentials);
    if (input.currency !== undefined && input.currency !== company.currency) {
      throwIfProblems([
        problem('not_an_allowed_value', '/currency', { allowed: [company.currency] }),
      ]);
    }
    const now = clock();
    return tenants.connect(owner, {
      details: {
        platform: slot,
        companyName: input.company_name ?? company.name,
        currency: company.currency,
        cashFlowMethod: input.cash_flow_method,
        createdAt: now.toISOString(),
      },
      company: {
        adapter: platform.adapter,
        companyId: company.companyId,
        dataCenter: company.dataCenter,
      },
      tokens: withExpiry(credentials.tokens, now),
      importId: newImportId(),
      idempotentRequest,
    });
  };

  const handle = async ({ caller, input, header }: ApiRequest<Request>) => {
    const { applicationId } = caller;
    const idempotencyKey = header('idempotency-key');
    throwIfProblems(keyProblems(idempotencyKey));
    const slot = slotNamed(slots, input.platform);
    const platform = slot ?? 'manual';
    const idempotentRequest = idempotentRequestOf(idempotencyKey, { input, platform });
    const { owner, idempotencyRecord, preferredIsFree } = await tenants.prepare({
      applicationId,
      userId: String(input.user_id),
      companyName: input.company_name,
      idempotencyKey,
    });
    if (owner === undefined) throw new ApiError('user_not_found');
    if (idempotencyRecord) return replay(idempotencyRecord, { owner, idempotentRequest });
    const asked = { owner, input, preferredIsFree, idempotentRequest };
    const credentials = credentialsOf(input);
    const creation =
      slot && credentials
        ? await connect({ slot, credentials }, asked)
        : await create(platform, asked);
    return creation.outcome === 'replayed'
      ? replay(creation.idempotencyRecord, asked)
      : { data: dataOf(creation.tenant) };
  };

  const userProblems = async ({ applicationId }: Caller, input: unknown): Promise<Problem[]> => {
    const asked = HasUser.safeParse(input).data;
    if (asked === undefined) return [];
    const { owner } = await tenants.prepare({
      applicationId,
      userId: String(asked.user_id),
      companyName: undefined,
      idempotencyKey: undefined,
    });
    return owner ? [] : [problem('user_not_found', '/user_id')];
  };

  return createApiHandler(
    {
      from: 'body',
      request: requestFor(slots),
      data: Data,
      handle,
      storeProblems: async ({ caller, input, header }) => [
        ...keyProblems(header('idempotency-key')),
        ...(await userProblems(caller, input)),
      ],
      // Without an Idempotency-Key a second try is a second tenant.
      isIdempotent: ({ header }) => header('idempotency-key') !== undefined,
    },
    { log, metrics },
  );
};
