// The endpoints that post, one entry or many, as one application calls them.

import { createHandler as createBatchHandler } from '#functions/create-journal-entries/handler.ts';
import { createHandler as createEntryHandler } from '#functions/create-journal-entry/handler.ts';
import { openPosting } from '#shared/entries/posting.service.ts';
import type { openTestLedger } from '../builders/ledger.ts';
import { testQuotas } from '../builders/quotas.ts';
import { apiEvent, lambdaContext, readResult } from '../events/lambda-events.ts';
import { tenantToolsOf } from './tenant-tools.ts';

type Stores = Pick<
  Awaited<ReturnType<typeof openTestLedger>>,
  'journalEntries' | 'exchangeRates' | 'table'
>;

export type PostingReply = ReturnType<typeof readResult>;
type Options = { headers?: Record<string, string>; applicationId?: string };

/** An entry of two lines in the currency of the books, for an account of each side. */
export const euroEntry = (changes: object = {}) => ({
  date: '2026-03-23',
  memo: 'March consulting',
  transactionCurrency: 'EUR',
  reportingCurrency: 'EUR',
  entries: [
    { account: '1010', debit: '1.00' },
    { account: '4010', credit: '1.00' },
  ],
  ...changes,
});

/** @param domain_url the default tenant */
export const openPostingCalls = (
  { journalEntries, exchangeRates, table }: Stores,
  domain_url: string,
  { now = '2026-03-24T12:00:00Z', quotas = testQuotas } = {},
) => {
  const posting = openPosting({
    journalEntries,
    exchangeRates,
    quotas,
    clock: () => new Date(now),
  });
  const tools = tenantToolsOf(table);
  const { metrics } = tools;
  const dependencies = { posting, ...tools };
  const [one, many] = [createEntryHandler(dependencies), createBatchHandler(dependencies)];
  const call =
    (handler: typeof one) =>
    async (fields: object, options: Options = {}): Promise<PostingReply> => {
      const event = apiEvent({ ...options, body: { domain_url, ...fields } });
      return readResult(await handler(event, lambdaContext()));
    };
  const sendMany = call(many);
  /** @param fields the text of a JSON object, sent unchanged */
  const postText = async (fields: string): Promise<PostingReply> => {
    const rawBody = `{"domain_url":${JSON.stringify(domain_url)},${fields.slice(1)}`;
    return readResult(await one(apiEvent({ rawBody }), lambdaContext()));
  };
  return {
    metrics,
    post: call(one),
    postText,
    /** @param further other fields of the request */
    postMany: (journal_entries: unknown, further: object = {}, options: Options = {}) =>
      sendMany({ journal_entries, ...further }, options),
  };
};
