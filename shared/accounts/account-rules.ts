// The rules for creating and changing accounts.

import { isDeepStrictEqual } from 'node:util';
import Big from 'big.js';
import type { Quotas } from '../applications/quotas.ts';
import { type Problem, type ProblemCode, pointerTo, problem } from '../errors.ts';
import { decimalsOf, fitsDecimals } from '../money/amounts.ts';
import { dateOf } from '../money/dates.ts';
import { lockDelaySeconds } from '../tenants/period-lock.ts';
import type { Tenant } from '../tenants/tenants.ts';
import {
  type Account,
  type AccountSubtype,
  type AccountType,
  cashFlowsFor,
  classificationOf,
  isCash,
  isSubtypeOf,
  nonCurrentSubtypes,
  normalBalanceOf,
  reservedCodePrefix,
  subtypesByType,
} from './accounts.ts';
import {
  type Classification,
  classificationIn,
  firstDateOfChange,
  maximumClassifications,
  problemsOfEffectiveDate,
  reclassified,
} from './reclassification.ts';

export type AccountQuotas = Pick<Quotas, 'accountsPerTenant' | 'accountCodeBytes'>;

/** The account in a request. Defaults for omitted fields follow from the others. */
export type NewAccount = Pick<Account, 'code' | 'name' | 'type'> & {
  [Field in 'subtype' | 'normalBalance' | 'cashFlow']?: Account[Field] | undefined;
};

export type AccountChanges = Partial<Pick<Account, 'name' | 'status'> & Classification>;

/** The name of the first rule that the code of a new account breaks. */
export const ruleBrokenByNewCode = (code: string): string | undefined => {
  if (code.trim() !== code) return 'blank_at_end';
  return code.startsWith(reservedCodePrefix) ? 'reserved_prefix' : undefined;
};

/** The fields with a different name in requests and replies. */
const fieldNames: Record<string, string> = {
  normalBalance: 'normal_balance',
  cashFlow: 'cash_flow',
  currentPart: 'current_part',
};
const fieldNameOf = (name: string): string => fieldNames[name] ?? name;

export const problemsOfCodeLength = (
  code: string | undefined,
  { accountCodeBytes: maximum }: Pick<AccountQuotas, 'accountCodeBytes'>,
): Problem[] => {
  const bytes = Buffer.byteLength(code ?? '');
  if (bytes <= maximum) return [];
  const params = { quota: 'account_code_bytes', maximum, bytes };
  return [problem('account_code_too_long', '/code', params)];
};

export const accountFrom = (newAccount: NewAccount): Account => {
  const { code, name, type } = newAccount;
  const { subtype, cashFlow } = classificationOf(newAccount);
  return {
    code,
    name,
    type,
    status: 'active',
    normalBalance: normalBalanceOf(newAccount),
    ...(subtype !== null && { subtype }),
    ...(cashFlow !== null && { cashFlow }),
  };
};

const subtypeProblem = (type: AccountType, subtype: AccountSubtype): Problem[] =>
  isSubtypeOf(type, subtype)
    ? []
    : [problem('subtype_not_of_type', '/subtype', { type, allowed: [...subtypesByType[type]] })];

/** The requested fields that differ from the account. Omitted fields do not differ. */
const differingFields = (newAccount: Partial<NewAccount>, account: Account): string[] => {
  const current = { ...account, normalBalance: normalBalanceOf(account) };
  const names = Object.keys(newAccount) as (keyof NewAccount)[];
  return names.filter(
    (name) => newAccount[name] !== undefined && newAccount[name] !== current[name],
  );
};

/**
 * Finds the problems of the readable fields of a new account.
 * @param existing the account that has the code. It is no problem if all requested fields match.
 */
export const problemsOfNewAccount = (
  newAccount: Partial<NewAccount>,
  existing: Account | undefined,
): Problem[] => {
  const { code, type, subtype, cashFlow } = newAccount;
  const ofSubtype = type && subtype ? subtypeProblem(type, subtype) : [];
  const allowed = type && ofSubtype.length === 0 ? cashFlowsFor({ type, subtype }) : undefined;
  const isRefused = cashFlow !== undefined && allowed?.includes(cashFlow) === false;
  const differing = existing ? differingFields(newAccount, existing) : [];
  return [
    ...ofSubtype,
    ...(isRefused
      ? [problem('cash_flow_not_for_account', '/cash_flow', { allowed: [...(allowed ?? [])] })]
      : []),
    ...(differing.length > 0
      ? [
          problem('account_code_taken', '/code', {
            code: code ?? '',
            differing: differing.map(fieldNameOf),
          }),
        ]
      : []),
  ];
};

const transferProblems = ({ type, subtype }: Account): Problem[] => {
  const allowed = cashFlowsFor({ type, subtype }).filter((it) => it !== 'cash');
  return allowed.includes('transfer')
    ? []
    : [problem('cash_flow_not_for_account', '/cash_flow', { allowed })];
};

/** The names of the changeable fields in requests. */
export const changeableAccountFields = [
  'name',
  'status',
  'subtype',
  'cash_flow',
  'current_part',
] as const;

/** What decides on changes besides the account itself. */
export type ChangeContext = {
  tenant: Pick<Tenant, 'lockDate' | 'currency'> | undefined;
  /** The first date on which a changed classification counts, if the request has one. */
  effectiveFrom: string | undefined;
  now: Date;
};

/** Whether an account of these fields would be cash, as far as changes decide it. */
const cashAfter = ({ subtype, cashFlow }: AccountChanges, { type }: Account) => ({
  // Only for assets does the subtype decide whether the account is cash.
  subtype: subtype === undefined || type !== 'asset' ? undefined : subtype === 'cash',
  cashFlow: cashFlow === undefined ? undefined : isCash({ cashFlow }),
});

/** The fields that change whether the account is cash. */
const cashChangesIn = (changes: AccountChanges, account: Account): ('subtype' | 'cashFlow')[] => {
  const after = cashAfter(changes, account);
  return (['subtype', 'cashFlow'] as const).filter(
    (field) => after[field] !== undefined && after[field] !== isCash(account),
  );
};

/** Whether changes make an account cash, or make cash another account. */
export const changesCash = (changes: AccountChanges, account: Account): boolean =>
  cashChangesIn(changes, account).length > 0;

/**
 * Whether nothing can be posted to an account any more, not even by a request in progress. Every
 * entry stores which of its lines moved cash, so only such an account can change to or from cash.
 */
const isAtRest = ({ status, archivedAt }: Account, now: Date): boolean =>
  status === 'archived' &&
  archivedAt !== undefined &&
  now.getTime() - Date.parse(archivedAt) >= lockDelaySeconds * 1000;

/** The classification after changes. A change to or from cash also decides the other field. */
const classificationAfter = (changes: AccountChanges, account: Account): Classification => {
  if (!changesCash(changes, account)) {
    const { subtype = account.subtype, cashFlow = account.cashFlow } = changes;
    const { currentPart = account.currentPart } = changes;
    const isZero = currentPart !== undefined && new Big(currentPart).eq(0);
    return { subtype, cashFlow, currentPart: isZero ? undefined : currentPart };
  }
  const { type } = account;
  const isAssetToCash = type === 'asset' && changes.cashFlow === 'cash';
  const subtype = changes.subtype ?? (isAssetToCash ? 'cash' : subtypeBesideCash(account));
  const derived = classificationOf({ type, subtype, cashFlow: changes.cashFlow });
  return {
    subtype: derived.subtype ?? undefined,
    cashFlow: derived.cashFlow ?? undefined,
    currentPart: undefined,
  };
};

/** Only a balance that is settled in money over years has a part that is due within a year. */
const problemsOfCurrentPart = (
  changes: AccountChanges,
  account: Account,
  { tenant }: Pick<ChangeContext, 'tenant'>,
): Problem[] => {
  const { subtype, currentPart } = classificationAfter(changes, account);
  if (currentPart === undefined) return [];
  const at = '/current_part';
  const isPrecise = ({ currency }: Pick<Tenant, 'currency'>) =>
    fitsDecimals(new Big(currentPart), decimalsOf(currency));
  return [
    ...(subtype && nonCurrentSubtypes[subtype]
      ? []
      : [problem('current_part_not_for_account', at)]),
    ...(tenant && !isPrecise(tenant)
      ? [
          problem('amount_too_precise', at, {
            currency: tenant.currency,
            decimals: decimalsOf(tenant.currency),
          }),
        ]
      : []),
  ];
};

const subtypeBesideCash = ({ subtype }: Account): AccountSubtype | undefined =>
  subtype === 'cash' ? undefined : subtype;

const problemsOfCash = (changes: AccountChanges, account: Account, now: Date): Problem[] => {
  const fields = cashChangesIn(changes, account);
  if (fields.length === 0) return [];
  const problemsAt = (code: ProblemCode, params?: Problem['params']) =>
    fields.map((field) => problem(code, pointerTo(fieldNameOf(field)), params));
  if (account.platformAccountId !== undefined) return problemsAt('cash_flow_is_fixed');
  const { subtype, cashFlow } = classificationAfter(changes, account);
  const allowed = [...cashFlowsFor({ type: account.type, subtype })];
  if (cashFlow !== undefined && !allowed.includes(cashFlow)) {
    return problemsAt('cash_flow_not_for_account', { allowed });
  }
  return isAtRest(account, now) ? [] : problemsAt('account_not_at_rest');
};

export const problemsOfChanges = (
  changes: AccountChanges,
  account: Account,
  { tenant, effectiveFrom, now }: ChangeContext,
): Problem[] => {
  const { subtype, cashFlow, currentPart } = changes;
  const platformFields =
    account.platformAccountId === undefined
      ? []
      : (['name', 'status'] as const).filter((field) => changes[field] !== undefined);
  const isReclassified = [subtype, cashFlow, currentPart].some((it) => it !== undefined);
  const isFull = (account.earlier?.length ?? 0) >= maximumClassifications;
  return [
    ...platformFields.map((field) => problem('account_kept_by_platform', pointerTo(field))),
    ...(subtype ? subtypeProblem(account.type, subtype) : []),
    ...problemsOfCash(changes, account, now),
    ...(cashFlow === 'transfer' ? transferProblems(account) : []),
    ...problemsOfCurrentPart(changes, account, { tenant }),
    ...problemsOfEffectiveDate(effectiveFrom, { isReclassified, tenant, today: dateOf(now) }),
    ...(isReclassified && isFull
      ? [problem('too_many_classifications', '', { maximum: maximumClassifications })]
      : []),
  ];
};

/** The account after changes. */
export const changedAccount = (
  changes: AccountChanges,
  account: Account,
  { tenant, effectiveFrom, now }: ChangeContext,
): Account => {
  const { name = account.name, status = account.status } = changes;
  const { archivedAt, ...rest } = account;
  const isNewlyArchived = status === 'archived' && account.status === 'active';
  const stays = status === 'archived' && archivedAt !== undefined;
  const changed: Account = {
    ...rest,
    name,
    status,
    ...(stays && { archivedAt }),
    ...(isNewlyArchived && { archivedAt: now.toISOString() }),
  };
  const after = classificationAfter(changes, account);
  if (isDeepStrictEqual(after, classificationIn(account))) return changed;
  // An account that becomes cash or stops being cash has no entries, so no date matters.
  const from = changesCash(changes, account)
    ? undefined
    : firstDateOfChange(effectiveFrom, { ...tenant });
  return reclassified(changed, after, from);
};
