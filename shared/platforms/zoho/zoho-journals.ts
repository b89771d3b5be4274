// Converts the journals of Zoho Books. The fields are from its OpenAPI document
// (www.zoho.com/books/api/v3/openapi-all.zip, journals.yml).

import * as z from 'zod/mini';
import { isCalendarDate } from '../../money/dates.ts';
import { sidesOf } from '../../money/sides.ts';
import type { PlatformJournal, PlatformJournalLine } from '../platform.ts';
import { Decimal } from '../replies.ts';
import { ZohoId } from './zoho-organizations.ts';
import { taxFieldsOfLine, taxLinesOf, type ZohoTax } from './zoho-taxes.ts';

/**
 * A journal in a list. It has no lines and, according to the documentation, no status and no time
 * of its last change. Lists recorded in 2026 have both (github.com/NangoHQ/ integration-templates,
 * integrations/zoho-books/tests/list-journals.test.json).
 */
export const ZohoJournalHead = z.object({
  journal_id: ZohoId,
  status: z.catch(z.nullish(z.string()), null),
  last_modified_time: z.catch(z.nullish(z.string()), null),
});
export type ZohoJournalHead = z.output<typeof ZohoJournalHead>;

/** For example 2026-06-09T13:16:09-0400. `Date.parse` needs a colon in the offset. */
const momentOf = ({ last_modified_time }: ZohoJournalHead): number | undefined => {
  const [, time, offset] = /^(.+T.+?)(Z|[+-]\d\d:?\d\d)$/.exec(last_modified_time ?? '') ?? [];
  const moment = Date.parse(`${time}${offset?.replace(/(\d\d)(\d\d)$/, '$1:$2')}`);
  return Number.isNaN(moment) ? undefined : moment;
};

/**
 * The journals changed since a time, from a list sorted by last change. Zoho's times are whole
 * seconds. Returns `undefined` if the list has another order, because it could then miss changes.
 */
export const changedSince = (
  heads: readonly ZohoJournalHead[],
  since: Date,
): ZohoJournalHead[] | undefined => {
  const moments = heads.map(momentOf);
  const isInOrder = moments.every(
    (moment, index) => moment !== undefined && moment <= (moments[index - 1] ?? moment),
  );
  const second = Math.floor(since.getTime() / 1000) * 1000;
  return isInOrder ? heads.filter((_, index) => (moments[index] ?? 0) >= second) : undefined;
};

/** Zoho's name for the status of a posted journal. */
const posted = 'published';

/** A journal without a status in the list may be posted, so it is read. */
export const mayBePosted = ({ status }: ZohoJournalHead): boolean => (status ?? posted) === posted;

const Line = z.object({
  account_id: ZohoId,
  description: z.nullish(z.string()),
  debit_or_credit: z.enum(['debit', 'credit']),
  amount: Decimal,
  /** The amount in the organization's currency. */
  bcy_amount: z.catch(z.nullish(Decimal), null),
  ...taxFieldsOfLine,
});

const ZohoJournal = z.object({
  journal_id: ZohoId,
  journal_date: z.string().check(z.refine(isCalendarDate)),
  entry_number: z.nullish(z.string()),
  reference_number: z.nullish(z.string()),
  notes: z.nullish(z.string()),
  currency_code: z.nullish(z.string()),
  /** Units of the organization's currency for one unit of the journal's currency. */
  exchange_rate: z.nullish(Decimal),
  status: z.string(),
  line_items: z.array(Line),
  taxes: z.catch(z.nullish(z.array(z.unknown())), null),
});
type ZohoJournal = z.output<typeof ZohoJournal>;

/** The schema of a journal with this id. */
export const zohoJournalOf = (journalId: string) =>
  z.extend(ZohoJournal, { journal_id: z.literal(journalId) });

export const isPosted = ({ status }: ZohoJournal): boolean => status === posted;

/** Amounts are usually positive. A negative amount belongs on the other side. */
const lineFrom = (line: z.output<typeof Line>): PlatformJournalLine => ({
  account: { id: line.account_id },
  description: line.description?.trim() ?? '',
  ...sidesOf(line.debit_or_credit === 'debit' ? line.amount : line.amount.neg()),
  reportingAmount: line.bcy_amount?.abs() ?? null,
});

/**
 * The journal with its tax lines, which Zoho does not list. Zoho states a currency for every
 * journal.
 *
 * VAT of a reverse charge or an acquisition is due and deducted at the same time, so its lines
 * would cancel each other. It is not imported.
 */
export const journalFrom = (journal: ZohoJournal, taxes: readonly ZohoTax[]): PlatformJournal => {
  const { journal_id: reference, notes, reference_number, entry_number, exchange_rate } = journal;
  const memo = [notes, reference_number, entry_number].map((text) => text?.trim()).find(Boolean);
  const lines = journal.line_items.map(lineFrom);
  return {
    reference,
    date: journal.journal_date,
    memo: memo ?? `Journal ${reference}`,
    currency: journal.currency_code ?? null,
    exchangeRate: exchange_rate?.gt(0) ? exchange_rate : null,
    lines: [...lines, ...taxLinesOf(journal, { lines, taxes })],
  };
};
