// Says at once, and once, where there is no browser.

import { findChromium } from './browser.ts';

export const setup = (): void => {
  findChromium();
};
