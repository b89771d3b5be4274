// The example entries of the reference. Their hashes follow the recipe in the guide.

import type { JournalEntryView } from './journal-entry.view.ts';

const bank = {
  line_number: 1,
  account: '1010',
  account_name: 'Bank Current Account',
  line_class: 'cash',
} as const;
const revenue = {
  line_number: 2,
  account: '4010',
  account_name: 'Service Revenue',
  line_class: 'profit',
} as const;

export const exampleEntry: JournalEntryView = {
  journal_entry_id: '2d25c440-0000-8012-9e3f-0a4a55d6e1f6',
  journal_number: 'MJ-20260323-0001',
  date: '2026-03-23',
  posting_date: '2026-03-23',
  posting_sequence: 1,
  memo: 'March consulting',
  entry_type: 'Manual Journal',
  status: 'posted',
  accrual_date: null,
  external_id: 'invoice-2026-0042',
  user_id: null,
  transaction_currency: 'USD',
  transaction_amount: '1159.60',
  reporting_currency: 'EUR',
  reporting_amount: '1000.00',
  reporting_amount_rounded_to_zero: false,
  exchange_rate: '0.86236633322',
  exchange_rate_date: '2026-03-23',
  exchange_rate_source: 'ecb_derived',
  book_currency: 'EUR',
  book_amount: '1000.00',
  book_exchange_rate: '0.86236633322',
  metadata: {},
  reverses: null,
  reversed_by: null,
  created_at: '2026-03-23T16:41:07.512Z',
  created_with_key: 'd2f6c0a94b1e7a35',
  posted_at: '2026-03-23T16:41:07.512Z',
  cancelled_at: null,
  hash: '0a4a4d8f1609c1d18ec68f08e33df33742168f78ebd224664380455f02b5f573',
  hash_version: 2,
  transactions: [
    {
      ...bank,
      description: 'Received',
      debit: '1159.60',
      credit: '0.00',
      reporting_debit: '1000.00',
      reporting_credit: '0.00',
      book_debit: '1000.00',
      book_credit: '0.00',
    },
    {
      ...revenue,
      description: 'Consulting',
      debit: '0.00',
      credit: '1159.60',
      reporting_debit: '0.00',
      reporting_credit: '1000.00',
      book_debit: '0.00',
      book_credit: '1000.00',
    },
  ],
  bank_reconciliation_id: null,
};

const charges = {
  line_number: 1,
  account: '6500',
  account_name: 'Bank and Payment Charges',
  line_class: 'profit',
} as const;

/** The next entry of the same date. */
export const laterExampleEntry: JournalEntryView = {
  ...exampleEntry,
  journal_entry_id: '2d25c440-0000-8027-a2b1-5d0c9be47a90',
  journal_number: 'MJ-20260323-0002',
  posting_sequence: 2,
  memo: 'Bank charges of March',
  external_id: 'charge-2026-0007',
  transaction_currency: 'EUR',
  transaction_amount: '12.50',
  reporting_amount: '12.50',
  exchange_rate: '1.00000000000',
  exchange_rate_source: 'same_currency',
  book_amount: '12.50',
  book_exchange_rate: '1.00000000000',
  metadata: { batch: '2026-03', source: 'bank feed' },
  hash: 'dfebce58059de0273ea170e3d8acc1490d78afcb3154767970a4c5326fe5d5a5',
  transactions: [
    {
      ...charges,
      description: '',
      debit: '12.50',
      credit: '0.00',
      reporting_debit: '12.50',
      reporting_credit: '0.00',
      book_debit: '12.50',
      book_credit: '0.00',
    },
    {
      ...bank,
      line_number: 2,
      description: '',
      debit: '0.00',
      credit: '12.50',
      reporting_debit: '0.00',
      reporting_credit: '12.50',
      book_debit: '0.00',
      book_credit: '12.50',
    },
  ],
};

const swapped = (line: JournalEntryView['transactions'][number]) => ({
  ...line,
  debit: line.credit,
  credit: line.debit,
  reporting_debit: line.reporting_credit,
  reporting_credit: line.reporting_debit,
  book_debit: line.book_credit,
  book_credit: line.book_debit,
});

const reversedAt = '2026-03-31T08:15:42.106Z';

export const exampleReversal: JournalEntryView = {
  ...exampleEntry,
  journal_entry_id: '2d25e440-0000-8010-b55a-7fa4c9ee1338',
  journal_number: 'MJ-20260331-0001',
  date: '2026-03-31',
  posting_date: '2026-03-31',
  memo: 'Reversal of MJ-20260323-0001',
  external_id: 'invoice-2026-0042-reversed',
  reverses: exampleEntry.journal_entry_id,
  created_at: reversedAt,
  posted_at: reversedAt,
  hash: '2dcc170cc3a2333d5dfe99b1610cc8ba7aabd5f748485cee2c257db019eb31ae',
  transactions: exampleEntry.transactions.map(swapped),
};

export const exampleCancelled: JournalEntryView = {
  ...exampleEntry,
  journal_entry_id: '2d25e440-0000-802b-8065-8aafd4f91e43',
  journal_number: 'MJ-20260331-0002',
  date: '2026-03-31',
  posting_date: '2026-06-30',
  accrual_date: '2026-06-30',
  memo: 'June consulting',
  external_id: 'consulting-2026-06',
  status: 'cancelled',
  created_at: reversedAt,
  cancelled_at: '2026-04-02T10:03:00.871Z',
  posted_at: null,
  posting_sequence: null,
  hash: '77cf68006a4a94f5b4772ea3e6606ee6ee87efa73b6cf323c29112855e1fe17e',
};

const inEuro = (debit: string, credit: string) => ({
  debit,
  credit,
  reporting_debit: debit,
  reporting_credit: credit,
  book_debit: debit,
  book_credit: credit,
});
const exchange = {
  account: '7100',
  account_name: 'Foreign Exchange Gain or Loss',
  line_class: 'revalued',
} as const;

/** A gain on the bank account, and a realised loss on the savings. */
export const exampleRevaluation: JournalEntryView = {
  ...exampleEntry,
  journal_entry_id: '2d25e440-0000-c010-8c1f-31d4f9a0b675',
  journal_number: 'RV-20260331-0001',
  date: '2026-03-31',
  posting_date: '2026-03-31',
  memo: 'Revaluation as of 2026-03-31',
  entry_type: 'Revaluation',
  external_id: null,
  user_id: null,
  transaction_currency: 'EUR',
  transaction_amount: '22.76',
  reporting_amount: '22.76',
  exchange_rate: '1.00000000000',
  exchange_rate_date: '2026-03-31',
  exchange_rate_source: 'same_currency',
  book_amount: '22.76',
  book_exchange_rate: '1.00000000000',
  metadata: {},
  created_at: reversedAt,
  posted_at: reversedAt,
  hash: 'f0cdb2d6f7b9c17ec73a96fc9b0b3c2b13975c90df8083f9c1dbc4a1949b296e',
  transactions: [
    {
      ...bank,
      description: 'USD 1159.60 at 0.86956521739 of 2026-03-31',
      ...inEuro('8.35', '0.00'),
      revalued_currency: 'USD',
    },
    {
      line_number: 2,
      account: '1020',
      account_name: 'Savings and Term Deposits',
      line_class: 'cash',
      description: 'USD 0.00',
      ...inEuro('0.00', '14.41'),
      revalued_currency: 'USD',
    },
    { line_number: 3, ...exchange, description: 'Exchange gains', ...inEuro('0.00', '8.35') },
    { line_number: 4, ...exchange, description: 'Exchange losses', ...inEuro('14.41', '0.00') },
  ],
};
