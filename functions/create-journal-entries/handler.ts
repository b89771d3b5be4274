// Posts up to 25 balanced journal entries together, or schedules them: all of them or none.

import * as z from 'zod/mini';
import { createApiHandler } from '#shared/endpoint/api.ts';
import { validFieldsOf } from '#shared/endpoint/validation.ts';
import {
  maximumRequestEntries,
  readDraft,
  readPartialDraft,
} from '#shared/entries/drafts/entry-request.ts';
import { replayHeaders } from '#shared/entries/entry-replays.view.ts';
import { createdViewOf } from '#shared/entries/journal-entry.view.ts';
import type { Posting } from '#shared/entries/posting.service.ts';
import { pointerTo } from '#shared/errors.ts';
import { idempotencyKeyHeader } from '#shared/idempotency-keys.ts';
import type { Log } from '#shared/log.ts';
import type { Metrics } from '#shared/metrics.ts';
import { Data, Request } from './schema.ts';

export type Dependencies = { posting: Posting; log: Log; metrics: Metrics };

const IsDryRun = z.object({ dry_run: z.literal(true) });
const HasExternalId = z.object({ external_id: z.string() });
const HasTenant = z.pick(Request, { domain_url: true });
const HasEntries = z.object({ journal_entries: z.array(z.unknown()) });

/** Without one of these or an Idempotency-Key a second try is a second entry of some. */
const isRepeatable = (input: unknown): boolean =>
  IsDryRun.safeParse(input).success ||
  HasEntries.safeParse(input).data?.journal_entries.every(
    (entry) => HasExternalId.safeParse(entry).success,
  ) === true;

const pointerToEntry = (index: number): string => pointerTo('journal_entries', index);

export const createHandler = ({ posting, log, metrics }: Dependencies) =>
  createApiHandler(
    {
      from: 'body',
      request: Request,
      data: Data,
      handle: async ({ caller: { applicationId, keyId }, input, header }) => {
        const drafts = input.journal_entries.map(readDraft);
        const isDryRun = input.dry_run === true;
        const target = {
          applicationId,
          domainUrl: input.domain_url,
          idempotencyKey: header(idempotencyKeyHeader),
          createdWithKey: keyId,
          ...{ isBatch: true, isDryRun },
        };
        const made = await posting.post(target, drafts);
        if (!isDryRun) made.forEach(metrics.entryAnswered);
        const answered = drafts.flatMap((draft, index) => {
          const answer = made[index];
          return answer ? [{ ...answer, draft, at: pointerToEntry(index) }] : [];
        });
        return {
          data: {
            journal_entries: made.map((it) => ({
              ...createdViewOf(it, { isDryRun }),
              replayed: it.replayed,
            })),
          },
          headers: replayHeaders(answered),
        };
      },
      storeProblems: ({ caller: { applicationId }, input, header }, found) => {
        const given = HasEntries.safeParse(input).data?.journal_entries ?? [];
        return posting.problemsOf(
          {
            applicationId,
            domainUrl: validFieldsOf(HasTenant, input).domain_url,
            idempotencyKey: header(idempotencyKeyHeader),
            isBatch: true,
          },
          // No more are judged than may be sent.
          given
            .slice(0, maximumRequestEntries)
            .map((entry, index) => readPartialDraft(entry, found, pointerToEntry(index))),
        );
      },
      isIdempotent: ({ input, header }) =>
        header(idempotencyKeyHeader) !== undefined || isRepeatable(input),
    },
    { log, metrics },
  );
