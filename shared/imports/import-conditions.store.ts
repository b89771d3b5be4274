// What must hold of a tenant for an import of it to be asked for, or to end well.

import { connectionKey, type TenantName } from '../table/keys.ts';
import type { Action, PutAction } from '../table/table.ts';
import { statusAction } from '../tenants/tenant-status.store.ts';

/** That there are tokens; whoever gives the access back forgets them. */
export const connectedCheck = (name: TenantName): Action => ({
  check: connectionKey(name),
  condition: 'attribute_exists(sealedTokens)',
});

/** The actions that ask for an import, which `put` is, of a tenant that is connected. */
export const requestActions = (name: TenantName, put: PutAction): Action[] => [
  connectedCheck(name),
  statusAction(name, { status: 'importing', reason: null }),
  put,
];

/** The place of the put among these actions. */
export const putIndex = 2;

/** The same, unless the tenant is disconnected: there may be tokens then, which are refused. */
export const requestUnlessDisconnected = (name: TenantName, put: PutAction): Action[] => {
  const action = statusAction(name, { status: 'importing', reason: null });
  return requestActions(name, put).with(1, {
    ...action,
    condition: `${action.condition} AND #status <> :disconnected`,
    values: { ...action.values, ':disconnected': 'disconnected' },
  });
};
