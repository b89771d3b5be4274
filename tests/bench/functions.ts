// The measured functions, imported through their entry points with their logs and metrics.

import type { Context } from 'aws-lambda';
import { handler as authorize } from '#functions/authorizer/index.ts';
import { handler as createEntry } from '#functions/create-journal-entry/index.ts';
import { handler as createTenant } from '#functions/create-tenant/index.ts';
import { handler as ensureUser } from '#functions/ensure-user/index.ts';
import { handler as getProfile } from '#functions/get-user-profile/index.ts';
import { handler as initiateOauth } from '#functions/initiate-oauth/index.ts';
import { type ApiEventOptions, apiEvent, lambdaContext } from '../support/events/lambda-events.ts';
import { tenantBody, userBody } from './requests.ts';

/** Calls a function with an event. */
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

type Reply = { statusCode?: number; body?: string };

/** The data of a reply. @throws Error if the status is not 200 */
export const dataOf = (reply: unknown): Record<string, string> => {
  const { statusCode = 200, body = '{}' } = reply as Reply;
  if (statusCode !== 200) throw new Error(`a measured request failed: ${body}`);
  return JSON.parse(body).data;
};

/** Creates users, tenants and events of an application. */
export const openApplication = (applicationId: string) => {
  const event = (options: ApiEventOptions) => apiEvent({ applicationId, ...options });
  return {
    event,
    createUser: async (email: string): Promise<string> => {
      const reply = await functionsOf.ensureUser(event({ body: userBody(email) }));
      return dataOf(reply).user_id ?? '';
    },
    createTenant: async (userId: string, companyName: string) => {
      const body = tenantBody(userId, companyName);
      const reply = await functionsOf.createTenant(event({ body }));
      const { tenant_domain_url: prefix = '', schema_name: schemaName = '' } = dataOf(reply);
      return { prefix, schemaName };
    },
  };
};

export type BenchApplication = ReturnType<typeof openApplication>;
