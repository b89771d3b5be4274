// Posts a balanced journal entry, or schedules it for a later date.

import * as z from 'zod/mini';
import type { EntryDraft } from '#shared/domain/entries/draft.ts';
import { readDraft, readPartialDraft } from '#shared/domain/entries/entry-request.ts';
import type { JournalEntry } from '#shared/domain/entries/journal-entry.ts';
import { differences, pointerList } from '#shared/domain/entries/replay-differences.ts';
import type { Posting } from '#shared/ledger/posting.ts';
import type { Log } from '#shared/log.ts';
import type { Metrics } from '#shared/metrics.ts';
import { type ApiReply, createApiHandler } from '#shared/triggers/api.ts';
import { validFieldsOf } from '#shared/triggers/validation.ts';
import { madeViewOf, viewOf } from '#shared/views/journal-entry.ts';
import { Data, Request } from './schema.ts';

export type Dependencies = { posting: Posting; log: Log; metrics: Metrics };

/** All headers together may have 10,240 bytes (API Gateway quotas); this leaves ample room. */
const maximumMismatchHeaderLength = 4_096;

/** Without one of these or an Idempotency-Key a second try is a second entry. */
const IsRepeatable = z.union([
  z.object({ external_id: z.string() }),
  z.object({ dry_run: z.literal(true) }),
]);

const HasTenant = z.pick(Request, { domain_url: true });

const idempotencyKeyHeader = 'idempotency-key';

const replayOf = (draft: EntryDraft, original: JournalEntry): ApiReply<Data> => {
  const differing = differences(draft, original);
  return {
    data: viewOf(original),
    headers: {
      'Idempotent-Replayed': 'true',
      ...(differing.length > 0 && {
        'Idempotency-Mismatch': pointerList(differing, maximumMismatchHeaderLength),
      }),
    },
  };
};

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
        if (made.replayed) {
          if (!isDryRun) metrics.replayed();
          return replayOf(draft, made.entry);
        }
        if (!isDryRun) metrics.entryRecorded(made.entry.status);
        return { data: madeViewOf(made, { isDryRun }) };
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
