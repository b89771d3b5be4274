// A reversal by the contract: the lines of its original with swapped sides, and its own fields.

import type { Data } from '../entry-data.ts';
import type { AskedLine } from './expected-entry.ts';

export type AskedReversal = {
  date: string;
  /** Defaults to a memo that names the original. */
  memo: string | null;
  accrualDate: string | null;
  externalId: string | null;
};

/** The original of a reversal, with the fields of its reply that never change. */
export type Original = { entryId: string; number: string; content: Data };

const other = { debit: 'credit', credit: 'debit' } as const satisfies Record<
  AskedLine['side'],
  AskedLine['side']
>;

const changeOver = (line: Data): Data =>
  Object.fromEntries(
    Object.entries(line).map(([name, value]) => {
      const [, kind = '', side] = /^(\w+_)?(debit|credit)$/.exec(name) ?? [];
      return [side === undefined ? name : `${kind}${other[side as AskedLine['side']]}`, value];
    }),
  );

/** The reply to a reversal, all but what only its recording decides. */
export const expectedReversal = (
  { date, memo, accrualDate, externalId }: AskedReversal,
  { original, createdAt }: { original: Original; createdAt: string },
): Data => ({
  ...original.content,
  date,
  posting_date: accrualDate ?? date,
  accrual_date: accrualDate,
  memo: memo ?? `Reversal of ${original.number}`,
  entry_type: 'Manual Journal',
  external_id: externalId,
  user_id: null,
  metadata: {},
  reverses: original.entryId,
  created_at: createdAt,
  transactions: (original.content.transactions as Data[]).map(changeOver),
});

/** Whether two requests ask for the same reversal. A repeat without a memo accepts any. */
export const isSameReversal = (asked: AskedReversal, kept: AskedReversal): boolean =>
  asked.date === kept.date &&
  (asked.memo === null || asked.memo === kept.memo) &&
  asked.accrualDate === kept.accrualDate &&
  asked.externalId === kept.externalId;
