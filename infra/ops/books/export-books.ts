// Exports a tenant's posted entries in posting order.

import type { Account } from '#shared/accounts/accounts.ts';
import type { JournalEntry } from '#shared/entries/journal-entry.ts';
import {
  accountDirectives,
  accountText,
  commodityDirective,
  journalEnd,
  journalHead,
  transactionText,
} from '#shared/exports/hledger.ts';
import type { TenantName } from '#shared/table/keys.ts';
import type { Tenant } from '#shared/tenants/tenants.ts';
import type { Readers } from '../command.ts';
import { entriesHead, entryRows } from './csv.ts';

import { damaged, postedEntries } from './posted-entries.ts';

/** The file is written in chunks of about this many characters. */
const chunkLength = 64 * 1024;

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
      head: journalHead(tenant) + accountDirectives(accounts.values()),
      entry: (entry) => {
        const { transactionCurrency: currency } = entry;
        const isNew = !declared.has(currency);
        declared.add(currency);
        const declaration = isNew ? `\n${commodityDirective(currency)}` : '';
        const accountOf = accountIn(accounts, entry);
        return declaration + transactionText(entry, (code) => accountText(accountOf(code)));
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
  const write = async (text: string): Promise<void> => {
    const [altered] = books.takeAltered(name);
    if (altered) throw damaged(`${altered.key.sk} was altered in the table`);
    await writeOutput(text);
  };
  for await (const entry of postedEntries(books, name, { from, to })) {
    chunk += file.entry(entry);
    entries += 1;
    onEntry();
    if (chunk.length < chunkLength) continue;
    await write(chunk);
    chunk = '';
  }
  await write(chunk + file.end(entries));
  return { entries };
};
