// Adds the findings about a page to the report in an import's checkpoint. The report lists the
// first records and counts all of them.

import type { ImportCheckpoint } from './import-checkpoint.ts';
import {
  type Assumption,
  type ChangedJournal,
  maximumReported,
  type RefusedRecord,
} from './import-report.ts';

/** The findings about a page's records of one kind. References are the platform's ids. */
export type Findings = {
  kind: RefusedRecord['kind'];
  /** The imported records, and the records that need no import. */
  settled: readonly string[];
  refused: readonly RefusedRecord[];
  /** The lock date if the lock caused refusals. */
  lockDate: string | null;
  /** New assumptions, and assumptions from when the record was imported. */
  assumed: readonly Assumption[];
  assumedBefore: readonly Assumption[];
  /** Journals that are here as they are at the platform, and journals that are not. */
  unchanged: readonly string[];
  changes: readonly ChangedJournal[];
  /** The dates of the entries that were reversed because their journals had changed. */
  replacedDates: readonly string[];
};

export const noFindings = (kind: Findings['kind']): Findings => ({
  kind,
  settled: [],
  refused: [],
  lockDate: null,
  assumed: [],
  assumedBefore: [],
  unchanged: [],
  changes: [],
  replacedDates: [],
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
  replacedDates: all.flatMap(({ replacedDates }) => replacedDates),
});

/** Whether a page is read for the first time, and whether the import is complete. */
type Reading = { isFirst: boolean; isComplete: boolean };

type Named = { kind?: RefusedRecord['kind']; reference: string };
type Tally<Item> = { named: Item[]; count: number };

const isSame = (one: Named, other: Named): boolean =>
  one.reference === other.reference && one.kind === other.kind;

/** Removes listed items. Items that are counted but not listed remain. */
const without = <Item extends Named>(
  { named, count }: Tally<Item>,
  isGone: (item: Item) => boolean,
): Tally<Item> => {
  const rest = named.filter((item) => !isGone(item));
  return { named: rest, count: count - (named.length - rest.length) };
};

/**
 * Adds or replaces an item. If some items are counted but not listed, the item may be one of them,
 * so it is added only if it is certainly new (`isNew`).
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

/** The refusals of a checkpoint, listed and counted by kind and by reason. */
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
  const refusal = refusals.refused.find((it) => isSame(it, gone));
  if (refusal === undefined) return refusals;
  const refused = refusals.refused.filter((it) => it !== refusal);
  return { ...counted(refusals, refusal, -1), refused };
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
  findings: Findings,
  { isFirst }: Reading,
): Refusals => {
  const before = { refused, refusedByReason, accountsRefused, journalsRefused };
  const settled = new Set(findings.settled);
  const rest = refused
    .filter(({ kind, reference }) => kind === findings.kind && settled.has(reference))
    .reduce(withoutRefusal, before);
  return findings.refused.reduce((sum, record) => withRefusal(sum, record, isFirst), rest);
};

const assumptionsAfter = (
  { assumptions, assumptionCount }: ImportCheckpoint,
  { kind, settled, unchanged, assumed, assumedBefore }: Findings,
  { isFirst, isComplete }: Reading,
): Tally<Assumption> => {
  const certain = new Set(kind === 'account' ? settled : unchanged);
  const isClear = ({ kind: of, reference }: Assumption): boolean =>
    of === kind &&
    certain.has(reference) &&
    ![...assumed, ...assumedBefore].some((it) => it.reference === reference);
  const rest = without({ named: assumptions, count: assumptionCount }, isClear);
  // A revision of a journal is recorded once; an account can be listed repeatedly.
  const sum = withItems(rest, assumed, kind === 'journal' || (isFirst && isComplete));
  return withItems(sum, assumedBefore, isFirst && isComplete);
};

const changesAfter = (
  { changes, changeCount }: ImportCheckpoint,
  findings: Findings,
  { isFirst, isComplete }: Reading,
): Tally<ChangedJournal> => {
  const unchanged = new Set(findings.unchanged);
  const rest = without({ named: changes, count: changeCount }, (it) => unchanged.has(it.reference));
  return withItems(rest, findings.changes, isFirst && isComplete);
};

/** Adds the findings of a page to the report of a checkpoint. */
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
    assumptions: assumptions.named,
    assumptionCount: assumptions.count,
    changes: changes.named,
    changeCount: changes.count,
  };
};
