// A stand-in for the part of API Gateway's own API that keeps usage plans and their keys, and that
// deploys an API: REST and JSON, with lists in pages (Amazon API Gateway API Reference).

import type { RequestListener } from 'node:http';
import { text } from 'node:stream/consumers';
import * as z from 'zod/mini';
import { listen } from '#infra/http-server.ts';

const CreateApiKey = z.strictObject({
  name: z.string(),
  value: z.string().check(z.minLength(20), z.maxLength(128)),
  description: z.string(),
  enabled: z.boolean(),
});
const UpdateApiKey = z.strictObject({
  patchOperations: z.tuple([
    z.strictObject({
      op: z.literal('replace'),
      path: z.literal('/enabled'),
      value: z.enum(['true', 'false']),
    }),
  ]),
});
const CreateDeployment = z.strictObject({ stageName: z.string(), description: z.string() });
const CreateUsagePlanKey = z.strictObject({ keyId: z.string(), keyType: z.literal('API_KEY') });

type GatewayKey = { id: string; name: string; value: string; enabled: boolean };
type Reply = { status: number; body: object };

const failure = (status: number, __type: string, message: string): Reply => ({
  status,
  body: { __type, message },
});

export const startApiGateway = async (planNames: string[], apiNames: string[] = []) => {
  const apis = apiNames.map((name, index) => ({ id: `api${index}`, name }));
  /** The deployed APIs and stages, in this order. */
  const deployed: string[] = [];
  const plans = planNames.map((name, index) => ({ id: `plan${index}`, name }));
  const keys = new Map<string, GatewayKey>();
  const inPlan = new Map<string, Set<string>>(plans.map(({ id }) => [id, new Set()]));

  /** A page of one row, to find readers that read the first page only. */
  const page = (all: object[], query: URLSearchParams): Reply => {
    const start = Number(query.get('position') ?? 0);
    const position = start + 1 < all.length ? { position: String(start + 1) } : {};
    return { status: 200, body: { item: all.slice(start, start + 1), ...position } };
  };
  const named = (query: URLSearchParams) =>
    [...keys.values()].filter(({ name }) => name.startsWith(query.get('name') ?? ''));

  const createKey = (body: unknown): Reply => {
    const asked = CreateApiKey.parse(body);
    if ([...keys.values()].some(({ value }) => value === asked.value)) {
      return failure(409, 'ConflictException', 'API Key already exists');
    }
    const key = { ...asked, id: `key${keys.size}` };
    keys.set(key.id, key);
    return { status: 201, body: key };
  };

  const withKey = (id: string, use: (key: GatewayKey) => Reply): Reply => {
    const key = keys.get(id);
    return key
      ? use(key)
      : failure(404, 'NotFoundException', 'Invalid API Key identifier specified');
  };

  const addToPlan = (planId: string, body: unknown): Reply =>
    withKey(CreateUsagePlanKey.parse(body).keyId, (key) => {
      inPlan.get(planId)?.add(key.id);
      return { status: 201, body: { ...key, type: 'API_KEY' } };
    });

  const updateKey = (id: string, body: unknown): Reply =>
    withKey(id, (key) => {
      key.enabled = UpdateApiKey.parse(body).patchOperations[0].value === 'true';
      return { status: 200, body: key };
    });

  const answer = (method: string, url: URL, body: unknown): Reply => {
    const [, resource, id = '', sub] = url.pathname.split('/');
    const query = url.searchParams;
    switch (`${method} /${resource}${id && '/{id}'}${sub ? `/${sub}` : ''}`) {
      case 'GET /usageplans':
        return page(plans, query);
      case 'GET /restapis':
        return page(apis, query);
      case 'POST /restapis/{id}/deployments':
        deployed.push(`${id} ${CreateDeployment.parse(body).stageName}`);
        return { status: 201, body: { id: 'deployment' } };
      case 'GET /apikeys':
        return page(
          named(query).map(({ value, ...key }) => ({
            ...key,
            ...(query.get('includeValues') === 'true' && { value }),
          })),
          query,
        );
      case 'POST /apikeys':
        return createKey(body);
      case 'PATCH /apikeys/{id}':
        return updateKey(id, body);
      case 'GET /usageplans/{id}/keys':
        return page(
          named(query).filter((key) => inPlan.get(id)?.has(key.id)),
          query,
        );
      case 'DELETE /usageplans/{id}/keys': {
        const [, , , , keyId = ''] = url.pathname.split('/');
        inPlan.get(id)?.delete(keyId);
        return { status: 202, body: {} };
      }
      case 'POST /usageplans/{id}/keys':
        return addToPlan(id, body);
      default:
        return failure(404, 'NotFoundException', `${method} ${url.pathname} is not served here`);
    }
  };

  const calls: string[] = [];
  /** The calls that begin so are denied. */
  const failing: string[] = [];
  const serve: RequestListener = async (request, response) => {
    const content = await text(request);
    const { method = '', url = '/' } = request;
    calls.push(`${method} ${url}`);
    const broken = failing.find((start) => `${method} ${url}`.startsWith(start));
    const { status, body } = broken
      ? failure(403, 'AccessDeniedException', `User is not authorized to ${broken}`)
      : answer(method, new URL(url, 'http://gateway'), content && JSON.parse(content));
    response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));
  };
  const { port, stop } = await listen(serve, { port: 0, purpose: 'gateway' });
  return {
    endpoint: `http://127.0.0.1:${port}`,
    calls,
    deployed,
    failing,
    keys,
    /** The values of the keys in a plan. */
    plan: (name: string): string[] => {
      const ids = inPlan.get(plans.find((plan) => plan.name === name)?.id ?? '') ?? [];
      return [...ids].map((id) => keys.get(id)?.value ?? '');
    },
    removeFromPlans: (id: string) => {
      for (const ids of inPlan.values()) ids.delete(id);
    },
    stop,
  };
};
