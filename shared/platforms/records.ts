// Reads the records of a platform's list one by one, so that an odd one does not end the others.

import * as z from 'zod/mini';
import type { RefusedRecord } from '../domain/import-report.ts';

/** Where a record fails its schema, as in `line_items.0.account_id`. */
export const fieldOf = (error: z.core.$ZodError): string =>
  error.issues[0]?.path.join('.') || 'its root';

/** The record, or what is said of one that cannot be read. */
export type ReadRecord<Record> = { record: Record } | { refused: RefusedRecord };

/** Names a record by its id, and one without an id by its place in the list, counted from 1. */
const referenceOf = (id: unknown, place: number): string =>
  z.string().check(z.minLength(1), z.maxLength(100)).safeParse(id).data ?? `record ${place}`;

/**
 * Reads every record of a list by itself.
 * @param list.first the place of the first one in the whole list, counted from 1
 */
export const readRecords = <Schema extends z.ZodMiniType>(
  records: readonly unknown[],
  list: { kind: RefusedRecord['kind']; idField: string; first: number; schema: Schema },
): { reference: string; read: ReadRecord<z.output<Schema>> }[] =>
  records.map((given, index) => {
    const id = z.looseObject({}).safeParse(given).data?.[list.idField];
    const reference = referenceOf(id, list.first + index);
    const parsed = list.schema.safeParse(given);
    if (parsed.success) return { reference, read: { record: parsed.data } };
    const [reason, field] = ['record_not_understood', fieldOf(parsed.error)];
    return { reference, read: { refused: { kind: list.kind, reference, reason, field } } };
  });
