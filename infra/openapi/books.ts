// The introduction's sections on reports, and on verifying that no entry was changed.

import { JournalEntryView } from '#shared/entries/journal-entry.view.ts';
import { codeBlock } from './markdown.ts';

/** Fields of an entry that its hash does not cover. */
const uncovered = ['status', 'posted_at', 'cancelled_at', 'reversed_by', 'hash', 'stuck'];

const coveredFields = Object.keys(JournalEntryView.shape).filter(
  (name) => !uncovered.includes(name),
);

/** Wraps names to lines that fit on a page. */
const inLines = (names: readonly string[]): string =>
  names
    .reduce<string[]>(([line = '', ...before], name) => {
      const longer = line === '' ? name : `${line} ${name}`;
      return longer.length <= 92 ? [longer, ...before] : [name, line, ...before];
    }, [])
    .reverse()
    .map((line) => `  ${line}`)
    .join('\n');

/** A Node.js module that recomputes hashes and digests. A test runs it on real replies. */
export const verificationSample = `import { createHash } from 'node:crypto';

const sha256 = (text) => createHash('sha256').update(text).digest('hex');
// Canonical JSON (RFC 8785), for the types that entries contain.
const canonical = (value) => {
  if (Array.isArray(value)) return '[' + value.map(canonical).join(',') + ']';
  if (value === null || typeof value !== 'object') return JSON.stringify(value);
  const fields = Object.entries(value)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, field]) => JSON.stringify(name) + ':' + canonical(field));
  return '{' + fields.join(',') + '}';
};

// The fields that v1 covers. Replies may gain fields.
const covered = \`
${inLines(coveredFields)}
\`.trim().split(/\\s+/);

// entry: from a reply; previous: the hash of the previous entry, or 64 zeros.
export const hashOf = (entry, previous) => {
  const content = Object.fromEntries(covered.map((name) => [name, entry[name]]));
  return sha256(['v1', previous, canonical(content)].join('\\n'));
};

// chains: [date, series, number of entries, last hash] for each posting date and series, sorted by
// date and series.
export const digestOf = (chains) =>
  sha256(chains.map((chain) => chain.join('\\t') + '\\n').join(''));`;

export const booksSection = `## Reports

Reports include all posted entries by **posting date**: the \`accrual_date\` if the entry has one,
or else its \`date\`. Amounts are in the tenant's currency. Reports are strongly consistent: the
next report contains every entry whose post was answered, with all its lines. Scheduled entries are
excluded.

**Check \`coverage\` in every report. \`all_entries\` means that the tenant keeps all its books
here. \`journals_only\` means that the tenant is or was connected to a platform. The platform has
its books, and the report contains only its manual journals and the entries posted here. Invoices,
bills, payments and bank transactions are missing, so the report does not show the whole company.**
While the tenant is \`importing\`, some journals are missing as well.

Amounts with two sides are shown as \`debit\` and \`credit\`, and neither is negative. A single
amount of an account, such as a balance, is positive for a debit and negative for a credit. The
\`normal_balance\` of an account does not change the sign: revenue of 100 is \`"-100.00"\`, and an
overdrawn bank account is also negative. Financial statements have other signs: see below.

### Financial statements

| report | covers | always true |
| --- | --- | --- |
| balance sheet | a date | assets equal liabilities plus equity |
| profit and loss | a period | the profits of consecutive periods add up |
| cash flow | a period | opening cash plus all flows equals the closing cash of the cash accounts |

The statements use the same totals as the trial balance, so they agree with it and with each other
to the cent. If the books contradict themselves, the reply is \`internal_error\` and the operator is
alerted. All statements have the same \`coverage\` and \`digest\` as the other reports.

**Signs.** In a statement, each section has its natural sign. Assets, costs and expenses are
positive for a debit. Liabilities, equity, revenue and income are positive for a credit. In cash
flows, inflows are positive. Amounts that reduce their section are negative.

**Classification.** The current \`subtype\`, \`cash_flow\` and \`normal_balance\` of an account
decide its section, also for earlier dates and periods. Updating an account moves it in all
statements. It does not change any \`digest\`.

**Fiscal years.** A year ends on the tenant's financial year end, by default \`12-31\`. There are no
closing entries: the balance sheet computes retained earnings. Without \`from\`, profit and loss and
cash flow start at the beginning of the fiscal year. Changing the financial year end changes all
years, including past ones.

**Cash flow** shows only movements of cash. In an entry with an account of class \`cash\`, credit
minus debit of each other line is a flow of the line's account. The flows of an entry add up to its
cash movement, and so do the flows of the statement. The direct and the indirect method show the
same operating total in two ways.

### Hashes and digests

The entries of each posting date and series form a chain in the order of \`posting_sequence\`. The
series is \`MJ\` for posted entries and \`IJ\` for imported ones. An entry's \`hash\` is the
SHA-256, in hexadecimal, of three lines in UTF-8, without a line end after the last:

1. \`v1\`
2. the hash of the entry with the previous \`posting_sequence\`, or 64 zeros for the first entry
3. the fields of the entry that the program below lists, with their values in replies, as canonical
   JSON (RFC 8785): names sorted by UTF-16 code units, no white space. Excluded are fields that can
   change later: \`status\`, \`posted_at\`, \`cancelled_at\`, \`reversed_by\`, \`stuck\` and
   \`hash\`

A report's \`digest\` is the SHA-256 of one line for each posting date and series with entries, up
to the last date of the report, sorted by date and series. A line consists of the date, the series,
the \`posting_sequence\` of the last entry and its hash. Tabs separate these, and a line feed ends
the line.

${codeBlock('js', verificationSample)}

An operator could change an entry and recompute all hashes, so the hashes alone prove nothing
against the operator. **A digest that you have stored does.** When you close a period, store the
digest in a place that the operator of the service cannot change. If the entries up to that date
still produce this digest, no entry was changed, added, removed or reordered. Later posts to these
dates produce a different digest. They follow the earlier entries in \`posting_sequence\`, so the
earlier entries alone still produce the stored digest.`;
