// A draft and the entry that it becomes, for tests of the pure rules.

import type { Account } from '#shared/accounts/accounts.ts';
import { draftLine, type EntryDraft } from '#shared/entries/drafts/draft.ts';
import type { ApiEntry, JournalLine, UnnumberedEntry } from '#shared/entries/journal-entry.ts';
import type { EntryContext } from '#shared/entries/make-entry.ts';

const account = (code: string, more: Partial<Account> = {}): [string, Account] => [
  code,
  { code, name: `Account ${code}`, type: 'asset', status: 'active', ...more },
];
export const accounts = new Map([
  account('1010', { name: 'Bank', cashFlow: 'cash' }),
  account('4010', { name: 'Service Revenue', type: 'revenue', cashFlow: 'operating' }),
  account('9999', { status: 'archived' }),
]);

export const draft: EntryDraft = {
  date: '2026-03-20',
  memo: 'March consulting',
  transactionCurrency: 'EUR',
  reportingCurrency: 'USD',
  lines: [
    draftLine({ account: '1010', debit: '66.67', credit: '', description: 'Received' }),
    draftLine({ account: '1010', debit: 33.33 }),
    draftLine({ account: '4010', credit: '100' }),
  ],
  accrualDate: null,
  exchangeRate: null,
  isRateAccepted: false,
  externalId: 'invoice-42',
  userId: '7',
  metadata: {},
};

export const context: EntryContext = {
  accounts,
  exchangeRate: { rate: '1.15960000000', date: '2026-03-20', source: 'ecb_published' },
  tenantCurrency: 'EUR',
  bookRate: { rate: '1.00000000000', date: '2026-03-20', source: 'same_currency' },
  createdAt: '2026-03-23T23:59:59.999Z',
  createdWithKey: 'key-1',
  indexedMetadata: [],
};

const line = (
  account: string,
  accountName: string,
  amounts: Partial<JournalLine>,
): Omit<JournalLine, 'lineNumber'> => ({
  account,
  accountName,
  description: '',
  debit: '0.00',
  credit: '0.00',
  reportingDebit: '0.00',
  reportingCredit: '0.00',
  bookDebit: amounts.debit ?? '0.00',
  bookCredit: amounts.credit ?? '0.00',
  lineClass: account === '1010' ? 'cash' : 'profit',
  ...amounts,
});

export const expectedEntry: UnnumberedEntry<ApiEntry> = {
  date: '2026-03-20',
  memo: 'March consulting',
  entryType: 'Manual Journal',
  status: 'posted',
  postingDate: '2026-03-20',
  accrualDate: null,
  externalId: 'invoice-42',
  metadata: {},
  reverses: null,
  reversedBy: null,
  cancelledAt: null,
  transactionCurrency: 'EUR',
  transactionAmount: '100.00',
  reportingCurrency: 'USD',
  reportingAmount: '115.96',
  exchangeRate: '1.15960000000',
  exchangeRateDate: '2026-03-20',
  exchangeRateSource: 'ecb_published',
  bookCurrency: 'EUR',
  bookAmount: '100.00',
  bookExchangeRate: '1.00000000000',
  lines: [
    line('1010', 'Bank', { debit: '66.67', reportingDebit: '77.31', description: 'Received' }),
    line('1010', 'Bank', { debit: '33.33', reportingDebit: '38.65' }),
    line('4010', 'Service Revenue', { credit: '100.00', reportingCredit: '115.96' }),
  ].map((it, index) => ({ lineNumber: index + 1, ...it })),
  createdAt: '2026-03-23T23:59:59.999Z',
  createdWithKey: 'key-1',
  userId: '7',
  postedAt: '2026-03-23T23:59:59.999Z',
};
