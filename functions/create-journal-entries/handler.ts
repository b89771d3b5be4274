// Posts or schedules up to 25 balanced journal entries: all of them, or none.

import * as z from 'zod/mini';
import { createTenantApiHandler, type TenantEndpointTools } from '#shared/endpoint/tenant-api.ts';
import {
  maximumRequestEntries,
  readDraft,
  readPartialDraft,
} from '#shared/entries/drafts/entry-request.ts';
import { replayHeaders } from '#shared/entries/entry-replays.view.ts';
import { entryWriteOf } from '#shared/entries/entry-write.ts';
import { createdViewOf } from '#shared/entries/journal-entry.view.ts';
import type { Posting } from '#shared/entries/posting.service.ts';
import { pointerTo } from '#shared/errors.ts';
import { idempotencyKeyHeader } from '#shared/fields.ts';
import { Data, Request } from './schema.ts';

export type Dependencies = TenantEndpointTools & { posting: Posting };

const IsDryRun = z.object({ dry_run: z.literal(true) });
const HasExternalId = z.object({ external_id: z.string() });
const HasEntries = z.object({ journal_entries: z.array(z.unknown()) });

/** A retry of any other request without an Idempotency-Key creates some entries twice. */
const isRepeatable = (input: unknown): boolean =>
  IsDryRun.safeParse(input).success ||
  HasEntries.safeParse(input).data?.journal_entries.every(
    (entry) => HasExternalId.safeParse(entry).success,
  ) === true;

const pointerToEntry = (index: number): string => pointerTo('journal_entries', index);

export const createHandler = ({ posting, ...tools }: Dependencies) =>
  createTenantApiHandler(
    {
      from: 'body',
      request: Request,
      data: Data,
      handle: async ({ tenant, ...request }) => {
        const { input } = request;
        const drafts = input.journal_entries.map(readDraft);
        const write = entryWriteOf(request);
        const results = await posting.post({ ...write, tenant, isBatch: true }, drafts);
        if (!write.isDryRun) results.forEach(tools.metrics.entryAnswered);
        const entries = drafts.flatMap((draft, index) => {
          const result = results[index];
          return result ? [{ ...result, draft, at: pointerToEntry(index) }] : [];
        });
        return {
          data: {
            journal_entries: results.map((result) => createdViewOf(result, write)),
          },
          headers: replayHeaders(entries),
        };
      },
      storeProblems: ({ tenant, input, header }, schemaProblems) => {
        const entries = HasEntries.safeParse(input).data?.journal_entries ?? [];
        return posting.problemsOf(
          { tenant, idempotencyKey: header(idempotencyKeyHeader), isBatch: true },
          entries
            .slice(0, maximumRequestEntries)
            .map((entry, index) => readPartialDraft(entry, schemaProblems, pointerToEntry(index))),
        );
      },
      isIdempotent: ({ input, header }) =>
        header(idempotencyKeyHeader) !== undefined || isRepeatable(input),
    },
    tools,
  );
