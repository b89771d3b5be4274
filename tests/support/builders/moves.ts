// Amounts that move from one account to another, as entries and as imported journals.

import Big from 'big.js';
import type { TenantName } from '#shared/table/keys.ts';
import type { Table } from '#shared/table/table.ts';
import { credit, debit, importJournals } from './platforms/platform-journal.ts';

export type Move = {
  domain_url?: string;
  date: string;
  accrual_date?: string;
  amount: string;
  from?: string;
  to?: string;
  currency?: string;
  /** The number of debit lines. */
  lines?: number;
  memo?: string;
};

/** The request that posts a move. */
export const entryOfMove = (move: Move) => {
  const { amount, from = '4010', to = '1010', lines = 1, currency = 'EUR', ...others } = move;
  const piece = new Big(amount).div(lines).round(2, Big.roundDown);
  const first = new Big(amount).minus(piece.times(lines - 1));
  return {
    memo: 'A post',
    ...others,
    transactionCurrency: currency,
    reportingCurrency: 'EUR',
    entries: [
      { account: to, debit: first.toFixed(2) },
      ...Array.from({ length: lines - 1 }, () => ({ account: to, debit: piece.toFixed(2) })),
      { account: from, credit: new Big(amount).toFixed(2) },
    ],
  };
};

/** Imports a journal that moves an amount from the revenue to the bank. */
export const importMove = (
  table: Table,
  name: TenantName,
  { date, amount, reference }: Pick<Move, 'date' | 'amount'> & { reference: string },
) => {
  const lines = [debit(amount), credit(amount, '4010')];
  return importJournals(table, name, { reference, date, lines });
};
