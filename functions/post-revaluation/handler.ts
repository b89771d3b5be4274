// Posts the differences of a tenant's balances in other currencies to the closing rates.

import { replayHeadersWith } from '#shared/endpoint/replay.view.ts';
import { createTenantApiHandler, type TenantEndpointTools } from '#shared/endpoint/tenant-api.ts';
import { createdViewOf } from '#shared/entries/journal-entry.view.ts';
import { idempotencyKeyHeader } from '#shared/fields.ts';
import type { PostedRevaluation, Revaluations } from '#shared/revaluations/revaluations.service.ts';
import { Data, Request } from './schema.ts';

export type Dependencies = TenantEndpointTools & { revaluations: Pick<Revaluations, 'post'> };

/** JSON Pointers to the fields of a repeat that differ from the recorded revaluation. */
const differencesOf = (
  { as_of, memo, reverse_on_next_day, external_id }: Request,
  { entry, reversal }: NonNullable<PostedRevaluation['entries']>,
): string[] => [
  ...(as_of === entry.date ? [] : ['/as_of']),
  ...(memo === undefined || memo === entry.memo ? [] : ['/memo']),
  ...((reverse_on_next_day === true) === (reversal !== null) ? [] : ['/reverse_on_next_day']),
  ...((external_id ?? null) === entry.externalId ? [] : ['/external_id']),
];

export const createHandler = ({ revaluations, ...tools }: Dependencies) =>
  createTenantApiHandler(
    {
      from: 'body',
      request: Request,
      data: Data,
      handle: async ({ caller: { keyId }, tenant, input, header }) => {
        const isDryRun = input.dry_run === true;
        const { entries, remaining, replayed } = await revaluations.post(
          tenant,
          {
            date: input.as_of,
            kind: input.differences ?? 'all',
            isReversed: input.reverse_on_next_day === true,
            memo: input.memo,
            externalId: input.external_id ?? null,
          },
          { idempotencyKey: header(idempotencyKeyHeader), createdWithKey: keyId, isDryRun },
        );
        const recorded = [entries?.entry, entries?.reversal].filter((entry) => entry != null);
        if (!isDryRun)
          for (const entry of recorded) tools.metrics.entryAnswered({ entry, replayed });
        const [entry = null, reversal = null] = recorded.map((it) =>
          createdViewOf({ entry: it, replayed }, { isDryRun }),
        );
        const data = {
          as_of: input.as_of,
          journal_entry: entry,
          reversal,
          remaining_differences: remaining,
        };
        if (!replayed || entries === undefined) return { data };
        return { data, headers: replayHeadersWith(differencesOf(input, entries)) };
      },
    },
    tools,
  );
