// The system's Chromium: its path, and its options for the walks.

import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { type Browser, chromium } from 'playwright-core';

const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome'];

const otherPlaces = [
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

const isExecutable = (path: string): boolean => {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
};

/** @throws with a sentence that says how to get a browser */
export const findChromium = (): string => {
  const folders = (process.env.PATH ?? '').split(delimiter);
  const inPath = names.flatMap((name) => folders.map((folder) => join(folder, name)));
  const given = process.env.CHROMIUM_PATH;
  const found = given ? given : [...inPath, ...otherPlaces].find(isExecutable);
  if (found !== undefined && isExecutable(found)) return found;
  throw new Error(
    'The browser tests need Chromium or Chrome. On Debian and Ubuntu: sudo apt-get install ' +
      'chromium. On macOS: brew install --cask chromium. One that is elsewhere: set ' +
      'CHROMIUM_PATH to its program file.',
  );
};

/** Containers have no user namespace for Chromium's own sandbox; it opens our own pages only. */
export const openBrowser = (): Promise<Browser> =>
  chromium.launch({ executablePath: findChromium(), args: ['--no-sandbox'] });

/** A phone of the smallest kind that is still in use. */
export const phone = { viewport: { width: 360, height: 640 }, isMobile: true, hasTouch: true };
