// Posts an entry: what the table and the exchange rates say of its draft, judged once, and its
// record.

import Big from 'big.js';
import { dateOf } from '../domain/dates.ts';
import {
  accountProblems,
  convertedProblems,
  currencyProblems,
  type EntryDraft,
  lineProblems,
  type PartialDraft,
  partialOf,
} from '../domain/entries/draft.ts';
import type { JournalEntry } from '../domain/entries/journal-entry.ts';
import { isScheduled, makeEntry } from '../domain/entries/make-entry.ts';
import type { CurrencyPair, ExchangeRate } from '../domain/exchange-rates.ts';
import { idempotencyKeyProblems } from '../domain/idempotency-keys.ts';
import { ApiError, type Problem, problem, throwIfProblems } from '../errors.ts';
import type { ExchangeRates } from '../store/exchange-rates.ts';
import { getOriginal, type JournalEntries, type PostingContext } from '../store/journal-entries.ts';
import type { TenantName } from '../store/keys.ts';
import { userNotLinked } from '../store/tenant-links.ts';
import { tenantNameFor } from './tenant-names.ts';

export type PostingDependencies = {
  journalEntries: Pick<JournalEntries, 'prepare' | 'record' | 'get' | 'isLinked'>;
  exchangeRates: Pick<ExchangeRates, 'find' | 'explainMissing'>;
  baseDomain: string;
  clock: () => Date;
};

/** Who posts into which tenant. A domain that could not be read is `undefined`. */
type Target<Domain> = {
  applicationId: string;
  domainUrl: Domain;
  idempotencyKey: string | undefined;
};

/** What is exchanged on which date, and the rate for it if there is one. */
type Exchange = CurrencyPair & { date: string; rate: ExchangeRate | undefined };

/** The rates of a draft: to its reporting currency, and to that of the tenant's books. */
type Exchanges = { reporting: Exchange | undefined; book: Exchange | undefined };

/** All that is known of a draft. `problems` are those that show only here, not in a schema. */
type Judgement = {
  problems: Problem[];
  tenantName: TenantName | undefined;
  context: PostingContext | undefined;
  exchanges: Exchanges;
};

export type Posting = ReturnType<typeof openPosting>;

const maximumTenantsKnown = 10_000;

/**
 * The currencies of tenants to which this process has posted: a tenant's never changes. By them the
 * version of the rates is read with everything else where an entry is in one currency, which is not
 * that of the books.
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

export const openPosting = (dependencies: PostingDependencies) => {
  const { journalEntries, exchangeRates, baseDomain, clock } = dependencies;
  const knownCurrencies = openKnownCurrencies();

  const find = async (
    pair: CurrencyPair,
    { date, today, readVersion }: Parameters<typeof exchangeRates.find>[1],
  ): Promise<Exchange> => {
    const rate = await exchangeRates.find(pair, {
      date,
      today,
      ...(readVersion && { readVersion }),
    });
    return { ...pair, date, rate };
  };

  /** Finds the rate while the context is read, with which its version comes. */
  const findExchange = async (
    { transactionCurrency: transaction, reportingCurrency: reporting, date }: PartialDraft,
    { today, reading }: { today: string; reading: Promise<PostingContext> | undefined },
  ): Promise<Exchange | undefined> => {
    if (!transaction || !reporting || !date) return undefined;
    const readVersion = reading && (async () => (await reading).ratesVersion);
    return find({ transaction, reporting }, { date, today, ...(readVersion && { readVersion }) });
  };

  /**
   * The rate to the currency of the books. It is nearly always the reporting currency; where it is
   * a third one, the same day of rates serves. Only the first entry of a process into a tenant that
   * exchanges nothing, in a currency that is not that of the books, costs a further read.
   */
  const findBookExchange = async (
    { transactionCurrency: transaction, date }: PartialDraft,
    {
      today,
      context,
      reporting,
      isVersionRead,
    }: {
      today: string;
      context: PostingContext | undefined;
      reporting: Exchange | undefined;
      isVersionRead: boolean;
    },
  ): Promise<Exchange | undefined> => {
    const currency = context?.tenant?.currency;
    if (!currency || !transaction || !date) return undefined;
    if (reporting?.reporting === currency) return reporting;
    return find(
      { transaction, reporting: currency },
      {
        ...{ date, today },
        ...(isVersionRead && { readVersion: async () => context.ratesVersion }),
      },
    );
  };

  /** Says which currency has no rate, or that it is the date, and the first date that has one. */
  const rateProblems = async (
    exchange: Exchange | undefined,
    { today, isBook = false }: { today: string; isBook?: boolean },
  ): Promise<Problem[]> => {
    if (exchange === undefined || exchange.rate !== undefined) return [];
    const { transaction, reporting, date } = exchange;
    const missing = await exchangeRates.explainMissing(exchange, { date, today });
    const { currencies, firstDate } = missing;
    // Where the books' own currency has none, only entries in that currency can be kept.
    const lacksReporting = currencies.includes(reporting);
    const lacksTransaction = currencies.includes(transaction) || (isBook && lacksReporting);
    const ofCurrencies = [
      ...(lacksTransaction ? ['/transactionCurrency'] : []),
      ...(lacksReporting && !isBook ? ['/reportingCurrency'] : []),
    ];
    return (currencies.length > 0 ? ofCurrencies : ['/date']).map((pointer) =>
      problem('exchange_rate_unavailable', pointer, {
        ...{ transaction, [isBook ? 'book' : 'reporting']: reporting, date },
        ...(firstDate !== undefined && { first_date: firstDate }),
      }),
    );
  };

  const exchangeProblems = async (
    draft: PartialDraft,
    { reporting, book }: Exchanges,
    today: string,
  ): Promise<Problem[]> => {
    const ofCurrencies = currencyProblems(draft);
    // A currency that is not in use has no rate either.
    if (ofCurrencies.length > 0) return ofCurrencies;
    const ofReporting = await rateProblems(reporting, { today });
    const isOther = book !== reporting && ofReporting.length === 0;
    return isOther ? rateProblems(book, { today, isBook: true }) : ofReporting;
  };

  /** Judges as much of a draft as could be read, after one batch read and one look for the rate. */
  const judge = async (
    { applicationId, domainUrl, idempotencyKey }: Target<string | undefined>,
    draft: PartialDraft,
    today: string,
  ): Promise<Judgement> => {
    const tenantName = tenantNameFor({ applicationId, domainUrl, baseDomain });
    const codes = draft.lines.map(({ account }) => account);
    const { date, accrualDate, externalId, userId } = draft;
    const ofKey = idempotencyKeyProblems(idempotencyKey);
    const currencies = [draft.reportingCurrency, tenantName && knownCurrencies.find(tenantName)];
    const isExchanged = currencies.some((it) => it && it !== draft.transactionCurrency);
    const reading =
      tenantName &&
      journalEntries.prepare(tenantName, {
        codes: codes.filter((code) => code !== undefined),
        externalId,
        idempotencyKey: ofKey.length > 0 ? undefined : idempotencyKey,
        date,
        countsOn: isScheduled(accrualDate, today) ? undefined : (accrualDate ?? date),
        userId,
        isExchanged,
      });
    const [context, reporting] = await Promise.all([
      reading,
      findExchange(draft, { today, reading }),
    ]);
    if (tenantName && context?.tenant) knownCurrencies.keep(tenantName, context.tenant.currency);
    const isVersionRead = isExchanged;
    const book = await findBookExchange(draft, { today, context, reporting, isVersionRead });
    const amounts = draft.lines.map((line) => line.amounts);
    const exchanges = { reporting, book };
    return {
      problems: [
        ...ofKey,
        ...notFoundProblems({ domainUrl, userId }, context),
        ...lineProblems(amounts, draft.transactionCurrency),
        ...sizeProblems(draft, exchanges),
        ...(context?.tenant ? accountProblems(codes, context.accounts) : []),
        ...(await exchangeProblems(draft, exchanges, today)),
      ],
      ...{ tenantName, context, exchanges },
    };
  };

  /**
   * All the problems of a draft that is refused. That its tenant is not linked to its user is read
   * for these only: an entry that is recorded finds it out in its own transaction.
   */
  const allProblems = async ({ problems, tenantName, context }: Judgement): Promise<Problem[]> => {
    const { tenant, user } = context ?? {};
    if (!tenantName || !tenant || !user) return problems;
    const isLinked = await journalEntries.isLinked(user, tenantName);
    return isLinked ? problems : [...problems, userNotLinked];
  };

  return {
    /** What is wrong with a request whose schema found problems already, beyond those. */
    problemsOf: async (
      target: Target<string | undefined>,
      draft: PartialDraft,
    ): Promise<Problem[]> => allProblems(await judge(target, draft, dateOf(clock()))),

    /**
     * Posts or schedules an entry, or finds the one that was recorded under its external_id or
     * under the same Idempotency-Key.
     * @throws ApiError where the draft breaks a rule, with every problem
     */
    post: async (
      { createdWithKey, ...target }: Target<string> & { createdWithKey: string },
      draft: EntryDraft,
    ): Promise<{ entry: JournalEntry; replayed: boolean }> => {
      // One moment for all of it, so that midnight cannot come between.
      const now = clock();
      const judged = await judge(target, partialOf(draft), dateOf(now));
      const { problems, tenantName, context, exchanges } = judged;
      // Before any rule that the content may break: the same external_id returns the original entry
      // (contract), as long as the request is well formed.
      const original = getOriginal(context?.recorded ?? []);
      if (original) return { entry: await journalEntries.get(original, context), replayed: true };
      if (problems.length > 0) {
        const all = await allProblems(judged);
        if (all.length === 1 && all[0] === tenantNotFound) throw new ApiError('tenant_not_found');
        if (all.length === 1 && all[0] === userNotFound) throw new ApiError('user_not_found');
        throwIfProblems(all);
      }
      const { tenant } = context ?? {};
      const [exchangeRate, bookRate] = [exchanges.reporting?.rate, exchanges.book?.rate];
      if (!tenantName || !context || !tenant || !exchangeRate || !bookRate) {
        throw new Error('a draft without problems lacks what it needs');
      }
      const entry = makeEntry(draft, {
        accounts: context.accounts,
        ...{ exchangeRate, bookRate, tenantCurrency: tenant.currency },
        createdAt: now.toISOString(),
        createdWithKey,
      });
      const { idempotencyKey } = target;
      return journalEntries.record(tenantName, entry, { ...context, idempotencyKey });
    },
  };
};

const tenantNotFound = problem('tenant_not_found', '/domain_url');
const userNotFound = problem('user_not_found', '/user_id');

/** Of the tenant and the user that were asked for, those that are not there. */
const notFoundProblems = (
  { domainUrl, userId }: { domainUrl: string | undefined; userId: string | null },
  context: PostingContext | undefined,
): Problem[] => {
  const lacksTenant = domainUrl !== undefined && context?.tenant === undefined;
  const lacksUser = userId !== null && context !== undefined && context.user === undefined;
  return [...(lacksTenant ? [tenantNotFound] : []), ...(lacksUser ? [userNotFound] : [])];
};

/** The problems of amounts that are too large in the currencies to which they are converted. */
const sizeProblems = (draft: PartialDraft, { reporting, book }: Exchanges): Problem[] => {
  const [ofReporting, ofBook] = [reporting, book].map((exchange) => {
    const { rate, reporting: currency } = exchange ?? {};
    return rate && currency ? convertedProblems(draft, { currency, rate: new Big(rate.rate) }) : [];
  });
  return ofReporting?.length ? ofReporting : (ofBook ?? []);
};
