// Books to look at: companies of a user, and the page that shows them.

import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { laterDate } from '../../support/builders/far-dates.ts';
import { quarter } from '../../support/builders/quarter.ts';
import { callApi } from '../../support/processes/service.ts';
import { watch } from './inspect.ts';
import { openWalks } from './walk.ts';

type Walks = Awaited<ReturnType<typeof openWalks>>;
type Data = Record<string, string>;

/** Markup in a memo is text. */
export const memo = '<b>March</b> consulting';

/** A code with characters that a URL must encode. */
export const oddCode = 'A/B #1%';

const openWriting = async ({ newUser, service }: Walks) => {
  const { email, userId } = await newUser();
  const post = async (path: string, body: object): Promise<Data> => {
    const reply = await callApi(service.demo, path, { body });
    expect(reply.status).toBe(200);
    return reply.body.data;
  };
  return {
    user: { email, userId },
    post,
    newCompany: async (company_name: string, currency: string, further = {}): Promise<string> => {
      const own = { user_id: userId, platform: 'manual', cash_flow_method: 'indirect' };
      const body = { ...own, company_name, currency, ...further };
      return (await post('tenants/create/', body)).tenant_domain_url ?? '';
    },
    postEntry: (
      domain_url: string,
      {
        date,
        debit,
        credit,
        amount,
        ...further
      }: { date: string; debit: string; credit: string; amount: string },
    ): Promise<Data> =>
      post('journal_entries/create/', {
        domain_url,
        date,
        memo,
        transactionCurrency: 'EUR',
        reportingCurrency: 'EUR',
        ...further,
        entries: [
          { account: debit, debit: amount },
          { account: credit, credit: amount },
        ],
      }),
  };
};
type Writing = Awaited<ReturnType<typeof openWriting>>;

/** A company with two entries in dollars, one for later, and one on an account with an odd code. */
const writeSmallBooks = async ({ newCompany, post, postEntry }: Writing) => {
  const tenant = await newCompany('Difference Works', 'EUR', { entry_years_ahead: 2 });
  const inDollars = { transactionCurrency: 'USD' };
  const sale = { debit: '1010', credit: '4010' };
  const first = await postEntry(tenant, {
    ...sale,
    ...inDollars,
    date: '2026-03-23',
    amount: '1159.60',
  });
  const second = await postEntry(tenant, {
    ...{ debit: '4010', credit: '1010', date: '2026-03-24', amount: '115.96' },
    ...inDollars,
    ...{ metadata: { order: '<b>42</b>' } },
  });
  // Its date makes it count in no report as of today.
  await postEntry(tenant, { ...sale, date: laterDate('12-31'), amount: '1000000.00' });
  const account = { code: oddCode, name: '<i>Odd</i>', type: 'expense' };
  await post('accounts/create/', { domain_url: tenant, ...account });
  await postEntry(tenant, { debit: oddCode, credit: '2000', date: '2026-03-24', amount: '7.00' });
  return { tenant, first, second };
};

/** A company with a scheduled entry, one with an external_id, and a lock. */
const writePlannedBooks = async ({ newCompany, post, postEntry }: Writing) => {
  const tenant = await newCompany('Planned Works', 'EUR');
  const sale = { debit: '1010', credit: '4010', amount: '14000.00' };
  const later = { date: '2026-03-24', accrual_date: laterDate('06-30') };
  const scheduled = await postEntry(tenant, { ...sale, ...later });
  await postEntry(tenant, { ...sale, ...{ date: '2026-03-25', external_id: 'of/ours #1' } });
  await post('tenants/update/', { domain_url: tenant, lock_date: '2026-01-31' });
  return { tenant, scheduledNumber: scheduled.journal_number ?? '' };
};

/** Starts the service and writes the books. */
export const openBooksWalks = async () => {
  const walks = await openWalks();
  const writing = await openWriting(walks);
  const { newCompany, postEntry, user } = writing;
  const small = await writeSmallBooks(writing);
  const trader = await newCompany('Analytical Engines', 'EUR');
  for (const { date, to = '', from = '', amount } of quarter) {
    await postEntry(trader, { date, debit: to, credit: from, amount });
  }
  return {
    walks,
    user,
    small,
    planned: await writePlannedBooks(writing),
    /** The tenant with a quarter's entries. */
    trader,
    /** The tenant without entries. */
    empty: await newCompany('Without Entries', 'JPY'),

    /** Opens the page for the user, and records the errors of the page and its requests. */
    openBooks: async (page: Page, view = '', of = small.tenant): Promise<string[]> => {
      const { base_url } = walks.service.demo;
      const failed = watch(page, base_url);
      await page.goto(
        `${base_url}/books?${new URLSearchParams({ email: user.email, tenant: of })}${view}`,
      );
      return failed;
    },
  };
};

export const heading = (page: Page, name: string): Promise<void> =>
  page.getByRole('heading', { name }).waitFor();

/** The texts of a table's row, by the text of its first cell. */
export const rowOf = (page: Page, first: string): Promise<string[]> =>
  page.getByRole('row').filter({ hasText: first }).first().locator('th,td').allInnerTexts();
