// Entries of the table as a reply would show them.

import type { RawItem } from '../support/readers/item-kinds.ts';

/** An entry of the table as a reply would show it. */
export const dataOf = (item: RawItem, items: readonly RawItem[]): Record<string, unknown> => {
  const isDivided = (item.lines as RawItem[]).length !== item.lineCount;
  const further = (isDivided ? items : [])
    .filter(({ pk, sk }) => pk === item.pk && String(sk).startsWith(`${item.sk}#LINES#`))
    .sort((one, other) => (String(one.sk) < String(other.sk) ? -1 : 1));
  const lines = [item, ...further].flatMap((it) => it.lines as RawItem[]);
  return {
    journal_entry_id: item.entryId,
    journal_number: item.journalNumber,
    status: item.status,
    date: item.date,
    memo: item.memo,
    entry_type: item.entryType,
    accrual_date: item.accrualDate,
    external_id: item.externalId,
    transaction_currency: item.transactionCurrency,
    transaction_amount: item.transactionAmount,
    reporting_currency: item.reportingCurrency,
    reporting_amount: item.reportingAmount,
    exchange_rate: item.exchangeRate,
    exchange_rate_date: item.exchangeRateDate,
    exchange_rate_source: item.exchangeRateSource,
    transactions: lines.map((line) => ({
      line_number: line.lineNumber,
      account: line.account,
      account_name: line.accountName,
      description: line.description,
      debit: line.debit,
      credit: line.credit,
      reporting_debit: line.reportingDebit,
      reporting_credit: line.reportingCredit,
    })),
    bank_reconciliation_id: null,
  };
};
