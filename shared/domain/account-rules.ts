// What can be wrong with a request to make or change an account.

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
import type { Quotas } from './quotas.ts';

/** An account as a caller asks for it. What it leaves out follows from the rest. */
export type NewAccount = Pick<Account, 'code' | 'name' | 'type'> & {
  [Field in 'subtype' | 'normalBalance' | 'cashFlow']?: Account[Field] | undefined;
};

/** What callers may change of an account. */
export type AccountChanges = Partial<Pick<Account, 'name' | 'status' | 'subtype' | 'cashFlow'>>;

/** The rule that a code breaks which a caller gives to a new account, by its name. */
export const ruleBrokenByNewCode = (code: string): string | undefined => {
  if (code.trim() !== code) return 'blank_at_end';
  return code.startsWith(reservedCodePrefix) ? 'reserved_prefix' : undefined;
};

/** The fields of requests and replies that go by another name there. */
const fieldNames: Record<string, string> = {
  normalBalance: 'normal_balance',
  cashFlow: 'cash_flow',
};
const fieldNameOf = (name: string): string => fieldNames[name] ?? name;

/** What is wrong with the length of a new account's code. */
export const problemsOfCodeLength = (
  code: string | undefined,
  { accountCodeBytes: maximum }: Pick<Quotas, 'accountCodeBytes'>,
): Problem[] => {
  const bytes = Buffer.byteLength(code ?? '');
  if (bytes <= maximum) return [];
  const params = { quota: 'account_code_bytes', maximum, bytes };
  return [problem('account_code_too_long', '/code', params)];
};

/** The account that is made of what was asked for. */
export const accountFrom = (asked: NewAccount): Account => {
  const { code, name, type } = asked;
  const { subtype, cashFlow } = classificationOf(asked);
  return {
    ...{ code, name, type, status: 'active', normalBalance: normalBalanceOf(asked) },
    ...(subtype !== null && { subtype }),
    ...(cashFlow !== null && { cashFlow }),
  };
};

const subtypeProblem = (type: AccountType, subtype: AccountSubtype): Problem[] =>
  isSubtypeOf(type, subtype)
    ? []
    : [problem('subtype_not_of_type', '/subtype', { type, allowed: [...subtypesByType[type]] })];

/** The fields in which an account differs from what is asked for, which may be a part of one. */
const differingFields = (asked: Partial<NewAccount>, account: Account): string[] => {
  const present = { ...account, normalBalance: normalBalanceOf(account) };
  const names = Object.keys(asked) as (keyof NewAccount)[];
  return names.filter((name) => asked[name] !== undefined && asked[name] !== present[name]);
};

/**
 * What is wrong with a new account, as far as what was asked for could be read.
 * @param present the account that has the code, if any; all the same, it may be the one asked for
 */
export const problemsOfNewAccount = (
  asked: Partial<NewAccount>,
  present: Account | undefined,
): Problem[] => {
  const { code, type, subtype, cashFlow } = asked;
  const ofSubtype = type && subtype ? subtypeProblem(type, subtype) : [];
  const allowed = type && ofSubtype.length === 0 ? cashFlowsFor({ type, subtype }) : undefined;
  const isRefused = cashFlow !== undefined && allowed?.includes(cashFlow) === false;
  const differing = present ? differingFields(asked, present) : [];
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

/** What can be changed, as requests call it. */
export const changeableAccountFields = ['name', 'status', 'subtype', 'cash_flow'] as const;

/** What is wrong with changes of an account, as far as they could be read. */
export const problemsOfChanges = (changes: AccountChanges, account: Account): Problem[] => {
  const { subtype, cashFlow } = changes;
  const keptByPlatform =
    account.platformAccountId === undefined
      ? []
      : (['name', 'status'] as const).filter((field) => changes[field] !== undefined);
  const wouldBeCash = {
    // A liability that is cash has a subtype of its own.
    subtype: subtype === undefined || account.type !== 'asset' ? undefined : subtype === 'cash',
    cashFlow: cashFlow === undefined ? undefined : isCash({ cashFlow }),
  };
  const fixed = (['subtype', 'cashFlow'] as const).filter(
    (field) => wouldBeCash[field] !== undefined && wouldBeCash[field] !== isCash(account),
  );
  return [
    ...keptByPlatform.map((field) => problem('account_kept_by_platform', pointerTo(field))),
    ...(subtype ? subtypeProblem(account.type, subtype) : []),
    ...fixed.map((field) => problem('cash_flow_is_fixed', pointerTo(fieldNameOf(field)))),
  ];
};
