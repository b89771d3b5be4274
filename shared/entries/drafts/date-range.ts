// Limits the dates of entries to a range around today, because reports read every year with
// entries.

import type { Quotas } from '../../applications/quotas.ts';
import { type Problem, problem } from '../../errors.ts';
import { addYears } from '../../money/dates.ts';
import type { PartialDraft } from './draft.ts';

export type DateQuotas = Pick<Quotas, 'entryYearsBack' | 'entryYearsAhead'>;

/** Finds dates that are too far from today (UTC). */
export const dateRangeProblems = (
  { date, accrualDate }: Pick<PartialDraft, 'date' | 'accrualDate'>,
  { today, quotas }: { today: string; quotas: DateQuotas },
): Problem[] => {
  const earliest = addYears(today, -quotas.entryYearsBack);
  const latest = addYears(today, quotas.entryYearsAhead);
  const back = { quota: 'entry_years_back', maximum: quotas.entryYearsBack, earliest };
  const ahead = { quota: 'entry_years_ahead', maximum: quotas.entryYearsAhead, latest };
  const at = (pointer: string, value: string | null | undefined): Problem[] => {
    if (!value || (value >= earliest && value <= latest)) return [];
    return [problem('date_out_of_range', pointer, value < earliest ? back : ahead)];
  };
  return [...at('/date', date), ...at('/accrual_date', accrualDate)];
};
