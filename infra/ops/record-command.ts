// Records an operator's command in the history of the tenant that it changed, so the application's
// list of changes shows it.

import { byOperator } from '#shared/history/tenant-history.ts';
import type { Details } from '#shared/operator/audit-log.store.ts';
import type { TenantName } from '#shared/table/keys.ts';
import type { Dependencies } from './command.ts';

/** @param command.by the name of the operator */
export const recordCommand = async (
  { history }: Pick<Dependencies, 'history'>,
  name: TenantName,
  command: { by: string; at: string; command: string; before: Details; after: Details },
): Promise<void> => {
  const { by, at, command: subject, before, after } = command;
  const change = { ...byOperator(by), at, what: 'operator_command' as const, subject };
  await history.recordWith(name, [], { change: { ...change, before, after } });
};
