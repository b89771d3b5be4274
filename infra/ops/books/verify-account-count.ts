// Verifies the stored count of a tenant's accounts, which enforces the quota.

import type { TenantName } from '#shared/table/keys.ts';
import type { Checked, Checking } from './differences.ts';

const maximumReadings = 3;

/**
 * Counts the accounts. Requests can add accounts meanwhile, so a count that differs is read again.
 * A tenant older than the quota has no stored count until an account is added.
 */
export const verifyAccountCount = async (
  name: TenantName,
  { books, pause, repair }: Checking,
): Promise<Checked> => {
  for (let reading = 1; ; reading += 1) {
    const [stored, actual] = [await books.findAccountCount(name), await books.countAccounts(name)];
    if (stored === undefined || stored === actual) return { differences: [], repaired: [] };
    if (reading < maximumReadings) {
      await pause();
      continue;
    }
    const difference = {
      date: null,
      series: null,
      what: 'accounts that count for the quota',
      expected: String(actual),
      found: String(stored),
    };
    const isRepaired = repair && (await books.correctAccountCount(name, { stored, actual }));
    return isRepaired
      ? { differences: [], repaired: [difference] }
      : { differences: [difference], repaired: [] };
  }
};
