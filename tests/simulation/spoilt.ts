// Requests with one part that is wrong in itself, and what must be said of it.

import type { Random } from '../support/builders/random.ts';
import type { AskedEntry } from './expected-entry.ts';
import type { Request } from './requests.ts';

/** What nobody can check any more where a part cannot be read. */
type Unchecked = 'tenant' | 'accounts' | 'first account' | 'rate';

/** `value` takes the place of what is at the pointer; where it is undefined, nothing is there. */
export type Spoilt = {
  pointer: string;
  value: string | number | undefined;
  code: string;
  unchecked?: Unchecked[];
};

const spoilsOfEntry = ({ lines: [first] }: AskedEntry): Spoilt[] => {
  const amount = `/entries/0/${first?.side}`;
  return [
    { pointer: '/date', value: '2026-02-30', code: 'date_not_valid', unchecked: ['rate'] },
    { pointer: '/date', value: undefined, code: 'required', unchecked: ['rate'] },
    { pointer: '/memo', value: undefined, code: 'required' },
    { pointer: '/memo', value: 'm'.repeat(1001), code: 'too_long' },
    { pointer: '/memo', value: 'a bell \u0007', code: 'control_characters_not_allowed' },
    {
      pointer: '/transactionCurrency',
      value: 'XXX',
      code: 'currency_unknown',
      unchecked: ['rate'],
    },
    { pointer: '/reportingCurrency', value: 'eur', code: 'currency_unknown', unchecked: ['rate'] },
    { pointer: '/accrual_date', value: 'tomorrow', code: 'date_not_valid' },
    { pointer: '/external_id', value: ' ', code: 'must_not_be_blank' },
    { pointer: '/external_id', value: 'x'.repeat(256), code: 'too_long' },
    { pointer: '/colour', value: 'red', code: 'unknown_field' },
    { pointer: '/entries/0/colour', value: 'red', code: 'unknown_field' },
    {
      pointer: '/entries/0/account',
      value: 7,
      code: 'wrong_type',
      unchecked: ['first account'],
    },
    { pointer: '/entries/0/description', value: 'd'.repeat(256), code: 'too_long' },
    { pointer: amount, value: '1.234', code: 'amount_not_valid' },
    { pointer: amount, value: '-1.00', code: 'amount_not_valid' },
    { pointer: amount, value: '1e3', code: 'amount_not_valid' },
    {
      pointer: '/domain_url',
      value: 'no domain!',
      code: 'domain_not_valid',
      unchecked: ['tenant', 'accounts'],
    },
  ];
};

const spoilsOfUser: Spoilt[] = [
  { pointer: '/email', value: 'nobody', code: 'email_not_valid' },
  { pointer: '/email', value: 7, code: 'wrong_type' },
  { pointer: '/email', value: undefined, code: 'required' },
  { pointer: '/colour', value: 'red', code: 'unknown_field' },
];

const spoilsOfEnsure: Spoilt[] = [
  ...spoilsOfUser,
  { pointer: '/password', value: 'short', code: 'too_short' },
  { pointer: '/password', value: 'p'.repeat(129), code: 'too_long' },
  { pointer: '/first_name', value: ' ', code: 'must_not_be_blank' },
  { pointer: '/last_name', value: undefined, code: 'required' },
];

const spoilsOfInitiate: Spoilt[] = [
  { pointer: '/user_id', value: 'abc', code: 'user_id_not_valid' },
  { pointer: '/cash_flow_method', value: 'both', code: 'not_an_allowed_value' },
  { pointer: '/redirect_url', value: 'http://app.example/', code: 'redirect_url_not_valid' },
  {
    pointer: '/redirect_url',
    value: 'https://app.example/?state=1',
    code: 'redirect_url_not_valid',
  },
];

const spoilsOfTenant: Spoilt[] = [
  { pointer: '/user_id', value: 0, code: 'user_id_not_valid' },
  { pointer: '/user_id', value: undefined, code: 'required' },
  { pointer: '/platform', value: 'platform_d', code: 'not_an_allowed_value' },
  { pointer: '/cash_flow_method', value: 'both', code: 'not_an_allowed_value' },
  { pointer: '/company_name', value: ' ', code: 'must_not_be_blank' },
  { pointer: '/currency', value: 'EU', code: 'currency_unknown' },
  { pointer: '/colour', value: 'red', code: 'unknown_field' },
  { pointer: '/Idempotency-Key', value: 'two words', code: 'idempotency_key_not_valid' },
];
const spoilsOfBooks: Spoilt[] = [
  { pointer: '/company_name', value: undefined, code: 'required' },
  { pointer: '/currency', value: undefined, code: 'required' },
];
const spoilsOfConnection: Spoilt[] = [
  { pointer: '/access_token', value: undefined, code: 'required' },
  { pointer: '/platform_company_id', value: undefined, code: 'required' },
  { pointer: '/data_center', value: 'eu', code: 'field_not_for_platform' },
];

const spoilsOf = (request: Request): Spoilt[] => {
  switch (request.kind) {
    case 'ensure':
      return spoilsOfEnsure;
    case 'profile':
      return spoilsOfUser;
    case 'initiate':
      return spoilsOfInitiate;
    case 'tenant':
      return [...spoilsOfTenant, ...(request.company ? spoilsOfConnection : spoilsOfBooks)];
    case 'entry':
      return spoilsOfEntry(request.asked);
    default:
      return [];
  }
};

/** The request with one part spoilt, where it has parts at all. */
export const spoil = (request: Request, random: Random): Request => {
  const spoils = spoilsOf(request);
  return spoils.length === 0 ? request : { ...request, spoilt: random.pick(spoils) };
};

/** What is sent, with its part spoilt. */
export const withSpoilt = <Content extends Record<string, unknown>>(
  content: Content,
  spoilt: Spoilt | undefined,
): Content => {
  if (spoilt === undefined) return content;
  const changed = structuredClone(content);
  const path = spoilt.pointer.split('/').slice(1);
  const field = path.pop() ?? '';
  const parent = path.reduce(
    (value, key) => value[key] as Record<string, unknown>,
    changed as Record<string, unknown>,
  );
  if (spoilt.value === undefined) delete parent[field];
  else parent[field] = spoilt.value;
  return changed;
};
