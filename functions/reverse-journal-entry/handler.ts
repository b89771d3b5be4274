// Reverses a posted journal entry by another one, once.

import { createApiHandler } from '#shared/endpoint/api.ts';
import { validFieldsOf } from '#shared/endpoint/validation.ts';
import { nameOfOriginal } from '#shared/entries/entry-names.ts';
import { createdViewOf } from '#shared/entries/journal-entry.view.ts';
import { differencesOfReversal } from '#shared/entries/reversals/reversal.ts';
import type { Reversals } from '#shared/entries/reversals/reversals.service.ts';
import { idempotencyKeyHeader } from '#shared/idempotency-keys.ts';
import type { Log } from '#shared/log.ts';
import type { Metrics } from '#shared/metrics.ts';
import { Data, Request } from './schema.ts';

export type Dependencies = { reversals: Reversals; log: Log; metrics: Metrics };

/** What can be read of a reversal; of a well-formed request all of it. */
const readDraft = (input: Partial<Request>) => ({
  date: input.date,
  memo: input.memo,
  accrualDate: input.accrual_date ?? null,
  externalId: input.external_id ?? null,
  userId: input.user_id === undefined ? null : String(input.user_id),
  metadata: input.metadata ?? {},
});

export const createHandler = ({ reversals, log, metrics }: Dependencies) =>
  createApiHandler(
    {
      from: 'body',
      request: Request,
      data: Data,
      handle: async ({ caller: { applicationId, keyId }, input, header }) => {
        const draft = { ...readDraft(input), date: input.date };
        const isDryRun = input.dry_run === true;
        const target = {
          applicationId,
          domainUrl: input.domain_url,
          originalName: nameOfOriginal(input),
          idempotencyKey: header(idempotencyKeyHeader),
          createdWithKey: keyId,
          isDryRun,
        };
        const made = await reversals.reverse(target, draft);
        const data = createdViewOf(made, { isDryRun });
        if (!isDryRun) metrics.entryAnswered(made);
        if (!made.replayed) return { data };
        const differing = differencesOfReversal(draft, made.entry);
        return {
          data,
          headers: {
            'Idempotent-Replayed': 'true',
            ...(differing.length > 0 && { 'Idempotency-Mismatch': differing.join(', ') }),
          },
        };
      },
      storeProblems: ({ caller: { applicationId }, input, header }) => {
        const readable = validFieldsOf(Request, input);
        const target = {
          applicationId,
          domainUrl: readable.domain_url,
          originalName: nameOfOriginal(readable),
          idempotencyKey: header(idempotencyKeyHeader),
        };
        // One that cannot be read leaves it open on which day the reversal counts.
        const isDated = Object(input).accrual_date !== undefined;
        const accrualDate = isDated ? readable.accrual_date : null;
        return reversals.problemsOf(target, { ...readDraft(readable), accrualDate });
      },
    },
    { log, metrics },
  );
