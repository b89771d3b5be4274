// Checks imported journals for changes at the platform, and follows the changes.

import type { ChangedJournal, RefusedRecord } from '#shared/imports/import-report.ts';
import { type JournalGuard, voidedContent } from '#shared/imports/journal-guards.ts';
import { type Findings, mergeFindings, noFindings } from '#shared/imports/page-findings.ts';
import type { ListedJournal } from '#shared/platforms/platform.ts';
import { batchesOf } from '#shared/table/batches.ts';
import { contentHashOf, isComparable } from './content-hash.ts';
import {
  assumptionsOf,
  entriesOf,
  maximumGroupJournals,
  postedIn,
  type ReadReference,
  type RecordingContext,
  readGroup,
  refusal,
} from './journal-groups.ts';

export type ChangesContext = RecordingContext & {
  mayRereadChart: boolean;
  /** Whether changes are followed, or only reported. */
  followsEdits: boolean;
  /** The journals in the report, which are read even if no other known journal is. */
  reported: ReadonlySet<string>;
  /** Call after something was recorded. */
  onProgress: () => Promise<void>;
};

type Known = ReadonlyMap<string, JournalGuard>;

/** Whether an imported journal has changed since its last revision, if this is known. */
const compare = (
  { result }: ReadReference,
  { contentHash }: JournalGuard,
  tenantCurrency: string,
): ChangedJournal['change'] | 'unchanged' | 'unknown' => {
  const isVoided = contentHash === voidedContent;
  // Only posted journals are imported, so the platform has removed it from its books since then.
  const isGone = result.state === 'voided' || result.state === 'not_posted';
  if (isGone) return isVoided ? 'unchanged' : 'voided';
  if (isVoided) return 'edited';
  if (contentHash === undefined || !isComparable(contentHash)) return 'unknown';
  const isSame =
    result.state === 'posted' && contentHashOf(result.journal, tenantCurrency) === contentHash;
  return isSame ? 'unchanged' : 'edited';
};

type Changed = ReadReference & { change: ChangedJournal['change'] };

/** The changes in a group of journals, and the guards of those that were followed. */
type Checked = { findings: Findings; followed: Known };

const changesIn = (changed: readonly Changed[]): ChangedJournal[] =>
  changed.map(({ reference, change }) => ({ reference, change }));

/** Follows changes, each in its own transaction. */
const follow = async (
  changed: readonly Changed[],
  { known, ...context }: ChangesContext & { known: Known },
): Promise<Checked | 'account_not_found'> => {
  const { name, journals, clock } = context;
  const { posted, refused } = postedIn(changed);
  const made = await entriesOf(posted, context);
  if (made === 'account_not_found') return made;
  refused.push(...made.refused);
  const nextOf = new Map(made.entries.map((it) => [it.journal.platformReference, it]));
  const isRefused = new Set(refused.map(({ reference }) => reference));
  const followed = new Map<string, JournalGuard>();
  const locked: RefusedRecord[] = [];
  let lockDate: string | null = null;
  for (const { reference } of changed.filter((it) => !isRefused.has(it.reference))) {
    const guard = known.get(reference);
    if (guard === undefined) throw new Error(`journal ${reference} is not known`);
    const next = nextOf.get(reference) ?? null;
    const createdAt = clock().toISOString();
    const revision = await journals.revise(name, { reference, guard, next, createdAt });
    if (revision.outcome === 'followed') followed.set(reference, revision.guard);
    if (revision.outcome === 'period_locked') {
      locked.push(refusal(reference, 'period_locked', null));
      lockDate = revision.lockDate;
    }
  }
  const findings = {
    ...noFindings('journal'),
    unchanged: [...followed.keys()],
    changes: changesIn(changed.filter(({ reference }) => !followed.has(reference))),
    refused: [...refused, ...locked],
    lockDate,
    assumed: assumptionsOf(followed),
  };
  return { findings, followed };
};

/** Checks a group, and follows its changes. */
const checkGroup = async (
  read: readonly ReadReference[],
  context: ChangesContext & { known: Known },
): Promise<Checked | 'account_not_found'> => {
  const { known, tenantCurrency, followsEdits } = context;
  const compared = read.map((it) => {
    const guard = known.get(it.reference);
    return { ...it, change: guard ? compare(it, guard, tenantCurrency) : 'unknown' };
  });
  const changed = compared.flatMap(({ reference, result, change }) =>
    change === 'edited' || change === 'voided' ? [{ reference, result, change } as const] : [],
  );
  const result = followsEdits
    ? await follow(changed, context)
    : { findings: { ...noFindings('journal'), changes: changesIn(changed) }, followed: new Map() };
  if (result === 'account_not_found') return result;
  const unchanged = compared
    .filter(({ change }) => change === 'unchanged')
    .map(({ reference }) => reference);
  const findings = [{ ...noFindings('journal'), unchanged }, result.findings];
  return { ...result, findings: mergeFindings('journal', findings) };
};

/**
 * Checks known journals. Those whose lines a page does not list are read if the import is one of
 * changes, or if they are in the report. Returns `account_not_found` if the chart must be read
 * again.
 * @throws the failure of a call, after following the changes of the journals read before it
 */
export const checkKnown = async (
  listed: readonly ListedJournal[],
  context: ChangesContext & { known: Known },
): Promise<Findings | 'account_not_found'> => {
  const { known, isComplete, reported, onProgress } = context;
  const toRead = listed.filter(
    ({ isWhole, reference }) => isWhole || !isComplete || reported.has(reference),
  );
  const findings: Findings[] = [];
  const guards = new Map(known);
  for (const group of batchesOf(toRead, maximumGroupJournals)) {
    const { read, failure } = await readGroup(group, context);
    const checked = await checkGroup(read, context);
    if (checked === 'account_not_found') return checked;
    findings.push(checked.findings);
    for (const [reference, guard] of checked.followed) guards.set(reference, guard);
    if (checked.followed.size > 0) await onProgress();
    if (failure !== undefined) throw failure;
  }
  const merged = mergeFindings('journal', findings);
  const isRefused = new Set(merged.refused.map(({ reference }) => reference));
  const references = listed.map(({ reference }) => reference);
  return {
    ...merged,
    settled: references.filter((it) => !isRefused.has(it)),
    assumedBefore: assumptionsOf(guards),
    // A run that died after it had followed a change has not saved the date.
    replacedDates: toRead.flatMap(({ reference }) => guards.get(reference)?.replacedDate ?? []),
  };
};
