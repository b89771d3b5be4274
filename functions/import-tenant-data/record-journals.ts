// Records the new journals of a page in groups, and checks those that were imported before.

import type { JournalGuard } from '#shared/imports/journal-guards.ts';
import { type Findings, mergeFindings, noFindings } from '#shared/imports/page-findings.ts';
import type { ListedJournal } from '#shared/platforms/platform.ts';
import { batchesOf } from '#shared/table/batches.ts';
import { type ChangesContext, checkKnown } from './follow-changes.ts';
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

/** The result of a group: the numbers of accepted and of new journals, and the findings. */
type GroupResult = { accepted: number; recorded: number; findings: Findings };

const recordGroup = async (
  read: readonly ReadReference[],
  context: RecordingContext & { mayRereadChart: boolean },
): Promise<GroupResult | 'account_not_found'> => {
  const { posted, refused } = postedIn(read);
  const made = await entriesOf(posted, context);
  if (made === 'account_not_found') return made;
  const { entries } = made;
  const { recorded, locked, lockDate } = await context.journals.record(context.name, entries);
  refused.push(...made.refused);
  refused.push(...locked.map((reference) => refusal(reference, 'period_locked', null)));
  const isRefused = new Set(refused.map(({ reference }) => reference));
  const settled = read.map(({ reference }) => reference).filter((it) => !isRefused.has(it));
  const assumed = assumptionsOf(
    entries
      .map(({ journal, origin }) => [journal.platformReference, origin] as const)
      .filter(([reference]) => !isRefused.has(reference)),
  );
  const findings = { ...noFindings('journal'), settled, refused, assumed, lockDate };
  return { accepted: entries.length - locked.length, recorded, findings };
};

/**
 * Records the new journals of a page, and checks the known ones for changes. Returns
 * `account_not_found` if a journal refers to an account that is not in the chart and the chart can
 * be read again.
 * @throws the failure of a call, after recording the journals read before it
 */
export const recordJournals = async (
  listed: readonly ListedJournal[],
  context: ChangesContext & { known: ReadonlyMap<string, JournalGuard> },
): Promise<{ added: number; findings: Findings } | 'account_not_found'> => {
  const { known, onProgress } = context;
  const isKnown = ({ reference }: ListedJournal): boolean => known.has(reference);
  const findings: Findings[] = [];
  let added = 0;
  for (const group of batchesOf(
    listed.filter((it) => !isKnown(it)),
    maximumGroupJournals,
  )) {
    const { read, failure } = await readGroup(group, context);
    const result = await recordGroup(read, context);
    if (result === 'account_not_found') return result;
    findings.push(result.findings);
    added += result.accepted;
    if (result.recorded > 0) await onProgress();
    if (failure !== undefined) throw failure;
  }
  const checked = await checkKnown(listed.filter(isKnown), context);
  if (checked === 'account_not_found') return checked;
  return { added, findings: mergeFindings('journal', [...findings, checked]) };
};
