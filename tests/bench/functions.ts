// The measured functions as their entry points wire them, with their logs and metrics.

import type { Context } from 'aws-lambda';
import { handler as authorize } from '#functions/authorizer/index.ts';
import { handler as createEntry } from '#functions/create-journal-entry/index.ts';
import { handler as createTenant } from '#functions/create-tenant/index.ts';
import { handler as ensureUser } from '#functions/ensure-user/index.ts';
import { handler as getProfile } from '#functions/get-user-profile/index.ts';
import { handler as initiateOauth } from '#functions/initiate-oauth/index.ts';
import { type ApiEventOptions, apiEvent, lambdaContext } from '../support/events/lambda-events.ts';
import { tenantBody, userBody } from './requests.ts';

/** A function and how it is called; it throws where the answer is not what was to be measured. */
export type Call = (event: object) => Promise<unknown>;

const calling =
  (handler: (event: never, context: Context) => Promise<unknown>): Call =>
  (event) =>
    handler(event as never, lambdaContext());

export const functionsOf = {
  authorize: calling(authorize),
  createEntry: calling(createEntry),
  createTenant: calling(createTenant),
  ensureUser: calling(ensureUser),
  getProfile: calling(getProfile),
  initiateOauth: calling(initiateOauth),
};

type Answer = { statusCode?: number; body?: string };

/** What an endpoint answered. @throws where that is a failure */
export const dataOf = (answer: unknown): Record<string, string> => {
  const { statusCode = 200, body = '{}' } = answer as Answer;
  if (statusCode !== 200) throw new Error(`a measured request failed: ${body}`);
  return JSON.parse(body).data;
};

/** Builds the users, tenants and events of an application. */
export const openApplication = (applicationId: string) => {
  const event = (options: ApiEventOptions) => apiEvent({ applicationId, ...options });
  return {
    event,
    createUser: async (email: string): Promise<string> => {
      const answer = await functionsOf.ensureUser(event({ body: userBody(email) }));
      return dataOf(answer).user_id ?? '';
    },
    createTenant: async (userId: string, companyName: string) => {
      const body = tenantBody(userId, companyName);
      const answer = await functionsOf.createTenant(event({ body }));
      const { tenant_domain_url: prefix = '', schema_name: schemaName = '' } = dataOf(answer);
      return { prefix, schemaName };
    },
  };
};

export type BenchApplication = ReturnType<typeof openApplication>;
