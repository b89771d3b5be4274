// The rules for creating and changing accounts.

import type { Quotas } from '../applications/quotas.ts';
import { type Problem, pointerTo, problem } from '../errors.ts';
import {
  type Account,
  type AccountSubtype,
  type AccountType,
  cashFlowsFor,
  classificationOf,
  isCash,
  isSubtypeOf,
  normalBalanceOf,
  reservedCodePrefix,
  subtypesByType,
} from './accounts.ts';

/** The account in a request. Defaults for omitted fields follow from the others. */
export type NewAccount = Pick<Account, 'code' | 'name' | 'type'> & {
  [Field in 'subtype' | 'normalBalance' | 'cashFlow']?: Account[Field] | undefined;
};

export type AccountChanges = Partial<Pick<Account, 'name' | 'status' | 'subtype' | 'cashFlow'>>;

/** The name of the first rule that the code of a new account breaks. */
export const ruleBrokenByNewCode = (code: string): string | undefined => {
  if (code.trim() !== code) return 'blank_at_end';
  return code.startsWith(reservedCodePrefix) ? 'reserved_prefix' : undefined;
};

/** The fields with a different name in requests and replies. */
const fieldNames: Record<string, string> = {
  normalBalance: 'normal_balance',
  cashFlow: 'cash_flow',
};
const fieldNameOf = (name: string): string => fieldNames[name] ?? name;

export const problemsOfCodeLength = (
  code: string | undefined,
  { accountCodeBytes: maximum }: Pick<Quotas, 'accountCodeBytes'>,
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
export const changeableAccountFields = ['name', 'status', 'subtype', 'cash_flow'] as const;

export const problemsOfChanges = (changes: AccountChanges, account: Account): Problem[] => {
  const { subtype, cashFlow } = changes;
  const platformFields =
    account.platformAccountId === undefined
      ? []
      : (['name', 'status'] as const).filter((field) => changes[field] !== undefined);
  const wouldBeCash = {
    // Only for assets does the subtype decide whether the account is cash.
    subtype: subtype === undefined || account.type !== 'asset' ? undefined : subtype === 'cash',
    cashFlow: cashFlow === undefined ? undefined : isCash({ cashFlow }),
  };
  const fixed = (['subtype', 'cashFlow'] as const).filter(
    (field) => wouldBeCash[field] !== undefined && wouldBeCash[field] !== isCash(account),
  );
  return [
    ...platformFields.map((field) => problem('account_kept_by_platform', pointerTo(field))),
    ...(subtype ? subtypeProblem(account.type, subtype) : []),
    ...fixed.map((field) => problem('cash_flow_is_fixed', pointerTo(fieldNameOf(field)))),
    ...(cashFlow === 'transfer' ? transferProblems(account) : []),
  ];
};
