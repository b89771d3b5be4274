// Reads a company's books at Zoho Books: its chart of accounts, its journals and their taxes.

import * as z from 'zod/mini';
import {
  type CompanyAccess,
  type ListedJournal,
  type PageRequest,
  type Platform,
  PlatformFailure,
  type ReadJournal,
} from './platform.ts';
import { readRecords } from './records.ts';
import { readAccounts } from './zoho-accounts.ts';
import { classifyApiError, isGone } from './zoho-errors.ts';
import {
  isPosted,
  journalFrom,
  mayBePosted,
  ZohoJournalHead,
  zohoJournalOf,
} from './zoho-journals.ts';
import { zohoReplyOf } from './zoho-organizations.ts';
import { cursorAfter, PageContext, zohoPageAt, zohoPageSizes } from './zoho-pages.ts';
import { isTaxed, readTaxes, type ZohoTax } from './zoho-taxes.ts';

export type ZohoResource<Wanted> = {
  path: string;
  query?: Record<string, string>;
  schema: z.ZodMiniType<Wanted>;
  classify?: typeof classifyApiError;
  timeoutMilliseconds?: number;
};

type Read = <Wanted>(access: CompanyAccess, wanted: ZohoResource<Wanted>) => Promise<Wanted>;

/** The records of a list are read one by one. */
const records = z.array(z.unknown());
const AccountsReply = zohoReplyOf({ chartofaccounts: records, page_context: PageContext });
const JournalsReply = zohoReplyOf({ journals: records, page_context: PageContext });
const TaxesReply = zohoReplyOf({ taxes: records, page_context: z.optional(PageContext) });
const JournalReply = zohoReplyOf({ journal: z.unknown() });

/** More taxes than are in these are not asked for: each page is a call of the company's day. */
const maximumTaxPages = 5;

/**
 * The organization's taxes, asked for once, when a journal first has one. The token has just been
 * good for that journal: where it is not for taxes, its user may not see them, and no journal is
 * set aside for that.
 */
const openTaxes = (read: Read) => {
  const known = new Map<string, ZohoTax[]>();

  const readPages = async (
    access: CompanyAccess,
    timeoutMilliseconds: number,
  ): Promise<ZohoTax[]> => {
    const taxes: unknown[] = [];
    for (let page = 1; page <= maximumTaxPages; page += 1) {
      const query = { page: String(page), per_page: String(zohoPageSizes[0]) };
      const wanted = { path: '/settings/taxes', query, schema: TaxesReply, timeoutMilliseconds };
      const reply = await read(access, wanted);
      taxes.push(...reply.taxes);
      if (!reply.page_context?.has_more_page) break;
    }
    return readTaxes(taxes);
  };

  return async (access: CompanyAccess, timeoutMilliseconds: number): Promise<ZohoTax[]> => {
    const found =
      known.get(access.companyId) ??
      (await readPages(access, timeoutMilliseconds).catch((error: unknown): ZohoTax[] => {
        const reason = error instanceof PlatformFailure ? error.reason : undefined;
        const mayNotSee = reason === 'credentials_refused' || reason === 'reply_not_understood';
        if (!mayNotSee) throw error;
        return [];
      }));
    known.set(access.companyId, found);
    return found;
  };
};

/**
 * A thousand journals take 1,005 calls: five pages of 200, and one for the lines of each journal,
 * which Zoho documents nowhere else. `/chartofaccounts/transactions` lists the transactions of one
 * account, but without a journal's currency and rate, and a journal would be whole only once all
 * accounts were walked through. Revisit when a company's calls of a day do not go far enough.
 *
 * A list of changes is not to be had. The filter by `last_modified_time` is documented as "Search
 * the journals using Last Modified Time", and found to give those that were changed at that moment,
 * not since (github.com/hotgluexyz/tap-zohobooks, JournalsIdStream); lists are not documented to
 * state the moment. With it, journals would be missing without a sign. So the whole list is asked
 * for, and of that the lines of what is new. Revisit when Zoho documents a filter for changes since.
 */
export const openZohoBooks = (read: Read): Pick<Platform, 'accountPage' | 'journalPage'> => {
  const taxesOf = openTaxes(read);

  const readPage = async <Wanted extends { page_context: z.output<typeof PageContext> }>(
    access: CompanyAccess,
    {
      asked,
      listOf,
      ...wanted
    }: ZohoResource<Wanted> & {
      asked: PageRequest;
      listOf: (reply: Wanted) => unknown[];
    },
  ) => {
    const page = zohoPageAt(asked);
    const query = { ...wanted.query, page: String(page.page), per_page: String(page.rows) };
    const { timeoutMilliseconds } = asked;
    const reply = await read(access, { ...wanted, query, timeoutMilliseconds });
    const list = listOf(reply);
    const next = cursorAfter(page, { context: reply.page_context, listed: list.length });
    return { list, first: page.first, next };
  };

  const readJournal = async (
    access: CompanyAccess,
    { reference, timeoutMilliseconds }: { reference: string; timeoutMilliseconds: number },
  ): Promise<ReadJournal> => {
    let wasDeleted = false;
    const wanted: ZohoResource<z.output<typeof JournalReply>> = {
      path: `/journals/${reference}`,
      schema: JournalReply,
      classify: (reply) => {
        wasDeleted = isGone(reply);
        return classifyApiError(reply);
      },
      timeoutMilliseconds,
    };
    const reply = await read(access, wanted).catch((error: unknown) => {
      // Whoever deleted it did so after it was listed.
      if (!wasDeleted) throw error;
      return undefined;
    });
    if (reply === undefined) return { state: 'voided' };
    const schema = zohoJournalOf(reference);
    const list = { kind: 'journal', idField: 'journal_id', first: 1, schema } as const;
    const [one] = readRecords([reply.journal], list);
    if (one === undefined || 'refused' in one.read) {
      const field = one && 'refused' in one.read ? one.read.refused.field : null;
      return { state: 'refused', reason: 'record_not_understood', field: field ?? 'its root' };
    }
    const { record } = one.read;
    if (!isPosted(record)) return { state: 'not_posted' };
    const taxes = isTaxed(record) ? await taxesOf(access, timeoutMilliseconds) : [];
    return { state: 'posted', journal: journalFrom(record, taxes) };
  };

  const listedFrom = (head: z.output<typeof ZohoJournalHead>): ListedJournal => {
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
    /** The whole chart, whatever is asked for: it is short, and read again does no harm. */
    accountPage: async (access, asked) => {
      const { list, first, next } = await readPage(access, {
        asked,
        path: '/chartofaccounts',
        // Those that are not active too, which older journals may name.
        query: { filter_by: 'AccountType.All' },
        schema: AccountsReply,
        listOf: ({ chartofaccounts }) => chartofaccounts,
      });
      return { ...readAccounts(list, first), next };
    },

    journalPage: async (access, asked) => {
      if (asked.modifiedSince !== null) throw new PlatformFailure('changes_incomplete');
      const { list, first, next } = await readPage(access, {
        asked,
        path: '/journals',
        schema: JournalsReply,
        listOf: ({ journals }) => journals,
      });
      const schema = ZohoJournalHead;
      const heads = readRecords(list, { kind: 'journal', idField: 'journal_id', first, schema });
      return {
        journals: heads.flatMap(({ read: one }) =>
          'record' in one ? [listedFrom(one.record)] : [],
        ),
        refused: heads.flatMap(({ read: one }) => ('refused' in one ? [one.refused] : [])),
        next,
      };
    },
  };
};
