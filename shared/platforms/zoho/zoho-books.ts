// Reads a company's books at Zoho Books: its chart of accounts, its journals and their taxes.

import * as z from 'zod/mini';
import {
  type CompanyAccess,
  type ListedJournal,
  type PageRequest,
  type Platform,
  PlatformFailure,
  type ReadJournal,
} from '../platform.ts';
import { readRecords } from '../records.ts';
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

/** What the list of changes is in the order of. */
const latestChange = 'last_modified_time';

/** More taxes than are in these are not asked for: each page is a call of the company's day. */
const maximumTaxPages = 5;

/**
 * The organization's taxes, asked for when a journal has one. The token has just been good for that
 * journal: where it is not for taxes, its user may not see them, and no journal is set aside for
 * that.
 */
const openTaxes = (read: Read) => {
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

  return oncePerToken((access, timeoutMilliseconds: number) =>
    readPages(access, timeoutMilliseconds).catch((error: unknown): ZohoTax[] => {
      const reason = error instanceof PlatformFailure ? error.reason : undefined;
      const mayNotSee = reason === 'credentials_refused' || reason === 'reply_not_understood';
      if (!mayNotSee) throw error;
      return [];
    }),
  );
};

/**
 * A thousand journals take 1,005 calls: five pages of 200, and one for the lines of each journal,
 * which Zoho documents nowhere else. `/chartofaccounts/transactions` lists the transactions of one
 * account, but without a journal's currency and rate, and a journal would be whole only once all
 * accounts were walked through. Revisit when a company's calls of a day do not go far enough.
 *
 * What has changed since a moment is the beginning of the list in the order of its latest changes,
 * which Zoho takes and names again in its reply (recorded in github.com/NangoHQ/
 * integration-templates, integrations/zoho-books/tests/journals.test.json). It is not documented; a
 * list in another order is not taken for one of changes. The filter by `last_modified_time` is
 * documented, as "Search the journals using Last Modified Time", but found to give those that were
 * changed at that very moment (github.com/hotgluexyz/tap-zohobooks, JournalsIdStream): by it,
 * journals would be missing without a sign. Those that were deleted are in no list.
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
    return { list, first: page.first, context: reply.page_context, next };
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
      const { modifiedSince } = asked;
      const { list, first, context, next } = await readPage(access, {
        asked,
        path: '/journals',
        ...(modifiedSince && { query: { sort_column: latestChange, sort_order: 'D' } }),
        schema: JournalsReply,
        listOf: ({ journals }) => journals,
      });
      const schema = ZohoJournalHead;
      const read = readRecords(list, { kind: 'journal', idField: 'journal_id', first, schema });
      const refused = read.flatMap(({ read: one }) => ('refused' in one ? [one.refused] : []));
      const heads = read.flatMap(({ read: one }) => ('record' in one ? [one.record] : []));
      if (modifiedSince === null) return { journals: heads.map(listedFrom), refused, next };
      const changed = changedSince(heads, modifiedSince);
      if (changed === undefined || context.sort_column !== latestChange) {
        throw new PlatformFailure('changes_incomplete');
      }
      const isOver = changed.length < heads.length;
      return { journals: changed.map(listedFrom), refused, next: isOver ? null : next };
    },
  };
};
