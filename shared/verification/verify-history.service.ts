// Verifies the history of a tenant, and that its settings and accounts follow from it.

import type { TenantName } from '../table/keys.ts';
import type { Checking } from './checking.service.ts';
import { type Checked, checkedAs, type Difference, inTwoReadings } from './differences.ts';

/** Differences are not repaired: they are evidence of tampering or a bug. */
export const verifyHistory = async (
  name: TenantName,
  { books, pause }: Pick<Checking, 'books' | 'pause'>,
): Promise<Checked> => {
  const list = async (): Promise<Difference[]> =>
    (await books.history.listFindings(name)).map((finding) => ({
      date: null,
      series: null,
      ...finding,
    }));
  return checkedAs(await inTwoReadings(list, pause), false);
};
