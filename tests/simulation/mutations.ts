// Requests with one part that is made wrong in itself, and what must be said of it.

import type { Random } from '../support/builders/random.ts';
import type { AskedEntry } from './expected-entry.ts';
import type { Mutation, Request, Unchecked } from './requests.ts';

type Row = [
  pointer: string,
  value: Mutation['value'],
  code: string,
  ...unchecked: [Unchecked, ...Unchecked[]] | [],
];

const mutationsOf = (rows: readonly Row[]): Mutation[] =>
  rows.map(([pointer, value, code, ...unchecked]) => ({
    pointer,
    value,
    code,
    ...(unchecked.length > 0 && { unchecked }),
  }));

/** An amount that has a decimal too many. */
export const thousandths = '1.234';

const unknownField: Row = ['/colour', 'red', 'unknown_field'];

const ofEntry = ({ lines: [first] }: AskedEntry): Row[] => {
  const amount = `/entries/0/${first?.side}`;
  return [
    ['/date', '2026-02-30', 'date_not_valid', 'rates'],
    ['/date', undefined, 'required', 'rates'],
    ['/memo', undefined, 'required'],
    ['/memo', 'm'.repeat(1001), 'too_long'],
    ['/memo', 'a bell \u0007', 'control_characters_not_allowed'],
    ['/transactionCurrency', 'XXX', 'currency_unknown', 'rates'],
    ['/reportingCurrency', 'eur', 'currency_unknown', 'reporting rate'],
    ['/accrual_date', 'tomorrow', 'date_not_valid'],
    ['/external_id', ' ', 'must_not_be_blank'],
    ['/external_id', 'x'.repeat(256), 'too_long'],
    unknownField,
    ['/entries/0/colour', 'red', 'unknown_field'],
    ['/entries/0/account', 7, 'wrong_type', 'first account'],
    ['/entries/0/description', 'd'.repeat(256), 'too_long'],
    [amount, thousandths, 'amount_not_valid'],
    [amount, '-1.00', 'amount_not_valid'],
    [amount, '1e3', 'amount_not_valid'],
    ['/domain_url', 'no domain!', 'domain_not_valid', 'tenant', 'accounts'],
  ];
};

const ofUser: Row[] = [
  ['/email', 'nobody', 'email_not_valid'],
  ['/email', 7, 'wrong_type'],
  ['/email', undefined, 'required'],
  unknownField,
];
const ofEnsure: Row[] = [
  ...ofUser,
  ['/password', 'short', 'too_short'],
  ['/password', 'p'.repeat(129), 'too_long'],
  ['/first_name', ' ', 'must_not_be_blank'],
  ['/last_name', undefined, 'required'],
];
const ofInitiate: Row[] = [
  ['/user_id', 'abc', 'user_id_not_valid'],
  ['/cash_flow_method', 'both', 'not_an_allowed_value'],
  ['/redirect_url', 'http://app.example/', 'redirect_url_not_valid'],
  ['/redirect_url', 'https://app.example/?state=1', 'redirect_url_not_valid'],
];
const ofTenant: Row[] = [
  ['/user_id', 0, 'user_id_not_valid'],
  ['/user_id', undefined, 'required'],
  ['/platform', 'platform_d', 'not_an_allowed_value'],
  ['/cash_flow_method', 'both', 'not_an_allowed_value'],
  ['/company_name', ' ', 'must_not_be_blank'],
  ['/currency', 'EU', 'currency_unknown'],
  unknownField,
  ['/Idempotency-Key', 'two words', 'idempotency_key_not_valid'],
];
const ofManualTenant: Row[] = [
  ['/company_name', undefined, 'required'],
  ['/currency', undefined, 'required'],
];
const ofConnectedTenant: Row[] = [
  ['/access_token', undefined, 'required'],
  ['/platform_company_id', undefined, 'required'],
  ['/data_center', 'eu', 'field_not_for_platform'],
];

/** Of a batch: one of its first entry, or of the whole. */
const ofBatch = ([first]: readonly AskedEntry[]): Row[] =>
  (first ? ofEntry(first) : []).map(([pointer, ...row]) => {
    const isOfWhole = pointer === '/domain_url' || pointer === '/colour';
    return [isOfWhole ? pointer : `/journal_entries/0${pointer}`, ...row];
  });

const ofReversal: Row[] = [
  ['/accrual_date', 'tomorrow', 'date_not_valid'],
  ['/memo', ' ', 'memo_must_not_be_blank'],
  unknownField,
];
const ofSettings: Row[] = [
  ['/lock_date', '2026-02-30', 'date_not_valid'],
  ['/financial_year_end', '13-01', 'financial_year_end_not_valid'],
  unknownField,
];

const rowsOf = (request: Request): Row[] => {
  switch (request.kind) {
    case 'ensure':
      return ofEnsure;
    case 'profile':
      return ofUser;
    case 'initiate':
      return ofInitiate;
    case 'tenant':
      return [...ofTenant, ...(request.company ? ofConnectedTenant : ofManualTenant)];
    case 'entry':
      return ofEntry(request.asked);
    case 'batch':
      return ofBatch(request.asked);
    case 'reversal':
      return ofReversal;
    case 'cancellation':
      return [unknownField];
    case 'settings':
      return ofSettings;
    default:
      return [];
  }
};

/** The request with one part made wrong, where it has parts at all. */
export const mutate = (request: Request, random: Random): Request => {
  const mutations = mutationsOf(rowsOf(request));
  return mutations.length === 0 ? request : { ...request, mutation: random.pick(mutations) };
};

/** What is sent, with its part made wrong. */
export const withMutation = <Content extends Record<string, unknown>>(
  content: Content,
  mutation: Mutation | undefined,
): Content => {
  if (mutation === undefined) return content;
  const changed = structuredClone(content);
  const path = mutation.pointer.split('/').slice(1);
  const field = path.pop() ?? '';
  const parent = path.reduce(
    (value, key) => value[key] as Record<string, unknown>,
    changed as Record<string, unknown>,
  );
  if (mutation.value === undefined) delete parent[field];
  else parent[field] = mutation.value;
  return changed;
};
