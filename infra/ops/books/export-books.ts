// Takes a tenant's books out of the ledger: what counts, in the order in which it came to count.

import type { Account } from '#shared/domain/accounts.ts';
import type { JournalEntry } from '#shared/domain/entries/journal-entry.ts';
import type { Tenant } from '#shared/domain/tenants.ts';
import { type SheetName, sheetOf } from '#shared/store/day-sheets.ts';
import type { StoredEntry } from '#shared/store/kept-books.ts';
import type { TenantName } from '#shared/store/keys.ts';
import type { Readers } from '../command.ts';
import { CommandFailure } from '../errors.ts';
import { entriesHead, entryRows } from './csv.ts';
import { commodityDirective, journalEnd, journalHead, transactionText } from './hledger.ts';

type Books = Readers['books'];

/** A file is written in pieces of about this many characters. */
const pieceLength = 64 * 1024;

const damaged = (what: string): CommandFailure =>
  new CommandFailure(`${what}: look at these books by books verify`);

/** The text of a file in its parts. */
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
    throw damaged(`${journalNumber} is posted to ${code}, and there is no such account`);
  };

async function* plainOf(entries: AsyncIterable<StoredEntry>): AsyncGenerator<StoredEntry> {
  for await (const found of entries) {
    const { entry, key } = found;
    if (entry === undefined) throw damaged(`what stands at ${key.sk} cannot be read`);
    if (entry.status === 'posted' && entry.accrualDate === null) yield found;
  }
}

/** Yields what counts on a date, in the order in which it came to count. */
export const countedOn = (
  books: Books,
  name: TenantName,
  of: SheetName,
): AsyncGenerator<StoredEntry> => books.merged(name, of, plainOf(books.entriesIn(name, { of })));

/**
 * Yields what counts on these dates, both included, by posting date, series and posting sequence.
 * @throws CommandFailure where fewer are there than a sheet counts
 */
export async function* countedEntries(
  books: Books,
  name: TenantName,
  { from, to }: { from: string; to: string },
): AsyncGenerator<JournalEntry> {
  for (const of of await books.listSheetNames(name)) {
    if (of.date < from || of.date > to) continue;
    const { counted } = sheetOf(await books.findSheetItem(name, of));
    let found = 0;
    for await (const { entry } of countedOn(books, name, of)) {
      if (entry === undefined) throw damaged(`an entry that counts on ${of.date} cannot be read`);
      found += 1;
      yield entry;
    }
    if (found < counted) {
      throw damaged(
        `on ${of.date} ${counted} entries of ${of.series} count, and ${found} are there`,
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
  let [piece, entries] = [file.head, 0];
  for await (const entry of countedEntries(books, name, { from, to })) {
    piece += file.entry(entry);
    entries += 1;
    onEntry();
    if (piece.length < pieceLength) continue;
    await writeOutput(piece);
    piece = '';
  }
  await writeOutput(piece + file.end(entries));
  return { entries };
};
