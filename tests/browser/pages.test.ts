// The pages that a person sees: what axe finds in them, and how they are on a phone.

import { mkdir } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { afterAll, describe, expect, test } from 'vitest';
import { phone } from './support/browser.ts';
import { findingsIn, overflows, pictures } from './support/inspect.ts';
import { answerConsent, openWalks } from './support/walk.ts';

await mkdir(pictures, { recursive: true });
const walks = await openWalks();
afterAll(walks.stop);

// One for all, since a company that is connected is its user's.
const { userId } = await walks.newUser();

const consentUrl = async (slot: 'platform_a' | 'platform_b' | 'platform_c'): Promise<string> =>
  (await walks.initiate(userId, { slot })).body.data.authorization_url;

const pages: [name: string, open: (page: Page) => Promise<unknown>][] = [
  ['start', (page) => page.goto(walks.service.demo.base_url)],
  ['worked-year', (page) => page.goto(`${walks.service.demo.base_url}/docs/worked-year`)],
  ['sandbox', (page) => page.goto(walks.service.demo.sandbox_url)],
  ['consent-a', async (page) => page.goto(await consentUrl('platform_a'))],
  ['consent-b', async (page) => page.goto(await consentUrl('platform_b'))],
  ['consent-c', async (page) => page.goto(await consentUrl('platform_c'))],
  [
    'connected',
    async (page) => {
      await page.goto(await consentUrl('platform_a'));
      await answerConsent(page, 'platform_a', { company: 'prairie-tools' });
      await page.getByRole('heading', { name: 'The company is connected' }).waitFor();
    },
  ],
  [
    'not-connected',
    async (page) => {
      await page.goto(await consentUrl('platform_b'));
      await answerConsent(page, 'platform_b', { company: 'sakura-printing', decision: 'Deny' });
      await page.getByRole('heading', { name: 'The company was not connected' }).waitFor();
    },
  ],
  [
    'choose-company',
    async (page) => {
      await page.goto(await consentUrl('platform_c'));
      await answerConsent(page, 'platform_c', { company: 'olive-trading' });
      await page.getByRole('heading', { name: 'Which company do you want to connect?' }).waitFor();
    },
  ],
  [
    'link-used',
    (page) => page.goto(`${walks.service.demo.callback_url}/oauth/platform_a/callback?state=x`),
  ],
];

const findingsOf = async (...of: Parameters<typeof findingsIn>): Promise<string[]> =>
  (await findingsIn(...of)).map(({ id, help, nodes }) => `${id}: ${help}: ${nodes[0]?.html}`);

/** The controls that are smaller than a finger needs (WCAG 2.2, 2.5.8: 24 pixels). */
const smallControls = (page: Page): Promise<string[]> =>
  page.evaluate(`[...document.querySelectorAll('button, select, input:not([type=hidden])')]
    .filter((it) => {
      const box = (it.closest('label') ?? it).getBoundingClientRect();
      return Math.min(box.width, box.height) < 24;
    })
    .map((it) => it.outerHTML)`);

describe.each(pages)('the page %s', (name, open) => {
  test.each([
    ['on a desk', { viewport: { width: 1280, height: 900 } }],
    ['on a phone', phone],
  ] as const)('is accessible and fits, %s', async (where, options) => {
    const page = await walks.newPage(options);
    const failed: string[] = [];
    page.on('pageerror', (error) => failed.push(error.message));
    page.on('console', (message) => {
      // Chromium reports a page with an error status as an error.
      const isStatus = message.text().includes('the server responded with a status');
      if (message.type() === 'error' && !isStatus) failed.push(message.text());
    });
    await open(page);
    const path = `${pictures}${name}-${where.replaceAll(' ', '-')}`;
    await page.screenshot({ path: `${path}.png`, fullPage: true });
    expect(await findingsOf(page)).toEqual([]);
    expect(await overflows(page)).toBe(false);
    expect(await smallControls(page)).toEqual([]);
    await page.emulateMedia({ colorScheme: 'dark' });
    await page.screenshot({ path: `${path}-in-the-dark.png`, fullPage: true });
    expect(await findingsOf(page, { inColours: true }), 'in the dark').toEqual([]);
    expect(failed).toEqual([]);
    await page.context().close();
  });
});

test('the consent page works with the keyboard alone', async () => {
  const page = await walks.newPage();
  await page.goto(await consentUrl('platform_c'));
  const focused = () => page.evaluate<string>('document.activeElement.value ?? ""');
  await page.keyboard.press('Tab');
  expect(await focused()).toBe('brennan-daughters');
  await page.keyboard.press('ArrowDown');
  expect(await focused()).toBe('fjord-fish');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Tab');
  expect(await focused()).toBe('approve');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'The company is connected' }).waitFor();
});
