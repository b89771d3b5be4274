// Books as a journal that hledger reads (hledger manual, "journal format"; read with 1.25).
//
// Amounts are those of the transaction; where its currency is not that of the books, their cost is
// the book amount (`@@`), so that balances can be asked for in both. The date is the posting date,
// and the secondary date the one under which the entry is filed.

import { type Account, isCash } from '#shared/domain/accounts.ts';
import type { JournalEntry, JournalLine } from '#shared/domain/entries/journal-entry.ts';
import type { Tenant } from '#shared/domain/tenants.ts';

/** The top of each account's name, and hledger's letter for the type. */
const types: Record<Account['type'], { top: string; letter: string }> = {
  asset: { top: 'assets', letter: 'A' },
  liability: { top: 'liabilities', letter: 'L' },
  equity: { top: 'equity', letter: 'E' },
  revenue: { top: 'revenues', letter: 'R' },
  expense: { top: 'expenses', letter: 'X' },
};

/** White space of any kind, line ends and controls as one blank each. */
const onOneLine = (text: string): string =>
  text.replaceAll(/[\s\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ').trim();

/** A semicolon begins a comment, and nothing takes that meaning from it: its wide form has none. */
const withoutComment = (text: string): string => onOneLine(text).replaceAll(';', '\uff1b');

/**
 * In a comment a word that ends in `date:` is a tag that must be followed by a date, and brackets
 * around digits are a date themselves.
 */
const commentText = (text: string): string =>
  onOneLine(text)
    .replaceAll(/(date2?):/gi, '$1 :')
    .replaceAll('[', '(')
    .replaceAll(']', ')');

/** A code as one word: what could end a name, part it or begin a comment is written as in URLs. */
const codeText = (code: string): string =>
  code.replaceAll(/[\s:;%\p{Cc}\p{Zl}\p{Zp}]/gu, (it) => encodeURIComponent(it));

/** Unique by the code, whatever its name: `assets:1010 Bank Current Account`. */
export const accountText = ({
  code,
  name,
  type,
}: Pick<Account, 'code' | 'name' | 'type'>): string =>
  `${types[type].top}:${codeText(code)} ${withoutComment(name).replaceAll(':', ' ')}`
    .replaceAll(/ +/g, ' ')
    .trim();

const accountDirective = (account: Account): string => {
  const letter = isCash(account) ? 'C' : types[account.type].letter;
  return `account ${accountText(account)}  ; type: ${letter}\n`;
};

/** Stands somewhere before the first amount in this currency, with its decimals. */
export const commodityDirective = (currency: string): string => `commodity 1000.00 ${currency}\n`;

/** What stands before the entries: every account is declared, and the currency of the books. */
export const journalHead = (tenant: Tenant, accounts: Iterable<Account>): string =>
  [
    `; Books of ${onOneLine(tenant.companyName)} (${tenant.prefix}), `,
    `kept in ${tenant.currency}\n\n`,
    'decimal-mark .\n',
    commodityDirective(tenant.currency),
    ...[...accounts].map(accountDirective),
  ].join('');

const tag = (name: string, value: string | null): string[] =>
  value === null ? [] : [`${name}:${commentText(value).replaceAll(',', ' ')}`];

const signed = (debit: string, credit: string): string =>
  credit === '0.00' ? debit : `-${credit}`;

const postingText = (
  { transactionCurrency, bookCurrency }: JournalEntry,
  { line, account }: { line: JournalLine; account: Account },
): string => {
  const amount = `${signed(line.debit, line.credit)} ${transactionCurrency}`;
  const bookAmount = line.bookCredit === '0.00' ? line.bookDebit : line.bookCredit;
  // The cost has no sign of its own; it takes that of the amount.
  const cost = transactionCurrency === bookCurrency ? '' : ` @@ ${bookAmount} ${bookCurrency}`;
  const comment = line.description === '' ? '' : `  ; ${commentText(line.description)}`;
  return `    ${accountText(account)}  ${amount}${cost}${comment.trimEnd()}\n`;
};

/** @param accountOf an account of a code that the entry has */
export const transactionText = (
  entry: JournalEntry,
  accountOf: (code: string) => Account,
): string => {
  const filed = entry.date === entry.postingDate ? '' : `=${entry.date}`;
  const tags = [
    ...tag('id', entry.entryId),
    ...tag('external_id', entry.externalId),
    ...tag('user_id', entry.userId),
    ...(entry.reportingCurrency === entry.bookCurrency
      ? []
      : tag('reporting', `${entry.reportingAmount} ${entry.reportingCurrency}`)),
  ];
  const description = withoutComment(entry.memo);
  const head = `${entry.postingDate}${filed} * (${entry.journalNumber}) ${description}`;
  const postings = entry.lines.map((line) =>
    postingText(entry, { line, account: accountOf(line.account) }),
  );
  return `\n${head.trimEnd()}\n    ; ${tags.join(', ')}\n${postings.join('')}`;
};

/** Shows that nothing is missing: a file that was cut short does not have it. */
export const journalEnd = (entries: number): string => `\n; The end: ${entries} entries.\n`;
