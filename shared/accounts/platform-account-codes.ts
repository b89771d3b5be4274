// The codes of imported accounts.

import { cleaned } from '../texts.ts';
import { maximumAccountCodeLength, type PlatformAccount, reservedCodePrefix } from './accounts.ts';

/** The code of an account if its own is missing, too long or taken. */
export const codeById = (accountId: string): string => `${reservedCodePrefix}${accountId}`;

/** The platform's code, if it is usable. A code with the reserved prefix is not. */
export const ownCodeOf = (account: Pick<PlatformAccount, 'code'>): string | undefined => {
  const code = cleaned('id', account.code ?? '');
  const isUsable = code !== '' && !code.startsWith(reservedCodePrefix);
  return isUsable && code.length <= maximumAccountCodeLength ? code : undefined;
};
