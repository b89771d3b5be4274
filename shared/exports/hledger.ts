// The hledger export of books (hledger manual, "journal format"; tested with 1.25).
//
// Amounts are in the transaction currency. If the book currency differs, the cost (`@@`) is the
// book amount, so hledger can report balances in both. The date is the posting date, the secondary
// date the entry date. Accounts declare their type, so `bse`, `is` and `cf` need no account names,
// and have their subtype and cash-flow class as tags.

import Big from 'big.js';
import { type Account, isCash } from '../accounts/accounts.ts';
import type { JournalEntry, JournalLine } from '../entries/journal-entry.ts';
import { formatAmount } from '../money/amounts.ts';
import type { Tenant } from '../tenants/tenants.ts';

/** The top-level account name, and hledger's letter, for each type. */
const types: Record<Account['type'], { top: string; letter: string }> = {
  asset: { top: 'assets', letter: 'A' },
  liability: { top: 'liabilities', letter: 'L' },
  equity: { top: 'equity', letter: 'E' },
  revenue: { top: 'revenues', letter: 'R' },
  expense: { top: 'expenses', letter: 'X' },
};

/** Collapses white space, line ends and control characters to single spaces. */
const onOneLine = (text: string): string =>
  text.replaceAll(/[\s\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ').trim();

/** A semicolon starts a comment and cannot be escaped. A fullwidth semicolon does not. */
const withoutComment = (text: string): string => onOneLine(text).replaceAll(';', '\uff1b');

/** In a comment, hledger parses `date:` and digits in brackets as dates. */
const commentText = (text: string): string =>
  onOneLine(text)
    .replaceAll(/(date2?):/gi, '$1 :')
    .replaceAll('[', '(')
    .replaceAll(']', ')');

/** In a comment, a word with a colon is a tag. Callers' text must not create one. */
const withoutTags = (text: string): string => commentText(text).replaceAll(/(?<=[^ :]):/g, ' :');

/** Percent-encodes what would end or split an account name or an alias, or start a comment. */
const codeText = (code: string): string =>
  code.replaceAll(/[\s:;=%\p{Cc}\p{Zl}\p{Zp}]/gu, (it) => encodeURIComponent(it));

/** `assets:1010 Bank Current Account`. The code makes it unique. */
export const accountText = ({
  code,
  name,
  type,
}: Pick<Account, 'code' | 'name' | 'type'>): string =>
  `${types[type].top}:${codeText(code)} ${withoutComment(name).replaceAll(':', ' ')}`
    .replaceAll(/ +/g, ' ')
    .trim();

/**
 * hledger treats all cash as an asset (manual, "Account types"). A liability that is cash stays a
 * liability, or the balance sheet would list it as an asset. Its `cash_flow` tag marks it as cash.
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

/** Sets the decimals of a currency. Must precede the first amount in it. */
export const commodityDirective = (currency: string): string =>
  `commodity ${formatAmount(new Big(1000), currency)} ${currency}\n`;

/** Declares accounts. */
export const accountDirectives = (accounts: Iterable<Account>): string =>
  [...accounts].map(accountDirective).join('');

/** The name of an account in transactions whose reader does not know the chart. */
export const aliasText = (code: string): string => `code:${codeText(code)}`;

/** Declares accounts with their aliases. It must precede their transactions. */
export const aliasDirectives = (accounts: Iterable<Account>): string =>
  [...accounts]
    .map((it) => `${accountDirective(it)}alias ${aliasText(it.code)} = ${accountText(it)}\n`)
    .join('');

/** The start of the file, which declares the book currency. */
export const journalHead = (tenant: Tenant): string =>
  [
    `; Books of ${onOneLine(tenant.companyName)} (${tenant.prefix}), `,
    `kept in ${tenant.currency}\n\n`,
    'decimal-mark .\n',
    commodityDirective(tenant.currency),
  ].join('');

const tag = (name: string, value: string | null): string[] =>
  value === null ? [] : [`${name}:${commentText(value).replaceAll(',', ' ')}`];

const isZero = (amount: string): boolean => !/[1-9]/.test(amount);

const signed = (debit: string, credit: string): string => (isZero(credit) ? debit : `-${credit}`);

const postingText = (
  { transactionCurrency, bookCurrency }: JournalEntry,
  { line, account }: { line: JournalLine; account: string },
): string => {
  const amount = `${signed(line.debit, line.credit)} ${transactionCurrency}`;
  const bookAmount = isZero(line.bookCredit) ? line.bookDebit : line.bookCredit;
  // A cost has no sign. It takes the sign of the amount.
  const cost = transactionCurrency === bookCurrency ? '' : ` @@ ${bookAmount} ${bookCurrency}`;
  const comment = line.description === '' ? '' : `  ; ${withoutTags(line.description)}`;
  return `    ${account}  ${amount}${cost}${comment.trimEnd()}\n`;
};

/** @param accountNameOf returns the name of the account with a code */
export const transactionText = (
  entry: JournalEntry,
  accountNameOf: (code: string) => string,
): string => {
  const secondaryDate = entry.date === entry.postingDate ? '' : `=${entry.date}`;
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
  const head = `${entry.postingDate}${secondaryDate} * (${entry.journalNumber}) ${description}`;
  const postings = entry.lines.map((line) =>
    postingText(entry, { line, account: accountNameOf(line.account) }),
  );
  return `\n${head.trimEnd()}\n    ; ${tags.join(', ')}\n${postings.join('')}`;
};

/** The last line. If it is missing, the file is incomplete. */
export const journalEnd = (entries: number): string => `\n; The end: ${entries} entries.\n`;
