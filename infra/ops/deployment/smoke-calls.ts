// The API calls of the smoke test, timed. They are the first calls of a new application.

import * as z from 'zod/mini';
import { CommandFailure } from '../errors.ts';

export type SmokeCall = { call: string; status: number; milliseconds: number };

export type SmokeTarget = {
  /** Paths such as `/external/v1/users/ensure/` follow it. */
  baseUrl: string;
  apiKey: string;
  /** The entry date. It must have exchange rates. */
  date: string;
  /** Unique for each run. */
  runId: string;
  password: string;
  sleep: (milliseconds: number) => Promise<unknown>;
};

type Reply = { status: number; headers: Headers; data: Record<string, unknown> };

/** A little longer than the gateway's own timeout. */
const timeoutMilliseconds = 35_000;

/**
 * Retries the first call for this long. A new deployment or key takes an undocumented time to
 * become effective, and the gateway caches authorizer decisions for a minute.
 */
const readinessMilliseconds = 90_000;
const pauseMilliseconds = 3_000;

const Failure = z.object({
  error: z.object({
    code: z.string(),
    message: z.string(),
    request_id: z.optional(z.string()),
    details: z.optional(z.array(z.object({ code: z.string() }))),
  }),
});

const describeFailure = (status: number, body: unknown): string => {
  const { error } = Failure.safeParse(body).data ?? {};
  if (error === undefined) return `${status}, and the body is not an error of this API`;
  const details = (error.details ?? []).map(({ code }) => code).join(', ');
  const words = [error.code, details && `(${details})`, error.message].filter(Boolean).join(' ');
  return `${status} ${words} [request_id ${error.request_id ?? 'unknown'}]`;
};

/** A gateway can reply with these until a deployment is effective everywhere. */
const isUnready = (status: number): boolean => [401, 403, 404].includes(status) || status >= 500;

/** Returns the reply or the problem; never throws. */
const send = async (
  { baseUrl, apiKey }: SmokeTarget,
  { path, body, headers }: { path: string; body: object; headers?: Record<string, string> },
): Promise<{ reply: Reply } | { status: number; problem: string }> => {
  try {
    const response = await fetch(`${baseUrl.replace(/\/$/, '')}/external/v1/${path}`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'X-API-Key': apiKey, ...headers },
      body: JSON.stringify(body),
      redirect: 'error',
      signal: AbortSignal.timeout(timeoutMilliseconds),
    });
    const { status } = response;
    const content = await response.json().catch(() => undefined);
    if (status !== 200) return { status, problem: `replied ${describeFailure(status, content)}` };
    const { data = {} } = (content ?? {}) as { data?: Reply['data'] };
    return { reply: { status, headers: response.headers, data } };
  } catch (error) {
    const { message, cause } = error as Error;
    const reason = cause instanceof Error ? `${message}: ${cause.message}` : message;
    return { status: 0, problem: `got no reply (${reason})` };
  }
};

const expectThat = (holds: boolean, sentence: string): void => {
  if (!holds) throw new CommandFailure(`the smoke test failed: ${sentence}`);
};

/** Ensure, tenant, post, replay, profile. @throws CommandFailure at the first wrong reply */
export const runSmokeCalls = async (target: SmokeTarget) => {
  const calls: SmokeCall[] = [];

  const call = async (
    name: string,
    request: Parameters<typeof send>[1],
    { untilReady = false } = {},
  ): Promise<Reply> => {
    const giveUpAt = performance.now() + readinessMilliseconds;
    for (;;) {
      const startedAt = performance.now();
      const result = await send(target, request);
      const milliseconds = Math.round(performance.now() - startedAt);
      if ('reply' in result) {
        calls.push({ call: name, status: result.reply.status, milliseconds });
        return result.reply;
      }
      const canBecomeReady = result.status === 0 || isUnready(result.status);
      if (!untilReady || !canBecomeReady || performance.now() > giveUpAt) {
        throw new CommandFailure(`the smoke test failed: ${name} ${result.problem}`);
      }
      await target.sleep(pauseMilliseconds);
    }
  };

  const email = 'smoke-test@ledger.example';
  const person = { email, first_name: 'Smoke', last_name: 'Test' };
  const user = await call(
    'ensure',
    { path: 'users/ensure/', body: { ...person, password: target.password } },
    { untilReady: true },
  );
  // With a fixed key every run uses the same tenant, and only adds an entry.
  const tenant = await call('tenant', {
    path: 'tenants/create/',
    headers: { 'Idempotency-Key': 'smoke-test' },
    body: {
      user_id: user.data.user_id,
      platform: 'manual',
      cash_flow_method: 'indirect',
      company_name: 'Smoke test',
      currency: 'EUR',
    },
  });
  const prefix = String(tenant.data.tenant_domain_url);
  // Two currencies, so that the post needs exchange rates.
  const entry = {
    path: 'journal_entries/create/',
    body: {
      domain_url: prefix,
      date: target.date,
      memo: 'Smoke test of the deployment',
      transactionCurrency: 'USD',
      reportingCurrency: 'EUR',
      external_id: `smoke-${target.runId}`,
      entries: [
        { account: '1010', debit: '1.00', credit: '', description: 'Smoke test' },
        { account: '4010', debit: '', credit: '1.00', description: 'Smoke test' },
      ],
    },
  };
  const posted = await call('post', entry);
  const replayed = await call('replay', entry);
  const { journal_entry_id: id } = posted.data;
  expectThat(
    replayed.headers.get('idempotent-replayed') === 'true' && replayed.data.journal_entry_id === id,
    'the entry was posted a second time',
  );
  const profile = await call('profile', { path: 'users/profile/', body: { email } });
  const { tenants = [] } = profile.data as { tenants?: { tenant_domain_url: string }[] };
  expectThat(
    tenants.some((it) => it.tenant_domain_url === prefix),
    'the profile does not show the tenant',
  );
  return { tenant: prefix, journalNumber: String(posted.data.journal_number), calls };
};
