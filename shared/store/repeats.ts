// Idempotency-Keys of tenant creations: what was asked for with each, and what was made.

import * as z from 'zod/mini';
import { repeatKey } from './keys.ts';
import { type Action, mustBeNew, type Table } from './table.ts';

/** An Idempotency-Key, and what the request asked for with it (never credentials). */
export type RepeatableRequest = { idempotencyKey: string; request: Record<string, unknown> };

/** What an earlier request with the same Idempotency-Key asked for and made. */
export const Repeat = z.object({
  schemaName: z.string(),
  request: z.record(z.string(), z.unknown()),
});
export type Repeat = z.infer<typeof Repeat>;

/** The actions that use up an Idempotency-Key together with what is made; none without a key. */
export const repeatActions = (
  { applicationId }: { applicationId: string },
  schemaName: string,
  repeatable: RepeatableRequest | undefined,
): Action[] => {
  if (repeatable === undefined) return [];
  const { idempotencyKey, request } = repeatable;
  const item = { ...repeatKey({ applicationId, idempotencyKey }), schemaName, request };
  return [{ put: item, condition: mustBeNew }];
};

/** What was made with the Idempotency-Key of this request, if it was used. */
export const findRepeat = async (
  table: Table,
  { applicationId }: { applicationId: string },
  repeatable: RepeatableRequest | undefined,
): Promise<Repeat | undefined> => {
  if (repeatable === undefined) return undefined;
  const { idempotencyKey } = repeatable;
  const item = await table.get(repeatKey({ applicationId, idempotencyKey }));
  return item && Repeat.parse(item);
};
