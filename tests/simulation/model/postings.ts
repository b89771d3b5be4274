// The contract for posts, batches and dry runs: their replies and their problems.

import { unless } from '../../support/readers/violations.ts';
import { type Attempt, type Attempts, dayOf, never } from '../attempts.ts';
import type { Data } from '../entry-data.ts';
import {
  type Answer,
  type BatchRequest,
  type EntryRequest,
  type Operation,
  placeOf,
} from '../requests.ts';
import type { EntriesModel } from './entries.ts';
import { type AskedEntry, expectedData, type RatesByDate, ratesOf } from './expected-entry.ts';
import {
  isSaid,
  isSameEntry,
  isWellFormed,
  problemsOfEntries,
  problemsOfRequest,
} from './expected-refusal.ts';
import type { SettingsModel } from './settings.ts';

type PostingOperation = Operation<EntryRequest | BatchRequest>;

/** The certain and the possible accounts of a tenant. */
export type Chart = { certain: ReadonlySet<string>; possible: ReadonlySet<string> };
/** The chart of a tenant and the currency of its books. */
export type Books = { chart: Chart; currency: string };

/** An entry of a request, with its part of the reply. */
type Answered = { attempt: Attempt; asked: AskedEntry; data: Data; isReplay: boolean };

const entriesOf = (request: EntryRequest | BatchRequest): AskedEntry[] =>
  request.kind === 'entry' ? [request.asked] : request.asked;

export const openPostingsModel = ({
  rates,
  names,
  attempts,
  entries,
  settings,
}: {
  rates: RatesByDate;
  /** Of all accounts, by their codes. */
  names: ReadonlyMap<string, string>;
  attempts: Attempts;
  entries: EntriesModel;
  settings: SettingsModel;
}) => {
  const ofOperations = new Map<PostingOperation, Attempt[]>();

  const attemptOf = (
    operation: PostingOperation,
    asked: AskedEntry,
    currency: string | undefined,
  ): Attempt => ({
    operation,
    place: placeOf(operation.request),
    date: asked.date,
    accrualDate: asked.accrualDate,
    externalId: asked.externalId,
    of: { asked },
    expected: () => {
      const { now } = operation;
      const known = { currency: currency ?? '', today: dayOf(now), rates };
      const found = currency === undefined ? undefined : ratesOf(asked, known);
      const createdAt = now.toISOString();
      return found && expectedData(asked, { ...found, ...known, createdAt, names });
    },
  });

  /** The certain and the possible problems of a request. */
  const problemsOf = (operation: PostingOperation, books: Books | undefined) => {
    const { request, now } = operation;
    const place = placeOf(request);
    const isBatch = request.kind === 'batch';
    const asked = entriesOf(request);
    const { chart, currency } = books ?? {};
    const known = { today: dayOf(now), rates, currency, isBatch };
    const must = problemsOfEntries(asked, {
      ...known,
      chart: chart?.possible,
      isLocked: (date) => settings.mustBeLocked(place, date, operation),
    });
    const may = problemsOfEntries(asked, {
      ...known,
      chart: chart?.certain,
      isLocked: (date) => settings.mayBeLocked(place, date, operation),
    });
    return { ofRequest: problemsOfRequest(asked, { chart: chart?.certain }), must, may };
  };

  const isRecorded = ({ place, externalId, operation }: Attempt): boolean =>
    (attempts.recorded(place, externalId)?.since ?? never) < operation.startedAt;

  /** The problems of one entry in a reply, whether new or replayed. */
  const madeViolations = (
    { attempt, asked, data, isReplay }: Answered,
    { must, isDryRun }: { must: readonly string[]; isDryRun: boolean },
  ): string[] => {
    const { operation, place } = attempt;
    const before = attempts.recorded(place, attempt.externalId);
    const isNew = [
      ...unless(must.length === 0, `must be refused: ${must.join(', ')}`),
      ...unless(!isRecorded(attempt), 'is no replay, and its external_id has an entry'),
    ];
    if (isDryRun && !isReplay) return [...isNew, ...entries.previewViolations(attempt, data)];
    const { replayed: _replayed, ...shown } = data;
    const maker = attempts.makerOf(place, shown);
    if (maker === undefined) return [`entry ${data.journal_entry_id} was asked for by nobody`];
    const isOwn = maker.operation === operation;
    return [
      ...(isOwn ? isNew : []),
      ...unless(isReplay === !isOwn, `says that it is ${isReplay ? 'a' : 'no'} replay`),
      ...unless(
        isOwn ? maker === attempt : maker.externalId === (asked.externalId ?? ''),
        'shows the entry of another request',
      ),
      ...unless(
        before === undefined || before.attempt === maker,
        'there are two entries of this external_id',
      ),
      ...entries.observe(maker, { data: shown, seen: operation }),
    ];
  };

  const answeredBy = (operation: PostingOperation, { data = {}, isReplay }: Answer): Answered[] => {
    const { request } = operation;
    const own = ofOperations.get(operation) ?? [];
    const shown =
      request.kind === 'batch'
        ? (data.journal_entries as Data[])
        : [{ ...data, replayed: isReplay }];
    return own.flatMap((attempt, index) => {
      const [asked, of] = [entriesOf(request)[index], shown[index]];
      return asked && of ? [{ attempt, asked, data: of, isReplay: of.replayed === true }] : [];
    });
  };

  const checkDone = (
    operation: PostingOperation,
    answer: Answer,
    { ofRequest, must }: ReturnType<typeof problemsOf>,
  ): string[] => {
    const { request } = operation;
    const asked = entriesOf(request);
    const answered = answeredBy(operation, answer);
    const violations = answered.flatMap((it, index) =>
      madeViolations(it, { must: must[index] ?? [], isDryRun: request.isDryRun }),
    );
    const isSame = answered.every(({ isReplay, data, attempt, asked: entry }) => {
      const of = isReplay ? attempts.makerOf(attempt.place, data)?.of : undefined;
      return of === undefined || !('asked' in of) || isSameEntry(entry, of.asked);
    });
    const isReplay = answered.every((it) => it.isReplay);
    return [
      ...violations,
      ...unless(answered.length === asked.length, `shows ${answered.length} entries`),
      ...unless(ofRequest.length === 0, `must be refused: ${ofRequest.join(', ')}`),
      ...unless(isWellFormed(asked), 'must be refused: it is not well formed'),
      ...unless(answer.isReplay === isReplay, `says of all of it that it is a replay, or not`),
      ...unless(
        answer.isMismatch === !isSame,
        `says that it is ${answer.isMismatch ? 'not ' : ''}the same`,
      ),
    ];
  };

  return {
    /** @param currency the tenant's; `undefined` if there is no such tenant */
    begin: (operation: PostingOperation, currency: string | undefined): void => {
      const own = entriesOf(operation.request).map((asked) =>
        attemptOf(operation, asked, currency),
      );
      ofOperations.set(operation, own);
      if (operation.request.isDryRun) return;
      for (const attempt of own) attempts.add(attempt);
    },

    /** @param books the tenant's; `undefined` if there is no such tenant */
    check: (
      operation: PostingOperation,
      { answer, books }: { answer: Answer; books: Books | undefined },
    ): string[] => {
      const { request } = operation;
      const own = ofOperations.get(operation) ?? [];
      const problems = problemsOf(operation, books);
      if (answer.status === 200) return checkDone(operation, answer, problems);
      const isWhole = isWellFormed(entriesOf(request));
      const isBatch = request.kind === 'batch';
      const left = (parts: string[][], isFound: (attempt: Attempt) => boolean): string[] => [
        ...problems.ofRequest,
        ...own.flatMap((it, index) => (isWhole && isFound(it) ? [] : (parts[index] ?? []))),
      ];
      const must = left(problems.must, (it) => isBatch && attempts.mayBeRecorded(it));
      const may = left(problems.may, isRecorded);
      const given = answer.problems ?? [];
      const isRight =
        may.join() === 'tenant_not_found /domain_url'
          ? answer.status === 404 && answer.code === 'tenant_not_found' && given.length === 0
          : answer.status === 422 && given.length > 0 && isSaid(given, { must, may });
      const said = `is refused with ${answer.status} ${answer.code} ${given.join(', ')}`;
      return unless(isRight, `${said}, and not with ${must.join(', ') || 'nothing'}`);
    },
  };
};
