// Checks of a page: axe's findings, overflow, errors, and a screenshot.

import axe from 'axe-core';
import type { Page } from 'playwright-core';

/** The folder of the screenshots. */
export const pictures = new URL('../../../.screenshots/', import.meta.url).pathname;

export type Finding = { id: string; impact: string; help: string; nodes: { html: string }[] };

/** What axe finds against WCAG 2.2 and its own best practices, or in the colours alone. */
export const findingsIn = async (page: Page, { inColours = false } = {}): Promise<Finding[]> => {
  await page.evaluate(axe.source);
  const options = inColours ? '{ runOnly: ["color-contrast", "link-in-text-block"] }' : '';
  return page.evaluate<Finding[]>(`axe.run(${options}).then(({ violations }) => violations)`);
};

/** Whether an element is wider than the screen. A phone's window grows with its content. */
export const overflows = async (page: Page): Promise<boolean> => {
  const width = await page.evaluate<number>('document.scrollingElement.scrollWidth');
  return width > (page.viewportSize()?.width ?? 0);
};

/** The amounts that do not fit into their cells or onto the screen. */
export const cutFigures = (page: Page): Promise<string[]> =>
  page.evaluate<string[]>(`[...document.querySelectorAll('td.figure')]
    .filter((cell) => cell.offsetParent !== null)
    .filter((cell) => {
      const { left, right } = cell.getBoundingClientRect();
      const isOutside = left < 0 || right > document.documentElement.clientWidth;
      return isOutside || cell.scrollWidth > cell.clientWidth;
    })
    .map((cell) => cell.textContent)`);

/** Records the errors of a page, and its requests to other origins. */
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
