// The books as a person looks at them: from the trial balance to an account, an entry and back.

import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { afterAll, describe, expect, test } from 'vitest';
import { laterDate } from '../support/builders/far-dates.ts';
import { readCsv } from '../support/readers/csv.ts';
import { heading, memo, oddCode, openBooksWalks, rowOf } from './support/books.ts';

const { walks, openBooks, trader, empty, small, planned } = await openBooksWalks();
afterAll(walks.stop);

const { journal_entry_id: firstId = '', journal_number: firstNumber = '' } = small.first;
const { journal_entry_id: secondId = '', journal_number: secondNumber = '' } = small.second;
const { tenant: scheduling, scheduledNumber } = planned;

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

test('lead from an entry to its events', async () => {
  const page = await walks.newPage();
  const failed = await openBooks(page, `#/entry/${firstNumber}`);
  await page.getByRole('link', { name: 'Events of this entry' }).click();
  await heading(page, 'Events of a journal entry');
  await page.getByRole('cell', { name: 'journal_entry.posted', exact: true }).waitFor();
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
  await page.getByRole('combobox').selectOption(empty);
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
        ['Total current assets', '33\u202f590.00'],
        ['Before 2026-01-01', '12\u202f000.00'],
        ['Profit since 2026-01-01', '9\u202f190.00'],
        ['Total retained earnings', '18\u202f190.00'],
        ['Total liabilities and equity', '35\u202f790.00'],
      ],
    ],
    [
      `#/profit-and-loss/${year}`,
      'Profit and loss',
      [
        ['4010', 'Service Revenue', '18\u202f000.00'],
        ['Total exchange differences', '40.00'],
        ['Operating profit', '10\u202f940.00'],
        ['Profit before tax', '10\u202f890.00'],
      ],
    ],
    [
      `#/cash-flow/${year}`,
      'Statement of cash flows',
      [
        ['Opening cash', '22\u202f000.00'],
        ['Total movements', minus('1\u202f900.00')],
        ['Total interest paid', minus('50.00')],
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

  test('compare periods, and have a column for each month', async () => {
    const page = await walks.newPage();
    const failed = await openBooks(page, `#/profit-and-loss/${year}`, trader);
    await heading(page, 'Profit and loss');
    await page.getByRole('combobox', { name: 'Compare with' }).selectOption('previous_period');
    await page.getByRole('combobox', { name: 'Columns' }).selectOption('month');
    await page.getByRole('main').getByRole('button', { name: 'Show' }).click();
    await page.getByRole('columnheader', { name: '2025-12-31' }).waitFor();
    expect(await rowOf(page, '4010')).toEqual([
      ...['4010', 'Service Revenue', '18\u202f000.00', '40\u202f000.00'],
      ...['18\u202f000.00', '0.00', '0.00'],
    ]);
    await page.getByRole('link', { name: 'Changes in equity' }).click();
    await heading(page, 'Changes in equity');
    expect(await rowOf(page, 'Movement')).toEqual(['Movement', '0.00']);
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
    await page.getByText('Profit since 2025-01-01').waitFor();
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
  ])('are filtered by %s', async (_, fields, numbers, of = small.tenant) => {
    const page = await walks.newPage();
    const failed = await openBooks(page, '#/entries', of);
    await heading(page, 'Journal entries');
    const form = page.getByRole('main').locator('form');
    for (const [label, value] of Object.entries(fields)) {
      await form.getByLabel(label, { exact: true }).fill(value);
    }
    await form.getByRole('button', { name: 'Show' }).click();
    await expect.poll(() => numbersOf(page), { timeout: 20_000 }).toEqual(numbers);
    expect(failed).toEqual([]);
    await page.context().close();
  });

  test('show the scheduled ones by a link', async () => {
    const page = await walks.newPage();
    await openBooks(page, '#/entries', scheduling);
    await page.getByRole('link', { name: 'Scheduled entries' }).click();
    await expect.poll(() => numbersOf(page), { timeout: 20_000 }).toEqual([scheduledNumber]);
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

test("show the API's message for an unknown user", async () => {
  const page = await walks.newPage();
  await page.goto(`${walks.service.demo.base_url}/books?email=nobody@example.com`);
  await page.getByRole('status').getByText('The calling application has no such user.').waitFor();
  await page.context().close();
});
