// What a reversal comes to by the contract: the lines of its original as replies show them, with
// the sides changed over, and everything else of its own.

import type { Data } from './entry-data.ts';
import type { AskedLine } from './expected-entry.ts';

/** What a request for a reversal asks for. */
export type AskedReversal = {
  date: string;
  /** Where it is null, the reversal gets a memo by itself. */
  memo: string | null;
  accrualDate: string | null;
  externalId: string | null;
};

/** What is reversed: its id, its number, and what a reply shows of it and never changes. */
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
  ...{ date, posting_date: accrualDate ?? date, accrual_date: accrualDate },
  memo: memo ?? `Reversal of ${original.number}`,
  ...{ entry_type: 'Manual Journal', external_id: externalId, user_id: null },
  ...{ metadata: {}, reverses: original.entryId, created_at: createdAt },
  transactions: (original.content.transactions as Data[]).map(changeOver),
});

/** Whether two requests ask for the same reversal. A repeat without a memo accepts any. */
export const isSameReversal = (asked: AskedReversal, kept: AskedReversal): boolean =>
  asked.date === kept.date &&
  (asked.memo === null || asked.memo === kept.memo) &&
  asked.accrualDate === kept.accrualDate &&
  asked.externalId === kept.externalId;
