// Creates a tenant with a default chart, or connects it to a company on its platform.

import { defaultChart } from '#shared/accounts/default-chart.ts';
import { type Quotas, tenantQuotaReached } from '#shared/applications/quotas.ts';
import type { ConnectionObstacle } from '#shared/connections/connected-companies.store.ts';
import { ApiError, problem, throwIfProblems } from '#shared/errors.ts';
import type { Actor } from '#shared/history/tenant-history.ts';
import { apiErrorOf } from '#shared/platforms/error-codes.ts';
import {
  type CompanyAccess,
  type Platform,
  type PlatformCompany,
  PlatformFailure,
  type PlatformTokens,
  reconnectTimeOf,
  withExpiry,
} from '#shared/platforms/platform.ts';
import type { Platforms } from '#shared/platforms/registry.ts';
import type { Slot } from '#shared/platforms/slots.ts';
import { usualFinancialYearEnd } from '#shared/tenants/financial-year.ts';
import { firstIndexedKeys } from '#shared/tenants/indexed-metadata.ts';
import type { IdempotentRequest } from '#shared/tenants/tenant-creations.store.ts';
import type { Creation, Owner, Tenants } from '#shared/tenants/tenants.store.ts';
import type { Tenant } from '#shared/tenants/tenants.ts';
import type { Request } from './schema.ts';

export type CreationDependencies = {
  tenants: Pick<Tenants, 'create' | 'connect' | 'findObstacle'>;
  quotas: Pick<Quotas, 'tenantsPerApplication'>;
  platforms: Platforms;
  clock: () => Date;
  newImportId: () => string;
};

/** A request whose user exists and whose Idempotency-Key was not used. */
export type CreationRequest = {
  owner: Owner;
  input: Request;
  idempotentRequest: IdempotentRequest | undefined;
  by: Actor;
};

type Credentials = CompanyAccess & { refreshToken: string };

/** The schema accepts all three credentials or none. */
export const credentialsOf = (input: Request): Credentials | undefined => {
  const { access_token, refresh_token, platform_company_id, data_center } = input;
  if (
    access_token === undefined ||
    refresh_token === undefined ||
    platform_company_id === undefined
  ) {
    return undefined;
  }
  return {
    companyId: platform_company_id,
    dataCenter: data_center ?? null,
    accessToken: access_token,
    refreshToken: refresh_token,
  };
};

/** Reads the company from the platform. @throws ApiError if the platform refuses */
const readCompany = async (platform: Platform, access: CompanyAccess): Promise<PlatformCompany> => {
  try {
    return await platform.company(access);
  } catch (error) {
    throw error instanceof PlatformFailure ? apiErrorOf(error, '/access_token') : error;
  }
};

/**
 * Exchanges the refresh token for new tokens and tests them on the company, before they replace
 * tokens that work. A connection depends on its refresh token: with a wrong one, it would be
 * disconnected within the hour, when the access token expires.
 *
 * This is the last check. Platforms replace a refresh token when it is used, so a later refusal
 * would take it from the caller. After a crash before the write, the caller can send the old token
 * again within the platform's grace period.
 */
const exchangeRefreshToken = async (
  platform: Platform,
  { refreshToken, dataCenter }: Pick<Credentials, 'refreshToken' | 'dataCenter'>,
  company: PlatformCompany,
): Promise<PlatformTokens> => {
  try {
    const tokens = await platform.refresh({ refreshToken, dataCenter });
    await platform.company({ ...company, accessToken: tokens.accessToken });
    return tokens;
  } catch (error) {
    if (!(error instanceof PlatformFailure)) throw error;
    const isOfAnotherCompany = error.reason === 'company_not_found';
    throw apiErrorOf(
      isOfAnotherCompany ? new PlatformFailure('credentials_refused', { cause: error }) : error,
      '/refresh_token',
    );
  }
};

/** The range of entry dates that a request sets. */
export const entryYearsOf = ({
  entry_years_back: entryYearsBack,
  entry_years_ahead: entryYearsAhead,
}: Request): Pick<Tenant, 'entryYearsBack' | 'entryYearsAhead'> => ({
  ...(entryYearsBack !== undefined && { entryYearsBack }),
  ...(entryYearsAhead !== undefined && { entryYearsAhead }),
});

type OptionalSettings = Pick<Tenant, 'createdAt' | 'entryYearsBack' | 'entryYearsAhead'> &
  Pick<Tenant, 'indexedMetadata' | 'followPlatformEdits'>;

const optionalSettingsOf = (input: Request, now: Date): OptionalSettings => {
  const createdAt = now.toISOString();
  const { indexed_metadata: keys, follow_platform_edits: followPlatformEdits } = input;
  return {
    createdAt,
    ...entryYearsOf(input),
    ...(keys && { indexedMetadata: firstIndexedKeys(keys, createdAt) }),
    ...(followPlatformEdits !== undefined && { followPlatformEdits }),
  };
};

export const openCreation = (dependencies: CreationDependencies) => {
  const { tenants, quotas, platforms, clock, newImportId } = dependencies;

  const refusalOf = (obstacle: ConnectionObstacle): ApiError => {
    if (obstacle === 'connected_by_another_user') {
      return new ApiError('company_connected_by_another_user');
    }
    return new ApiError('validation_failed', { details: [tenantQuotaReached(quotas)] });
  };

  const create = async (
    platform: Tenant['platform'],
    { owner, input, idempotentRequest, by }: CreationRequest,
  ): Promise<Creation> => {
    const { company_name: companyName, currency, cash_flow_method: cashFlowMethod } = input;
    const financialYearEnd = usualFinancialYearEnd;
    if (companyName === undefined || currency === undefined) {
      throw new Error('the schema accepted a request without a required field');
    }
    const creation = await tenants.create(owner, {
      details: {
        platform,
        companyName,
        currency,
        cashFlowMethod,
        financialYearEnd,
        ...optionalSettingsOf(input, clock()),
      },
      accounts: defaultChart,
      idempotentRequest,
      by,
    });
    if (creation.outcome === 'tenant_quota_reached') throw refusalOf(creation.outcome);
    return creation;
  };

  const connect = async (
    { slot, credentials }: { slot: Slot; credentials: Credentials },
    { owner, input, idempotentRequest, by }: CreationRequest,
  ): Promise<Creation> => {
    const platform = await platforms.get(slot);
    const company = await readCompany(platform, credentials);
    if (input.currency !== undefined && input.currency !== company.currency) {
      throwIfProblems([
        problem('not_an_allowed_value', '/currency', { allowed: [company.currency] }),
      ]);
    }
    const location = { platform: slot, ...company };
    const obstacle = await tenants.findObstacle(owner, location);
    if (obstacle) throw refusalOf(obstacle);
    const { refreshToken } = credentials;
    const requestedAt = clock();
    const tokens = await exchangeRefreshToken(platform, { ...company, refreshToken }, company);
    const connection = await tenants.connect(owner, {
      details: {
        platform: slot,
        companyName: input.company_name ?? company.name,
        currency: company.currency,
        cashFlowMethod: input.cash_flow_method,
        financialYearEnd: company.financialYearEnd,
        ...optionalSettingsOf(input, clock()),
      },
      company: {
        adapter: platform.adapter,
        companyId: company.companyId,
        dataCenter: company.dataCenter,
      },
      tokens: withExpiry(tokens, requestedAt),
      reconnectBy: reconnectTimeOf(tokens, requestedAt),
      importId: newImportId(),
      idempotentRequest,
      by,
    });
    if ('tenant' in connection || connection.outcome === 'replayed') return connection;
    throw refusalOf(connection.outcome);
  };

  return { create, connect };
};
