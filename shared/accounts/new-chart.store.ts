// The actions that write the chart of a new tenant, and the first change of its history.

import { accountCountAction } from '../applications/quota-counts.store.ts';
import { changeRecording, creationChange } from '../history/tenant-history.store.ts';
import { type Actor, emptyHistory } from '../history/tenant-history.ts';
import type { Action } from '../table/table.ts';
import type { Tenant } from '../tenants/tenants.ts';
import { accountAction } from './account-actions.store.ts';
import type { Account } from './accounts.ts';

/** @param by who creates the tenant */
export const newChartActions = (
  tenant: Tenant,
  accounts: readonly Account[],
  by: Actor,
): Action[] => {
  const { applicationId, schemaName } = tenant;
  const name = { applicationId, schemaName };
  const numbered = accounts.map((it, index) => ({ ...it, number: index + 1 }));
  const created = creationChange(tenant, numbered, by);
  const { action, end } = changeRecording(name, emptyHistory, created);
  return [
    ...numbered.map((it) => accountAction(name, it)),
    accountCountAction(name, accounts.length, end),
    action,
  ];
};
