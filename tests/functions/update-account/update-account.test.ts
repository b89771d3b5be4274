// Changing accounts of a chart.

import { describe, expect, test } from 'vitest';
import { accountKey } from '#shared/table/keys.ts';
import { connectTenant } from '../../support/builders/platforms/platform-charts.ts';
import { openTenantCalls } from '../../support/harnesses/calls.ts';
import { problemsOf, success } from '../../support/readers/replies.ts';

const { insist, ledger, name: tenant, send } = await openTenantCalls();

const update = (change: object) => send('updateAccount', change);
const create = async (account: object) => {
  const { body } = await send('createAccount', { name: 'Old', ...account });
  const { created: _, ...shown } = body.data;
  return shown;
};
const show = async (code: string, of: object = {}) =>
  (await send('listAccounts', { ...of, code })).body.data.accounts[0];

const connected = await connectTenant(ledger, 'connected');

describe('a change', () => {
  test.each<[string, object, object]>([
    ['name', { type: 'asset' }, { name: 'New' }],
    ['status', { type: 'asset' }, { status: 'archived' }],
    ['subtype', { type: 'asset' }, { subtype: 'inventory' }],
    ['class', { type: 'equity', subtype: 'retained_earnings' }, { cash_flow: 'financing' }],
    ['subtype of a cash account', { type: 'liability', cash_flow: 'cash' }, { subtype: 'debt' }],
    ['class, to its current value', { type: 'asset', cash_flow: 'cash' }, { cash_flow: 'cash' }],
    ['all', { type: 'expense' }, { name: 'N', subtype: 'other_expense', cash_flow: 'investing' }],
    ['name, beside a null', { type: 'asset' }, { name: 'New' }],
  ])('of the %s leaves the rest', async (title, account, change) => {
    const before = await create({ ...account, code: title });
    const reply = await update({ code: title, status: null, ...change });
    expect(reply).toEqual(success({ ...before, ...change }));
    expect(await show(title)).toEqual({ ...before, ...change });
  });

  test('can rename and reactivate an archived account', async () => {
    await create({ code: 'reopened', type: 'asset' });
    await update({ code: 'reopened', status: 'archived' });
    await update({ code: 'reopened', name: 'Renamed' });
    const { body } = await update({ code: 'reopened', status: 'active' });
    expect(body.data).toMatchObject({ name: 'Renamed', status: 'active' });
  });

  test('is kept beside concurrent changes of other fields', async () => {
    await create({ code: 'at-once', type: 'asset' });
    const changes = [
      ...[{ name: 'New' }, { status: 'archived' }],
      ...[{ subtype: 'investment' }, { cash_flow: 'investing' }],
    ];
    await Promise.all(changes.map((it) => insist('updateAccount', { code: 'at-once', ...it })));
    expect(await show('at-once')).toMatchObject(Object.assign({}, ...changes));
  });

  test('that changes nothing writes nothing', async () => {
    const before = await ledger.scan();
    const name = 'Bank Current Account';
    expect((await update({ code: '1010', name, status: 'active' })).status).toBe(200);
    expect(await ledger.scan()).toEqual(before);
  });

  test('keeps internal attributes', async () => {
    await update({ code: '1010', name: 'Renamed' });
    const item = await ledger.table.get(accountKey(tenant, '1010'));
    expect(item).toMatchObject({ kind: 'account', role: 'default_bank', name: 'Renamed' });
  });
});

describe('an account of a platform', () => {
  const inConnected = { domain_url: connected.domain_url };
  test('can be classified, and imports keep the classification under any code', async () => {
    const { accounts, name, loan } = connected;
    const classified = { subtype: 'debt', cash_flow: 'operating' };
    const asked = { ...inConnected, code: '900', ...classified };
    expect((await update(asked)).body.data).toMatchObject(classified);
    await accounts.record(name, [{ ...loan, name: 'Renamed' }]);
    const kept = { ...classified, name: 'Renamed', status: 'active' };
    expect(await show('900', inConnected)).toMatchObject(kept);
    await accounts.record(name, [{ ...loan, code: '910' }]);
    expect(await show('910', inConnected)).toMatchObject(classified);
    await accounts.record(name, [loan]);
    expect(await show('900', inConnected)).toMatchObject(classified);
  });

  test.each<[string, object, string[]]>([
    ['name', { name: 'Ours' }, ['account_kept_by_platform /name']],
    ['status', { status: 'active' }, ['account_kept_by_platform /status']],
    [
      'name, beside other problems',
      { name: 'Ours', subtype: 'inventory', cash_flow: 'financing' },
      ['account_kept_by_platform /name', 'cash_flow_is_fixed /subtype /cash_flow'],
    ],
  ])('cannot change its %s', async (_, change, problems) => {
    const reply = await update({ ...inConnected, code: '090', ...change });
    expect([reply.status, problemsOf(reply)]).toEqual([422, problems]);
  });
});

describe('a change is refused', () => {
  test.each<[string, object, string[]]>([
    ['of an unknown account', { code: '1011', name: 'x' }, ['account_not_found /code']],
    ['without any field', { code: '1010' }, ['nothing_to_change ']],
    ['of nulls only', { code: '1010', name: null }, ['nothing_to_change ']],
    ['to two lines', { code: '1010', name: 'A\nB' }, ['control_characters_not_allowed /name']],
    ['to cash', { code: '1050', cash_flow: 'cash' }, ['account_not_at_rest /cash_flow']],
    ['from cash', { code: '1010', cash_flow: 'operating' }, ['account_not_at_rest /cash_flow']],
    ['to cash by its subtype', { code: '1050', subtype: 'cash' }, ['account_not_at_rest /subtype']],
    [
      'from cash by its subtype',
      { code: '1010', subtype: 'receivable' },
      ['account_not_at_rest /subtype'],
    ],
    [
      'by a date alone',
      { code: '1050', name: 'x', effective_from: '2026-03-01' },
      ['effective_from_needs_classification /effective_from'],
    ],
    [
      'from tomorrow on',
      { code: '1050', subtype: 'investment', effective_from: '2026-03-25' },
      ['effective_from_after_today /effective_from'],
    ],
    [
      'to a subtype of another type',
      { code: '4000', subtype: 'debt' },
      ['subtype_not_of_type /subtype'],
    ],
    [
      'of its type',
      { code: '1010', type: 'equity' },
      ['unknown_field /type', 'nothing_to_change '],
    ],
    [
      'with all problems at once',
      { code: '1011', name: ' ', status: 'closed' },
      ['must_not_be_blank /name', 'not_an_allowed_value /status', 'account_not_found /code'],
    ],
    [
      'beside an unknown field',
      { code: '1050', cash_flow: 'cash', extra: 1 },
      ['unknown_field /extra', 'account_not_at_rest /cash_flow'],
    ],
  ])('%s', async (_, change, problems) => {
    const before = await ledger.scan();
    const reply = await update(change);
    expect([reply.status, problemsOf(reply)]).toEqual([422, problems]);
    expect(await ledger.scan()).toEqual(before);
  });
});
