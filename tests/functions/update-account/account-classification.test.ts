// The classification of accounts over time: which statements a change moves, and who made it.

import { expect, test } from 'vitest';
import { openAccounts } from '#shared/accounts/accounts.store.ts';
import { openTenantHistory } from '#shared/history/tenant-history.store.ts';
import { lockPeriod } from '../../support/builders/period-locks.ts';
import { testQuotas } from '../../support/builders/quotas.ts';
import { euroEntry } from '../../support/builders/requests.ts';
import { openTenantCalls } from '../../support/harnesses/calls.ts';
import { chartAccount } from '../../support/readers/charts.ts';
import { problemsOf } from '../../support/readers/replies.ts';

const { ledger, name, send, call, time } = await openTenantCalls();
const { table } = ledger;

const post = (code: string, date: string) =>
  call('createEntry', {
    ...euroEntry({ date }),
    entries: [
      { account: code, debit: '10.00' },
      { account: '4010', credit: '10.00' },
    ],
  });
/** The subtype under which the balance sheet of a date shows an account. */
const subtypeOn = async (code: string, as_of: string): Promise<string | null | undefined> => {
  const { assets } = await call('getBalanceSheet', { as_of });
  const isShown = ({ accounts }: { accounts: { account: string }[] }) =>
    accounts.some(({ account }) => account === code);
  const sections = [...assets.current.sections, ...assets.non_current.sections];
  return sections.find(isShown)?.subtype;
};
const create = (code: string, account: object = {}) =>
  call('createAccount', { code, name: code, type: 'asset', ...account });

test('without a lock, a change moves the account in all statements', async () => {
  await create('A1', { subtype: 'inventory' });
  await post('A1', '2026-01-15');
  const reply = await call('updateAccount', { code: 'A1', subtype: 'investment' });
  expect(reply).not.toHaveProperty('earlier_classifications');
  expect(await subtypeOn('A1', '2026-01-31')).toBe('investment');
});

test('a date can be chosen, and an earlier one replaces it', async () => {
  await create('A2', { subtype: 'inventory' });
  await post('A2', '2026-01-15');
  const from = (subtype: string, effective_from: string) =>
    call('updateAccount', { code: 'A2', subtype, effective_from });
  await from('investment', '2026-03-01');
  await from('fixed_asset', '2026-02-01');
  expect(await subtypeOn('A2', '2026-01-31')).toBe('inventory');
  expect(await subtypeOn('A2', '2026-02-01')).toBe('fixed_asset');
  const { earlier_classifications: earlier } = await from('current_asset', '2026-03-10');
  expect(earlier).toEqual([
    { before: '2026-02-01', subtype: 'inventory', cash_flow: 'operating' },
    { before: '2026-03-10', subtype: 'fixed_asset', cash_flow: 'operating' },
  ]);
});

test('the current part of a loan has effective dates, and is at most its balance', async () => {
  const changed = (changes: object) => send('updateAccount', { code: 'loan', ...changes });
  await call('createAccount', { code: 'loan', name: 'Loan', type: 'liability', subtype: 'debt' });
  await call('createEntry', {
    ...euroEntry({ date: '2025-06-30' }),
    entries: [
      { account: '1010', debit: '30.00' },
      { account: 'loan', credit: '30.00' },
    ],
  });
  await changed({ current_part: '10.00', effective_from: '2025-12-31' });
  await changed({ current_part: '40', effective_from: '2026-02-28' });
  const partsOf = ({ liabilities }: { liabilities: Record<string, { sections: object[] }> }) =>
    (['current', 'non_current'] as const).map((part) => {
      const sections = liabilities[part]?.sections as {
        subtype: string;
        accounts: { account: string; amount: string }[];
      }[];
      const section = sections.find(({ accounts }) =>
        accounts.some(({ account, amount }) => account === 'loan' && amount !== '0.00'),
      );
      return `${section?.subtype} ${section?.accounts.find((it) => it.account === 'loan')?.amount}`;
    });
  const on = (as_of: string, columns: object = {}) =>
    call('getBalanceSheet', { as_of, ...columns });
  expect(partsOf(await on('2025-12-30'))).toEqual(['undefined undefined', 'debt 30.00']);
  expect(partsOf(await on('2025-12-31'))).toEqual(['current_debt 10.00', 'debt 20.00']);
  const february = await on('2026-02-28', { columns: 'month' });
  expect(partsOf(february)).toEqual(['current_debt 30.00', 'undefined undefined']);
  // Each column has the part of its own date.
  expect(partsOf(february.columns[0])).toEqual(['current_debt 10.00', 'debt 20.00']);
  const { body } = await changed({ current_part: '0.00', effective_from: '2026-03-01' });
  expect(body.data).not.toHaveProperty('current_part');
  expect(body.data.earlier_classifications).toMatchObject([
    { before: '2025-12-31', subtype: 'debt' },
    { before: '2026-02-28', current_part: '10.00' },
    { before: '2026-03-01', current_part: '40' },
  ]);
  expect(problemsOf(await changed({ current_part: '1.005' }))).toEqual([
    'amount_too_precise /current_part',
  ]);
  const payable = { code: '2000', current_part: '1.00' };
  expect(problemsOf(await send('updateAccount', payable))).toEqual([
    'current_part_not_for_account /current_part',
  ]);
});

test('cash is an account without entries that was archived a minute ago', async () => {
  await create('petty', { subtype: 'current_asset' });
  await create('used', { subtype: 'current_asset' });
  await create('planned', { subtype: 'current_asset' });
  await post('used', '2026-03-20');
  const lines = [
    { account: 'planned', debit: '10.00' },
    { account: '4010', credit: '10.00' },
  ];
  await call('createEntry', { ...euroEntry({ accrual_date: '2026-06-30' }), entries: lines });
  for (const code of ['petty', 'used', 'planned']) {
    await call('updateAccount', { code, status: 'archived' });
  }
  const toCash = (code: string) =>
    send('updateAccount', { code, cash_flow: 'cash', status: 'active' });
  expect(problemsOf(await toCash('petty'))).toEqual(['account_not_at_rest /cash_flow']);
  time.now = '2026-03-24T12:00:41.000Z';
  for (const code of ['used', 'planned']) {
    expect(problemsOf(await toCash(code)), code).toEqual(['cash_flow_is_fixed ']);
  }
  const { body } = await toCash('petty');
  expect(body.data).toMatchObject({ subtype: 'cash', cash_flow: 'cash', status: 'active' });
  await post('petty', '2026-03-24');
  const flows = await call('getCashFlow', { from: '2026-03-24', to: '2026-03-24' });
  expect(flows.net_change).toBe('10.00');
});

test('with a lock, statements of the locked period stay', async () => {
  await create('L1', { subtype: 'inventory' });
  await post('L1', '2026-01-15');
  const before = await call('getBalanceSheet', { as_of: '2026-02-28' });
  await call('updateTenant', { lock_date: '2026-02-28' });
  const locked = { code: 'L1', subtype: 'investment', effective_from: '2026-02-28' };
  expect(problemsOf(await send('updateAccount', locked))).toEqual([
    'effective_from_locked /effective_from',
  ]);
  const reply = await call('updateAccount', { code: 'L1', subtype: 'investment' });
  expect(reply.earlier_classifications).toEqual([
    { before: '2026-03-01', subtype: 'inventory', cash_flow: 'operating' },
  ]);
  expect(await call('getBalanceSheet', { as_of: '2026-02-28' })).toEqual(before);
  expect(await subtypeOn('L1', '2026-03-01')).toBe('investment');
  const { changes } = await openTenantHistory(table).listPage(name, {
    limit: 1,
    isDescending: true,
  });
  expect(changes).toMatchObject([
    {
      actor: 'api_key',
      actorId: 'app1-key',
      what: 'account_updated',
      subject: 'L1',
      before: { subtype: 'inventory', earlier: null },
      after: { subtype: 'investment' },
    },
  ]);
});

test('an import keeps the type of an account with entries in a locked period', async () => {
  const accounts = openAccounts(table, testQuotas);
  const imported = [chartAccount('x', 'X1'), chartAccount('y', 'Y1')];
  await accounts.record(name, imported);
  await post('X1', '2026-03-05');
  await post('Y1', '2026-03-20');
  await lockPeriod(table, name, '2026-03-10');
  const expenses = imported.map((it) => ({ ...it, type: 'expense' as const, name: 'Renamed' }));
  expect(await accounts.record(name, expenses)).toEqual({ omitted: [], keptTypes: ['x'] });
  const { accounts: chart } = await call('listAccounts', { limit: '200' });
  const typeOf = (of: string) =>
    chart.find(({ code }: { code: string }) => code === of) as Record<string, unknown>;
  expect(typeOf('X1')).toMatchObject({ type: 'asset', name: 'Renamed' });
  expect(typeOf('Y1')).toMatchObject({ type: 'expense', name: 'Renamed' });
});
