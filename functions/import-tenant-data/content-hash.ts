// A hash of a journal's content on its platform. Later imports use it to detect edits.

import { createHash } from 'node:crypto';
import {
  type AccountReference,
  isTaxAccount,
  type PlatformJournal,
} from '#shared/platforms/platform.ts';

/**
 * The version of the hash. Increase it when an adapter reads the same journals differently;
 * otherwise all of them would look edited, and would be reversed and imported again.
 */
const version = '2';

/** The tax account is a company setting, not part of the journal, and can change. */
const textOf = (account: AccountReference): string =>
  isTaxAccount(account) ? 'tax' : JSON.stringify(account);

/**
 * The hash of a journal's date, memo, currency, rate and lines. The order of the lines does not
 * matter, and an explicit company currency equals an omitted one.
 */
export const contentHashOf = (journal: PlatformJournal, tenantCurrency: string): string => {
  const { date, memo, currency, exchangeRate, lines } = journal;
  const isOwn = (currency ?? tenantCurrency) === tenantCurrency;
  const lineTexts = lines.map(({ account, description, debit, credit }) =>
    JSON.stringify([textOf(account), description, debit.toFixed(), credit.toFixed()]),
  );
  const content = [
    date,
    memo,
    isOwn ? null : currency,
    isOwn ? null : (exchangeRate?.toFixed() ?? null),
    lineTexts.sort(),
  ];
  const hash = createHash('sha256').update(JSON.stringify(content)).digest('base64url');
  return `${version}:${hash}`;
};

/** Whether a hash has the current version, so a different hash means different content. */
export const isComparable = (contentHash: string): boolean => contentHash.startsWith(`${version}:`);
