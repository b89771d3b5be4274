// Books of a tenant, with posts and reports through the functions.

import Big from 'big.js';
import { createHandler as createEntryHandler } from '#functions/create-journal-entry/handler.ts';
import { createHandler as createLedgerHandler } from '#functions/get-account-ledger/handler.ts';
import { createHandler as createSheetHandler } from '#functions/get-balance-sheet/handler.ts';
import { createHandler as createCashFlowHandler } from '#functions/get-cash-flow/handler.ts';
import { createHandler as createProfitHandler } from '#functions/get-profit-and-loss/handler.ts';
import { createHandler as createBalanceHandler } from '#functions/get-trial-balance/handler.ts';
import type { ImportedJournal, UnnumberedEntry } from '#shared/entries/journal-entry.ts';
import type { JournalEntryView } from '#shared/entries/journal-entry.view.ts';
import { openPostedEntries } from '#shared/entries/lists/posted-entries.store.ts';
import { openPosting } from '#shared/entries/posting.service.ts';
import { openImportedJournals } from '#shared/imports/imported-journals.store.ts';
import { openReportBooks } from '#shared/reports/report-books.service.ts';
import { openReportSources } from '#shared/reports/report-sources.store.ts';
import type { Table } from '#shared/table/table.ts';
import { expectedEntry } from '../builders/journal-entry.ts';
import type { openTestLedger } from '../builders/ledger.ts';
import { apiEvent, lambdaContext, readResult } from '../events/lambda-events.ts';
import { tenantToolsOf } from './tenant-tools.ts';

export const today = '2026-03-24';

/** An amount from one account to another, with its dates. */
export type Post = {
  date: string;
  accrual_date?: string;
  amount: string;
  from?: string;
  to?: string;
  currency?: string;
  lines?: number;
  memo?: string;
};

/** Splits an amount over several lines. */
const linesOf = ({ amount, from = '4010', to = '1010', lines = 1 }: Post) => {
  const piece = new Big(amount).div(lines).round(2, Big.roundDown);
  const pieces = Array.from({ length: lines }, (_, line) =>
    line === 0 ? new Big(amount).minus(piece.times(lines - 1)) : piece,
  );
  return [
    ...pieces.map((part) => ({ account: to, debit: part.toFixed(2) })),
    { account: from, credit: new Big(amount).toFixed(2) },
  ];
};

export type TestLedger = Awaited<ReturnType<typeof openTestLedger>>;

/** The handlers on a ledger. `seenBy` can change the entries that the account ledger reads. */
export const openReportCalls = (
  ledger: TestLedger,
  seenBy: (table: Table) => Parameters<typeof openPostedEntries>[0] = (table) => table,
) => {
  const { table } = ledger;
  const tools = tenantToolsOf(table);
  const { metrics } = tools;
  const common = { ...tools, clock: () => new Date(`${today}T12:00:00.000Z`) };
  const reportBooks = openReportBooks(openReportSources(table));
  const postEntry = createEntryHandler({
    ...common,
    posting: openPosting({ ...ledger, clock: common.clock }),
  });
  const postedEntries = openPostedEntries(seenBy(table));
  const handlers = {
    balance: createBalanceHandler({ ...common, reportBooks }),
    balanceSheet: createSheetHandler({ ...common, reportBooks }),
    profitAndLoss: createProfitHandler({ ...common, reportBooks }),
    cashFlow: createCashFlowHandler({ ...common, reportBooks }),
    ledger: createLedgerHandler({ ...common, reportBooks, postedEntries, sleep: async () => {} }),
  };

  const ask = async (
    report: keyof typeof handlers,
    query: Record<string, string>,
    applicationId = 'app1',
    headers: Record<string, string> = {},
  ) => {
    const event = apiEvent({ method: 'GET', query, applicationId, headers });
    return readResult(await handlers[report](event, lambdaContext()));
  };

  const post = async (domain_url: string, asked: Post): Promise<JournalEntryView> => {
    const { date, accrual_date, currency = 'EUR', memo = 'A post' } = asked;
    const currencies = { transactionCurrency: currency, reportingCurrency: 'EUR' };
    const body = { domain_url, date, memo, ...currencies, entries: linesOf(asked) };
    const event = apiEvent({ body: { ...body, ...(accrual_date && { accrual_date }) } });
    const { status, body: reply } = readResult(await postEntry(event, lambdaContext()));
    if (status !== 200) throw new Error(JSON.stringify(reply));
    return reply.data;
  };

  return { ask, post, metrics };
};

const one = new Big(1).toFixed(11);

/** Imports a journal that debits the bank; its number is of another series. */
export const importJournal = async (
  { table }: TestLedger,
  schemaName: string,
  { date, amount, reference }: { date: string; amount: string; reference: string },
): Promise<void> => {
  const sides = (debit: string, credit: string) => ({
    debit,
    credit,
    reportingDebit: debit,
    reportingCredit: credit,
    bookDebit: debit,
    bookCredit: credit,
    description: '',
    isCash: false,
  });
  const { userId: _, ...entry } = expectedEntry;
  const journal: UnnumberedEntry<ImportedJournal> = {
    ...entry,
    entryType: 'Imported Journal',
    externalId: null,
    date,
    postingDate: date,
    transactionAmount: amount,
    reportingAmount: amount,
    bookAmount: amount,
    reportingCurrency: 'EUR',
    exchangeRate: one,
    exchangeRateSource: 'same_currency',
    createdWithKey: null,
    userId: null,
    platformReference: reference,
    lines: [
      { lineNumber: 1, account: '1010', accountName: 'Bank', ...sides(amount, '0.00') },
      { lineNumber: 2, account: '4010', accountName: 'Revenue', ...sides('0.00', amount) },
    ],
  };
  const name = { applicationId: 'app1', schemaName };
  await openImportedJournals(table).record(name, [{ journal, origin: {} }]);
};
