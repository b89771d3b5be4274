// A running service with two applications. One has a user, a tenant and an entry; the other tries
// to reach them.

import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';
import type { EndpointSchema } from '#infra/docs/operations.ts';
import { functionsOfKind } from '#infra/manifest/manifest.ts';
import { ada, manualTenant } from '../support/builders/requests.ts';
import { operate } from '../support/processes/operator-process.ts';
import { callApi, type Demo, makeDataFolder, startService } from '../support/processes/service.ts';
import { secrets } from '../support/recorders/secrets-collector.ts';

export const balancedEntry = {
  date: '2026-03-23',
  memo: 'Mine',
  transactionCurrency: 'EUR',
  reportingCurrency: 'EUR',
  external_id: 'invoice-1',
  entries: [
    { account: '1010', debit: '1.00' },
    { account: '4010', credit: '1.00' },
  ],
};

/** A user of the other application. */
const grace = { ...ada, email: 'grace@example.com' };

type CallOptions = Parameters<typeof callApi>[2];

export const openTwoApplications = async () => {
  const folder = await makeDataFolder();
  const service = await startService({ dataFolder: folder.path });
  const { base_url } = service.demo;

  /** Runs the operator's tool against the service, and reads its report. */
  const ops = (...words: string[]) =>
    operate([...words, '--local'], { ...process.env, LEDGER_DATA: folder.path });
  const issueKey = (application: string): Promise<{ api_key: string; key_id: string }> =>
    ops('keys', 'create', '--application', application);
  /** Registers an application, and issues its first key. */
  const register = async (application: string) => {
    await ops('applications', 'create', '--application', application);
    return issueKey(application);
  };
  const as =
    ({ api_key }: Pick<Demo, 'api_key'>) =>
    (path: string, options?: CallOptions) =>
      callApi({ base_url, api_key }, path, options);

  const keys = { mine: await register('Mine'), theirs: await register('Theirs') };
  const [mine, theirs] = [as(keys.mine), as(keys.theirs)];
  const ensured = await mine('users/ensure/', { body: ada });
  const userId: string = ensured.body.data.user_id;
  const theirUserId: string = (await theirs('users/ensure/', { body: grace })).body.data.user_id;
  const created = await mine('tenants/create/', { body: { ...manualTenant, user_id: userId } });
  const entry = { ...balancedEntry, domain_url: created.body.data.tenant_domain_url as string };
  const batch = { domain_url: entry.domain_url, journal_entries: [balancedEntry] };
  const posted = await mine('journal_entries/create/', { body: entry });
  if (posted.status !== 200) throw new Error(JSON.stringify(posted.body));

  return {
    service,
    operate: ops,
    issueKey,
    register,
    as,
    keys,
    mine,
    theirs,
    userId,
    theirUserId,
    entry,
    batch,
    stop: async () => {
      await service.stop();
      await folder.remove();
    },
  };
};

export type TwoApplications = Awaited<ReturnType<typeof openTwoApplications>>;

/** A request exactly as written, where fetch would change the path or refuse the method. */
export const rawRequest = async (
  url: string,
  options: { method: string; path: string; headers: Record<string, string | string[]> },
) => {
  const { hostname, port } = new URL(url);
  const sent = request({ hostname, port, ...options }).end();
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  const { statusCode: status, headers } = response;
  const body = await text(response);
  const place = `reply of ${options.method} ${options.path.replace(/\?.*/, '')}`;
  secrets.keep(place, `${JSON.stringify(headers)}\n${body}`);
  return { status, headers, body };
};

/** A refusal without its request id. */
export const withoutRequestId = (body: { error: object }) => ({
  ...body,
  error: { ...body.error, request_id: undefined },
});

/** The parts of a refusal that a caller can compare. */
export const verdictOf = (reply: { status: number; body: { error?: { code: string } } }) => [
  reply.status,
  reply.body.error?.code ?? 'success',
];

export const problemsOf = (body: { error: { details: { code: string; pointer: string }[] } }) =>
  body.error.details.map(({ code, pointer }) => `${code} ${pointer}`);

/** The endpoints whose requests name a tenant, except confirm-tenant. */
export const tenantEndpoints = (
  await Promise.all(
    functionsOfKind('api').map(async ({ name, trigger: { method, path } }) => {
      const { documentation }: EndpointSchema = await import(`#functions/${name}/schema.ts`);
      const [example] = documentation.examples;
      const request = example?.request as Record<string, string>;
      return { name, method, path: path.replace('/external/v1/', ''), request };
    }),
  )
).filter(({ name, request }) => name !== 'confirm-tenant' && 'domain_url' in request);

/** Calls an endpoint as an application. */
export const callTenant = (
  application: TwoApplications['mine'],
  { method, path }: Pick<(typeof tenantEndpoints)[number], 'method' | 'path'>,
  input: Record<string, string>,
) =>
  method === 'GET'
    ? application(`${path}/?${new URLSearchParams(input)}`)
    : application(`${path}/`, { body: input });
