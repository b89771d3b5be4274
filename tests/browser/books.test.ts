// The books as a person looks at them: from the trial balance to an account, an entry and back.

import { mkdir, readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { afterAll, describe, expect, test } from 'vitest';
import { laterDate } from '../support/builders/far-dates.ts';
import { quarter } from '../support/builders/quarter.ts';
import { callApi } from '../support/processes/service.ts';
import { readCsv } from '../support/readers/csv.ts';
import { cutFigures, findingsIn, overflows, pictures, watch } from './support/inspect.ts';
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
  user_id: userId,
  platform: 'manual',
  cash_flow_method: 'indirect',
  company_name: 'Difference Works',
  currency: 'EUR',
  entry_years_ahead: 2,
});
const tenant = company.tenant_domain_url ?? '';

/** Markup in a memo is text. */
const memo = '<b>March</b> consulting';

const postEntry = (
  date: string,
  [debit, credit]: [string, string],
  amount: string,
  transactionCurrency = 'USD',
  further = {},
) =>
  post('journal_entries/create/', {
    domain_url: tenant,
    date,
    memo,
    transactionCurrency,
    reportingCurrency: 'EUR',
    ...further,
    entries: [
      { account: debit, debit: amount },
      { account: credit, credit: amount },
    ],
  });
const { journal_entry_id: firstId = '', journal_number: firstNumber = '' } = await postEntry(
  '2026-03-23',
  ['1010', '4010'],
  '1159.60',
);
const { journal_entry_id: secondId = '', journal_number: secondNumber = '' } = await postEntry(
  '2026-03-24',
  ['4010', '1010'],
  '115.96',
  'USD',
  {
    metadata: { order: '<b>42</b>' },
  },
);
/** Its date makes it count in no report as of today. */
await postEntry(laterDate('12-31'), ['1010', '4010'], '1000000.00', 'EUR');

/** A code with characters that a URL must encode. */
const oddCode = 'A/B #1%';
await post('accounts/create/', {
  domain_url: tenant,
  code: oddCode,
  name: '<i>Odd</i>',
  type: 'expense',
});
await postEntry('2026-03-24', [oddCode, '2000'], '7.00', 'EUR');

const empty = await post('tenants/create/', {
  user_id: userId,
  platform: 'manual',
  cash_flow_method: 'indirect',
  company_name: 'Without Entries',
  currency: 'JPY',
});

const trading = await post('tenants/create/', {
  user_id: userId,
  platform: 'manual',
  cash_flow_method: 'indirect',
  company_name: 'Analytical Engines',
  currency: 'EUR',
});
const trader = trading.tenant_domain_url ?? '';
for (const { date, to = '', from = '', amount } of quarter) {
  await postEntry(date, [to, from], amount, 'EUR', { domain_url: trader });
}

const planned = await post('tenants/create/', {
  user_id: userId,
  platform: 'manual',
  cash_flow_method: 'indirect',
  company_name: 'Planned Works',
  currency: 'EUR',
});
const scheduling = planned.tenant_domain_url ?? '';
const { journal_number: scheduledNumber = '' } = await postEntry(
  '2026-03-24',
  ['1010', '4010'],
  '14000.00',
  'EUR',
  { domain_url: scheduling, accrual_date: laterDate('06-30') },
);
await postEntry('2026-03-25', ['1010', '4010'], '14000.00', 'EUR', {
  domain_url: scheduling,
  external_id: 'of/ours #1',
});
await post('tenants/update/', { domain_url: scheduling, lock_date: '2026-01-31' });

/** Opens the page for the user, and records the errors of the page and its requests. */
const openBooks = async (page: Page, view = '', of = tenant) => {
  const { base_url } = walks.service.demo;
  const failed = watch(page, base_url);
  await page.goto(`${base_url}/books?${new URLSearchParams({ email, tenant: of })}${view}`);
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

test('show an account of any code as of the date of the trial balance', async () => {
  const page = await walks.newPage();
  const failed = await openBooks(page, '#/trial-balance/2026-03-23');
  await heading(page, 'Trial balance');
  await page.getByRole('link', { name: '1010' }).click();
  await page.getByText('Balance as of 2026-03-23').waitFor();
  await page.getByText('1\u202f000.00 EUR', { exact: true }).waitFor();
  await page.getByLabel('To', { exact: true }).fill(laterDate('12-31'));
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

const minus = (amount: string) => `\u2212${amount}`;

describe('the statements', () => {
  const [march, year] = ['2026-03-31', '2026-01-01/2026-03-31'];

  test.each<[string, string, string[][]]>([
    [
      `#/balance-sheet/${march}`,
      'Balance sheet',
      [
        ['1590', 'Accumulated Depreciation', minus('200.00')],
        ['Total fixed assets', '2\u202f200.00'],
        ['Total assets', '35\u202f790.00'],
        ['Retained earnings of earlier years', '12\u202f000.00'],
        ['Earnings since 2026-01-01', '9\u202f190.00'],
        ['Total liabilities and equity', '35\u202f790.00'],
      ],
    ],
    [
      `#/profit-and-loss/${year}`,
      'Profit and loss',
      [
        ['4010', 'Service Revenue', '18\u202f000.00'],
        ['Total other expenses', minus('40.00')],
        ['Profit before tax', '10\u202f890.00'],
      ],
    ],
    [
      `#/cash-flow/${year}`,
      'Statement of cash flows',
      [
        ['Opening cash', '22\u202f000.00'],
        ['Total movements', minus('200.00')],
        ['Cash from operating activities', '8\u202f950.00'],
        ['Net change in cash', '8\u202f590.00'],
        ['1010', 'Bank Current Account', '22\u202f000.00', '30\u202f590.00'],
      ],
    ],
  ])("show the API's reply at %s, and save it as csv", async (view, title, rows) => {
    const page = await walks.newPage();
    const failed = await openBooks(page, view, trader);
    await heading(page, title);
    for (const row of rows) expect(await rowOf(page, row[0] ?? '')).toEqual(row);

    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download csv' }).click();
    const file = await download;
    expect(file.suggestedFilename()).toContain(`${trader}-2026-`);
    const [written] = readCsv(await readFile(await file.path(), 'utf8'));
    expect(written).toMatchObject({ tenant_domain_url: trader, coverage: 'all_entries' });

    await page
      .getByRole('link', { name: '1010' })
      .or(page.getByRole('link', { name: '4010' }))
      .first()
      .click();
    await page.getByText(`Balance as of ${march}`).waitFor();
    const isOfPeriod = !view.startsWith('#/balance-sheet');
    expect(await page.getByText('Balance before 2026-01-01').count()).toBe(isOfPeriod ? 1 : 0);
    expect((await page.getByRole('row').filter({ hasText: 'MJ-2025' }).count()) > 0).toBe(
      !isOfPeriod,
    );
    expect(failed).toEqual([]);
    await page.context().close();
  });

  test('change their dates and the method of the cash flows', async () => {
    const page = await walks.newPage();
    const failed = await openBooks(page, '#/cash-flow', trader);
    await heading(page, 'Statement of cash flows');
    await page.getByLabel('To', { exact: true }).fill('2025-12-31');
    await page.getByLabel('From', { exact: true }).fill('2025-01-01');
    await page.getByRole('combobox', { name: 'Method' }).selectOption('direct');
    await page.getByRole('main').getByRole('button', { name: 'Show' }).click();
    await page.getByText('Cash flows from 2025-01-01 to 2025-12-31, direct method').waitFor();
    expect(await rowOf(page, '6000')).toEqual([
      '6000',
      'Salaries and Benefits',
      minus('28\u202f000.00'),
    ]);
    expect(await page.getByText('Total movements').count()).toBe(0);

    await page.getByRole('link', { name: 'Balance sheet' }).click();
    await page.getByRole('textbox', { name: 'As of' }).fill('2025-12-31');
    await page.getByRole('main').getByRole('button', { name: 'Show' }).click();
    await page.getByText('Earnings since 2025-01-01').waitFor();
    expect(failed).toEqual([]);
    await page.context().close();
  });

  test('show the error beside the button if the CSV download fails', async () => {
    const page = await walks.newPage();
    await openBooks(page, '#/profit-and-loss', trader);
    await heading(page, 'Profit and loss');
    await page.route('**/reports/**', (route) => route.abort());
    await page.getByRole('button', { name: 'Download csv' }).click();
    await page.getByRole('alert').getByText('Failed to fetch').waitFor();
    await page.context().close();
  });
});

test("show an entry's original, its reversal and its metadata", async () => {
  const page = await walks.newPage();
  // Nothing reverses or cancels an entry yet.
  await page.route('**/journal_entries/get/**', async (route) => {
    const reply = await route.fetch();
    const { data, ...body } = await reply.json();
    const isFirst = data.journal_entry_id === firstId;
    const links = isFirst
      ? { reversed_by: secondId }
      : { reverses: firstId, cancelled_at: '2026-03-24T10:00:00.000Z' };
    await route.fulfill({ response: reply, json: { ...body, data: { ...data, ...links } } });
  });
  const failed = await openBooks(page, `#/entry/${secondNumber}`);
  await heading(page, `Journal entry ${secondNumber}`);
  expect(await page.getByRole('definition').allInnerTexts()).toEqual(
    expect.arrayContaining(['2026-03-24T10:00:00.000Z', '<b>42</b>']),
  );
  await page.getByRole('link', { name: firstId }).click();
  await heading(page, `Journal entry ${firstNumber}`);
  expect(await page.getByRole('heading', { name: 'Metadata' }).count()).toBe(0);
  await page.getByRole('link', { name: secondId }).click();
  await heading(page, `Journal entry ${secondNumber}`);
  expect(failed).toEqual([]);
  await page.context().close();
});

describe('the entries', () => {
  const numbersOf = (page: Page) => page.getByRole('rowheader').allInnerTexts();

  test.each<[title: string, fields: Record<string, string>, numbers: string[], of?: string]>([
    ['dates', { From: '2026-03-24', To: '2026-03-31' }, ['MJ-20260324-0002', secondNumber]],
    ['an account', { Account: oddCode }, ['MJ-20260324-0002']],
    ['a memo', { From: '2026-03-23', To: '2026-03-23', 'Memo contains': 'MARCH' }, [firstNumber]],
    ['a number', { 'Number or your id': secondNumber }, [secondNumber]],
    [
      'an id of the application',
      { 'Number or your id': 'of/ours #1' },
      ['MJ-20260325-0001'],
      scheduling,
    ],
  ])('are filtered by %s', async (_, fields, numbers, of = tenant) => {
    const page = await walks.newPage();
    const failed = await openBooks(page, '#/entries', of);
    await heading(page, 'Journal entries');
    const form = page.getByRole('main').locator('form');
    for (const [label, value] of Object.entries(fields)) {
      await form.getByLabel(label, { exact: true }).fill(value);
    }
    await form.getByRole('button', { name: 'Show' }).click();
    await expect.poll(() => numbersOf(page)).toEqual(numbers);
    expect(failed).toEqual([]);
    await page.context().close();
  });

  test('show the scheduled ones by a link', async () => {
    const page = await walks.newPage();
    await openBooks(page, '#/entries', scheduling);
    await page.getByRole('link', { name: 'Scheduled entries' }).click();
    await expect.poll(() => numbersOf(page)).toEqual([scheduledNumber]);
    expect(await rowOf(page, scheduledNumber)).toContain('scheduled');
    await page.context().close();
  });
});

test('show the lock of the company and the checks of its reports', async () => {
  const page = await walks.newPage();
  await openBooks(page, '#/trial-balance/2026-03-31', scheduling);
  await page.getByText('Locked up to 2026-01-31.').waitFor();
  await page.getByText('Debits and credits are equal.').waitFor();
  await page.getByRole('link', { name: 'Balance sheet' }).click();
  await page.getByText('Assets and liabilities with equity are equal.').waitFor();
  await openBooks(page);
  await page.getByText('No period is locked.').waitFor();
  await page.context().close();
});

test('on paper have the name of the company and no controls', async () => {
  const page = await walks.newPage();
  await openBooks(page, '#/balance-sheet/2026-03-31', trader);
  await heading(page, 'Balance sheet');
  await page.emulateMedia({ media: 'print' });
  await page.getByText('Analytical Engines').last().waitFor();
  await page.getByText(/^Read on \d{4}-\d{2}-\d{2} at \d{2}:\d{2} UTC\.$/).waitFor();
  for (const control of ['button', 'textbox', 'combobox', 'navigation'] as const) {
    expect(await page.getByRole(control).count(), control).toBe(0);
  }
  await page.screenshot({ path: `${pictures}books-on-paper.png`, fullPage: true });
  await page.context().close();
});

test("show the API's message for an unknown user", async () => {
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
    ['#/balance-sheet', 'Balance sheet', trader],
    ['#/profit-and-loss', 'Profit and loss', trader],
    ['#/cash-flow', 'Statement of cash flows', trader],
    ['#/accounts', 'Accounts'],
    ['#/entries', 'Journal entries'],
    ['#/entry/MJ-20260324-0001', 'Journal entry MJ-20260324-0001'],
    ['#/account/1010', 'Account 1010'],
  ])('are accessible and fit at %s', async (view, title, of = tenant) => {
    const page = await walks.newPage({ ...options, colorScheme });
    await openBooks(page, view, of);
    await heading(page, title);
    expect(await findingsIn(page)).toEqual([]);
    const name = `books-${title}-${where}`.toLowerCase().replaceAll(' ', '-');
    await page.screenshot({ path: `${pictures}${name}.png`, fullPage: true });
    expect(await overflows(page)).toBe(false);
    expect(await cutFigures(page)).toEqual([]);
    await page.context().close();
  });
});
