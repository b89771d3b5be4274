// What all requests say that record entries.

import { idempotencyKeyHeader } from '../fields.ts';

export type EntryWrite = {
  idempotencyKey: string | undefined;
  createdWithKey: string;
  isDryRun: boolean;
  /** Whether to refuse a repeat with different content. */
  refusesMismatch: boolean;
};

export const entryWriteOf = ({
  caller,
  input,
  header,
}: {
  caller: { keyId: string };
  input: { dry_run?: boolean | undefined; on_mismatch?: string | undefined };
  header: (name: string) => string | undefined;
}): EntryWrite => ({
  idempotencyKey: header(idempotencyKeyHeader),
  createdWithKey: caller.keyId,
  isDryRun: input.dry_run === true,
  refusesMismatch: input.on_mismatch === 'refuse',
});
