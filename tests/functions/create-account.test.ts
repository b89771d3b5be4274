// Adding accounts to a chart.

import { describe, expect, test } from 'vitest';
import { connectTenant } from '../support/builders/platforms/platform-charts.ts';
import { openTenantCalls } from '../support/harnesses/calls.ts';
import { problemsOf, success } from '../support/readers/replies.ts';

const { ledger, send } = await openTenantCalls();

let codes = 0;
const newCode = (): string => {
  codes += 1;
  return `N${codes}`;
};
const create = (account: object) => send('createAccount', account);

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
    [
      'an account that is never cash',
      { type: 'equity', subtype: 'other_comprehensive_income' },
      { cash_flow: null },
    ],
    [
      'retained earnings',
      { type: 'equity', subtype: 'retained_earnings' },
      { cash_flow: 'financing' },
    ],
    ['a contra account', { type: 'asset', normal_balance: 'credit' }, {}],
    ['an account with nulls', { type: 'asset', subtype: null, cash_flow: null }, {}],
  ])('%s has the requested and the default fields', async (_, said, usual) => {
    const account = { code: newCode(), name: 'Given', ...said };
    const { normal_balance } = { normal_balance: 'debit', ...said };
    const given = Object.fromEntries(Object.entries(account).filter(([, value]) => value !== null));
    const reply = await create(account);
    expect(reply.body.data).toMatchObject({ created: true, status: 'active', ...given, ...usual });
    if ('type' in said && said.type === 'asset') {
      expect(reply.body.data).toMatchObject({ normal_balance });
    }
    const { created: _created, ...shown } = reply.body.data;
    const { body } = await send('listAccounts', { code: account.code });
    expect(body.data.accounts).toEqual([shown]);
  });

  test('can have a code of 64 bytes in any script, which becomes NFC', async () => {
    const code = `Lo\u0308hne12 ${'\u{1f4b6}'.repeat(13)}123`;
    expect(Buffer.byteLength(code.normalize('NFC'))).toBe(64);
    const reply = await create({ ...minimal, code });
    expect(reply.body.data.code).toBe(code.normalize('NFC'));
  });

  test('of a connected tenant keeps its code when the platform adds the same code', async () => {
    const { name, accounts, loan, ...connected } = await connectTenant(ledger, 'beside');
    const ours = { domain_url: connected.domain_url, ...minimal, code: '800' };
    expect((await send('createAccount', ours)).body.data).toMatchObject({
      platform_account_id: null,
    });
    await accounts.record(name, [{ ...loan, accountId: 'late', code: '800' }]);
    const { body } = await send('listAccounts', {
      domain_url: connected.domain_url,
      type: 'liability',
    });
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

describe('a repeated request', () => {
  const asked = { ...minimal, code: 'AGAIN', subtype: 'debt' };
  const shown = {
    ...asked,
    normal_balance: 'credit',
    cash_flow: 'financing',
    status: 'active',
    platform_account_id: null,
  };

  test.each<[string, object]>([
    ['unchanged', {}],
    ['with its defaults', { normal_balance: 'credit', cash_flow: 'financing' }],
    ['without an optional field', { subtype: undefined }],
  ])('returns the account: %s', async (_, more) => {
    await create(asked);
    expect(await create({ ...asked, ...more })).toEqual(success({ created: false, ...shown }));
  });

  test('returns the account with its current status', async () => {
    const account = { ...minimal, code: newCode() };
    await create(account);
    await send('updateAccount', { code: account.code, status: 'archived' });
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
  ])('with another %s is refused: the code is taken', async (_, other, differing) => {
    await create(asked);
    const reply = await create({ ...asked, ...other });
    expect(reply.status).toBe(422);
    expect(reply.body.error.details).toMatchObject([
      { code: 'account_code_taken', pointer: '/code', params: { code: 'AGAIN', differing } },
    ]);
  });

  test('that is concurrent creates one account, and one name gets a code', async () => {
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
  const account = { ...minimal, code: '7' };
  test.each<[string, object, string[]]>([
    ['with a tab in its code', { code: '7\t8' }, ['control_characters_not_allowed /code']],
    ['with two lines', { code: '7\n8' }, ['control_characters_not_allowed /code']],
    ['with a line separator', { code: '7\u20288' }, ['control_characters_not_allowed /code']],
    ['with a blank at an end', { code: '7 ' }, ['account_code_not_valid /code']],
    ['with a code of the platforms', { code: 'ID-7' }, ['account_code_not_valid /code']],
    ['with a code of 65 characters', { code: '7'.repeat(65) }, ['too_long /code']],
    ['with invisible characters', { code: '7\u200b' }, ['invisible_characters_not_allowed /code']],
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
      'for all problems at once',
      { name: ' ', subtype: 'cash', cash_flow: 'mixed', role: 'x' },
      [
        'must_not_be_blank /name',
        'not_an_allowed_value /cash_flow',
        'unknown_field /role',
        'subtype_not_of_type /subtype',
      ],
    ],
    [
      'for a taken code beside other problems',
      { code: '1010', type: 'equity', name: ' ' },
      ['must_not_be_blank /name', 'account_code_taken /code'],
    ],
  ])('%s', async (_, change, problems) => {
    const reply = await create({ ...account, ...change });
    expect([reply.status, problemsOf(reply)]).toEqual([422, problems]);
  });

  test('and told which subtypes are allowed', async () => {
    const { body } = await create({ ...account, subtype: 'inventory' });
    expect(body.error.details[0].params).toEqual({
      type: 'liability',
      allowed: [
        ...['payable', 'credit_card', 'current_liability', 'tax_liability'],
        ...['income_tax_liability', 'current_debt', 'dividends_payable', 'intercompany'],
        ...['debt', 'deferred_tax_liability', 'non_current_liability'],
        'non_current_intercompany',
      ],
    });
  });
});
