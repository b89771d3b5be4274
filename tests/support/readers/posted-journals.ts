// Reading the journals that a page lists, all of which are posted.

import type { CompanyAccess, ListedJournal, PlatformJournal } from '#shared/platforms/platform.ts';

/** @throws where one of them turns out not to be posted */
export const readPosted = (
  listed: readonly ListedJournal[],
  access: CompanyAccess,
): Promise<PlatformJournal[]> =>
  Promise.all(
    listed.map(async ({ reference, read }) => {
      const journal = await read(access);
      if (journal === null) throw new Error(`${reference} is not posted`);
      return journal;
    }),
  );
