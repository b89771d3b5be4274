// Exports a tenant's posted entries in posting order.

import type { Account } from '#shared/accounts/accounts.ts';
import type { JournalEntry } from '#shared/entries/journal-entry.ts';
import type { StoredEntry } from '#shared/operator/recorded-books.store.ts';
import { type SheetName, sheetOf } from '#shared/sheets/day-sheets.store.ts';
import type { TenantName } from '#shared/table/keys.ts';
import type { Tenant } from '#shared/tenants/tenants.ts';
import type { Readers } from '../command.ts';
import { CommandFailure } from '../errors.ts';
import { entriesHead, entryRows } from './csv.ts';
import { commodityDirective, journalEnd, journalHead, transactionText } from './hledger.ts';

type Books = Readers['books'];

/** The file is written in chunks of about this many characters. */
const chunkLength = 64 * 1024;

const damaged = (problem: string): CommandFailure =>
  new CommandFailure(`${problem}: run books verify for this tenant`);

type Format = {
  head: string;
  entry: (entry: JournalEntry) => string;
  end: (entries: number) => string;
};

export const formats = {
  csv: (_tenant: Tenant, accounts: ReadonlyMap<string, Account>): Format => ({
    head: entriesHead(),
    entry: (entry) => entryRows(entry, accountIn(accounts, entry)),
    end: () => '',
  }),

  hledger: (tenant: Tenant, accounts: ReadonlyMap<string, Account>): Format => {
    const declared = new Set([tenant.currency]);
    return {
      head: journalHead(tenant, accounts.values()),
      entry: (entry) => {
        const { transactionCurrency: currency } = entry;
        const isNew = !declared.has(currency);
        declared.add(currency);
        const declaration = isNew ? `\n${commodityDirective(currency)}` : '';
        return declaration + transactionText(entry, accountIn(accounts, entry));
      },
      end: journalEnd,
    };
  },
} as const;

const accountIn =
  (accounts: ReadonlyMap<string, Account>, { journalNumber }: JournalEntry) =>
  (code: string): Account => {
    const account = accounts.get(code);
    if (account) return account;
    throw damaged(`${journalNumber} is posted to account ${code}, which does not exist`);
  };

/** The posted entries without an accrual date. @throws CommandFailure if one cannot be read */
async function* postedWithoutAccrual(
  entries: AsyncIterable<StoredEntry>,
): AsyncGenerator<StoredEntry> {
  for await (const item of entries) {
    const { entry, key } = item;
    if (entry === undefined) throw damaged(`the entry at ${key.sk} cannot be read`);
    if (entry.status === 'posted' && entry.accrualDate === null) yield item;
  }
}

/** Yields the entries posted on the date of a day sheet, in posting order. */
export const postedOn = (
  books: Books,
  name: TenantName,
  of: SheetName,
): AsyncGenerator<StoredEntry> =>
  books.merged(name, of, postedWithoutAccrual(books.entriesIn(name, { of })));

/**
 * Yields the posted entries from `from` to `to`, both included, by posting date, series and
 * posting sequence.
 * @throws CommandFailure if an entry cannot be read or a day sheet counts more entries
 */
export async function* postedEntries(
  books: Books,
  name: TenantName,
  { from, to }: { from: string; to: string },
): AsyncGenerator<JournalEntry> {
  for (const of of await books.listSheetNames(name)) {
    if (of.date < from || of.date > to) continue;
    const { counted } = sheetOf(await books.findSheetItem(name, of));
    let read = 0;
    for await (const { entry } of postedOn(books, name, of)) {
      if (entry === undefined) throw damaged(`an entry posted on ${of.date} cannot be read`);
      read += 1;
      yield entry;
    }
    if (read < counted) {
      throw damaged(
        `the ${of.series} day sheet of ${of.date} counts ${counted} entries, but there are ${read}`,
      );
    }
  }
}

export const exportBooks = async (
  { name, tenant }: { name: TenantName; tenant: Tenant },
  { books, writeOutput }: Pick<Readers, 'books' | 'writeOutput'>,
  {
    format,
    from,
    to,
    onEntry,
  }: { format: keyof typeof formats; from: string; to: string; onEntry: () => void },
): Promise<{ entries: number }> => {
  const accounts = new Map<string, Account>();
  for await (const account of books.accounts(name)) accounts.set(account.code, account);
  const file = formats[format](tenant, accounts);
  let [chunk, entries] = [file.head, 0];
  for await (const entry of postedEntries(books, name, { from, to })) {
    chunk += file.entry(entry);
    entries += 1;
    onEntry();
    if (chunk.length < chunkLength) continue;
    await writeOutput(chunk);
    chunk = '';
  }
  await writeOutput(chunk + file.end(entries));
  return { entries };
};
