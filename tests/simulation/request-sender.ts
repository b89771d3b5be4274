// Sends a request to its function, as the gateway, a browser or the scheduler does, and reads the
// reply.

import type { APIGatewayProxyResult, ScheduledEvent } from 'aws-lambda';
import { tokenFields } from '../support/builders/requests.ts';
import { apiEvent, keepReply, lambdaContext, readResult } from '../support/events/lambda-events.ts';
import { urlEvent } from '../support/events/url-events.ts';
import {
  type BackgroundFunctions,
  gatewayStatusOf,
  type Instance,
} from '../support/harnesses/instances.ts';
import { bodyOf } from './model/expected-entry.ts';
import type { SimulatedPlatforms } from './platforms.ts';
import type {
  Answer,
  CallbackRequest,
  ImportRequest,
  Request,
  RequestOf,
  TenantRequest,
} from './requests.ts';

/** Long enough for every operation here; a run keeps a reserve of ten seconds. */
const remainingMilliseconds = 3_600_000;

/** The processes that an operation reaches, and its moment. */
type Recipients = {
  instance: Instance;
  background: BackgroundFunctions;
  platforms: SimulatedPlatforms;
  now: Date;
};

type Problem = { code: string; pointer: string };

const fieldsOf = (content: object): string => Object.keys(content).sort().join();

/** What every reply has; only failures have an error, and nothing has more. */
const isEnvelope = (status: number, { error, ...body }: { error?: object; status: string }) =>
  status === 200
    ? fieldsOf(body) === 'data,status,status_code' && body.status === 'success' && !error
    : fieldsOf(body) === 'status,status_code' &&
      body.status === 'error' &&
      fieldsOf(error ?? {}) === 'code,details,message,request_id,retryable';

const read = (result: APIGatewayProxyResult): Answer => {
  const { status, headers, body } = readResult(result);
  if (!isEnvelope(status, body) || body.status_code !== status) {
    return { status: 599, code: `is no envelope: ${result.body}`, retryable: false };
  }
  if (status === 200) {
    const { replayed, ...data } = body.data;
    const isReplay = headers['Idempotent-Replayed'] === 'true';
    if (replayed !== undefined && replayed !== isReplay) {
      return { status: 599, code: `replayed is ${replayed}, unlike the header`, retryable: false };
    }
    return {
      status,
      retryable: false,
      data,
      isReplay,
      isMismatch: headers['Idempotency-Mismatch'] !== undefined,
    };
  }
  const { code, retryable, details } = body.error;
  const problems = details.map(({ code: rule, pointer }: Problem) => `${rule} ${pointer}`);
  return { status, code, retryable, problems: problems.sort() };
};

/** The status that a caller would get for each error of a callback. */
const callbackStatuses: Record<string, number> = {
  access_denied: 400,
  authorization_failed: 502,
  platform_failed: 502,
  platform_timed_out: 504,
  internal_error: 500,
};

const callbackPath = '/oauth/platform_a/callback';
const redirectUrl = 'https://app.example/connected';

const callBack = async (
  { state, company, isDenied }: CallbackRequest,
  { instance, platforms }: Recipients,
): Promise<Answer> => {
  const query: Record<string, string> = isDenied
    ? { state, error: 'access_denied' }
    : { state, code: platforms.issueCode(company) };
  const event = urlEvent({ path: callbackPath, query });
  const reply = await instance.callBack(event, lambdaContext());
  const { statusCode = 0, headers } = keepReply(reply);
  const location = headers?.Location;
  if (location === undefined) return { status: statusCode, code: 'page', retryable: false };
  const [address, answered = ''] = String(location).split('?');
  const answer = Object.fromEntries(new URLSearchParams(answered));
  const { status, domain_url: prefix, error: code, ...more } = answer;
  const isExpected =
    statusCode === 303 &&
    address === redirectUrl &&
    status === (prefix === undefined ? 'error' : 'success') &&
    (prefix === undefined) !== (code === undefined) &&
    Object.keys(more).length === 0;
  if (!isExpected) return { status: 599, code: `leads to ${location}`, retryable: false };
  return prefix === undefined
    ? { status: callbackStatuses[code ?? ''] ?? 599, code, retryable: false }
    : { status: 303, retryable: false, data: { prefix } };
};

const authorize = async (apiKey: string, instance: Instance): Promise<Answer> => {
  const status = await gatewayStatusOf(instance, apiKey);
  return { status, retryable: status === 500 };
};

const contextWith = (getRemainingTimeInMillis: () => number) => ({
  ...lambdaContext(),
  getRemainingTimeInMillis,
});

/** A run of a schedule. If it throws, the schedule repeats it. */
const run = async (
  time: string,
  handler: Instance['postScheduled'],
  remaining = () => remainingMilliseconds,
): Promise<Answer> => {
  try {
    const data = await handler({ time } as ScheduledEvent, contextWith(remaining));
    return { status: 200, retryable: false, data };
  } catch {
    return { status: 500, retryable: true };
  }
};

const runImport = async (
  { image }: ImportRequest,
  { runImport: handler, remainingMilliseconds: remaining }: BackgroundFunctions,
): Promise<Answer> => {
  try {
    await handler(image, contextWith(remaining));
    return { status: 200, retryable: false };
  } catch {
    return { status: 500, retryable: true };
  }
};

type EndpointRequest = RequestOf<
  | 'ensure'
  | 'profile'
  | 'tenant'
  | 'initiate'
  | 'entry'
  | 'batch'
  | 'reversal'
  | 'cancellation'
  | 'settings'
>;

type TokenSource = Pick<Recipients, 'platforms' | 'now'>;

const tenantBody = (asked: TenantRequest, { platforms, now }: TokenSource) => {
  const { userId, platform, companyName, currency, cashFlowMethod, company } = asked;
  const common = { user_id: userId, platform, cash_flow_method: cashFlowMethod };
  if (company === undefined) return { ...common, company_name: companyName, currency };
  const tokens = tokenFields(platforms.issueTokens(company, now));
  return { ...common, ...tokens, platform_company_id: company.companyId };
};

/** The body of a request about a tenant, without its domain. */
const bodyOfEntries = (
  request: RequestOf<'entry' | 'batch' | 'reversal' | 'cancellation' | 'settings'>,
) => {
  const dryRun = 'isDryRun' in request && request.isDryRun ? { dry_run: true } : {};
  switch (request.kind) {
    case 'entry':
      return { ...bodyOf(request.asked), ...dryRun };
    case 'batch':
      return { journal_entries: request.asked.map(bodyOf), ...dryRun };
    case 'cancellation':
      return request.named;
    case 'settings':
      return request.changes;
    case 'reversal': {
      const { named, asked } = request;
      const { date, memo, accrualDate, externalId } = asked;
      return {
        ...('external_id' in named ? { original_external_id: named.external_id } : named),
        date,
        ...(memo !== null && { memo }),
        ...dryRun,
        ...(accrualDate !== null && { accrual_date: accrualDate }),
        ...(externalId !== null && { external_id: externalId }),
      };
    }
  }
};

type Content = {
  body?: Record<string, unknown>;
  query?: Record<string, string>;
  headers?: Record<string, string>;
};

const contentOf = (request: EndpointRequest, tokens: TokenSource): Content => {
  switch (request.kind) {
    case 'ensure': {
      const names = { first_name: 'Ada', last_name: 'Lovelace' };
      return { body: { email: request.email, password: 'correct horse', ...names } };
    }
    case 'profile':
      return { body: { email: request.email } };
    case 'tenant': {
      const { idempotencyKey } = request;
      const headers = idempotencyKey === undefined ? {} : { 'Idempotency-Key': idempotencyKey };
      return { body: tenantBody(request, tokens), headers };
    }
    case 'initiate': {
      const { userId, cashFlowMethod } = request;
      const query = { user_id: userId, cash_flow_method: cashFlowMethod };
      return { query: { ...query, redirect_url: redirectUrl } };
    }
    default:
      return { body: { domain_url: request.domainUrl, ...bodyOfEntries(request) } };
  }
};

const handlers = {
  ensure: 'ensureUser',
  profile: 'getProfile',
  tenant: 'createTenant',
  initiate: 'initiate',
  entry: 'createEntry',
  batch: 'createEntries',
  reversal: 'reverseEntry',
  cancellation: 'cancelEntry',
  settings: 'updateTenant',
} as const satisfies Record<EndpointRequest['kind'], keyof Instance>;

/** Whether a request is one of an application to an endpoint. */
export const isToEndpoint = (request: Request): request is EndpointRequest =>
  request.kind in handlers;

const callEndpoint = async (
  request: EndpointRequest,
  { content, instance }: { content: Content; instance: Instance },
): Promise<Answer> => {
  const { body, query, headers = {} } = content;
  const event = apiEvent({
    applicationId: request.applicationId,
    headers,
    ...(body && { body }),
    ...(query && { method: 'GET', query, pathParameters: { platform: 'platform_a' } }),
  });
  return read(await instance[handlers[request.kind]](event, lambdaContext(remainingMilliseconds)));
};

/** No field accepts this, and no map of texts. */
const broken = { broken: {} };

/** Sends a request with each of its fields broken in turn, and with one that nobody knows. */
export const sendBroken = async (
  request: EndpointRequest,
  { instance, ...tokens }: TokenSource & { instance: Instance },
): Promise<{ field: string; status: number }[]> => {
  const content = contentOf(request, tokens);
  const answers = [];
  for (const field of [...Object.keys(content.body ?? content.query ?? {}), 'unknown']) {
    const changed = content.body
      ? { ...content, body: { ...content.body, [field]: broken } }
      : { ...content, query: { ...content.query, [field]: '\u0000' } };
    const { status } = await callEndpoint(request, { content: changed, instance });
    answers.push({ field, status });
  }
  return answers;
};

export const send = async (request: Request, recipients: Recipients): Promise<Answer> => {
  const { instance, background } = recipients;
  const { resumeImports, renewConnections, remainingMilliseconds: remaining } = background;
  switch (request.kind) {
    case 'callback':
      return callBack(request, recipients);
    case 'authorize':
      return authorize(request.apiKey, instance);
    case 'run':
      return run(request.time, instance.postScheduled);
    case 'import':
      return runImport(request, background);
    case 'resume':
      return run(request.time, resumeImports, remaining);
    case 'recording':
      throw new Error('recordings have no sender');
    case 'renew':
      return run(request.time, renewConnections, remaining);
    default:
      return callEndpoint(request, { content: contentOf(request, recipients), instance });
  }
};
