// Creates a company tenant with manual books, or connects it to an accounting platform.

import { isDeepStrictEqual } from 'node:util';
import * as z from 'zod/mini';
import type { Caller } from '#shared/applications/caller.ts';
import { type ApiReply, type ApiRequest, createApiHandler } from '#shared/endpoint/api.ts';
import { replayedHeader } from '#shared/endpoint/replay.view.ts';
import { ApiError, type Problem, problem, throwIfProblems } from '#shared/errors.ts';
import {
  idempotencyKeyHeader,
  idempotencyKeyProblems,
  userId as userIdField,
} from '#shared/fields.ts';
import { byKey } from '#shared/history/tenant-history.ts';
import { dateOf } from '#shared/money/dates.ts';
import { type Slot, type Slots, slotNamed } from '#shared/platforms/slots.ts';
import type { ExchangeRates } from '#shared/rates/exchange-rates.store.ts';
import { euro } from '#shared/rates/exchange-rates.ts';
import type { Telemetry } from '#shared/telemetry.ts';
import { referenceTo } from '#shared/tenants/tenant.view.ts';
import type {
  IdempotencyRecord,
  IdempotentRequest,
} from '#shared/tenants/tenant-creations.store.ts';
import type { Tenants } from '#shared/tenants/tenants.store.ts';
import {
  type CreationDependencies,
  type CreationRequest,
  credentialsOf,
  entryYearsOf,
  openCreation,
} from './creation.ts';
import { Data, type Request, requestFor } from './schema.ts';

export type Dependencies = CreationDependencies &
  Telemetry & {
    tenants: Pick<Tenants, 'prepare' | 'get'>;
    exchangeRates: Pick<ExchangeRates, 'find'>;
    slots: Slots;
  };

/** The fields that a repeat must match. Tokens are not among them: they change between retries. */
const idempotentRequestOf = (
  idempotencyKey: string | undefined,
  { input, platform }: { input: Request; platform: Slot | 'manual' },
): IdempotentRequest | undefined => {
  if (idempotencyKey === undefined) return undefined;
  const request = {
    userId: String(input.user_id),
    platform,
    cashFlowMethod: input.cash_flow_method,
    companyName: input.company_name ?? null,
    currency: input.currency ?? null,
    companyId: input.platform_company_id ?? null,
    dataCenter: input.data_center ?? null,
    // Requests of earlier versions had none of these, and their records have none.
    ...entryYearsOf(input),
    ...(input.indexed_metadata && { indexedKeys: input.indexed_metadata }),
    ...(input.follow_platform_edits !== undefined && {
      followPlatformEdits: input.follow_platform_edits,
    }),
  };
  return { idempotencyKey, request };
};

const HasUser = z.object({ user_id: userIdField });

export const createHandler = (dependencies: Dependencies) => {
  const { tenants, exchangeRates, slots, clock, log, metrics } = dependencies;
  const { create, connect } = openCreation(dependencies);

  /** Whether an entry of today in another currency would get a rate. */
  const rateNoteOf = async (currency: string = euro): Promise<{ has_exchange_rates: boolean }> => {
    const today = dateOf(clock());
    const pair = { transaction: currency, reporting: euro };
    return {
      has_exchange_rates: (await exchangeRates.find(pair, { date: today, today })) !== undefined,
    };
  };

  const replay = async (
    idempotencyRecord: IdempotencyRecord,
    { owner, idempotentRequest }: Pick<CreationRequest, 'owner' | 'idempotentRequest'>,
  ): Promise<ApiReply<Data>> => {
    if (!isDeepStrictEqual(idempotencyRecord.request, idempotentRequest?.request)) {
      throw new ApiError('idempotency_key_reused');
    }
    const { applicationId } = owner;
    const tenant = await tenants.get({ applicationId, schemaName: idempotencyRecord.schemaName });
    metrics.replayed();
    const isConnected = idempotentRequest?.request.companyId !== null;
    return {
      data: {
        ...referenceTo(tenant, slots),
        replayed: true,
        ...(!isConnected && (await rateNoteOf(tenant.currency))),
      },
      headers: replayedHeader,
    };
  };

  const handle = async ({ caller, input, header }: ApiRequest<Request>) => {
    const { applicationId } = caller;
    const idempotencyKey = header(idempotencyKeyHeader);
    throwIfProblems(idempotencyKeyProblems(idempotencyKey));
    const slot = slotNamed(slots, input.platform);
    const platform = slot ?? 'manual';
    const idempotentRequest = idempotentRequestOf(idempotencyKey, { input, platform });
    const { owner, idempotencyRecord } = await tenants.prepare({
      applicationId,
      userId: String(input.user_id),
      idempotencyKey,
    });
    if (owner === undefined) throw new ApiError('user_not_found');
    if (idempotencyRecord) return replay(idempotencyRecord, { owner, idempotentRequest });
    const by = byKey(caller.keyId);
    const request = { owner, input, idempotentRequest, by };
    const credentials = credentialsOf(input);
    const isConnected = slot !== undefined && credentials !== undefined;
    // Before the creation: a failed read must not hide a tenant that was created.
    const note = isConnected ? {} : await rateNoteOf(input.currency);
    const creation = isConnected
      ? await connect({ slot, credentials }, request)
      : await create(platform, request);
    return creation.outcome === 'replayed'
      ? replay(creation.idempotencyRecord, request)
      : { data: { ...referenceTo(creation.tenant, slots), replayed: false, ...note } };
  };

  const userProblems = async ({ applicationId }: Caller, input: unknown): Promise<Problem[]> => {
    const userId = HasUser.safeParse(input).data?.user_id;
    if (userId === undefined) return [];
    const { owner } = await tenants.prepare({
      applicationId,
      userId: String(userId),
      idempotencyKey: undefined,
    });
    return owner ? [] : [problem('user_not_found', '/user_id')];
  };

  return createApiHandler(
    {
      from: 'body',
      isPatient: true,
      request: requestFor(slots),
      data: Data,
      handle,
      storeProblems: async ({ caller, input, header }) => [
        ...idempotencyKeyProblems(header(idempotencyKeyHeader)),
        ...(await userProblems(caller, input)),
      ],
      // Without an Idempotency-Key, a retry creates a second tenant.
      isIdempotent: ({ header }) => header(idempotencyKeyHeader) !== undefined,
    },
    { log, metrics },
  );
};
