// The calls of the smoke test: what an application does first, each with the time it took.

import * as z from 'zod/mini';
import { CommandFailure } from './errors.ts';

export type SmokeCall = { call: string; status: number; milliseconds: number };

export type SmokeTarget = {
  /** Where the API is: what paths such as `/external/v1/users/ensure/` are put behind. */
  baseUrl: string;
  apiKey: string;
  /** The date of the entry: one that has rates. */
  date: string;
  /** A text of this run alone. */
  runId: string;
  password: string;
  sleep: (milliseconds: number) => Promise<unknown>;
};

type Answer = { status: number; headers: Headers; data: Record<string, unknown> };

/** The longest that a call may take: a little more than the gateway lets a function work. */
const timeoutMilliseconds = 35_000;

/**
 * For so long the first call is tried again. A gateway that was just deployed, or just given a key,
 * needs a moment; how long is not documented, and the authorizer's decisions are kept a minute.
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
  if (error === undefined) return `${status}, and not in the form of this API`;
  const details = (error.details ?? []).map(({ code }) => code).join(', ');
  const words = [error.code, details && `(${details})`, error.message].filter(Boolean).join(' ');
  return `${status} ${words} [request_id ${error.request_id ?? 'unknown'}]`;
};

/** An answer that a gateway may give while it does not know all of what was deployed yet. */
const isUnready = (status: number): boolean => [401, 403, 404].includes(status) || status >= 500;

/** A reply of the API, or why there is none. @throws never */
const send = async (
  { baseUrl, apiKey }: SmokeTarget,
  { path, body, headers }: { path: string; body: object; headers?: Record<string, string> },
): Promise<{ answer: Answer } | { status: number; problem: string }> => {
  try {
    const response = await fetch(`${baseUrl.replace(/\/$/, '')}/external/v1/${path}`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'X-API-Key': apiKey, ...headers },
      body: JSON.stringify(body),
      redirect: 'error',
      signal: AbortSignal.timeout(timeoutMilliseconds),
    });
    const { status } = response;
    const received = await response.json().catch(() => undefined);
    if (status !== 200) return { status, problem: `answered ${describeFailure(status, received)}` };
    const { data = {} } = (received ?? {}) as { data?: Answer['data'] };
    return { answer: { status, headers: response.headers, data } };
  } catch (error) {
    const { message, cause } = error as Error;
    const reason = cause instanceof Error ? `${message}: ${cause.message}` : message;
    return { status: 0, problem: `was not answered (${reason})` };
  }
};

const expectThat = (holds: boolean, sentence: string): void => {
  if (!holds) throw new CommandFailure(`the smoke test failed: ${sentence}`);
};

/** Ensure, tenant, post, replay, profile. @throws CommandFailure at the first that is not right */
export const runSmokeCalls = async (target: SmokeTarget) => {
  const calls: SmokeCall[] = [];

  const call = async (
    name: string,
    request: Parameters<typeof send>[1],
    { untilReady = false } = {},
  ): Promise<Answer> => {
    const giveUpAt = performance.now() + readinessMilliseconds;
    for (;;) {
      const begunAt = performance.now();
      const sent = await send(target, request);
      const milliseconds = Math.round(performance.now() - begunAt);
      if ('answer' in sent) {
        calls.push({ call: name, status: sent.answer.status, milliseconds });
        return sent.answer;
      }
      const mayBecomeReady = sent.status === 0 || isUnready(sent.status);
      if (!untilReady || !mayBecomeReady || performance.now() > giveUpAt) {
        throw new CommandFailure(`the smoke test failed: ${name} ${sent.problem}`);
      }
      await target.sleep(pauseMilliseconds);
    }
  };

  const email = 'smoke-test@ledger.example';
  const person = { email, first_name: 'Smoke', last_name: 'Test' };
  const ensured = await call(
    'ensure',
    { path: 'users/ensure/', body: { ...person, password: target.password } },
    { untilReady: true },
  );
  // The same key leads every run to the same tenant, so that only its entries grow.
  const tenant = await call('tenant', {
    path: 'tenants/create/',
    headers: { 'Idempotency-Key': 'smoke-test' },
    body: {
      user_id: ensured.data.user_id,
      platform: 'manual',
      cash_flow_method: 'indirect',
      company_name: 'Smoke test',
      currency: 'EUR',
    },
  });
  const prefix = String(tenant.data.tenant_domain_url);
  // Across currencies, so that it shows rates as well.
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
