// What is looked at in a page: axe's findings, what is too wide, what goes wrong, and a picture.

import axe from 'axe-core';
import type { Page } from 'playwright-core';

/** Where the pictures of the pages go, to be looked at. */
export const pictures = new URL('../../../.screenshots/', import.meta.url).pathname;

export type Finding = { id: string; impact: string; help: string; nodes: { html: string }[] };

/** What axe finds against WCAG 2.2 and its own best practices. */
export const findingsIn = async (page: Page): Promise<Finding[]> => {
  await page.evaluate(axe.source);
  return page.evaluate<Finding[]>('axe.run().then(({ violations }) => violations)');
};

/** Whether something is wider than the screen; a phone's window grows with what is in it. */
export const overflows = async (page: Page): Promise<boolean> => {
  const width = await page.evaluate<number>('document.scrollingElement.scrollWidth');
  return width > (page.viewportSize()?.width ?? 0);
};

/** What goes wrong in a page from now on, and whatever it asks of anybody but this origin. */
export const watch = (page: Page, allowedOrigin: string): string[] => {
  const failed: string[] = [];
  page.on('pageerror', (error) => failed.push(error.message));
  page.on('console', (message) => {
    if (message.type() === 'error') failed.push(message.text());
  });
  page.on('request', (request) => {
    const { protocol, origin } = new URL(request.url());
    if (protocol !== 'data:' && origin !== allowedOrigin) failed.push(request.url());
  });
  return failed;
};
