// Entries of the table as a reply would show them.

import type { RawItem } from '../support/readers/item-kinds.ts';

const entryFields = [
  ...[
    'journalNumber',
    'status',
    'date',
    'memo',
    'entryType',
    'accrualDate',
    'externalId',
    'userId',
  ],
  ...['transactionCurrency', 'transactionAmount', 'reportingCurrency', 'reportingAmount'],
  ...['exchangeRate', 'exchangeRateDate', 'exchangeRateSource'],
];
const lineFields = [
  ...['lineNumber', 'account', 'accountName', 'description'],
  ...['debit', 'credit', 'reportingDebit', 'reportingCredit'],
];

const shown = (item: RawItem, fields: readonly string[]): Record<string, unknown> =>
  Object.fromEntries(
    fields.map((name) => [name.replace(/[A-Z]/g, (it) => `_${it.toLowerCase()}`), item[name]]),
  );

/** An entry of the table as a reply would show it. */
export const dataOf = (item: RawItem, items: readonly RawItem[]): Record<string, unknown> => {
  const isDivided = (item.lines as RawItem[]).length !== item.lineCount;
  const further = (isDivided ? items : [])
    .filter(({ pk, sk }) => pk === item.pk && String(sk).startsWith(`${item.sk}#LINES#`))
    .sort((one, other) => (String(one.sk) < String(other.sk) ? -1 : 1));
  const lines = [item, ...further].flatMap((it) => it.lines as RawItem[]);
  return {
    journal_entry_id: item.entryId,
    ...shown(item, entryFields),
    reporting_amount_rounded_to_zero: item.reportingAmount === '0.00',
    transactions: lines.map((line) => shown(line, lineFields)),
    bank_reconciliation_id: null,
  };
};

/** Equal for the same fields in any order. */
export const asText = (value: Record<string, unknown>): string =>
  JSON.stringify(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)));
