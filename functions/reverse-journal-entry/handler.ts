// Reverses a posted journal entry.

import { replayHeadersWith } from '#shared/endpoint/replay.view.ts';
import { createTenantApiHandler, type TenantEndpointTools } from '#shared/endpoint/tenant-api.ts';
import { validFieldsOf } from '#shared/endpoint/validation.ts';
import { nameOfOriginal } from '#shared/entries/entry-names.ts';
import { entryWriteOf } from '#shared/entries/entry-write.ts';
import { createdViewOf } from '#shared/entries/journal-entry.view.ts';
import { differencesOfReversal } from '#shared/entries/reversals/reversal.ts';
import type { Reversals } from '#shared/entries/reversals/reversals.service.ts';
import { idempotencyKeyHeader } from '#shared/fields.ts';
import { Data, Request } from './schema.ts';

export type Dependencies = TenantEndpointTools & { reversals: Reversals };

/** The readable fields of a reversal; all fields of a valid request. */
const readDraft = (input: Partial<Request>) => ({
  date: input.date ?? null,
  memo: input.memo,
  accrualDate: input.accrual_date ?? null,
  externalId: input.external_id ?? null,
  userId: input.user_id === undefined ? null : String(input.user_id),
  metadata: input.metadata ?? {},
});

export const createHandler = ({ reversals, ...tools }: Dependencies) =>
  createTenantApiHandler(
    {
      from: 'body',
      request: Request,
      data: Data,
      handle: async ({ tenant, ...request }) => {
        const { input } = request;
        const draft = readDraft(input);
        const write = entryWriteOf(request);
        const target = { ...write, tenant, originalName: nameOfOriginal(input) };
        const result = await reversals.reverse(target, draft);
        const data = createdViewOf(result, write);
        if (!write.isDryRun) tools.metrics.entryAnswered(result);
        if (!result.replayed) return { data };
        const headers = replayHeadersWith(differencesOfReversal(draft, result.entry));
        return { data, headers };
      },
      storeProblems: ({ tenant, input, header }) => {
        const readable = validFieldsOf(Request, input);
        const target = {
          tenant,
          originalName: nameOfOriginal(readable),
          idempotencyKey: header(idempotencyKeyHeader),
        };
        // With an unreadable accrual date, the posting date is unknown.
        const isDated = Object(input).accrual_date !== undefined;
        const accrualDate = isDated ? readable.accrual_date : null;
        const date = Object(input).date === undefined ? null : readable.date;
        return reversals.problemsOf(target, { ...readDraft(readable), accrualDate, date });
      },
    },
    tools,
  );
