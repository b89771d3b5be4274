// Reads a request into a draft entry, whole or as far as it can be read.

import * as z from 'zod/mini';
import { draftLine, type EntryDraft, type PartialDraft } from '#shared/domain/entries/draft.ts';
import type { Problem } from '#shared/errors.ts';
import { Line, maximumRequestLines, Request } from './schema.ts';

const idText = (userId: number | undefined): string | null =>
  userId === undefined ? null : String(userId);

/** The draft of a well-formed request. */
export const readDraft = (request: Request): EntryDraft => ({
  date: request.date,
  memo: request.memo,
  transactionCurrency: request.transactionCurrency,
  reportingCurrency: request.reportingCurrency,
  lines: request.entries.map(draftLine),
  accrualDate: request.accrual_date ?? null,
  externalId: request.external_id ?? null,
  userId: idText(request.user_id),
  metadata: request.metadata ?? {},
});

const Fields = z.partial(
  z.pick(Request, {
    domain_url: true,
    date: true,
    accrual_date: true,
    transactionCurrency: true,
    reportingCurrency: true,
    external_id: true,
    user_id: true,
  }),
);
const Sides = z.object(z.pick(Line, { debit: true, credit: true }).shape);
const HasAccount = z.object({ account: Line.shape.account });

/**
 * What can be read of a request whose schema found problems, so that the rules which do not depend
 * on the broken parts are still checked and every problem is named at once.
 */
export const readPartialDraft = (
  input: unknown,
  found: readonly Problem[],
): { domainUrl: string | undefined; draft: PartialDraft } => {
  const given = z.record(z.string(), z.unknown()).safeParse(input).data ?? {};
  const readable = Object.fromEntries(
    Object.keys(Fields.shape)
      .filter((field) => field in given && !found.some(({ pointer }) => pointer === `/${field}`))
      .map((field) => [field, given[field]]),
  );
  const fields = Fields.parse(readable);
  const entries = Array.isArray(given.entries) ? given.entries : [];
  const draft = {
    date: fields.date,
    accrualDate: fields.accrual_date ?? null,
    transactionCurrency: fields.transactionCurrency,
    reportingCurrency: fields.reportingCurrency,
    externalId: fields.external_id ?? null,
    userId: idText(fields.user_id),
    lines: entries.map((entry: unknown, index) => {
      const sides = Sides.safeParse(entry).data;
      // No more accounts are looked up than the longest entry has.
      const account =
        index < maximumRequestLines ? HasAccount.safeParse(entry).data?.account : undefined;
      return { account, amounts: sides && draftLine({ account: account ?? '', ...sides }) };
    }),
  };
  return { domainUrl: fields.domain_url, draft };
};
