// Reads a company's books at Zoho Books: its accounts, journals and taxes.

import * as z from 'zod/mini';
import {
  type CompanyAccess,
  isFailure,
  type ListedJournal,
  type PageRequest,
  type Platform,
  PlatformFailure,
  type ReadJournal,
} from '../platform.ts';
import { Records, readRecords, refusedJournal } from '../records.ts';
import { oncePerToken } from '../token-cache.ts';
import { readAccounts } from './zoho-accounts.ts';
import { classifyApiError, isGone } from './zoho-errors.ts';
import {
  changedSince,
  isPosted,
  journalFrom,
  mayBePosted,
  ZohoJournalHead,
  zohoJournalOf,
} from './zoho-journals.ts';
import { zohoReplyOf } from './zoho-organizations.ts';
import { cursorAfter, PageContext, zohoPageAt, zohoPageSizes } from './zoho-pages.ts';
import { earliestDate, TrialBalanceReply, trialBalanceFrom } from './zoho-reports.ts';
import { isTaxed, readTaxes, type ZohoTax } from './zoho-taxes.ts';

export type ZohoResource<Reply> = {
  path: string;
  query?: Record<string, string>;
  schema: z.ZodMiniType<Reply>;
  classify?: typeof classifyApiError;
  timeoutMilliseconds?: number;
};

type Read = <Reply>(access: CompanyAccess, resource: ZohoResource<Reply>) => Promise<Reply>;

const AccountsReply = zohoReplyOf({ chartofaccounts: Records, page_context: PageContext });
const JournalsReply = zohoReplyOf({ journals: Records, page_context: PageContext });
const TaxesReply = zohoReplyOf({ taxes: Records, page_context: z.optional(PageContext) });
const JournalReply = zohoReplyOf({ journal: z.unknown() });

/** The order of a list of changes. */
const latestChange = 'last_modified_time';

/** Limits the pages of taxes, because each page is one of the company's daily calls. */
const maximumTaxPages = 5;

/**
 * Reads the organization's taxes when a journal needs them. If the token works for journals and not
 * for taxes, its user cannot see taxes. The accounts of taxes are then unknown.
 */
const openTaxes = (read: Read) => {
  const readPages = async (
    access: CompanyAccess,
    timeoutMilliseconds: number,
  ): Promise<ZohoTax[]> => {
    const taxes: unknown[] = [];
    for (let page = 1; page <= maximumTaxPages; page += 1) {
      const query = { page: String(page), per_page: String(zohoPageSizes[0]) };
      const resource = { path: '/settings/taxes', query, schema: TaxesReply, timeoutMilliseconds };
      const reply = await read(access, resource);
      taxes.push(...reply.taxes);
      if (!reply.page_context?.has_more_page) break;
    }
    return readTaxes(taxes);
  };

  return oncePerToken((access, timeoutMilliseconds: number) =>
    readPages(access, timeoutMilliseconds).catch((error: unknown): ZohoTax[] => {
      const mayNotSee =
        isFailure(error, 'credentials_refused') || isFailure(error, 'reply_not_understood');
      if (!mayNotSee) throw error;
      return [];
    }),
  );
};

/**
 * A thousand journals take 1,005 calls: five pages of 200, and one call for the lines of each
 * journal, which Zoho documents nowhere else. `/chartofaccounts/transactions` lists the
 * transactions of one account, but without currency and rate, and a journal would only be complete
 * after all accounts. Revisit when a company's daily calls are not enough.
 *
 * A list of changes is the beginning of the list sorted by last change. This order is undocumented,
 * but Zoho accepts it and names it in its reply (recorded in github.com/NangoHQ/
 * integration-templates, integrations/zoho-books/tests/journals.test.json). A list in any other
 * order is refused. Zoho documents a filter by `last_modified_time` ("Search the journals using
 * Last Modified Time"), but it returns only journals changed at exactly that time
 * (github.com/hotgluexyz/tap-zohobooks, JournalsIdStream). No list contains deleted journals.
 */
export const openZohoBooks = (
  read: Read,
): Pick<Platform, 'accountPage' | 'journalPage' | 'readJournal' | 'trialBalance'> => {
  const taxesOf = openTaxes(read);

  const readPage = async <Reply extends { page_context: z.output<typeof PageContext> }>(
    access: CompanyAccess,
    request: PageRequest,
    {
      listOf,
      ...resource
    }: ZohoResource<Reply> & {
      listOf: (reply: Reply) => unknown[];
    },
  ) => {
    const page = zohoPageAt(request);
    const query = { ...resource.query, page: String(page.page), per_page: String(page.rows) };
    const { timeoutMilliseconds } = request;
    const reply = await read(access, { ...resource, query, timeoutMilliseconds });
    const list = listOf(reply);
    const next = cursorAfter(page, { context: reply.page_context, listed: list.length });
    return { list, first: page.first, context: reply.page_context, next };
  };

  const readJournal = async (
    access: CompanyAccess,
    { reference, timeoutMilliseconds }: { reference: string; timeoutMilliseconds: number },
  ): Promise<ReadJournal> => {
    let wasDeleted = false;
    const resource: ZohoResource<z.output<typeof JournalReply>> = {
      path: `/journals/${reference}`,
      schema: JournalReply,
      classify: (reply) => {
        wasDeleted = isGone(reply);
        return classifyApiError(reply);
      },
      timeoutMilliseconds,
    };
    const reply = await read(access, resource).catch((error: unknown) => {
      if (!wasDeleted) throw error;
      return undefined;
    });
    if (reply === undefined) return { state: 'voided' };
    const schema = zohoJournalOf(reference);
    const list = { kind: 'journal', idField: 'journal_id', first: 1, schema } as const;
    const [journal] = readRecords([reply.journal], list);
    if (journal === undefined) throw new Error('the only record is missing');
    if ('refused' in journal.read) return refusedJournal(journal.read.refused);
    const { record } = journal.read;
    if (!isPosted(record)) return { state: 'not_posted' };
    const taxes = isTaxed(record) ? await taxesOf(access, timeoutMilliseconds) : [];
    return { state: 'posted', journal: journalFrom(record, taxes) };
  };

  const listedFrom = (head: ZohoJournalHead): ListedJournal => {
    const { journal_id: reference } = head;
    return mayBePosted(head)
      ? {
          reference,
          isWhole: false,
          read: (access, { timeoutMilliseconds }) =>
            readJournal(access, { reference, timeoutMilliseconds }),
        }
      : { reference, isWhole: true, read: async () => ({ state: 'not_posted' }) };
  };

  return {
    /** Reads the whole chart even for changes, because charts are short. */
    accountPage: async (access, request) => {
      const { list, first, next } = await readPage(access, request, {
        path: '/chartofaccounts',
        // Includes inactive accounts, because old journals may use them.
        query: { filter_by: 'AccountType.All' },
        schema: AccountsReply,
        listOf: ({ chartofaccounts }) => chartofaccounts,
      });
      return { ...readAccounts(list, first), next };
    },

    journalPage: async (access, request) => {
      const { modifiedSince } = request;
      const { list, first, context, next } = await readPage(access, request, {
        path: '/journals',
        ...(modifiedSince && { query: { sort_column: latestChange, sort_order: 'D' } }),
        schema: JournalsReply,
        listOf: ({ journals }) => journals,
      });
      const schema = ZohoJournalHead;
      const records = readRecords(list, { kind: 'journal', idField: 'journal_id', first, schema });
      const refused = records.flatMap(({ read }) => ('refused' in read ? [read.refused] : []));
      const heads = records.flatMap(({ read }) => ('record' in read ? [read.record] : []));
      if (modifiedSince === null) return { journals: heads.map(listedFrom), refused, next };
      const changed = changedSince(heads, modifiedSince);
      if (changed === undefined || context.sort_column !== latestChange) {
        throw new PlatformFailure('changes_incomplete');
      }
      const isOver = changed.length < heads.length;
      return { journals: changed.map(listedFrom), refused, next: isOver ? null : next };
    },

    readJournal,

    trialBalance: async (access, { date, timeoutMilliseconds }) => {
      const reply = await read(access, {
        path: '/reports/trialbalance',
        query: {
          filter_by: 'TransactionDate.CustomDate',
          from_date: earliestDate,
          to_date: date,
          cash_based: 'false',
        },
        schema: TrialBalanceReply,
        timeoutMilliseconds,
      });
      return trialBalanceFrom(reply, date);
    },
  };
};
