// What an import reports of the platform's records: pure functions of its checkpoint and what was
// found on a page. The first records are kept by name, and all are counted.

import type { ImportCheckpoint } from '#shared/imports/import-checkpoint.store.ts';
import {
  type Assumption,
  type ChangedJournal,
  maximumReported,
  type RefusedRecord,
} from '#shared/imports/import-report.ts';

/** What was found of the records of one kind on a page, each under the platform's own id. */
export type Findings = {
  kind: RefusedRecord['kind'];
  /** The records that are here, and those of which there is nothing to be here. */
  settled: readonly string[];
  refused: readonly RefusedRecord[];
  /** The lock that journals were refused for, if any were. */
  lockDate: string | null;
  /** What was assumed now, and what was when the record was imported. */
  assumed: readonly Assumption[];
  assumedBefore: readonly Assumption[];
  /** Journals that are as they were when they were imported, and those that are not. */
  unchanged: readonly string[];
  changes: readonly ChangedJournal[];
};

export const noFindings = (kind: Findings['kind']): Findings => ({
  kind,
  ...{ settled: [], refused: [], lockDate: null, assumed: [], assumedBefore: [] },
  ...{ unchanged: [], changes: [] },
});

export const mergeFindings = (kind: Findings['kind'], all: readonly Findings[]): Findings => ({
  kind,
  settled: all.flatMap(({ settled }) => settled),
  refused: all.flatMap(({ refused }) => refused),
  lockDate: all.reduce<string | null>((last, { lockDate }) => lockDate ?? last, null),
  assumed: all.flatMap(({ assumed }) => assumed),
  assumedBefore: all.flatMap(({ assumedBefore }) => assumedBefore),
  unchanged: all.flatMap(({ unchanged }) => unchanged),
  changes: all.flatMap(({ changes }) => changes),
});

/** How a page is read: whether for the first time, and as part of everything that there is. */
type Reading = { isFirst: boolean; isComplete: boolean };

type Named = { kind?: RefusedRecord['kind']; reference: string };
type Tally<Item> = { named: Item[]; count: number };

const isSame = (one: Named, other: Named): boolean =>
  one.reference === other.reference && one.kind === other.kind;

/** Takes out what is known by name. Of what is only counted nobody can tell whether it is gone. */
const without = <Item extends Named>(
  { named, count }: Tally<Item>,
  isGone: (item: Item) => boolean,
): Tally<Item> => {
  const rest = named.filter((item) => !isGone(item));
  return { named: rest, count: count - (named.length - rest.length) };
};

/**
 * Adds an item that is not there yet, and replaces one that is. Where some are only counted, it may
 * be one of them: then it counts only if it `isNew` for sure.
 */
const withItem = <Item extends Named>(
  { named, count }: Tally<Item>,
  item: Item,
  isNew: boolean,
): Tally<Item> => {
  if (named.some((it) => isSame(it, item))) {
    return { named: named.map((it) => (isSame(it, item) ? item : it)), count };
  }
  if (!isNew && named.length < count) return { named, count };
  return { named: [...named, item].slice(0, maximumReported), count: count + 1 };
};

const withItems = <Item extends Named>(
  tally: Tally<Item>,
  items: readonly Item[],
  isNew: boolean,
): Tally<Item> => items.reduce((sum, item) => withItem(sum, item, isNew), tally);

/** The refusals of a checkpoint, counted by kind and by reason beside their names. */
type Refusals = Pick<
  ImportCheckpoint,
  'refused' | 'refusedByReason' | 'accountsRefused' | 'journalsRefused'
>;

const counted = (
  { accountsRefused, journalsRefused, refusedByReason }: Refusals,
  { kind, reason }: RefusedRecord,
  change: 1 | -1,
): Omit<Refusals, 'refused'> => {
  const { [reason]: before = 0, ...others } = refusedByReason;
  const count = before + change;
  return {
    accountsRefused: accountsRefused + (kind === 'account' ? change : 0),
    journalsRefused: journalsRefused + (kind === 'journal' ? change : 0),
    refusedByReason: count > 0 ? { ...others, [reason]: count } : others,
  };
};

const withoutRefusal = (refusals: Refusals, gone: Named): Refusals => {
  const found = refusals.refused.find((it) => isSame(it, gone));
  if (found === undefined) return refusals;
  const refused = refusals.refused.filter((it) => it !== found);
  return { ...counted(refusals, found, -1), refused };
};

const withRefusal = (before: Refusals, record: RefusedRecord, isNew: boolean): Refusals => {
  const rest = withoutRefusal(before, record);
  const isKnown = rest !== before;
  const areAllNamed = rest.refused.length === rest.accountsRefused + rest.journalsRefused;
  if (!isKnown && !isNew && !areAllNamed) return before;
  const refused = [...rest.refused, record].slice(0, maximumReported);
  return { ...counted(rest, record, 1), refused };
};

const refusalsAfter = (
  { refused, refusedByReason, accountsRefused, journalsRefused }: ImportCheckpoint,
  found: Findings,
  { isFirst }: Reading,
): Refusals => {
  const before = { refused, refusedByReason, accountsRefused, journalsRefused };
  const settled = new Set(found.settled);
  const rest = refused
    .filter(({ kind, reference }) => kind === found.kind && settled.has(reference))
    .reduce(withoutRefusal, before);
  return found.refused.reduce((sum, record) => withRefusal(sum, record, isFirst), rest);
};

const assumptionsAfter = (
  { assumptions, assumptionCount }: ImportCheckpoint,
  { kind, settled, assumed, assumedBefore }: Findings,
  { isFirst, isComplete }: Reading,
): Tally<Assumption> => {
  const isClear = ({ kind: of, reference }: Assumption): boolean =>
    of === 'account' &&
    kind === 'account' &&
    settled.includes(reference) &&
    !assumed.some((it) => it.reference === reference);
  const rest = without({ named: assumptions, count: assumptionCount }, isClear);
  // A journal is recorded once; an account may have been listed before.
  const sum = withItems(rest, assumed, kind === 'journal' || (isFirst && isComplete));
  return withItems(sum, assumedBefore, isFirst && isComplete);
};

const changesAfter = (
  { changes, changeCount }: ImportCheckpoint,
  found: Findings,
  { isFirst, isComplete }: Reading,
): Tally<ChangedJournal> => {
  const unchanged = new Set(found.unchanged);
  const rest = without({ named: changes, count: changeCount }, (it) => unchanged.has(it.reference));
  return withItems(rest, found.changes, isFirst && isComplete);
};

/** The checkpoint with what was found on a page added to its report. */
export const withFindings = (
  checkpoint: ImportCheckpoint,
  findings: Findings,
  reading: Reading,
): ImportCheckpoint => {
  const assumptions = assumptionsAfter(checkpoint, findings, reading);
  const changes = changesAfter(checkpoint, findings, reading);
  return {
    ...checkpoint,
    ...refusalsAfter(checkpoint, findings, reading),
    lockDate: findings.lockDate ?? checkpoint.lockDate,
    ...{ assumptions: assumptions.named, assumptionCount: assumptions.count },
    ...{ changes: changes.named, changeCount: changes.count },
  };
};
