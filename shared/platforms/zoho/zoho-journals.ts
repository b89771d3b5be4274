// What the journals of Zoho Books mean to the ledger. Their fields are those of its OpenAPI
// document (www.zoho.com/books/api/v3/openapi-all.zip, journals.yml).

import * as z from 'zod/mini';
import { isCalendarDate } from '../../money/dates.ts';
import type { PlatformJournal, PlatformJournalLine } from '../platform.ts';
import { Decimal } from '../replies.ts';
import { ZohoId } from './zoho-organizations.ts';
import { taxFieldsOfLine, taxLinesOf, type ZohoTax } from './zoho-taxes.ts';

/**
 * A journal in a list: without its lines, and by the documentation without its status and without
 * the moment of its last change. Recorded lists of 2026 have both (github.com/NangoHQ/
 * integration-templates, integrations/zoho-books/tests/list-journals.test.json).
 */
export const ZohoJournalHead = z.object({
  journal_id: ZohoId,
  status: z.catch(z.nullish(z.string()), null),
  last_modified_time: z.catch(z.nullish(z.string()), null),
});
export type ZohoJournalHead = z.output<typeof ZohoJournalHead>;

/** As in 2026-06-09T13:16:09-0400, whose offset needs a colon; without one it is no moment. */
const momentOf = ({ last_modified_time }: ZohoJournalHead): number | undefined => {
  const [, time, offset] = /^(.+T.+?)(Z|[+-]\d\d:?\d\d)$/.exec(last_modified_time ?? '') ?? [];
  const moment = Date.parse(`${time}${offset?.replace(/(\d\d)(\d\d)$/, '$1:$2')}`);
  return Number.isNaN(moment) ? undefined : moment;
};

/**
 * Those of a list, latest change first, that were changed since a moment; Zoho's moments are in
 * whole seconds. `undefined` where the list is not in that order: nobody knows then what is next.
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

/** Journals are drafts before they are published, which is what Zoho calls posting them. */
const posted = 'published';

/** A head that does not say what it is may be that of a draft: its journal tells. */
export const mayBePosted = ({ status }: ZohoJournalHead): boolean => (status ?? posted) === posted;

const Line = z.object({
  account_id: ZohoId,
  description: z.nullish(z.string()),
  debit_or_credit: z.enum(['debit', 'credit']),
  amount: Decimal,
  /** In the organization's own currency. */
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
  /** Units of the organization's own currency for one unit of the journal's. */
  exchange_rate: z.nullish(Decimal),
  status: z.string(),
  line_items: z.array(Line),
  taxes: z.catch(z.nullish(z.array(z.unknown())), null),
});
export type ZohoJournal = z.output<typeof ZohoJournal>;

/** The journal of this id; a reply with another one fails at its id. */
export const zohoJournalOf = (journalId: string) =>
  z.extend(ZohoJournal, { journal_id: z.literal(journalId) });

export const isPosted = ({ status }: ZohoJournal): boolean => status === posted;

/** Amounts are positive as a rule; one below zero belongs on the other side. */
const lineFrom = (line: z.output<typeof Line>): PlatformJournalLine => {
  const { amount } = line;
  const zero = amount.times(0).abs();
  const isDebit = (line.debit_or_credit === 'debit') === amount.gte(0);
  return {
    account: { id: line.account_id },
    description: line.description?.trim() ?? '',
    debit: isDebit ? amount.abs() : zero,
    credit: isDebit ? zero : amount.abs(),
    reportingAmount: line.bcy_amount?.abs() ?? null,
  };
};

/**
 * The journal with a line for each of its taxes, which Zoho leaves out of its lines; in its own
 * currency, which Zoho states for every journal.
 *
 * VAT of a reverse charge or of an acquisition is due and deducted at once, so it leaves no
 * difference; Zoho states an amount of it with the line, and no account. It is left out.
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
