import { randomBytes } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import { createHandler } from '#functions/create-journal-entry/handler.ts';
import { openPosting } from '#shared/entries/posting.service.ts';
import { openTenantLinks } from '#shared/tenants/tenant-links.store.ts';
import { newUserId } from '#shared/users/user-ids.ts';
import { openTestLedger } from '../../support/builders/ledger.ts';
import { costOf } from '../../support/dynamodb/costs.ts';
import { apiEvent, lambdaContext, readResult } from '../../support/events/lambda-events.ts';
import { tenantToolsOf } from '../../support/harnesses/tenant-tools.ts';
import { problemsOf } from '../../support/readers/replies.ts';

let ledger: Awaited<ReturnType<typeof openTestLedger>>;
let post: (change: object) => Promise<ReturnType<typeof readResult>>;
let owner: string;
let stranger: string;
let unlinkOwner: () => Promise<void>;

beforeAll(async () => {
  ledger = await openTestLedger();
  const tenant = await ledger.createTenant('Users');
  const userOf = async (applicationId: string, email: string): Promise<string> => {
    const details = { applicationId, email, firstName: 'A', lastName: 'B', createdAt: 'now' };
    const made = { passwordHash: 'none', newUserId: () => newUserId(randomBytes) };
    return (await ledger.users.record(details, made)).user.userId;
  };
  owner = await userOf('app1', 'ada@example.com');
  stranger = await userOf('app1', 'bob@example.com');
  const links = openTenantLinks(ledger.table);
  unlinkOwner = () => links.remove({ applicationId: 'app1', email: 'ada@example.com' }, tenant);
  const posting = openPosting({
    ...ledger,
    clock: () => new Date('2026-03-24T12:00:00Z'),
  });
  const handler = createHandler({ posting, ...tenantToolsOf(ledger.table) });
  const entry = {
    ...{ domain_url: tenant.prefix, date: '2026-03-23', memo: 'March consulting' },
    ...{ transactionCurrency: 'EUR', reportingCurrency: 'EUR' },
    entries: [
      { account: '1010', debit: '1.00' },
      { account: '4010', credit: '1.00' },
    ],
  };
  post = async (change) =>
    readResult(await handler(apiEvent({ body: { ...entry, ...change } }), lambdaContext()));
});

describe('the user who posts', () => {
  test('is kept with the entry, and shown', async () => {
    const { status, body } = await post({ user_id: owner });
    expect([status, body.data.user_id]).toEqual([200, owner]);
    expect((await post({})).body.data.user_id).toBeNull();
  });

  test('may be given as an integer, and costs no further call', async () => {
    const { sequentialCalls, units } = await costOf(() => post({ user_id: Number(owner) }));
    expect({ sequentialCalls, units }).toEqual({
      sequentialCalls: 2,
      units: { read: 5, write: 6 },
    });
  });

  test('belongs to what a repeat is compared in', async () => {
    await post({ external_id: 'who', user_id: owner });
    const again = await post({ external_id: 'who' });
    expect(again.headers).toMatchObject({ 'Idempotency-Mismatch': '/user_id' });
  });

  test.each<[title: string, change: () => object, status: number, problems: string[]]>([
    [
      'that the tenant is not linked to',
      () => ({ user_id: stranger }),
      422,
      ['user_not_linked /user_id'],
    ],
    [
      'that the tenant is not linked to, with all else that is wrong',
      () => ({ user_id: stranger, memo: ' ', entries: [{ account: '1010', debit: '1' }] }),
      422,
      [
        'memo_must_not_be_blank /memo',
        'too_few_items /entries',
        'debits_must_equal_credits /entries',
        'user_not_linked /user_id',
      ],
    ],
    [
      'that is not there, with all else that is wrong',
      () => ({ user_id: '42', transactionCurrency: 'KES' }),
      422,
      ['user_not_found /user_id', 'exchange_rate_unavailable /transactionCurrency'],
    ],
    ['that is no id', () => ({ user_id: 'ada' }), 422, ['user_id_not_valid /user_id']],
    ['that is not there', () => ({ user_id: '42' }), 404, []],
  ])('is refused where it is one %s', async (_, change, status, problems) => {
    const before = await ledger.scan();
    const reply = await post(change());
    expect([reply.status, problemsOf(reply)]).toEqual([status, problems]);
    expect(await ledger.scan()).toEqual(before);
  });

  test('is refused from the moment on at which it is unlinked', async () => {
    await unlinkOwner();
    const reply = await post({ user_id: owner });
    expect([reply.status, problemsOf(reply)]).toEqual([422, ['user_not_linked /user_id']]);
  });
});
