// The books on a desk, on a phone and on paper.

import { mkdir } from 'node:fs/promises';
import { afterAll, describe, expect, test } from 'vitest';
import { heading, openBooksWalks } from './support/books.ts';
import { connectDifferingCompany, lockDate } from './support/differing-company.ts';
import { cutFigures, findingsIn, overflows, pictures } from './support/inspect.ts';

await mkdir(pictures, { recursive: true });
const { walks, user, openBooks, trader, small } = await openBooksWalks();
afterAll(walks.stop);
const differing = await connectDifferingCompany(walks, user);

const onPhone = { viewport: { width: 360, height: 740 }, isMobile: true, hasTouch: true };

describe.each([
  ['on a desk', { viewport: { width: 1280, height: 900 } }],
  ['on a phone', onPhone],
] as const)('the books %s', (where, options) => {
  test.each([
    ['#/trial-balance', 'Trial balance'],
    ['#/balance-sheet', 'Balance sheet', trader],
    ['#/profit-and-loss', 'Profit and loss', trader],
    ['#/cash-flow', 'Statement of cash flows', trader],
    ['#/profit-and-loss///previous_year/month', 'Profit and loss', trader],
    ['#/changes-in-equity', 'Changes in equity', trader],
    ['#/revaluation', 'Revaluation'],
    [`#/platform-check/${lockDate}`, 'Platform check', differing.tenant],
    ['#/accounts', 'Accounts'],
    ['#/entries', 'Journal entries'],
    ['#/entry/MJ-20260324-0001', 'Journal entry MJ-20260324-0001'],
    ['#/account/1010', 'Account 1010'],
  ])('are accessible and fit at %s', async (view, title, of = small.tenant) => {
    const page = await walks.newPage(options);
    await openBooks(page, view, of);
    await heading(page, title);
    const name = `books-${title}-${where}`.toLowerCase().replaceAll(' ', '-');
    const path = `${pictures}${name}`;
    await page.screenshot({ path: `${path}.png`, fullPage: true });
    expect(await findingsIn(page)).toEqual([]);
    expect(await overflows(page)).toBe(false);
    expect(await cutFigures(page)).toEqual([]);
    await page.emulateMedia({ colorScheme: 'dark' });
    await page.screenshot({ path: `${path}-in-the-dark.png`, fullPage: true });
    expect(await findingsIn(page, { inColours: true }), 'in the dark').toEqual([]);
    await page.context().close();
  });
});

test('show what differs from the platform first, and link to the days that differ', async () => {
  const page = await walks.newPage();
  await openBooks(page, '#/platform-check', differing.tenant);
  await page.getByText('The balances equal the platform’s.').waitFor();
  await page.getByRole('link', { name: lockDate }).first().click();
  await page.getByText('The balances do not agree: period locked.').waitFor();
  const rows = await page.getByRole('table').locator('tbody tr').all();
  const differences = await Promise.all(rows.map((row) => row.locator('td').last().innerText()));
  const isDifferent = differences.map((text) => text !== '');
  expect(isDifferent).toEqual(rows.map((_, place) => place < differing.accounts));
  expect(rows.length).toBeGreaterThan(differing.accounts);
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
