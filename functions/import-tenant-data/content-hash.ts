// A hash of what a journal says at its platform, by which a later import sees that it was edited.

import { createHash } from 'node:crypto';
import {
  type AccountReference,
  isTaxAccount,
  type PlatformJournal,
} from '#shared/platforms/platform.ts';

/**
 * The way in which journals are read and hashed. Whoever changes an adapter so that it reads the
 * same journals in another way raises this: otherwise all of them would look edited.
 */
const version = '2';

/** Where the company's settings have its taxes is nothing of the journal, and may change. */
const textOf = (account: AccountReference): string =>
  isTaxAccount(account) ? 'tax' : JSON.stringify(account);

/**
 * The hash of a journal's date, memo, currency, rate and lines. A platform may list the same lines
 * in another order, which is no edit. What the company's own currency is called does not matter.
 */
export const contentHashOf = (journal: PlatformJournal, tenantCurrency: string): string => {
  const { date, memo, currency, exchangeRate, lines } = journal;
  const isOwn = (currency ?? tenantCurrency) === tenantCurrency;
  const lineTexts = lines.map(({ account, description, debit, credit }) =>
    JSON.stringify([textOf(account), description, debit.toFixed(), credit.toFixed()]),
  );
  const content = [
    ...[date, memo, isOwn ? null : currency, isOwn ? null : (exchangeRate?.toFixed() ?? null)],
    lineTexts.sort(),
  ];
  const hash = createHash('sha256').update(JSON.stringify(content)).digest('base64url');
  return `${version}:${hash}`;
};

/** Whether a hash was made in the way of now, so that another one means another content. */
export const isComparable = (contentHash: string): boolean => contentHash.startsWith(`${version}:`);
