// The codes of accounts that come from a platform.

import { maximumAccountCodeLength, type PlatformAccount, reservedCodePrefix } from './accounts.ts';
import { cleaned } from './texts.ts';

/** The code of an account whose own is missing, too long, or another account's. */
export const codeById = (accountId: string): string => `${reservedCodePrefix}${accountId}`;

/** The code that the account would have by itself. What looks like a code by id counts as none. */
export const ownCodeOf = ({ code: given }: Pick<PlatformAccount, 'code'>): string | undefined => {
  const code = cleaned('id', given ?? '');
  const isUsable = code !== '' && !code.startsWith(reservedCodePrefix);
  return isUsable && code.length <= maximumAccountCodeLength ? code : undefined;
};
