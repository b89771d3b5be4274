// Uses the package in a scratch project, against the service on this machine.

import { deepEqual, equal, ok, rejects } from 'node:assert/strict';
import { createRequire } from 'node:module';
import { type BatchEntry, LedgerError, openLedger } from 'accounting-ledger-client';
import { verifyWebhook } from 'accounting-ledger-client/webhooks';

const { LEDGER_URL = '', LEDGER_KEY = '', SANDBOX_URL = '', STANDARD_WEBHOOKS = '' } = process.env;
const ledger = openLedger({ baseUrl: LEDGER_URL, apiKey: LEDGER_KEY });

const { user_id } = await ledger.post('/external/v1/users/ensure/', {
  email: 'grace@example.com',
  password: 'the quick brown fox',
  first_name: 'Grace',
  last_name: 'Hopper',
});
const { tenant_domain_url: domain_url } = await ledger.post('/external/v1/tenants/create/', {
  user_id,
  platform: 'manual',
  cash_flow_method: 'direct',
  company_name: 'Compilers',
  currency: 'EUR',
});

const entry: BatchEntry = {
  date: '2026-03-23',
  memo: 'Consulting',
  transactionCurrency: 'EUR',
  reportingCurrency: 'EUR',
  entries: [
    { account: '1010', debit: '1.00' },
    { account: '4010', credit: '1.00' },
  ],
};

const createPath = '/external/v1/journal_entries/create/';
const fail = (failure: string, path: string, times = 1) =>
  fetch(`${SANDBOX_URL}/rehearsals?path=${path}&failure=${failure}&times=${times}`, {
    method: 'POST',
  });

/** A write is done once, whichever replies fail before. */
for (const [failure, replayed] of [
  ['throttled', false],
  ['unavailable', false],
  ['timed_out', true],
  ['reply_lost', true],
] as const) {
  await fail(failure, createPath, replayed ? 1 : 2);
  const posted = await ledger.post(createPath, { domain_url, ...entry });
  equal(posted.replayed, replayed, failure);
}
await fail('reply_lost', '/external/v1/journal_entries/list/');
const list = ledger.list('/external/v1/journal_entries/list/', { domain_url, limit: 3 });
const numbers = await Array.fromAsync(list, ({ journal_number }) => journal_number);
deepEqual(
  numbers,
  [4, 3, 2, 1].map((number) => `MJ-20260323-000${number}`),
);

const impatient = openLedger({ baseUrl: LEDGER_URL, apiKey: LEDGER_KEY, attempts: 1 });
await fail('unavailable', createPath);
const refused = await impatient.post(createPath, { domain_url, ...entry }).catch((it) => it);
ok(refused instanceof LedgerError && refused.retryable && refused.status === 503);

const many = Array.from({ length: 60 }, () => ({ ...entry, date: '2026-03-24' }));
for (const replayed of [false, true]) {
  const batches = ledger.postEntries(domain_url, many, { idempotencyKey: 'import-7' });
  const found = await Array.fromAsync(
    batches,
    ({ journal_entries }) => journal_entries.filter((it) => it.replayed === replayed).length,
  );
  deepEqual(found, [25, 25, 10]);
}

const wrong = { domain_url, ...entry, memo: ' ' };
await rejects(ledger.post(createPath, wrong), (error) => {
  ok(error instanceof LedgerError && error.requestId);
  equal(error.code, 'validation_failed');
  deepEqual(
    [error.details[0]?.code, error.details[0]?.pointer],
    ['memo_must_not_be_blank', '/memo'],
  );
  return true;
});
// @ts-expect-error An amount is text.
const number: BatchEntry = { ...entry, entries: [{ account: '1010', debit: 1 }] };
ok(number);

/** The feed gets its events within seconds. */
const posted = async () => {
  const events = ledger.events({ domain_url, types: 'journal_entry.posted', limit: 20 });
  return Array.fromAsync(events, ({ sequence }) => sequence);
};
let sequences: number[] = [];
for (let tries = 0; sequences.length < 64 && tries < 100; tries += 1) {
  await new Promise((resolve) => setTimeout(resolve, 200));
  sequences = await posted();
}
equal(new Set(sequences).size, 64);
deepEqual(
  sequences,
  sequences.toSorted((one, other) => one - other),
);

/** What the official library signs is verified, and nothing else. */
const { Webhook } = createRequire(STANDARD_WEBHOOKS)('standardwebhooks');
const [secret, other] = ['a', 'b'].map((it) => `whsec_${btoa(it.repeat(32))}`) as [string, string];
const body = '{"sequence":7}';
const sign = (secretOf: string, sentAt = new Date()) => ({
  'webhook-id': 'evt_1',
  'webhook-timestamp': String(Math.floor(sentAt.getTime() / 1000)),
  'webhook-signature': new Webhook(secretOf).sign('evt_1', sentAt, body),
});
const headers = sign(secret);
deepEqual(await verifyWebhook({ headers, body }, secret), { sequence: 7 });
deepEqual(await verifyWebhook({ headers: new Headers(headers), body }, secret), { sequence: 7 });
const rotated = `${sign(other)['webhook-signature']} v1a,x v1,? ${headers['webhook-signature']}`;
await verifyWebhook({ headers: { ...headers, 'webhook-signature': rotated }, body }, secret);
const isRefused = (changed: object, text = body) =>
  rejects(verifyWebhook({ headers: { ...headers, ...changed }, body: text }, secret));
await isRefused(sign(other));
await isRefused({}, '{"sequence":8}');
await isRefused({ 'webhook-id': 'evt_2' });
await isRefused({ 'webhook-signature': undefined });
for (const minutes of [-6, 6])
  await isRefused(sign(secret, new Date(Date.now() + minutes * 60_000)));
console.log('done');
