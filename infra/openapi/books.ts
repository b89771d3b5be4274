// What a caller must know of reports, and how it finds out by itself that nothing was changed.

import { JournalEntryView } from '#shared/views/journal-entry.ts';
import { codeBlock } from './markdown.ts';

/** What a reply shows of an entry and its hash does not cover. */
const uncovered = ['status', 'posted_at', 'cancelled_at', 'reversed_by', 'hash', 'stuck'];

const coveredFields = Object.keys(JournalEntryView.shape).filter(
  (name) => !uncovered.includes(name),
);

/** Names in lines that fit into a page. */
const inLines = (names: readonly string[]): string =>
  names
    .reduce<string[]>(([line = '', ...before], name) => {
      const longer = line === '' ? name : `${line} ${name}`;
      return longer.length <= 92 ? [longer, ...before] : [name, line, ...before];
    }, [])
    .reverse()
    .map((line) => `  ${line}`)
    .join('\n');

/** How to recompute a hash and a digest, as a module of Node.js; a test runs it on real replies. */
export const verificationSample = `import { createHash } from 'node:crypto';

const sha256 = (text) => createHash('sha256').update(text).digest('hex');
// Canonical JSON (RFC 8785), as far as what an entry has needs it.
const canonical = (value) => {
  if (Array.isArray(value)) return '[' + value.map(canonical).join(',') + ']';
  if (value === null || typeof value !== 'object') return JSON.stringify(value);
  const fields = Object.entries(value)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, field]) => JSON.stringify(name) + ':' + canonical(field));
  return '{' + fields.join(',') + '}';
};

// What v1 covers of an entry: replies may gain fields.
const covered = \`
${inLines(coveredFields)}
\`.trim().split(/\\s+/);

// entry: as a reply shows it; previous: the hash of the entry before it, or 64 zeros.
export const hashOf = (entry, previous) => {
  const content = Object.fromEntries(covered.map((name) => [name, entry[name]]));
  return sha256(['v1', previous, canonical(content)].join('\\n'));
};

// chains: for each posting date and series the date, the series, how many entries are posted there,
// and the hash of the last of them; in the order of date and series.
export const digestOf = (chains) =>
  sha256(chains.map((chain) => chain.join('\\t') + '\\n').join(''));`;

export const booksSection = `## Reports

Reports add up what is posted, by **posting date**: an entry's \`accrual_date\` where it has one,
else its \`date\`. They are in the tenant's currency and strongly consistent: an entry whose post
was answered is in the next report, and never by half. What is scheduled is in none.

**Every report says what it covers. \`coverage\` is \`all_entries\` for a tenant that is kept here.
It is \`journals_only\` for one that is connected, or was: its books are at its platform, and only
its manual journals and what was posted here are in the report. Its invoices, bills, payments and
bank transactions are not, so no report is that of the whole company.** While the tenant is
\`importing\`, not even all of its journals are there yet.

What has two sides is shown as \`debit\` and \`credit\`, neither of them negative. A single
figure of an account, such as a balance, is positive for a debit and negative for a credit. The
\`normal_balance\` of an account changes no sign: revenue of 100 is \`"-100.00"\`, and an
overdrawn bank account is negative like it. Financial statements are otherwise: see below.

### Financial statements

| report | of | is always true |
| --- | --- | --- |
| balance sheet | a date | assets are liabilities and equity |
| profit and loss | a period | profits of periods that follow each other add up |
| cash flow | a period | opening cash and all flows are closing cash, of the cash accounts |

They are made of the same totals as the trial balance, so the three agree with it and with each
other to the cent. Where the books would say otherwise, the reply is \`internal_error\` and the
operator is called. All have the \`coverage\` and the \`digest\` of the other reports.

**Signs.** In a statement, each section has the sign that is natural to it: assets, costs and
expenses are positive for a debit; liabilities, equity, revenue and income for a credit; in cash
flows, what flows in is positive. What reduces its section is negative.

**Classification.** Sections follow the accounts' \`subtype\`, \`cash_flow\` and
\`normal_balance\` as the chart has them now, for earlier dates and periods too: to update an
account moves it in all statements, and changes no \`digest\`.

**Fiscal years.** A year ends on the tenant's last day of it, \`12-31\` where nothing else was said.
Nothing is ever closed by posting: the balance sheet computes retained earnings. Profit and loss and
cash flow begin with the fiscal year where no \`from\` is given. To update the tenant's last day
moves the ends of all years, those before it too.

**Cash flow** counts what happened to cash and nothing else. In an entry that touches an account of
class \`cash\`, credit less debit of each other line is a flow of that line's account; these add up
to the movement of cash in every entry, and so in the statement. The direct and the indirect method
show the same operating total in two ways.

### Hashes and digests

What counts on a posting date forms a chain in each series (\`MJ\` for what was posted by request,
\`IJ\` for what was imported), in the order of \`posting_sequence\`. An entry's \`hash\` is the
SHA-256, in hexadecimal, of three lines in UTF-8 with no line end after the last:

1. \`v1\`
2. the hash of the entry whose \`posting_sequence\` is one less; 64 zeros before the first
3. the fields of the entry that the program below names, as replies show them, as canonical JSON
   (RFC 8785): names sorted by their UTF-16 code units, no white space. They are all but what may
   still change: \`status\`, \`posted_at\`, \`cancelled_at\`, \`reversed_by\` and \`hash\`

A report's \`digest\` is the SHA-256 of one line for each posting date and series, up to the last
date of the report, on which anything is posted; in the order of date and series. A line has the
date, the series, the \`posting_sequence\` of the last entry and its hash, parted by tabs, and ends
with a line feed.

${codeBlock('js', verificationSample)}

Whoever keeps a ledger can change an entry and compute all hashes again, so a chain without a key
proves nothing against its operator. **A digest that you have kept does**: keep the digest of a
period when you close it, where the operator of this service cannot change it. If the entries up to
that date still give the same digest, then none of them was changed, added, left out or reordered
since. What is posted to these dates later gives another digest; it comes after the others of its
date in \`posting_sequence\`, so without it the entries of before give the digest of before.`;
