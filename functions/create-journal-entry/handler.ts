// Posts a balanced journal entry, or schedules it for a later date.

import * as z from 'zod/mini';
import type { EntryDraft } from '#shared/domain/entries/draft.ts';
import type { JournalEntry } from '#shared/domain/entries/journal-entry.ts';
import { differences, pointerList } from '#shared/domain/entries/replay-differences.ts';
import type { Posting } from '#shared/ledger/posting.ts';
import type { Log } from '#shared/log.ts';
import type { Metrics } from '#shared/metrics.ts';
import { type ApiReply, createApiHandler } from '#shared/triggers/api.ts';
import { viewOf } from '#shared/views/journal-entry.ts';
import { readDraft, readPartialDraft } from './draft.ts';
import { Data, Request } from './schema.ts';

export type Dependencies = { posting: Posting; log: Log; metrics: Metrics };

/** All headers together may have 10,240 bytes (API Gateway quotas); this leaves ample room. */
const maximumMismatchHeaderLength = 4_096;

/** Without an external_id or an Idempotency-Key a second try is a second entry. */
const HasExternalId = z.object({ external_id: z.string() });

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
        const target = {
          applicationId,
          domainUrl: input.domain_url,
          idempotencyKey: header(idempotencyKeyHeader),
          createdWithKey: keyId,
        };
        const { entry, replayed } = await posting.post(target, draft);
        if (replayed) {
          metrics.replayed();
          return replayOf(draft, entry);
        }
        metrics.entryRecorded(entry.status === 'scheduled' ? 'scheduled' : 'posted');
        return { data: viewOf(entry) };
      },
      storeProblems: ({ caller: { applicationId }, input, header }, found) => {
        const { domainUrl, draft } = readPartialDraft(input, found);
        const idempotencyKey = header(idempotencyKeyHeader);
        return posting.problemsOf({ applicationId, domainUrl, idempotencyKey }, draft);
      },
      isIdempotent: ({ input, header }) =>
        header(idempotencyKeyHeader) !== undefined || HasExternalId.safeParse(input).success,
    },
    { log, metrics },
  );
