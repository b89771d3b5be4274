// The books as a person looks at them: from the trial balance to an account, an entry and back.

import { mkdir } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { afterAll, describe, expect, test } from 'vitest';
import { callApi } from '../support/processes/service.ts';
import { findingsIn, overflows, pictures, watch } from './support/inspect.ts';
import { openWalks } from './support/walk.ts';

await mkdir(pictures, { recursive: true });
const walks = await openWalks();
afterAll(walks.stop);

const { email, userId } = await walks.newUser();

const post = async (path: string, body: object): Promise<Record<string, string>> => {
  const reply = await callApi(walks.service.demo, path, { body });
  expect(reply.status).toBe(200);
  return reply.body.data;
};

const company = await post('tenants/create/', {
  ...{ user_id: userId, platform: 'manual', cash_flow_method: 'indirect' },
  ...{ company_name: 'Difference Works', currency: 'EUR' },
});
const tenant = company.tenant_domain_url ?? '';

/** Markup in a memo is text. */
const memo = '<b>March</b> consulting';

const postEntry = (
  date: string,
  [debit, credit]: [string, string],
  amount: string,
  transactionCurrency = 'USD',
) =>
  post('journal_entries/create/', {
    ...{ domain_url: tenant, date, memo, transactionCurrency, reportingCurrency: 'EUR' },
    entries: [
      { account: debit, debit: amount },
      { account: credit, credit: amount },
    ],
  });
await postEntry('2026-03-23', ['1010', '4010'], '1159.60');
await postEntry('2026-03-24', ['4010', '1010'], '115.96');
/** Its date makes it count in no report as of today. */
await postEntry('2199-12-31', ['1010', '4010'], '1000000.00', 'EUR');

/** A code that an address cannot have as it is. */
const oddCode = 'A/B #1%';
await post('accounts/create/', {
  ...{ domain_url: tenant, code: oddCode, name: '<i>Odd</i>', type: 'expense' },
});
await postEntry('2026-03-24', [oddCode, '2000'], '7.00', 'EUR');

const empty = await post('tenants/create/', {
  ...{ user_id: userId, platform: 'manual', cash_flow_method: 'indirect' },
  ...{ company_name: 'Without Entries', currency: 'JPY' },
});

/** Opens the page for the user, and keeps what goes wrong there or elsewhere. */
const openBooks = async (page: Page, view = '') => {
  const { base_url } = walks.service.demo;
  const failed = watch(page, base_url);
  await page.goto(`${base_url}/books?${new URLSearchParams({ email, tenant })}${view}`);
  return failed;
};

const heading = (page: Page, name: string) => page.getByRole('heading', { name }).waitFor();

/** The texts of a table's row, by the text of its first cell. */
const rowOf = (page: Page, first: string): Promise<string[]> =>
  page.getByRole('row').filter({ hasText: first }).first().locator('th,td').allInnerTexts();

test('lead from the trial balance to an account, its entry and its lines', async () => {
  const page = await walks.newPage();
  const failed = await openBooks(page);
  await heading(page, 'Trial balance');
  expect(await rowOf(page, '1010')).toEqual([
    ...['1010', 'Bank Current Account', 'asset'],
    ...['1\u202f000.00', '100.21', '899.79', ''],
  ]);
  expect((await rowOf(page, 'Total')).slice(-2)).toEqual(['906.79', '906.79']);

  await page.getByRole('link', { name: '1010' }).click();
  await heading(page, 'Account 1010');
  const plot = page.getByRole('img');
  expect(await plot.getAttribute('aria-label')).toMatch(
    /from 2026-03-23 to 2026-03-24, .* at the end 899\.79 EUR\.$/,
  );
  expect((await rowOf(page, 'MJ-20260324-0001')).at(-1)).toBe('899.79');

  await page.getByRole('link', { name: 'MJ-20260323-0001' }).click();
  await heading(page, 'Journal entry MJ-20260323-0001');
  expect(await page.getByText(memo).innerText()).toBe(memo);
  await page.goBack();
  await heading(page, 'Account 1010');

  await page.getByRole('link', { name: 'Accounts' }).click();
  await page.getByRole('cell', { name: 'Service Revenue', exact: true }).waitFor();
  await page.getByRole('link', { name: 'Entries' }).click();
  await page.getByRole('link', { name: 'MJ-20260324-0001' }).waitFor();
  expect(failed).toEqual([]);
  await page.context().close();
});

test('show an account as of the date of the trial balance, whatever its code', async () => {
  const page = await walks.newPage();
  const failed = await openBooks(page, '#/trial-balance/2026-03-23');
  await heading(page, 'Trial balance');
  await page.getByRole('link', { name: '1010' }).click();
  await page.getByText('Balance as of 2026-03-23').waitFor();
  await page.getByText('1\u202f000.00 EUR', { exact: true }).waitFor();
  await page.getByLabel('As of').fill('2199-12-31');
  await page.getByRole('main').getByRole('button', { name: 'Show' }).click();
  await page.getByText('1\u202f000\u202f899.79 EUR', { exact: true }).waitFor();

  await page.getByRole('link', { name: 'Accounts' }).click();
  await page.getByRole('link', { name: oddCode }).click();
  await heading(page, `Account ${oddCode}, <i>Odd</i>`);
  expect(await rowOf(page, 'MJ-20260324-0002')).toContain('7.00');
  expect(failed).toEqual([]);
  await page.context().close();
});

test('go from an entry of a tenant to the entries of another', async () => {
  const page = await walks.newPage();
  const failed = await openBooks(page, '#/entry/MJ-20260323-0001');
  await heading(page, 'Journal entry MJ-20260323-0001');
  await page.getByRole('combobox').selectOption(empty.tenant_domain_url ?? '');
  await page.getByText('There are no entries yet.').waitFor();
  await page.getByRole('link', { name: 'Trial balance' }).click();
  await page.getByText('Nothing was posted up to this day.').waitFor();
  expect(failed).toEqual([]);
  await page.context().close();
});

test('say what the API says where there is no such user', async () => {
  const page = await walks.newPage();
  await page.goto(`${walks.service.demo.base_url}/books?email=nobody@example.com`);
  await page.getByRole('status').getByText('The calling application has no such user.').waitFor();
  await page.context().close();
});

const onPhone = { viewport: { width: 360, height: 740 }, isMobile: true, hasTouch: true };

describe.each([
  ['on a desk', 'light', { viewport: { width: 1280, height: 900 } }],
  ['on a phone', 'light', onPhone],
  ['on a phone in the dark', 'dark', onPhone],
] as const)('the books %s', (where, colorScheme, options) => {
  test.each([
    ['#/trial-balance', 'Trial balance'],
    ['#/accounts', 'Accounts'],
    ['#/entries', 'Journal entries'],
    ['#/entry/MJ-20260323-0001', 'Journal entry MJ-20260323-0001'],
    ['#/account/1010', 'Account 1010'],
  ])('are accessible and fit at %s', async (view, title) => {
    const page = await walks.newPage({ ...options, colorScheme });
    await openBooks(page, view);
    await heading(page, title);
    expect(await findingsIn(page)).toEqual([]);
    const name = `books-${title}-${where}`.toLowerCase().replaceAll(' ', '-');
    await page.screenshot({ path: `${pictures}${name}.png` });
    expect(await overflows(page)).toBe(false);
    await page.context().close();
  });
});
