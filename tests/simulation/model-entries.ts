// What the contract says of entries: recorded once for an external_id, numbered without gaps,
// balanced in both currencies, and posted when they are due.

import { canonicalText } from '../support/readers/entry-hashes.ts';
import { readId } from '../support/readers/entry-ids.ts';
import type { RawItem } from '../support/readers/item-kinds.ts';
import { unless } from '../support/readers/violations.ts';
import { openCorrectionChecks } from './correction-checks.ts';
import { type Data, type ShownEntry, tenantPlaceOf } from './entry-data.ts';
import { never, type Run, statusesBetween } from './entry-statuses.ts';
import { expectedData, type RatesByDate, ratesOf } from './expected-entry.ts';
import { expectedMismatch, expectedProblems, isSaid, isWellFormed } from './expected-refusal.ts';
import {
  dateOf,
  type EntryOperation,
  isReversal,
  openCancellations,
  placeOf,
  type Reversal,
  reversalOf,
} from './model-corrections.ts';
import {
  type Answer,
  type EntryRequest,
  mayHaveWritten,
  type Operation,
  type RequestOf,
  type Span,
} from './requests.ts';
import type { Posting } from './sheets.ts';

type PostOperation = Operation<RequestOf<'entry'>>;

/**
 * An entry that has been seen: its number, since when it must be there, and be posted, and when and
 * how it came to count, once that was seen.
 */
type Known = {
  operation: EntryOperation;
  number: string;
  entryId: string;
  since: number;
  postedSince: number;
  posting: string | undefined;
};

/** The accounts that a tenant has for sure, and those that it may have. */
export type Chart = { certain: ReadonlySet<string>; possible: ReadonlySet<string> };
/** The chart of a tenant and the currency of its books. */
export type Books = { chart: Chart; currency: string };

const isManual = ({ platformReference }: RawItem): boolean => platformReference === undefined;

/** Each run has a moment of its own, so what it says it has posted can be found and counted. */
const violationsOfRun = (
  { answer, now, number }: Run,
  entries: readonly ShownEntry[],
): string[] => {
  const told = typeof answer === 'object' ? Number(answer.data?.posted ?? 0) : 0;
  const found = entries.filter(({ data }) => data.posted_at === now.toISOString()).length;
  return unless(
    told <= found,
    `run ${number} has posted ${told} entries, of which ${found} are its`,
  );
};

export const openEntriesModel = (rates: RatesByDate, names: ReadonlyMap<string, string>) => {
  const attempts: EntryOperation[] = [];
  const runs: Run[] = [];
  const known = new Map<EntryOperation, Known>();
  const cancellations = openCancellations();
  const currencies = new Map<EntryOperation, string>();

  const makerOf = (place: string, entryId: unknown): EntryOperation | undefined =>
    attempts.find(
      (it) =>
        placeOf(it.request) === place &&
        it.drawn.has(readId(String(entryId))?.random ?? '') &&
        mayHaveWritten(it),
    );

  const findKnown = ({
    number,
    ...place
  }: Pick<EntryRequest, 'applicationId' | 'prefix'> & { number: string }): Known | undefined =>
    [...known.values()].find(
      (it) => it.number === number && placeOf(it.operation.request) === placeOf(place),
    );

  /** What a reply must show of the entry that an operation made, but for what its posting adds. */
  const expectedOf = (maker: EntryOperation): ReturnType<typeof expectedData> | undefined => {
    if (isReversal(maker)) {
      const original = findKnown(maker.request);
      const expected = original && expectedOf(original.operation);
      return expected && reversalOf(expected, maker, original.entryId);
    }
    const { asked } = maker.request;
    const currency = currencies.get(maker) ?? '';
    const found = ratesOf(asked, { currency, today: dateOf(maker.now), rates });
    const createdAt = maker.now.toISOString();
    return found && expectedData(asked, { ...found, currency, createdAt, names });
  };

  /** The entry of this external_id, if it has been seen. */
  const recordedOf = ({ request }: PostOperation): Known | undefined =>
    request.asked.externalId === null
      ? undefined
      : [...known.values()].find(
          ({ operation: { request: it } }) =>
            placeOf(it) === placeOf(request) && it.asked.externalId === request.asked.externalId,
        );

  /** How an entry may stand for somebody who looks from one moment to another. */
  const statusesOf = (maker: EntryOperation, span: Span): string[] =>
    statusesBetween(maker, { known: known.get(maker), runs, cancellations, span });

  /** Numbers are given in the order in which entries are asked for, where that is clear. */
  const orderViolations = (entry: Known): string[] => {
    const sequenceOf = ({ number }: Known): number => Number(number.split('-').at(-1));
    const { operation, number } = entry;
    const others = [...known.values()].filter(
      (it) =>
        it.operation !== operation &&
        placeOf(it.operation.request) === placeOf(operation.request) &&
        it.operation.request.asked.date === operation.request.asked.date,
    );
    return others.flatMap((it) => {
      const [first, second] = it.since < operation.startedAt ? [it, entry] : [entry, it];
      const isClear = first.since < second.operation.startedAt;
      if (it.number === number) return [`${number} was given twice`];
      return isClear && sequenceOf(first) > sequenceOf(second)
        ? [`${first.number} was there before ${second.number}`]
        : [];
    });
  };

  /** Takes note of an entry that was seen: the same number, the same content, for ever. */
  const observe = (maker: EntryOperation, { data, seen }: { data: Data; seen: Span }): string[] => {
    const { asked } = maker.request;
    const expected = expectedOf(maker);
    if (expected === undefined) return ['an entry has a rate that is not to be had'];
    const { journal_entry_id, journal_number, status, ...more } = data;
    const {
      posted_at,
      posting_sequence,
      hash,
      reversed_by: _by,
      cancelled_at: _at,
      ...shown
    } = more;
    const statuses = statusesOf(maker, seen);
    const isPosted = status === 'posted';
    const posting = isPosted ? `${posted_at} as ${posting_sequence}, ${hash}` : undefined;
    const isFirst = !known.has(maker);
    const entry = known.get(maker) ?? {
      operation: maker,
      number: String(journal_number),
      entryId: String(journal_entry_id),
      since: seen.endedAt,
      postedSince: never,
      posting,
    };
    known.set(maker, {
      ...entry,
      postedSince: Math.min(entry.postedSince, isPosted ? seen.endedAt : never),
      posting: entry.posting ?? posting,
    });
    const isNumbered = new RegExp(`^MJ-${asked.date.replaceAll('-', '')}-\\d{4,}$`);
    return [
      ...unless(isNumbered.test(entry.number), `${entry.number} is no number of its date`),
      ...unless(
        entry.number === journal_number,
        `entry ${journal_entry_id} is ${journal_number}, and was ${entry.number}`,
      ),
      ...unless(
        statuses.includes(String(status)),
        `entry ${entry.number} is ${status}, and must be ${statuses.join(' or ')}`,
      ),
      ...unless(
        (entry.posting ?? posting) === (posting ?? entry.posting),
        `entry ${entry.number} was posted twice: at ${entry.posting}, and at ${posting}`,
      ),
      ...unless(
        canonicalText(shown) === canonicalText(expected),
        `${JSON.stringify(shown)} must be ${JSON.stringify(expected)}`,
      ),
      ...(isFirst ? orderViolations(entry) : []),
    ];
  };

  const checkDone = (operation: PostOperation, answer: Answer, problems: string[]): string[] => {
    const { data = {}, isReplay, mismatch } = answer;
    const { request } = operation;
    const maker = makerOf(placeOf(request), data.journal_entry_id);
    if (maker === undefined) return [`entry ${data.journal_entry_id} was asked for by nobody`];
    const before = recordedOf(operation);
    const isOwn = maker === operation;
    const { externalId } = maker.request.asked;
    if (isReversal(maker)) return ['a post is answered a reversal'];
    const expected = isOwn ? undefined : expectedMismatch(request.asked, maker.request.asked);
    return [
      ...unless(!isOwn || problems.length === 0, `must be refused: ${problems.join(', ')}`),
      ...unless(isWellFormed(request), 'must be refused: it is not well formed'),
      ...unless(isReplay === !isOwn, `says that it is ${isReplay ? 'a' : 'no'} replay`),
      ...unless(
        isOwn || (externalId !== null && externalId === request.asked.externalId),
        'shows the entry of another request',
      ),
      ...unless(mismatch === expected, `says that ${mismatch} differs, and ${expected} does`),
      ...unless(
        before === undefined || before.operation === maker,
        'there are two entries of this external_id',
      ),
      ...observe(maker, { data, seen: operation }),
    ];
  };

  return {
    beginReversal: (operation: Reversal): void => void attempts.push(operation),
    beginCancellation: cancellations.begin,

    ...openCorrectionChecks({
      ...{ cancellations, findKnown, makerOf, observe, statusesOf },
      seen: () => [...known.values()],
    }),

    /** @param currency that of the tenant's books; `undefined` where there is no such tenant */
    begin: (operation: PostOperation, currency: string | undefined): void => {
      attempts.push(operation);
      if (currency !== undefined) currencies.set(operation, currency);
    },
    beginRun: (run: Run): void => void runs.push(run),

    /** @param books those of the tenant; `undefined` where there is no such tenant */
    check: (
      operation: PostOperation,
      { answer, books }: { answer: Answer; books: Books | undefined },
    ): string[] => {
      const { request, now } = operation;
      const { chart, currency } = books ?? {};
      const known = { today: dateOf(now), rates, currency };
      const must = expectedProblems(request, { ...known, chart: chart?.possible });
      const may = expectedProblems(request, { ...known, chart: chart?.certain });
      if (answer.status === 200) return checkDone(operation, answer, must);
      const since = recordedOf(operation)?.since ?? never;
      if (isWellFormed(request) && since < operation.startedAt) {
        return ['is refused, and its external_id has an entry'];
      }
      const isOnlyTenant = may.join() === 'tenant_not_found /domain_url';
      const given = answer.problems ?? [];
      const isRight = isOnlyTenant
        ? answer.status === 404 && answer.code === 'tenant_not_found' && given.length === 0
        : answer.status === 422 && given.length > 0 && isSaid(given, { must, may });
      const said = `is refused with ${answer.status} ${given.join(', ')}`;
      return unless(isRight, `${said}, and not with ${must.join(', ') || 'nothing'}`);
    },

    /** What must be shown of the entries that count, with what the table has of them. */
    postings: (shown: readonly ShownEntry[]): Posting[] =>
      shown.flatMap(({ item, data }) => {
        const place = tenantPlaceOf(item);
        const maker = isManual(item) ? makerOf(place, item.entryId) : undefined;
        const expected = maker && data.status === 'posted' ? expectedOf(maker) : undefined;
        return expected ? [{ place, series: 'MJ', data: expected }] : [];
      }),

    compare: (shown: readonly ShownEntry[], moment: number): string[] => {
      const entries = shown.filter(({ item }) => isManual(item));
      const seen = { startedAt: moment, endedAt: moment };
      const makers = new Set<EntryOperation>();
      const violations = entries.flatMap(({ item, data }) => {
        const maker = makerOf(tenantPlaceOf(item), item.entryId);
        if (maker === undefined) return [`entry ${item.entryId} was asked for by nobody`];
        makers.add(maker);
        return observe(maker, { data, seen });
      });
      const lost = [...known.keys()].filter((it) => !makers.has(it));
      return [
        ...violations,
        ...runs.flatMap((it) => violationsOfRun(it, entries)),
        ...lost.map((it) => `entry ${known.get(it)?.number} of ${placeOf(it.request)} is lost`),
      ];
    },
  };
};
