// Reports a missing browser once, before the tests.

import { findChromium } from './browser.ts';

export const setup = (): void => {
  findChromium();
};
