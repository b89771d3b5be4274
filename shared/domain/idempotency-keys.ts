// The Idempotency-Key header: which keys may be given.

import { type Problem, problem } from '../errors.ts';

/** Its name, as headers are looked up. */
export const idempotencyKeyHeader = 'idempotency-key';

/** The problem of a key that may not be given; none where there is no key. */
export const idempotencyKeyProblems = (idempotencyKey: string | undefined): Problem[] =>
  idempotencyKey === undefined || /^[\x21-\x7e]{1,255}$/.test(idempotencyKey)
    ? []
    : [problem('idempotency_key_not_valid', '/Idempotency-Key')];
