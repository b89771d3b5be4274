// Validates the drafts of a request against the table and the exchange rates.

import { type Problem, pointerTo, problem, tenantNotFound } from '../../errors.ts';
import { idempotencyKeyProblems } from '../../fields.ts';
import type { ExchangeRates } from '../../rates/exchange-rates.store.ts';
import type { TenantName } from '../../table/keys.ts';
import { lockProblems } from '../../tenants/period-lock.ts';
import { userNotLinked } from '../../tenants/tenant-links.store.ts';
import type { JournalEntries, PostingContext } from '../journal-entries.store.ts';
import {
  accountProblems,
  type DateQuotas,
  dateRangeProblems,
  horizonOf,
  lineProblems,
  maximumBatchLines,
  type PartialDraft,
  pointerToEntry,
  postingDateOf,
} from './draft.ts';
import { convertedSizeProblems, type DraftRates, openDraftRates } from './draft-rates.service.ts';

/** The tenant is `undefined` if it could not be read or cannot exist. */
export type Target<Tenant = TenantName | undefined> = {
  tenant: Tenant;
  idempotencyKey: string | undefined;
  /** Whether the request has a list of entries, even a list of one. */
  isBatch: boolean;
};

/**
 * The result of a validation, with everything that was read for it. `draftProblems` has a list for
 * each draft. Problems that the request's schema finds are not repeated here.
 */
export type DraftValidation = {
  requestProblems: Problem[];
  draftProblems: Problem[][];
  context: PostingContext | undefined;
  rates: DraftRates[];
};

const maximumCachedTenants = 10_000;

/**
 * Caches the book currencies of tenants; a tenant's currency never changes. If the currency is
 * cached, we know before the tenant is read whether an entry needs a rate to the book currency. One
 * call then reads the version of the rates with everything else. A miss can cost one more call.
 */
const openBookCurrencies = () => {
  const currencies = new Map<string, string>();
  const keyOf = ({ applicationId, schemaName }: TenantName) => `${applicationId} ${schemaName}`;
  return {
    find: (name: TenantName): string | undefined => currencies.get(keyOf(name)),
    keep: (name: TenantName, currency: string): void => {
      if (currencies.size >= maximumCachedTenants) currencies.clear();
      currencies.set(keyOf(name), currency);
    },
  };
};

const noRates: DraftRates = { reporting: undefined, book: undefined };

const below = (base: string, problems: readonly Problem[]): Problem[] =>
  problems.map((it) => ({ ...it, pointer: `${base}${it.pointer}` }));

/** Finds a batch with too many lines, and drafts with the `external_id` of an earlier draft. */
const batchProblems = (drafts: readonly PartialDraft[]): Problem[] => {
  const lines = drafts.reduce((sum, draft) => sum + draft.lines.length, 0);
  const params = { lines, maximum_lines: maximumBatchLines };
  const ids = drafts.map(({ externalId }) => externalId);
  return [
    ...(lines > maximumBatchLines
      ? [problem('batch_too_large', pointerTo('journal_entries'), params)]
      : []),
    ...ids.flatMap((externalId, index) => {
      const first = externalId === null ? index : ids.indexOf(externalId);
      const pointer = pointerTo('journal_entries', index, 'external_id');
      return first < index
        ? [
            problem('duplicate_external_id', pointer, {
              first: pointerTo('journal_entries', first),
            }),
          ]
        : [];
    }),
  ];
};

/** The keys to look up for drafts. Lines beyond the maximum of a batch are not looked up. */
const lookupsOf = (drafts: readonly PartialDraft[]) => {
  let left = maximumBatchLines;
  return drafts.map((draft) => {
    const { lines, date, externalId, userId } = draft;
    const codes = lines.slice(0, left).flatMap(({ account }) => account ?? []);
    left = Math.max(0, left - lines.length);
    return { codes, date, postingDate: postingDateOf(draft), externalId, userId };
  });
};

export const openDraftValidation = ({
  journalEntries,
  exchangeRates,
  quotas,
}: {
  journalEntries: Pick<JournalEntries, 'prepare' | 'isLinked'>;
  exchangeRates: Pick<ExchangeRates, 'find' | 'explainMissing'>;
  quotas: DateQuotas;
}) => {
  const draftRates = openDraftRates(exchangeRates);
  const bookCurrencies = openBookCurrencies();

  const problemsOfDraft = async (
    draft: PartialDraft,
    {
      context,
      rates,
      today,
    }: { context: PostingContext | undefined; rates: DraftRates; today: string },
  ): Promise<Problem[]> => {
    const { userId, accrualDate } = draft;
    const { tenant, accounts, users } = context ?? {};
    const codes = draft.lines.map(({ account }) => account);
    const amounts = draft.lines.map((line) => line.amounts);
    const lacksUser = userId !== null && users !== undefined && !users.has(userId);
    const postingDate = postingDateOf(draft);
    return [
      ...(lacksUser ? [problem('user_not_found', '/user_id')] : []),
      ...dateRangeProblems(draft, { today, horizon: horizonOf(tenant, quotas) }),
      ...lineProblems(amounts, draft.transactionCurrency),
      ...convertedSizeProblems(draft, rates),
      ...(tenant && accounts ? accountProblems(codes, accounts) : []),
      ...(await draftRates.problemsOf(draft, rates, today)),
      ...(tenant && postingDate ? lockProblems({ postingDate, accrualDate }, tenant) : []),
    ];
  };

  return {
    /**
     * Validates the readable parts of drafts. One batch read fetches the context, in parallel with
     * one search for the rates.
     * @param today the UTC date
     */
    validate: async (
      target: Target,
      drafts: readonly PartialDraft[],
      today: string,
    ): Promise<DraftValidation> => {
      const { tenant, idempotencyKey, isBatch } = target;
      const keyProblems = idempotencyKeyProblems(idempotencyKey);
      const bookCurrency = tenant && bookCurrencies.find(tenant);
      const isExchanged = drafts.some(({ transactionCurrency, reportingCurrency }) =>
        [reportingCurrency, bookCurrency].some((it) => it && it !== transactionCurrency),
      );
      const reading =
        tenant &&
        journalEntries.prepare(tenant, {
          entries: lookupsOf(drafts),
          idempotencyKey: keyProblems.length > 0 ? undefined : idempotencyKey,
          isBatch,
          isExchanged,
        });
      const [context, rates] = await Promise.all([
        reading,
        draftRates.find(drafts, {
          today,
          readVersion:
            reading && isExchanged ? async () => (await reading).ratesVersion : undefined,
          readBookCurrency: async () => (await reading)?.tenant?.currency,
        }),
      ]);
      if (tenant && context?.tenant) bookCurrencies.keep(tenant, context.tenant.currency);
      const draftProblems = await Promise.all(
        drafts.map(async (draft, index) => {
          const ratesOfDraft = rates[index] ?? noRates;
          const problems = await problemsOfDraft(draft, { context, rates: ratesOfDraft, today });
          return below(pointerToEntry(index, target), problems);
        }),
      );
      return {
        requestProblems: [
          ...keyProblems,
          ...(tenant && !context?.tenant ? [tenantNotFound] : []),
          ...(isBatch ? batchProblems(drafts) : []),
        ],
        draftProblems,
        context,
        rates,
      };
    },

    /**
     * Finds users whom the tenant is not linked to. This reads links one by one, so it runs only if
     * the entries are not recorded; otherwise the transaction checks the links.
     */
    unlinkedProblems: async (
      { context }: Pick<DraftValidation, 'context'>,
      drafts: readonly Pick<PartialDraft, 'userId'>[],
      target: Pick<Target, 'tenant' | 'isBatch'>,
    ): Promise<Problem[]> => {
      const { tenant } = target;
      if (!tenant || !context?.tenant) return [];
      const unlinked = new Set<string>();
      await Promise.all(
        [...context.users].map(async ([userId, user]) => {
          if (!(await journalEntries.isLinked(user, tenant))) unlinked.add(userId);
        }),
      );
      return drafts.flatMap(({ userId }, index) =>
        userId !== null && unlinked.has(userId)
          ? [userNotLinked(pointerToEntry(index, target))]
          : [],
      );
    },
  };
};
