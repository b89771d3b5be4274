// Books as a journal that hledger reads (hledger manual, "journal format"; read with 1.25).
//
// Amounts are those of the transaction; where its currency is not that of the books, their cost is
// the book amount (`@@`), so that balances can be asked for in both. The date is the posting date,
// and the secondary date the one under which the entry is filed. Accounts have their type, so that
// `bse`, `is` and `cf` need no names, and as tags their subtype and the class of their cash flows.

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

/** In a comment `date:` must be followed by a date, and brackets around digits are one. */
const commentText = (text: string): string =>
  onOneLine(text)
    .replaceAll(/(date2?):/gi, '$1 :')
    .replaceAll('[', '(')
    .replaceAll(']', ')');

/** A word that ends in a colon is a tag in a comment: callers' words are none, as ours are. */
const withoutTags = (text: string): string => commentText(text).replaceAll(/(?<=[^ :]):/g, ' :');

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

/**
 * To hledger all cash is an asset (manual, "Account types"). A liability that is cash stays one, or
 * it would be among the assets of the balance sheet: `cash_flow` says that it is cash too.
 */
const typeLetter = (account: Account): string =>
  account.type === 'asset' && isCash(account) ? 'C' : types[account.type].letter;

const accountDirective = (account: Account): string => {
  const { subtype, cashFlow } = account;
  const tags = [
    `type: ${typeLetter(account)}`,
    ...(subtype ? [`subtype: ${subtype}`] : []),
    ...(cashFlow ? [`cash_flow: ${cashFlow}`] : []),
  ];
  return `account ${accountText(account)}  ; ${tags.join(', ')}\n`;
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
  const comment = line.description === '' ? '' : `  ; ${withoutTags(line.description)}`;
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
    ...tag('reverses', entry.reverses),
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
