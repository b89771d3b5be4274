// Chooses reversals, cancellations and locks: mostly valid ones, often repeats, sometimes invalid
// ones.

import type { Random } from '../support/builders/random.ts';
import { never, type SeenEntry } from './attempts.ts';
import { dateOf } from './chosen-entries.ts';
import { companyNames } from './company-names.ts';
import type { Model } from './model/model.ts';
import type { Company, EntryName, Request, RequestOf, Settings } from './requests.ts';

const externalIds = Array.from({ length: 8 }, (_, number) => `reversal ${number}`);
/** To the first everything is open again. */
const lockDates = ['0001-01-01', '0001-01-01', '2026-02-28', '2026-03-20', '2026-03-21'];
const yearEnds = ['12-31', '03-31', '02-29', '06-30'];
/** The number of latest entries to choose from. */
const recent = 25;

const isScheduled = ({ attempt, postedSince, cancelledSince }: SeenEntry): boolean =>
  attempt?.accrualDate != null && postedSince === never && cancelledSince === never;

export const openCorrectionsWorkload = ({
  random,
  model,
  nameInAnyForm,
}: {
  random: Random;
  model: Model;
  nameInAnyForm: (prefix: string) => string;
}) => {
  const reversals: RequestOf<'reversal'>[] = [];

  const nameOf = ({ entryId, number, externalId }: SeenEntry): EntryName => {
    const names: EntryName[] = [{ journal_entry_id: entryId }, { journal_number: number }];
    if (externalId !== null) names.push({ external_id: externalId });
    return random.once(30) ? { journal_number: 'MJ-20260320-9999' } : random.pick(names);
  };

  /** An entry of an application, and a name for it in a request. */
  const choose = (applicationId: string, isMeant: (entry: SeenEntry) => boolean) => {
    const own = model
      .seenEntries()
      .filter(({ place }) => place.startsWith(`${applicationId} `))
      .slice(-recent);
    const meant = own.filter(isMeant);
    const candidates = meant.length > 0 && !random.once(8) ? meant : own;
    if (candidates.length === 0) return undefined;
    const entry = random.pick(candidates);
    const prefix = entry.place.slice(applicationId.length + 1);
    const target = { applicationId, prefix, domainUrl: nameInAnyForm(prefix) };
    return { entry, target, named: nameOf(entry) };
  };

  const isReversible = (entry: SeenEntry): boolean =>
    !entry.isReversal && !isScheduled(entry) && entry.cancelledSince === never;

  return {
    reverse: (applicationId: string, now: number): Request | undefined => {
      const own = reversals.slice(-6).filter((it) => it.applicationId === applicationId);
      if (own.length > 0 && random.once(4)) return { ...random.pick(own), isDryRun: false };
      const chosen = choose(applicationId, isReversible);
      if (chosen === undefined) return undefined;
      const { entry, target, named } = chosen;
      const accrualDays = random.pick([null, null, 1, 1, 2, -1]);
      const day = dateOf(Date.parse(entry.postingDate), random.pick([0, 0, 1, 3, -1]));
      const asked = {
        date: random.once(3) ? dateOf(now) : day,
        memo: random.once(3) ? `Reversal ${random.below(3)}` : null,
        accrualDate: accrualDays === null ? null : dateOf(now, accrualDays),
        externalId: random.once(3) ? random.pick(externalIds) : null,
      };
      const isDryRun = random.once(8);
      const request: RequestOf<'reversal'> = {
        kind: 'reversal',
        ...target,
        named,
        asked,
        isDryRun,
      };
      reversals.push(request);
      return request;
    },

    /** Mostly scheduled entries, and half of the time a reversal. */
    cancel: (applicationId: string): Request | undefined => {
      const isOfReversals = random.once(2);
      const isMeant = (entry: SeenEntry): boolean =>
        isScheduled(entry) && (entry.isReversal || !isOfReversals);
      const chosen = choose(applicationId, isMeant);
      return chosen && { kind: 'cancellation', ...chosen.target, named: chosen.named };
    },

    /** Mostly a lock; what else there is of a connected tenant its platform says. */
    set: (
      { prefix, company }: { prefix: string; company: Company | undefined },
      { applicationId, now }: { applicationId: string; now: number },
    ): Request => {
      const others: Settings[] = [
        { financial_year_end: random.pick(yearEnds) },
        { cash_flow_method: random.pick(['direct', 'indirect'] as const) },
        { company_name: random.pick(companyNames) },
      ];
      const lock_date = random.once(3) ? dateOf(now, -random.below(3)) : random.pick(lockDates);
      const isLock = company !== undefined || !random.once(3);
      const changes = isLock ? { lock_date } : random.pick(others);
      const target = { applicationId, prefix, domainUrl: nameInAnyForm(prefix) };
      return { kind: 'settings', ...target, changes };
    },
  };
};
