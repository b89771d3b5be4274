// Reads a platform's lists record by record, so an invalid record does not affect the others.

import * as z from 'zod/mini';
import {
  type AccountSubtype,
  type AccountType,
  importedClassificationOf,
  maximumAccountCodeLength,
  maximumAccountNameLength,
  type PlatformAccount,
} from '../accounts/accounts.ts';
import { positionReference, type RefusedRecord } from '../imports/import-report.ts';
import { truncate } from '../texts.ts';
import type { AccountPage, JournalPage, ReadJournal } from './platform.ts';

/** A list in a reply. */
export const Records = z.array(z.unknown());

/** The path of the first invalid field, for example `line_items.0.account_id`. */
const fieldOf = (error: z.core.$ZodError): string => error.issues[0]?.path.join('.') || 'its root';

/** A parsed record, or the reason why it cannot be read. */
type ReadRecord<Record> = { record: Record } | { refused: RefusedRecord };

const RecordId = z.string().check(z.minLength(1), z.maxLength(100));

/** `reference` is the record's id, or its position in the list if it has no id. */
type ListedRecord<Record> = { reference: string; hasId: boolean; read: ReadRecord<Record> };

/** @param list.first the position of the first record in the whole list, counted from 1 */
export const readRecords = <Schema extends z.ZodMiniType>(
  records: readonly unknown[],
  list: { kind: RefusedRecord['kind']; idField: string; first: number; schema: Schema },
): ListedRecord<z.output<Schema>>[] =>
  records.map((record, index) => {
    const fields = z.looseObject({}).safeParse(record).data;
    const id = RecordId.safeParse(fields?.[list.idField]).data;
    const reference = id ?? positionReference(list.first + index);
    const hasId = id !== undefined;
    const parsed = list.schema.safeParse(record);
    if (parsed.success) return { reference, hasId, read: { record: parsed.data } };
    const [reason, field] = ['record_not_understood', fieldOf(parsed.error)];
    return { reference, hasId, read: { refused: { kind: list.kind, reference, reason, field } } };
  });

/** Drops a code that is blank or too long. */
export const platformAccountOf = (fields: {
  accountId: string;
  code: string | null | undefined;
  name: string;
  type: AccountType;
  subtype: AccountSubtype | undefined;
  isArchived: boolean;
}): PlatformAccount => {
  const { accountId, name, type, subtype, isArchived } = fields;
  const code = fields.code?.trim() ?? '';
  return {
    accountId,
    code: code === '' || code.length > maximumAccountCodeLength ? null : code,
    name: truncate(maximumAccountNameLength, name),
    type,
    ...importedClassificationOf({ type, subtype }),
    status: isArchived ? 'archived' : 'active',
  };
};

/** `assumedField` is the unknown field, if the account's type had to be assumed. */
export type ReadAccount = { account: PlatformAccount; assumedField: string | null };

/**
 * @param accountFrom returns `undefined` for an account that the ledger does not need, and
 *   `refusedField` for an account of an unknown type
 */
export const accountsOf = <Record>(
  records: readonly ListedRecord<Record>[],
  accountFrom: (record: Record) => ReadAccount | { refusedField: string } | undefined,
): Omit<AccountPage, 'next'> => {
  const page: Omit<AccountPage, 'next'> = {
    accounts: [],
    unused: [],
    refused: [],
    assumptions: [],
  };
  const kind = 'account';
  for (const { reference, read } of records) {
    const result = 'record' in read ? accountFrom(read.record) : read;
    if (result === undefined) page.unused.push(reference);
    else if ('refused' in result) page.refused.push(result.refused);
    else if ('refusedField' in result) {
      const [reason, field] = ['record_not_understood', result.refusedField];
      page.refused.push({ kind, reference, reason, field });
    } else {
      const { account, assumedField: field } = result;
      page.accounts.push(account);
      if (field === null) continue;
      const assumption = 'account_type_assumed';
      page.assumptions.push({ kind, reference: account.accountId, assumption, field });
    }
  }
  return page;
};

export const refusedJournal = ({ field }: RefusedRecord): ReadJournal => ({
  state: 'refused',
  reason: 'record_not_understood',
  field: field ?? '',
});

/** For lists that contain whole journals. */
export const journalsOf = <Record>(
  records: readonly ListedRecord<Record>[],
  stateOf: (record: Record) => ReadJournal,
): Pick<JournalPage, 'journals' | 'refused'> => ({
  journals: records
    .filter(({ hasId }) => hasId)
    .map(({ reference, read }) => ({
      reference,
      isWhole: true,
      read: async () => ('record' in read ? stateOf(read.record) : refusedJournal(read.refused)),
    })),
  refused: records.flatMap(({ hasId, read }) => (!hasId && 'refused' in read ? read.refused : [])),
});
