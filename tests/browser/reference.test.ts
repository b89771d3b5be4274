// The reference as a person sees it: on a desk and on a phone, in light and in the dark.

import { mkdir } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { afterAll, describe, expect, test } from 'vitest';
import { findingsIn, overflows, pictures, watch } from './support/inspect.ts';
import { openWalks } from './support/walk.ts';

await mkdir(pictures, { recursive: true });
const walks = await openWalks();
afterAll(walks.stop);

/** Axe's findings in the renderer, which cannot be fixed here. */
const ofTheRenderer = new Set([
  // The key's field is a custom editor with a label beside it.
  'aria-input-field-name',
  'aria-required-attr',
  // Blocks of code scroll by touch and mouse; their text is copied with the button beside it.
  'scrollable-region-focusable',
]);

/** Opens the page at a section, and records the errors of the page and its requests. */
const openReference = async (page: Page, place: { hash: string; heading: string }) => {
  const { base_url } = walks.service.demo;
  const failed = watch(page, base_url);
  await page.goto(`${base_url}/docs${place.hash}`);
  await page.getByRole('heading', { name: place.heading, exact: true }).first().waitFor();
  return failed;
};

/** The renderer is large: a busy machine needs its time for it. */
const timeout = 90_000;

const guide = { hash: '', heading: 'Guide' };
const operation = {
  hash: '#tag/tenants/POST/external/v1/tenants/create/',
  heading: 'Create tenant',
};

const onPhone = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true };

describe.each([
  ['on a desk', 'light', { viewport: { width: 1280, height: 900 } }],
  ['on a phone', 'light', onPhone],
  ['on a phone in the dark', 'dark', onPhone],
] as const)('the reference %s', (where, colorScheme, options) => {
  test('is accessible, fits, and sends no request to another origin', { timeout }, async () => {
    const page = await walks.newPage({ ...options, colorScheme });
    const failed = await openReference(page, guide);
    // In the dark, only the colours differ.
    const inColours = colorScheme === 'dark';
    const findings = (await findingsIn(page, { inColours })).filter(
      ({ id, impact }) => /serious|critical/.test(impact) && !ofTheRenderer.has(id),
    );
    expect(findings).toEqual([]);
    const background = 'getComputedStyle(document.body).backgroundColor';
    const [red = 0] = /\d+/.exec(await page.evaluate<string>(background))?.map(Number) ?? [];
    expect(red > 128).toBe(colorScheme === 'light');
    for (const place of [guide, operation]) {
      failed.push(...(await openReference(page, place)));
      const name = `reference-${place.heading}-${where}`.toLowerCase().replaceAll(' ', '-');
      await page.screenshot({ path: `${pictures}${name}.png` });
      expect(await overflows(page)).toBe(false);
    }
    expect(failed).toEqual([]);
    await page.context().close();
  });
});

test('the reference finds a word, and sends a request with the key of the demo', {
  timeout,
}, async () => {
  const page = await walks.newPage();
  const place = { hash: '#tag/users/POST/external/v1/users/ensure/', heading: 'Ensure user' };
  const failed = await openReference(page, place);
  await page
    .getByRole('button', { name: /search/i })
    .first()
    .click();
  await page.keyboard.type('exchange rates');
  await page
    .getByRole('option', { name: /Exchange rates/ })
    .first()
    .waitFor();
  await page.keyboard.press('Escape');
  await page
    .getByRole('button', { name: /^Test Request/ })
    .first()
    .click();
  const replied = page.waitForResponse(/users\/ensure/);
  await page.getByRole('button', { name: /^Send/ }).first().click();
  expect((await replied).status()).toBe(200);
  expect(failed).toEqual([]);
  await page.context().close();
});
