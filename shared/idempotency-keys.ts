// The Idempotency-Key header and its validation.

import { type Problem, problem } from './errors.ts';

/** Lower case, because headers are looked up by it. */
export const idempotencyKeyHeader = 'idempotency-key';

export const idempotencyKeyProblems = (idempotencyKey: string | undefined): Problem[] =>
  idempotencyKey === undefined || /^[\x21-\x7e]{1,255}$/.test(idempotencyKey)
    ? []
    : [problem('idempotency_key_not_valid', '/Idempotency-Key')];
