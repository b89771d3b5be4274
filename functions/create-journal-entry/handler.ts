// Posts a balanced journal entry, or schedules it for a later date.

import * as z from 'zod/mini';
import { createApiHandler } from '#shared/endpoint/api.ts';
import { validFieldsOf } from '#shared/endpoint/validation.ts';
import { readDraft, readPartialDraft } from '#shared/entries/drafts/entry-request.ts';
import { replayHeaders } from '#shared/entries/entry-replays.view.ts';
import { createdViewOf } from '#shared/entries/journal-entry.view.ts';
import type { Posting } from '#shared/entries/posting.service.ts';
import { idempotencyKeyHeader } from '#shared/idempotency-keys.ts';
import type { Log } from '#shared/log.ts';
import type { Metrics } from '#shared/metrics.ts';
import { Data, Request } from './schema.ts';

export type Dependencies = { posting: Posting; log: Log; metrics: Metrics };

/** Without one of these or an Idempotency-Key a second try is a second entry. */
const IsRepeatable = z.union([
  z.object({ external_id: z.string() }),
  z.object({ dry_run: z.literal(true) }),
]);

const HasTenant = z.pick(Request, { domain_url: true });

export const createHandler = ({ posting, log, metrics }: Dependencies) =>
  createApiHandler(
    {
      from: 'body',
      request: Request,
      data: Data,
      handle: async ({ caller: { applicationId, keyId }, input, header }) => {
        const draft = readDraft(input);
        const isDryRun = input.dry_run === true;
        const target = {
          applicationId,
          domainUrl: input.domain_url,
          idempotencyKey: header(idempotencyKeyHeader),
          createdWithKey: keyId,
          ...{ isBatch: false, isDryRun },
        };
        const [made] = await posting.post(target, [draft]);
        if (made === undefined) throw new Error('a post made no entry');
        if (!isDryRun) metrics.entryAnswered(made);
        return {
          data: createdViewOf(made, { isDryRun }),
          headers: replayHeaders([{ ...made, draft, at: '' }]),
        };
      },
      storeProblems: ({ caller: { applicationId }, input, header }, found) =>
        posting.problemsOf(
          {
            applicationId,
            domainUrl: validFieldsOf(HasTenant, input).domain_url,
            idempotencyKey: header(idempotencyKeyHeader),
            isBatch: false,
          },
          [readPartialDraft(input, found)],
        ),
      isIdempotent: ({ input, header }) =>
        header(idempotencyKeyHeader) !== undefined || IsRepeatable.safeParse(input).success,
    },
    { log, metrics },
  );
