// Adding accounts to a chart.

import { describe, expect, test } from 'vitest';
import { openAccountEndpoints } from '../support/harnesses/account-endpoints.ts';
import { problemsOf, success } from '../support/readers/replies.ts';

const endpoints = await openAccountEndpoints();
const { send, connectTenant } = endpoints;
const { prefix: domain_url } = await endpoints.createTenant('Acme');

let codes = 0;
const newCode = (): string => {
  codes += 1;
  return `N${codes}`;
};
const create = (account: object) => send('create', { domain_url, ...account });

const minimal = { name: 'Loan', type: 'liability' };

describe('a new account', () => {
  test.each<[string, object, object]>([
    ['an asset', { type: 'asset' }, { subtype: null, cash_flow: 'operating' }],
    ['a liability', { type: 'liability' }, { normal_balance: 'credit', cash_flow: 'operating' }],
    ['equity', { type: 'equity' }, { subtype: null, cash_flow: 'financing' }],
    ['revenue', { type: 'revenue' }, { subtype: 'operating_revenue', cash_flow: 'operating' }],
    ['an expense', { type: 'expense' }, { subtype: 'operating_expense', normal_balance: 'debit' }],
    ['cash', { type: 'asset', cash_flow: 'cash' }, { subtype: 'cash', normal_balance: 'debit' }],
    ['cash by its subtype', { type: 'asset', subtype: 'cash' }, { cash_flow: 'cash' }],
    ['a machine', { type: 'asset', subtype: 'fixed_asset' }, { cash_flow: 'investing' }],
    ['a debt', { type: 'liability', subtype: 'debt' }, { cash_flow: 'financing' }],
    ['an overdraft', { type: 'liability', cash_flow: 'cash' }, { subtype: null }],
    ['never cash', { type: 'equity', subtype: 'retained_earnings' }, { cash_flow: null }],
    ['a contra account', { type: 'asset', normal_balance: 'credit' }, {}],
    ['what nulls say nothing of', { type: 'asset', subtype: null, cash_flow: null }, {}],
  ])('of %s has what is said of it, and what is usual', async (_, said, usual) => {
    const account = { code: newCode(), name: 'Given', ...said };
    const { normal_balance } = { normal_balance: 'debit', ...said };
    const given = Object.fromEntries(Object.entries(account).filter(([, value]) => value !== null));
    const reply = await create(account);
    expect(reply.body.data).toMatchObject({ created: true, status: 'active', ...given, ...usual });
    if ('type' in said && said.type === 'asset') {
      expect(reply.body.data).toMatchObject({ normal_balance });
    }
    const { created: _created, ...shown } = reply.body.data;
    const { body } = await send('list', { domain_url, code: account.code });
    expect(body.data.accounts).toEqual([shown]);
  });

  test('may have a code of 64 bytes of any script, which comes out in NFC', async () => {
    const code = `Lo\u0308hne12 ${'\u{1f4b6}'.repeat(13)}123`;
    expect(Buffer.byteLength(code.normalize('NFC'))).toBe(64);
    const reply = await create({ ...minimal, code });
    expect(reply.body.data.code).toBe(code.normalize('NFC'));
  });

  test('of a connected tenant is its own; the platform’s later ones stand beside it', async () => {
    const { name, accounts, loan, ...connected } = await connectTenant('beside');
    const ours = { domain_url: connected.domain_url, ...minimal, code: '800' };
    expect((await send('create', ours)).body.data).toMatchObject({ platform_account_id: null });
    await accounts.record(name, [{ ...loan, accountId: 'late', code: '800' }]);
    const { body } = await send('list', { domain_url: connected.domain_url, type: 'liability' });
    const found = body.data.accounts.map(({ code, platform_account_id }: typeof body) => [
      code,
      platform_account_id,
    ]);
    expect(found).toEqual([
      ['800', null],
      ['900', 'loan'],
      ['ID-late', 'late'],
    ]);
  });
});

describe('an account that is asked for again', () => {
  const asked = { ...minimal, code: 'AGAIN', subtype: 'debt' };
  const shown = {
    ...{ ...asked, normal_balance: 'credit', cash_flow: 'financing' },
    ...{ status: 'active', platform_account_id: null },
  };

  test.each<[string, object]>([
    ['as it was', {}],
    ['with what followed from it', { normal_balance: 'credit', cash_flow: 'financing' }],
    ['without what is known', { subtype: undefined }],
  ])('is answered %s', async (_, more) => {
    await create(asked);
    expect(await create({ ...asked, ...more })).toEqual(success({ created: false, ...shown }));
  });

  test('is answered as it stands by now', async () => {
    const account = { ...minimal, code: newCode() };
    await create(account);
    await send('update', { domain_url, code: account.code, status: 'archived' });
    const { body } = await create(account);
    expect(body.data).toMatchObject({ created: false, status: 'archived' });
  });

  test.each<[string, object, string[]]>([
    ['name', { name: 'Other' }, ['name']],
    ['class', { cash_flow: 'operating' }, ['cash_flow']],
    [
      'type and side',
      { type: 'equity', subtype: undefined, normal_balance: 'debit' },
      ['type', 'normal_balance'],
    ],
  ])('with another %s is refused: somebody has its code', async (_, other, differing) => {
    await create(asked);
    const reply = await create({ ...asked, ...other });
    expect(reply.status).toBe(422);
    expect(reply.body.error.details).toMatchObject([
      { code: 'account_code_taken', pointer: '/code', params: { code: 'AGAIN', differing } },
    ]);
  });

  test('by several at once is made once, and the code is nobody else’s', async () => {
    const [same, code] = [{ ...minimal, code: newCode() }, newCode()];
    const twins = await Promise.all([1, 2, 3].map(() => create(same)));
    expect(twins.filter(({ body }) => body.data.created)).toHaveLength(1);
    const rivals = await Promise.all(
      ['One', 'Other', 'Third'].map((name) => create({ ...minimal, code, name })),
    );
    expect(rivals.map(({ status }) => status).sort()).toEqual([200, 422, 422]);
  });
});

describe('an account is refused', () => {
  test('for a tenant of another application exactly as for one that does not exist', async () => {
    const before = await endpoints.scan();
    const theirs = await send('create', { domain_url, ...minimal, code: '7' }, 'app2');
    const absent = await create({ ...minimal, code: '7', domain_url: 'no-such-books' });
    for (const { status, body } of [theirs, absent]) {
      expect([status, body.error.code]).toEqual([404, 'tenant_not_found']);
    }
    expect(await endpoints.scan()).toEqual(before);
  });

  const account = { ...minimal, code: '7' };
  test.each<[string, object, string[]]>([
    ['with a tab in its code', { code: '7\t8' }, ['control_characters_not_allowed /code']],
    ['with two lines', { code: '7\n8' }, ['control_characters_not_allowed /code']],
    ['with a line separator', { code: '7\u20288' }, ['control_characters_not_allowed /code']],
    ['with a blank at an end', { code: '7 ' }, ['account_code_not_valid /code']],
    ['with a code of the platforms', { code: 'ID-7' }, ['account_code_not_valid /code']],
    ['with a code of 65 characters', { code: '7'.repeat(65) }, ['too_long /code']],
    ['with what does not show', { code: '7\u200b' }, ['invisible_characters_not_allowed /code']],
    ['with a name of two lines', { name: 'A\nB' }, ['control_characters_not_allowed /name']],
    ['with a name that is too long', { name: 'x'.repeat(151) }, ['too_long /name']],
    [
      'with a subtype of another type',
      { subtype: 'fixed_asset' },
      ['subtype_not_of_type /subtype'],
    ],
    [
      'as revenue that is cash',
      { type: 'revenue', cash_flow: 'cash' },
      ['cash_flow_not_for_account /cash_flow'],
    ],
    [
      'as cash that is another asset',
      { type: 'asset', subtype: 'inventory', cash_flow: 'cash' },
      ['cash_flow_not_for_account /cash_flow'],
    ],
    [
      'as cash of another class',
      { type: 'asset', subtype: 'cash', cash_flow: 'operating' },
      ['cash_flow_not_for_account /cash_flow'],
    ],
    [
      'for all that is wrong with it',
      { domain_url: 'no-such-books', name: ' ', subtype: 'cash', cash_flow: 'mixed', role: 'x' },
      [
        'must_not_be_blank /name',
        'not_an_allowed_value /cash_flow',
        'unknown_field /role',
        'tenant_not_found /domain_url',
        'subtype_not_of_type /subtype',
      ],
    ],
    [
      'for what can be told beside what is wrong',
      { code: '1010', type: 'equity', name: ' ' },
      ['must_not_be_blank /name', 'account_code_taken /code'],
    ],
  ])('%s', async (_, change, problems) => {
    const reply = await create({ ...account, ...change });
    expect([reply.status, problemsOf(reply)]).toEqual([422, problems]);
  });

  test('with what would have been allowed', async () => {
    const { body } = await create({ ...account, subtype: 'inventory' });
    const allowed = 'payable credit_card current_liability tax_liability debt';
    expect(body.error.details[0].params).toEqual({
      type: 'liability',
      allowed: [...allowed.split(' '), 'non_current_liability', 'intercompany'],
    });
  });

  test('where the body is no object', async () => {
    const reply = await send('create', []);
    expect([reply.status, problemsOf(reply)]).toEqual([422, ['wrong_type ']]);
  });
});
