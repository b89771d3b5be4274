// Reads the records of a platform's list one by one, so that an odd one does not end the others.

import * as z from 'zod/mini';
import type { PlatformAccount } from '../accounts/accounts.ts';
import { positionReference, type RefusedRecord } from '../imports/import-report.ts';
import type { AccountPage, JournalPage, ReadJournal } from './platform.ts';

/** Where a record fails its schema, as in `line_items.0.account_id`. */
export const fieldOf = (error: z.core.$ZodError): string =>
  error.issues[0]?.path.join('.') || 'its root';

/** The record, or what is said of one that cannot be read. */
export type ReadRecord<Record> = { record: Record } | { refused: RefusedRecord };

const RecordId = z.string().check(z.minLength(1), z.maxLength(100));

/** A record with the id that names it, or, where it has none, its place in the list. */
type ListedRecord<Record> = { reference: string; hasId: boolean; read: ReadRecord<Record> };

/**
 * Reads every record of a list by itself.
 * @param list.first the place of the first one in the whole list, counted from 1
 */
export const readRecords = <Schema extends z.ZodMiniType>(
  records: readonly unknown[],
  list: { kind: RefusedRecord['kind']; idField: string; first: number; schema: Schema },
): ListedRecord<z.output<Schema>>[] =>
  records.map((given, index) => {
    const id = z.looseObject({}).safeParse(given).data?.[list.idField];
    const found = RecordId.safeParse(id).data;
    const reference = found ?? positionReference(list.first + index);
    const hasId = found !== undefined;
    const parsed = list.schema.safeParse(given);
    if (parsed.success) return { reference, hasId, read: { record: parsed.data } };
    const [reason, field] = ['record_not_understood', fieldOf(parsed.error)];
    return { reference, hasId, read: { refused: { kind: list.kind, reference, reason, field } } };
  });

/** An account, with the field that its type was found without, if so. */
export type ReadAccount = { account: PlatformAccount; assumedField: string | null };

/** @param accountFrom an account of the ledger, or `undefined` of one that it has no use for */
export const accountsOf = <Record>(
  records: readonly ListedRecord<Record>[],
  accountFrom: (record: Record) => ReadAccount | undefined,
): Omit<AccountPage, 'next'> => {
  const found: ReadAccount[] = [];
  const unused: string[] = [];
  for (const { reference, read } of records) {
    if ('refused' in read) continue;
    const account = accountFrom(read.record);
    if (account) found.push(account);
    else unused.push(reference);
  }
  return {
    accounts: found.map(({ account }) => account),
    unused,
    refused: records.flatMap(({ read }) => ('refused' in read ? read.refused : [])),
    assumptions: found.flatMap(({ account: { accountId: reference }, assumedField: field }) =>
      field === null
        ? []
        : { kind: 'account', reference, assumption: 'account_type_assumed', field },
    ),
  };
};

/** Journals that their list has whole. */
export const journalsOf = <Record>(
  records: readonly ListedRecord<Record>[],
  stateOf: (record: Record) => ReadJournal,
): Pick<JournalPage, 'journals' | 'refused'> => {
  const resultOf = (read: ReadRecord<Record>): ReadJournal =>
    'record' in read
      ? stateOf(read.record)
      : { state: 'refused', reason: 'record_not_understood', field: read.refused.field ?? '' };
  return {
    journals: records
      .filter(({ hasId }) => hasId)
      .map(({ reference, read }) => ({
        reference,
        isWhole: true,
        read: async () => resultOf(read),
      })),
    refused: records.flatMap(({ hasId, read }) =>
      !hasId && 'refused' in read ? read.refused : [],
    ),
  };
};
