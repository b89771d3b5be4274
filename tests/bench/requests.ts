// The bodies of measured requests, and how repetitions vary.

import type { TenantName } from '#shared/table/keys.ts';
import type { Renewal } from './bare-calls.ts';

export const entryDate = '2026-03-23';

/** Always eight digits: requests of a kind have the same size. */
export const digitsOf = (place: number): string => String(place).padStart(8, '0');

export const userBody = (email: string) => ({
  email,
  password: 'correct horse battery',
  first_name: 'Ada',
  last_name: 'Lovelace',
});

export const tenantBody = (userId: string, companyName: string) => ({
  user_id: userId,
  platform: 'manual',
  cash_flow_method: 'indirect',
  company_name: companyName,
  currency: 'EUR',
});

type EntryOptions = {
  lines?: number;
  codes?: readonly string[];
  externalId?: string;
  accrualDate?: string;
};

/** A balanced entry in dollars, reported in euro. Lines alternate between debit and credit. */
export const entryBody = (
  domainUrl: string,
  { lines = 2, codes = ['1010', '4010'], externalId, accrualDate }: EntryOptions = {},
) => ({
  domain_url: domainUrl,
  date: entryDate,
  memo: 'March consulting',
  transactionCurrency: 'USD',
  reportingCurrency: 'EUR',
  entries: Array.from({ length: lines }, (_, line) => ({
    account: codes[line % codes.length],
    [line % 2 ? 'credit' : 'debit']: '1159.60',
    description: line % 2 ? 'Consulting' : 'Received',
  })),
  ...(externalId !== undefined && { external_id: externalId }),
  ...(accrualDate !== undefined && { accrual_date: accrualDate }),
});

export const externalIdOf = (place: number): string => `invoice-${digitsOf(place)}`;

/** Adapts the recorded calls of an entry to another tenant and number. */
export const entryRenewal = (
  { from, to }: Record<'from' | 'to', Pick<TenantName, 'schemaName'>>,
  sequence: number,
): Renewal => ({
  text: (text) =>
    text
      .replaceAll(`#TENANT#${from.schemaName}`, `#TENANT#${to.schemaName}`)
      .replace(/#MJ#\d{9}/, `#MJ#${String(sequence).padStart(9, '0')}`)
      .replace(/^(MJ-\d{8})-\d+$/, `$1-${String(sequence).padStart(4, '0')}`)
      .replace(/invoice-\d{8}/, externalIdOf(sequence)),
  number: (name, value) => {
    if (name === 'revision' || name === 'lastSequence') return sequence;
    return name === ':revision' ? sequence - 1 : value;
  },
});
