// Posts a balanced journal entry, or schedules it for a later date.

import * as z from 'zod/mini';
import { createTenantApiHandler, type TenantEndpointTools } from '#shared/endpoint/tenant-api.ts';
import { readDraft, readPartialDraft } from '#shared/entries/drafts/entry-request.ts';
import { replayHeaders } from '#shared/entries/entry-replays.view.ts';
import { entryWriteOf } from '#shared/entries/entry-write.ts';
import { createdViewOf } from '#shared/entries/journal-entry.view.ts';
import type { Posting } from '#shared/entries/posting.service.ts';
import { idempotencyKeyHeader } from '#shared/fields.ts';
import { Data, Request } from './schema.ts';

export type Dependencies = TenantEndpointTools & { posting: Posting };

/** A retry of any other request without an Idempotency-Key creates a second entry. */
const IsRepeatable = z.union([
  z.object({ external_id: z.string() }),
  z.object({ dry_run: z.literal(true) }),
]);

export const createHandler = ({ posting, ...tools }: Dependencies) =>
  createTenantApiHandler(
    {
      from: 'body',
      request: Request,
      data: Data,
      handle: async ({ tenant, ...request }) => {
        const { input } = request;
        const draft = readDraft(input);
        const write = entryWriteOf(request);
        const [result] = await posting.post({ ...write, tenant, isBatch: false }, [draft]);
        if (result === undefined) throw new Error('a post returned no entry');
        if (!write.isDryRun) tools.metrics.entryAnswered(result);
        return {
          data: createdViewOf(result, write),
          headers: replayHeaders([{ ...result, draft, at: '' }]),
        };
      },
      storeProblems: ({ tenant, input, header }, schemaProblems) =>
        posting.problemsOf(
          { tenant, idempotencyKey: header(idempotencyKeyHeader), isBatch: false },
          [readPartialDraft(input, schemaProblems)],
        ),
      isIdempotent: ({ input, header }) =>
        header(idempotencyKeyHeader) !== undefined || IsRepeatable.safeParse(input).success,
    },
    tools,
  );
