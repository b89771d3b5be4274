// Who the operator is: the user of this machine.

import { userInfo } from 'node:os';

/** The name of the user, or where the system has none for it, its number. */
export const operatorName = (): string => {
  try {
    return userInfo().username;
  } catch {
    return `user ${process.getuid?.() ?? 'unknown'}`;
  }
};
