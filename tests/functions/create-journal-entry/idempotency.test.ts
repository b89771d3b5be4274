import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import { createHandler } from '#functions/create-journal-entry/handler.ts';
import { openPosting } from '#shared/entries/posting.service.ts';
import type { Tenant } from '#shared/tenants/tenants.ts';
import { openTestLedger } from '../../support/builders/ledger.ts';
import { costOf } from '../../support/dynamodb/costs.ts';
import { apiEvent, lambdaContext, readResult } from '../../support/events/lambda-events.ts';
import { tenantToolsOf } from '../../support/harnesses/tenant-tools.ts';

type Names = { key?: string; externalId?: string; memo?: string };
let other: Tenant;
let ledger: Awaited<ReturnType<typeof openTestLedger>>;
let post: (names: Names, tenant?: Tenant) => Promise<ReturnType<typeof readResult>>;

beforeAll(async () => {
  ledger = await openTestLedger();
  const own = await ledger.createTenant('Keys');
  other = await ledger.createTenant('Other Keys');
  const posting = openPosting({
    ...ledger,
    clock: () => new Date('2026-03-24T12:00:00Z'),
  });
  const handler = createHandler({ posting, ...tenantToolsOf(ledger.table) });
  post = async ({ key, externalId, memo = 'March consulting' }, tenant = own) => {
    const body = {
      ...{ domain_url: tenant.prefix, date: '2026-03-23', memo, external_id: externalId ?? null },
      ...{ transactionCurrency: 'EUR', reportingCurrency: 'EUR' },
      entries: [
        { account: '1010', debit: '1.00' },
        { account: '4010', credit: '1.00' },
      ],
    };
    const headers = key === undefined ? {} : { 'Idempotency-Key': key };
    return readResult(await handler(apiEvent({ body, headers }), lambdaContext()));
  };
});

const idOf = ({ body }: Awaited<ReturnType<typeof post>>) => body.data?.journal_entry_id;
const replayed = { 'Idempotent-Replayed': 'true' };

describe('an Idempotency-Key', () => {
  test('posts once, for ever, and says where a repeat differs', async () => {
    const key = randomUUID();
    const first = await post({ key });
    expect(first.headers).not.toHaveProperty('Idempotent-Replayed');
    const again = await post({ key });
    expect([idOf(again), again.headers]).toMatchObject([idOf(first), replayed]);
    const other = await post({ key, memo: 'Other', externalId: randomUUID() });
    expect([idOf(other), other.headers]).toMatchObject([
      idOf(first),
      { ...replayed, 'Idempotency-Mismatch': '/memo, /external_id' },
    ]);
  });

  test('makes one entry of 16 requests at once', async () => {
    const key = randomUUID();
    const replies = await Promise.all(Array.from({ length: 16 }, () => post({ key })));
    expect(new Set(replies.map(idOf)).size).toBe(1);
    expect(replies.filter(({ headers }) => headers['Idempotent-Replayed'])).toHaveLength(15);
  });

  test('guards beside an external_id: whichever comes again finds the entry', async () => {
    const [key, externalId] = [randomUUID(), randomUUID()];
    const first = await post({ key, externalId });
    for (const names of [{ key }, { externalId }, { key: randomUUID(), externalId }]) {
      expect(idOf(await post(names))).toBe(idOf(first));
    }
  });

  test('and an external_id that stand for two entries are refused together', async () => {
    const [key, externalId] = [randomUUID(), randomUUID()];
    await post({ key });
    await post({ externalId });
    const { status, body } = await post({ key, externalId });
    expect([status, body.error.code]).toEqual([422, 'idempotency_key_reused']);
  });

  test('belongs to its tenant, and is not used up by a request that is refused', async () => {
    const key = randomUUID();
    expect((await post({ key, memo: ' ' })).status).toBe(422);
    const [here, there] = [await post({ key }), await post({ key }, other)];
    expect([here.status, there.status, idOf(here) === idOf(there)]).toEqual([200, 200, false]);
  });

  test('that may not be given is named with all else that is wrong', async () => {
    const { body } = await post({ key: 'a b', memo: ' ' });
    expect(body.error.details.map(({ pointer }: { pointer: string }) => pointer)).toEqual([
      '/memo',
      '/Idempotency-Key',
    ]);
  });

  test.each([
    ['nothing', ''],
    ['a blank', 'a b'],
    ['more characters than a key of the table has', 'k'.repeat(2_000)],
  ])('of %s is refused', async (_, key) => {
    const { status, body } = await post({ key });
    expect([status, body.error.details]).toMatchObject([422, [{ pointer: '/Idempotency-Key' }]]);
  });

  test('costs what an external_id costs: two calls, 5 units read, 6 written', async () => {
    const { sequentialCalls, units } = await costOf(() => post({ key: randomUUID() }));
    expect({ sequentialCalls, units }).toEqual({
      sequentialCalls: 2,
      units: { read: 5, write: 6 },
    });
  });
});
