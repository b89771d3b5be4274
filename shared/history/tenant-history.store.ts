// Stores the history of tenants. The item that counts a tenant's accounts has the end of its
// history, so each change requires that no other change came in between.

import { Account } from '../accounts/accounts.ts';
import { type ChartState, chartStateOf } from '../applications/quota-counts.store.ts';
import { BooksDiffer } from '../entries/entry-checks.ts';
import { updateAction } from '../table/field-updates.ts';
import { historyKey, historyPrefix } from '../table/history-keys.ts';
import {
  accountCountKey,
  accountPrefix,
  keyText,
  lockChangePrefix,
  type TenantName,
  tenantKey,
} from '../table/keys.ts';
import { patientMilliseconds, retryOnContention } from '../table/retry.ts';
import { lastCharacter, prefixRange, sortRange } from '../table/sort-ranges.ts';
import { type Action, ifNotExists, type PutAction, type Table } from '../table/table.ts';
import { settingsOf, Tenant } from '../tenants/tenants.ts';
import {
  appendedTo,
  byService,
  Change,
  emptyHistory,
  type HistoryEnd,
  LockChange,
  type NewChange,
  type ShownFields,
  shownFieldsOf,
} from './tenant-history.ts';

type TransactOutcome = Awaited<ReturnType<Table['transact']>>;

/** The state of a chart whose tenant has a history. */
export type OpenedState = ChartState & HistoryEnd;

/** An item of a history has room for the accounts of this many bytes of items. */
const maximumOpeningBytes = 200_000;

const accountsPerPage = 500;

const putChange = (name: TenantName, change: Change): PutAction => ({
  put: { ...historyKey(name, change.sequence), ...change },
  condition: ifNotExists,
});

/** The action that records a change, and the end of the history after it. */
export const changeRecording = (
  name: TenantName,
  state: HistoryEnd,
  change: NewChange,
): { action: PutAction; end: HistoryEnd } => {
  const appended = appendedTo(state, change);
  return { action: putChange(name, appended.change), end: appended.end };
};

/** The actions that record a change that changes no accounts. */
export const settingsChangeActions = (
  name: TenantName,
  { changes, changesHead }: HistoryEnd,
  change: NewChange,
): Action[] => {
  const { action, end } = changeRecording(name, { changes, changesHead }, change);
  return [action, updateAction(accountCountKey(name), { set: end, expected: { changes } })];
};

/** The first change of a new tenant, with all of its accounts. */
export const creationChange = (
  tenant: Tenant,
  accounts: readonly Account[],
  by: Pick<NewChange, 'actor' | 'actorId'>,
): NewChange => ({
  ...by,
  at: tenant.createdAt,
  what: 'tenant_created',
  subject: null,
  before: {},
  after: { settings: shownFieldsOf(settingsOf(tenant)), accounts: shownAccounts(accounts) },
});

/** The fields of an account in the history, without its code. */
export const shownAccountOf = ({ code: _, ...account }: Account): ShownFields =>
  shownFieldsOf(account);

const shownAccounts = (accounts: readonly Account[]): ShownFields =>
  Object.fromEntries(accounts.map((account) => [account.code, shownAccountOf(account)]));

/** The end of the history, if it has begun. */
const endOf = ({ changes, changesHead }: ChartState): HistoryEnd | undefined =>
  changes === undefined || changesHead === undefined ? undefined : { changes, changesHead };

const isOpened = (state: ChartState): state is OpenedState =>
  endOf(state) !== undefined && state.openedUntil === undefined;

/** The changes of the lock that earlier versions have stored, as part of an opening. */
const earlierLockChanges = async (table: Pick<Table, 'query'>, name: TenantName) => {
  const items = await table.query(prefixRange(tenantKey(name).pk, lockChangePrefix));
  return items.map((item) => shownFieldsOf(LockChange.parse(item)));
};

export type TenantHistory = ReturnType<typeof openTenantHistory>;

/** A page of changes. `next` is the sequence to continue after. */
export type ChangePage = { changes: Change[]; next: number | undefined };

export const openTenantHistory = (
  table: Pick<Table, 'getMany' | 'query' | 'queryPage' | 'transact'>,
) => {
  /** The accounts after a code, as many as one item of the history has room for. */
  const readAccounts = async (name: TenantName, after: string) => {
    const range = sortRange(tenantKey(name).pk, {
      first: `${accountPrefix}${after}`,
      last: `${accountPrefix}${lastCharacter}`,
    });
    const page = await table.queryPage({ ...range, Limit: accountsPerPage });
    const accounts: Account[] = [];
    let bytes = 0;
    for (const item of page.items) {
      const account = Account.parse(item);
      bytes += Buffer.byteLength(JSON.stringify(account));
      if (bytes > maximumOpeningBytes && accounts.length > 0) {
        return { accounts, isLast: false };
      }
      if (account.code !== after) accounts.push(account);
    }
    return { accounts, isLast: page.next === undefined };
  };

  /**
   * Writes down the next accounts of a tenant that has no history yet, and with the first ones its
   * settings. Fails if the chart has changed since `state` was read.
   */
  const openNext = async (
    name: TenantName,
    tenant: Tenant | undefined,
    state: ChartState,
  ): Promise<void> => {
    const { changes, chartVersion } = state;
    const before = endOf(state);
    const isFirst = before === undefined;
    const { accounts, isLast } = await readAccounts(name, state.openedUntil ?? '');
    const settings = {
      settings: tenant ? shownFieldsOf(settingsOf(tenant)) : {},
      lock_changes: await earlierLockChanges(table, name),
    };
    const { action, end } = changeRecording(name, before ?? emptyHistory, {
      ...byService,
      at: new Date().toISOString(),
      what: 'history_opened',
      subject: null,
      before: {},
      after: { ...(isFirst && settings), accounts: shownAccounts(accounts) },
    });
    const outcome = await table.transact([
      action,
      updateAction(accountCountKey(name), {
        set: { ...end, openedUntil: isLast ? undefined : accounts.at(-1)?.code },
        expected: { changes, ...(chartVersion > 0 && { chartVersion }) },
      }),
      // A tenant without a history can get another method, see connectionChangeActions.
      ...(isFirst && tenant
        ? [
            {
              check: tenantKey(name),
              condition: 'cashFlowMethod = :method',
              values: { ':method': tenant.cashFlowMethod },
            },
          ]
        : []),
    ]);
    const isLost = !outcome.committed && outcome.failed.has(0) && !outcome.failed.has(1);
    if (isLost) throw new BooksDiffer('the end of the history is missing');
  };

  const readTenant = async (name: TenantName) => {
    const items = await table.getMany([tenantKey(name), accountCountKey(name)]);
    const tenant = items.get(keyText(tenantKey(name)));
    return {
      tenant: tenant && Tenant.parse(tenant),
      state: chartStateOf(items.get(keyText(accountCountKey(name)))),
    };
  };

  const opened = async (name: TenantName, found?: ChartState): Promise<OpenedState> => {
    if (found && isOpened(found)) return found;
    const openFurther = async (): Promise<OpenedState | undefined> => {
      const { tenant, state } = await readTenant(name);
      if (isOpened(state)) return state;
      await openNext(name, tenant, state);
      return undefined;
    };
    // A large chart takes many attempts, once.
    return retryOnContention(openFurther, { milliseconds: patientMilliseconds });
  };

  return {
    /** A tenant, with the state of its chart. One call. */
    readTenant,

    /**
     * The state of a tenant's chart with its history, which begins now if it has none.
     * @param found the state, if it was read already
     */
    opened,

    /**
     * Writes actions together with a change that changes no accounts. Other changes may come in
     * between.
     * @param found the state of the chart, if it was read already
     * @returns the outcome of the actions
     */
    recordWith: async (
      name: TenantName,
      actions: readonly Action[],
      { change, found }: { change: NewChange; found?: ChartState | undefined },
    ): Promise<TransactOutcome> => {
      let state = found;
      for (;;) {
        const recording = settingsChangeActions(name, await opened(name, state), change);
        const outcome = await table.transact([...actions, ...recording]);
        if (outcome.committed) return outcome;
        if (actions.some((_, index) => outcome.failed.has(index))) return outcome;
        state = chartStateOf(outcome.failed.get(actions.length + 1));
      }
    },

    /**
     * The actions that record that a tenant's company is connected again, with a cash-flow method.
     * @param userId the user who consented
     */
    connectionChangeActions: async (
      name: TenantName,
      { cashFlowMethod, userId }: Pick<Tenant, 'cashFlowMethod'> & { userId: string | undefined },
      by: Pick<NewChange, 'at' | 'actor' | 'actorId'>,
    ): Promise<Action[]> => {
      const { tenant, state } = await readTenant(name);
      const end = endOf(state);
      if (end === undefined) {
        // The history will begin with the state after this change.
        return [{ check: accountCountKey(name), condition: 'attribute_not_exists(changes)' }];
      }
      return settingsChangeActions(name, end, {
        ...by,
        what: 'company_connected',
        subject: userId ?? null,
        before: { cash_flow_method: tenant?.cashFlowMethod ?? null },
        after: { cash_flow_method: cashFlowMethod },
      });
    },

    /** Lists changes after a sequence, in order, or before it if `isDescending`. */
    listPage: async (
      name: TenantName,
      {
        limit,
        after,
        isDescending = false,
      }: { limit: number; after?: number | undefined; isDescending?: boolean },
    ): Promise<ChangePage> => {
      const { items, next } = await table.queryPage(
        {
          ...prefixRange(tenantKey(name).pk, historyPrefix),
          Limit: limit,
          ScanIndexForward: !isDescending,
        },
        after === undefined ? undefined : historyKey(name, after),
      );
      const changes = items.map((item) => Change.parse(item));
      return { changes, next: next === undefined ? undefined : changes.at(-1)?.sequence };
    },

    /** All changes, in order. */
    list: async (name: TenantName): Promise<Change[]> => {
      const items = await table.query(prefixRange(tenantKey(name).pk, historyPrefix));
      return items.map((item) => Change.parse(item));
    },
  };
};
