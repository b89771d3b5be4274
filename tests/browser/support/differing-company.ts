// A connected company whose books differ from its platform: an invoice moved out of the locked
// period.

import { expect, vi } from 'vitest';
import { companiesOf } from '#infra/sandbox/companies.ts';
import { callApi } from '../../support/processes/service.ts';
import { type Walks, type WalkUser, walk } from './walk.ts';

export const lockDate = '2025-12-31';

const [slot, company] = ['platform_a', 'prairie-tools'] as const;

/** The last invoice of the locked period. */
const movedInvoice = () => {
  const demo = companiesOf[slot].find(({ id }) => id === company);
  const index = demo?.transactions.findLastIndex(({ date }) => date <= lockDate) ?? -1;
  const amounts = demo?.transactions[index]?.amounts ?? new Map();
  return { index, accounts: amounts.size };
};

/** Connects the company. Returns its tenant, and the number of its accounts that differ. */
export const connectDifferingCompany = async (walks: Walks, user: WalkUser) => {
  const { demo } = walks.service;
  const page = await walks.newPage();
  const { landing } = await walk(walks, { slot, page, user, choice: { company } });
  await page.context().close();
  const tenant = landing.searchParams.get('domain_url') ?? '';
  const untilComplete = () =>
    vi.waitFor(
      async () => {
        const { body } = await callApi(demo, `tenants/imports/?domain_url=${tenant}`);
        expect(body.data.import.state).toBe('complete');
      },
      { timeout: 60_000, interval: 200 },
    );
  await untilComplete();
  await callApi(demo, 'tenants/update/', { body: { domain_url: tenant, lock_date: lockDate } });
  const { index, accounts } = movedInvoice();
  const body = { company_id: company, change: 'move_transaction', index, date: '2026-01-15' };
  await fetch(`${demo.sandbox_url}/${slot}/changes`, {
    method: 'POST',
    body: JSON.stringify(body),
  });
  // A complete import compares all days.
  await walks.ops(`imports restart --tenant ${tenant} --application Demo`);
  await untilComplete();
  return { tenant, accounts };
};
