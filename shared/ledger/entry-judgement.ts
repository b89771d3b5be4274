// What the table and the exchange rates say of a request's drafts, each of which is judged once.

import { type DateQuotas, dateRangeProblems } from '../domain/entries/date-range.ts';
import {
  accountProblems,
  lineProblems,
  maximumBatchLines,
  type PartialDraft,
  pointerToEntry,
  postingDateOf,
} from '../domain/entries/draft.ts';
import { idempotencyKeyProblems } from '../domain/idempotency-keys.ts';
import { lockProblems } from '../domain/period-lock.ts';
import { type Problem, pointerTo, problem } from '../errors.ts';
import type { ExchangeRates } from '../store/exchange-rates.ts';
import type { JournalEntries, PostingContext } from '../store/journal-entries.ts';
import type { TenantName } from '../store/keys.ts';
import { userNotLinked } from '../store/tenant-links.ts';
import { type Exchanges, openEntryExchanges, sizeProblems } from './entry-exchanges.ts';
import { tenantNameFor } from './tenant-names.ts';

/** Who posts into which tenant. A domain that could not be read is `undefined`. */
export type Target<Domain = string> = {
  applicationId: string;
  domainUrl: Domain;
  idempotencyKey: string | undefined;
  /** Whether it asks for many entries, be it for one of them. */
  isBatch: boolean;
};

/**
 * All that is known of drafts. Problems are those that show only here, not in a schema: those of
 * the request as it stands, and those of each draft where it is new.
 */
export type Judgement = {
  ofRequest: Problem[];
  ofDrafts: Problem[][];
  tenantName: TenantName | undefined;
  context: PostingContext | undefined;
  exchanges: Exchanges[];
};

export const tenantNotFound = problem('tenant_not_found', '/domain_url');

const maximumTenantsKnown = 10_000;

/**
 * The currencies of tenants to which this process has posted: a tenant's never changes. By them the
 * version of the rates is read with everything else where an entry is in one currency, which is not
 * that of the books. Only the first such entry of a process into a tenant costs a further read.
 */
const openKnownCurrencies = () => {
  const currencies = new Map<string, string>();
  const keyOf = ({ applicationId, schemaName }: TenantName) => `${applicationId} ${schemaName}`;
  return {
    find: (name: TenantName): string | undefined => currencies.get(keyOf(name)),
    keep: (name: TenantName, currency: string): void => {
      if (currencies.size >= maximumTenantsKnown) currencies.clear();
      currencies.set(keyOf(name), currency);
    },
  };
};

const noExchanges: Exchanges = { reporting: undefined, book: undefined };

const below = (base: string, problems: readonly Problem[]): Problem[] =>
  problems.map((it) => ({ ...it, pointer: `${base}${it.pointer}` }));

/** The problems of the drafts of a request beside each other. */
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

/** What is read for drafts; of more lines than are posted, not all accounts are looked up. */
const askedOf = (drafts: readonly PartialDraft[]) => {
  let left = maximumBatchLines;
  return drafts.map((draft) => {
    const { lines, date, externalId, userId } = draft;
    const codes = lines.slice(0, left).flatMap(({ account }) => account ?? []);
    left = Math.max(0, left - lines.length);
    return { codes, date, postingDate: postingDateOf(draft), externalId, userId };
  });
};

export type EntryJudgement = ReturnType<typeof openEntryJudgement>;

export const openEntryJudgement = ({
  journalEntries,
  exchangeRates,
  baseDomain,
  quotas,
}: {
  journalEntries: Pick<JournalEntries, 'prepare' | 'isLinked'>;
  exchangeRates: Pick<ExchangeRates, 'find' | 'explainMissing'>;
  baseDomain: string;
  quotas: DateQuotas;
}) => {
  const entryExchanges = openEntryExchanges(exchangeRates);
  const knownCurrencies = openKnownCurrencies();

  const problemsOfDraft = async (
    draft: PartialDraft,
    {
      context,
      exchanges,
      today,
    }: { context: PostingContext | undefined; exchanges: Exchanges; today: string },
  ): Promise<Problem[]> => {
    const { userId, accrualDate } = draft;
    const { tenant, accounts, users } = context ?? {};
    const codes = draft.lines.map(({ account }) => account);
    const amounts = draft.lines.map((line) => line.amounts);
    const lacksUser = userId !== null && users !== undefined && !users.has(userId);
    const postingDate = postingDateOf(draft);
    return [
      ...(lacksUser ? [problem('user_not_found', '/user_id')] : []),
      ...dateRangeProblems(draft, { today, quotas }),
      ...lineProblems(amounts, draft.transactionCurrency),
      ...sizeProblems(draft, exchanges),
      ...(tenant && accounts ? accountProblems(codes, accounts) : []),
      ...(await entryExchanges.problemsOf(draft, exchanges, today)),
      ...(tenant && postingDate ? lockProblems({ postingDate, accrualDate }, tenant) : []),
    ];
  };

  return {
    /**
     * Judges as much of drafts as could be read, after one batch read and one look for the rates.
     * @param today the UTC date
     */
    judge: async (
      target: Target<string | undefined>,
      drafts: readonly PartialDraft[],
      today: string,
    ): Promise<Judgement> => {
      const { applicationId, domainUrl, idempotencyKey, isBatch } = target;
      const tenantName = tenantNameFor({ applicationId, domainUrl, baseDomain });
      const ofKey = idempotencyKeyProblems(idempotencyKey);
      const bookCurrency = tenantName && knownCurrencies.find(tenantName);
      const isExchanged = drafts.some(({ transactionCurrency, reportingCurrency }) =>
        [reportingCurrency, bookCurrency].some((it) => it && it !== transactionCurrency),
      );
      const reading =
        tenantName &&
        journalEntries.prepare(tenantName, {
          entries: askedOf(drafts),
          idempotencyKey: ofKey.length > 0 ? undefined : idempotencyKey,
          ...{ isBatch, isExchanged },
        });
      const [context, exchanges] = await Promise.all([
        reading,
        entryExchanges.find(drafts, {
          today,
          readVersion:
            reading && isExchanged ? async () => (await reading).ratesVersion : undefined,
          readBookCurrency: async () => (await reading)?.tenant?.currency,
        }),
      ]);
      if (tenantName && context?.tenant) knownCurrencies.keep(tenantName, context.tenant.currency);
      const ofDrafts = await Promise.all(
        drafts.map(async (draft, index) => {
          const found = exchanges[index] ?? noExchanges;
          const own = await problemsOfDraft(draft, { context, exchanges: found, today });
          return below(pointerToEntry(index, target), own);
        }),
      );
      const lacksTenant = domainUrl !== undefined && context?.tenant === undefined;
      return {
        ofRequest: [
          ...ofKey,
          ...(lacksTenant ? [tenantNotFound] : []),
          ...(isBatch ? batchProblems(drafts) : []),
        ],
        ...{ ofDrafts, tenantName, context, exchanges },
      };
    },

    /**
     * The problems of users that the tenant is not linked to. They are read where entries are not
     * recorded: else they show in the transaction.
     */
    unlinkedProblems: async (
      { tenantName, context }: Pick<Judgement, 'tenantName' | 'context'>,
      drafts: readonly Pick<PartialDraft, 'userId'>[],
      target: Pick<Target, 'isBatch'>,
    ): Promise<Problem[]> => {
      if (!tenantName || !context?.tenant) return [];
      const unlinked = new Set<string>();
      await Promise.all(
        [...context.users].map(async ([userId, user]) => {
          if (!(await journalEntries.isLinked(user, tenantName))) unlinked.add(userId);
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
