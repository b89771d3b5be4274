// What a caller must know before the first endpoint: the text that the OpenAPI document opens with.

import { burstSeconds, freeUnits } from '#shared/cost-budget.ts';
import { normalBalanceOf } from '#shared/domain/accounts.ts';
import { defaultChart } from '#shared/domain/default-chart.ts';
import { maximumRequestEntries } from '#shared/domain/entries/entry-request.ts';
import { maximumProblems } from '#shared/errors.ts';
import { postingBudgetSeconds } from '#shared/store/journal-entries.ts';
import { maximumBodyBytes } from '#shared/triggers/json-body.ts';
import { batches, functions, isReadOnly, longReads, reversals } from '../manifest.ts';
import { methodThrottles } from '../sharing.ts';
import { deployedStages, type Throttle } from '../stages.ts';
import { booksSection } from './books.ts';
import { connectingSection } from './connecting.ts';
import { errorTable, failureToRead } from './failures.ts';
import { guideOf, yearOfBooksSection } from './guide.ts';
import { codeBlock, table } from './markdown.ts';
import type { Endpoint } from './operations.ts';
import { typeScriptSection } from './typescript.ts';

const { cacheSeconds } = functions.authorizer.trigger;

const throttleTable = table(
  ['stage', 'requests a second', 'at once'],
  deployedStages.map(({ name, settings }) => {
    const { ratePerSecond, burst } = settings.throttling.application;
    return [name, ratePerSecond, burst];
  }),
);

const budgetTable = table(
  ['stage', 'read units a minute', 'write units a minute'],
  deployedStages.map(({ name, settings: { costBudget } }) => [
    name,
    costBudget.readUnits,
    costBudget.writeUnits,
  ]),
);

const inWords = ({ ratePerSecond, burst }: Throttle): string =>
  `${ratePerSecond} a second, ${burst} at once`;

/** The endpoints that an application gets fewer calls of, with what each stage lets through. */
const methodThrottleTable = table(
  ['endpoint', ...deployedStages.map(({ name }) => name)],
  [...longReads, ...batches, ...reversals].map(({ name }) => [
    name,
    ...deployedStages.map(({ settings }) =>
      methodThrottles(settings.throttling)
        .filter(({ route }) => route.name === name)
        .map(({ throttle }) => inWords(throttle))
        .join(),
    ),
  ]),
);

const chartTable = table(
  ['code', 'name', 'type', 'subtype', 'normal balance', 'cash flow'],
  defaultChart.map((account) => [
    account.code,
    account.name,
    account.type,
    account.subtype ?? '',
    normalBalanceOf(account),
    account.cashFlow ?? '',
  ]),
);

const namesOf = (endpoints: readonly Endpoint[]): string =>
  new Intl.ListFormat('en').format(endpoints.map(({ name }) => name));

/** The endpoints that take a read-only key, in words. */
const readOnlyNamesOf = (endpoints: readonly Endpoint[]): string =>
  namesOf(endpoints.filter(({ name }) => isReadOnly(functions[name])));

/** The endpoints whose reply can be csv, in words. */
const csvNamesOf = (endpoints: readonly Endpoint[]): string =>
  namesOf(endpoints.filter(({ schema }) => schema.csv !== undefined));

export const introductionOf = (
  endpoints: readonly Endpoint[],
): string => `A multi-tenant accounting ledger. An application registers its
users, creates company tenants for them, by hand or from an accounting platform, and posts balanced
journal entries.

${guideOf(endpoints)}

${typeScriptSection}

## Requests and replies

Bodies are JSON in UTF-8, up to ${maximumBodyBytes / 1024} KB. A field that is not part of a
request is refused by name. Every path works with and without its last slash. A success is

\`\`\`json
{ "status": "success", "status_code": 200, "data": {} }
\`\`\`

where \`data\` depends on the endpoint. Replies may gain fields, codes and other words of a list:
ignore a field that you do not know, and have a branch for words that you do not know.
Amounts and rates are decimal strings; read them with a decimal type, not with a float.

Texts are compared and come back in Unicode's form NFC. An id, an account code or a name may not
have characters that do not show or that turn the direction of text (but joiners where the script of
a name or an emoji needs them); memos and descriptions may, except for the embeddings, overrides and
isolates of the bidirectional algorithm. The problem is \`invisible_characters_not_allowed\`.

### Reports as csv

${csvNamesOf(endpoints)} also answer in comma-separated values, for a spreadsheet: send \`Accept:
text/csv\`. The reply is the table alone (RFC 4180, UTF-8), its first line the names of the columns;
more columns may follow, so go by these names. Each row says of which tenant and dates it is and
what it covers, so that it can be read by itself. Amounts are plain decimal numbers, and every
text is in double quotes. Where a spreadsheet could take a part of a text for a formula, a single
quote stands before that part: at the start of the text, and after each comma, semicolon, tab, pipe
and line end in it, if \`= + - @\`, a full-width form of these or a null character follows, with or
without white space and quotes before it. A text that begins with a tab or a line end has one too. A
program that reads the table takes these single quotes out again; JSON has every text as it is.
Where csv and JSON are accepted alike the reply is JSON, and a failure always is. There is no byte
order mark: import the file into a spreadsheet as UTF-8, with a dot as the decimal sign and account
codes as text. To open it does not do that everywhere.

## Authentication

Every request carries the application's key in the header \`X-API-Key\`. The key decides what can be
seen: users and tenants of another application are answered like ones that do not exist. An
application can have several keys at a time, so that they can be exchanged without a gap. A key that
expires or is revoked, or whose application is suspended, may pass for another ${cacheSeconds}
seconds.

A key can be read-only, for whoever is to look and not to change anything: a dashboard, a report,
an auditor. It is one from the start and stays so. It calls ${readOnlyNamesOf(endpoints)};
everything else is refused with 403 \`api_key_read_only\`.

${connectingSection}

## Errors

A failure has one envelope everywhere. Its \`details\` list everything that is wrong with the
request at once (at most ${maximumProblems} problems): each has a code, a JSON Pointer (RFC 6901) to
the part of the request, and parameters for your program.

${codeBlock('json', JSON.stringify(failureToRead, undefined, 2))}

Decide on \`code\`, never on \`message\`. Where \`retryable\` is true the same request may be sent
again and can succeed; \`Retry-After\` says how many seconds to wait. After a failure that leaves
open whether the request was carried out it is true only for an idempotent request: one that cannot
be carried out twice, or has its key or id. Quote \`request_id\` to report a failure; a success has
the same id in the header \`x-amzn-RequestId\`.

${errorTable}

## Limits

Each application has a limit of its own, over all its keys. What goes beyond it is refused with 429
\`too_many_requests\`, whoever else calls. The service on a developer's machine has a wide one.

${throttleTable}

Within it some endpoints, which take long or work for many entries, have one each:

${methodThrottleTable}

Each application also has a budget of what its requests use of the database in a minute, in units
that are counted for it. A request that uses ${freeUnits} units or fewer is free: most posts and
look-ups are. What the others use is counted to the unit: a read unit for 4 KB that are read, and
two write units for 1 KB that is written.

${budgetTable}

The budget becomes available as the minute passes: at its start an application may use the units of
${burstSeconds} seconds, and each second adds its share. Requests beyond that are refused with 429
\`cost_budget_exhausted\`. \`Retry-After\` says how many seconds to wait, and \`details\` name
the budget, its size, the units used and the units allowed by now. Free requests can be refused
as well. What a request has written is never refused afterwards: a refusal means that
nothing was written. Batches and reports of ordinary books do not come near the budget. Shorter
periods, smaller pages and filters that find much use less of it.

Entries are numbered one after another within a tenant and date. Posts into the same date wait for
each other, ${postingBudgetSeconds} seconds at most; after that, one is refused with 503
\`contention\`, and nothing was written. 503 \`temporarily_unavailable\` says that the service
has no room for the request just now. Where it comes from the gateway, which does not read requests,
its \`retryable\` is false.

After a 429 or 503, wait for as many seconds as \`Retry-After\` says and up to as many again, drawn
at random, so that those who were refused together do not come back together; and twice as long each
time that it happens again in a row. Then send the same request, with the same key or id. Whoever
has many entries for one date posts them with create-journal-entries, up to
${maximumRequestEntries} in a request, one request after another.

## Idempotency

A request that got no reply can be sent again without doubling anything, if it has its key or id:

- Ensure user finds the user that is there; \`created\` says whether it was made just now.
- Create tenant takes an \`Idempotency-Key\` header, unique for ever within the application.
- Create journal entry takes an \`external_id\`, an \`Idempotency-Key\` header or both, unique for
  ever within the tenant.
- Create journal entries takes an \`external_id\` for each of them, an \`Idempotency-Key\` for all
  of the request, or both. Entries that are there already are found, and the others made.
- Reverse journal entry reverses an entry once, with or without a key or an id of its own, and
  cancel journal entry cancels it once: whoever asks again is answered what is there.
- Create account answers an account that is there as it is asked for; \`created\` says whether it
  was made just now. To update an account or a tenant a second time changes nothing.
- Confirm tenant confirms a connection once; a repeat within the hour is answered the tenant.
- To link a user and a tenant, to unlink them, or to disconnect a tenant a second time changes
  nothing; nor does it to request an import while one is under way, or has just ended.

A repeat with the same key or id returns what the first request made, with the header
\`Idempotent-Replayed: true\`. Where a repeat asks for another entry than that, the header
\`Idempotency-Mismatch\` says in which fields. Without a key or id, a repeat makes a second tenant
or entry. An \`Idempotency-Key\` is kept with what a request records: where all of its entries were
there already, by their own ids, the key stays unused.

With \`dry_run\` a request that posts is checked like any other, and answered with what it would
make, without id, number and hash; nothing is written, and no key or id is used up. Where it repeats
an earlier request, the entry of that one is the answer.

## Quotas

A stage of the service says how much one tenant or application may have. In production a tenant has
at most 10,000 accounts, an application 10,000 tenants, the code of a new account 64 bytes of UTF-8,
and the \`date\` and \`accrual_date\` of a new entry lie within 50 years back and 5 years ahead of
today (UTC). A request beyond that is refused with 422: \`account_quota_reached\`,
\`tenant_quota_reached\`, \`account_code_too_long\` or \`date_out_of_range\`. \`params\` name the
quota and its size. What is there already is not affected: it is read, posted to, reversed and
archived as before, and a repeat of a request returns what it made.

## Lists

A list comes in pages: \`limit\` says how many items a page has at most, \`next_cursor\` is the
\`cursor\` of the page after it, and null after the last one. The query stays the same but for these
two; with another one, a cursor is refused as \`cursor_not_valid\`. A page may be short or
empty although there is another one: it examines a bounded number of items, whether or not they
match. **Read on until \`next_cursor\` is null**, whatever the page holds. What was there when
the first page was read is never left out and never comes twice, whatever is added meanwhile. A
cursor does not expire; keep it for as long as you like, and do not look into it.

## Exchange rates

Rates are the euro foreign exchange reference rates of the European Central Bank, which publishes
them for information only and discourages their use for transactions. An entry gets the last rates
published on or before its date, or the latest known for a date in the future. Rates towards the
euro, and cross rates between two other currencies through the euro, are derived from the bank's
figures of one day, rounded half to even to eleven decimals. \`exchange_rate_date\` and
\`exchange_rate_source\` say which rate it was. It never changes afterwards: where the operator
corrects a rate that was wrong, entries from then on get the corrected one, and say so in
\`exchange_rate_source\`.

Where there is no rate, or only an old one, an entry is refused as \`exchange_rate_unavailable\`: at
\`/date\` where another date has one, at the currency where it never had one or has none any more.
The parameter \`first_date\` is the first date that has the rates of both currencies. On a
developer's machine, which may be offline, no rate is too old.

${booksSection}

## What an import brings

A connected tenant gets its platform's chart of accounts and its posted manual journals. An account
keeps its platform's code; one without a code, or with a code that another account has, is called
\`ID-\` and its id at the platform. Its \`subtype\` and \`cash_flow\` follow from the platform's own
type: banks are cash, fixed and other long-term assets investing, long-term liabilities and equity
financing, all else operating. Update account sets them otherwise, and imports keep that; but
whether an account is cash stays as it was imported first.

A company may have more accounts than a tenant's quota. Those beyond it are left out, and are
refused as \`account_quota_reached\`, and so are the journals that name them, as
\`account_not_found\`; the import ends with \`records_refused\`, and counts them.

Journals become entries of type \`Imported Journal\`, numbered \`IJ-\` in a series of their own,
each once for ever; their texts are cut to the lengths that requests may have, without the
characters that requests may not have. To request an import, or to connect a company again, adds
only what is new: a journal that was edited or voided at the platform after its import stays as it
was imported. get-tenant-import names the first of those, and the records that were refused or of
which something was assumed, and counts them all.

A journal that is dated in the tenant's locked period is refused as \`period_locked\`, and all else
comes in. Later imports ask for what is new at the platform, so they do not come upon it again:
post an entry for it in the open period; or move the lock back by update-tenant, request an import,
which then asks for everything, and move the lock forward again when it has ended. Where an import
has ended within the last minute, \`requested\` is false: ask again after that.

## The default chart of accounts

A \`manual\` tenant, and one of \`platform_c\` without credentials, starts with these accounts.

${chartTable}

${yearOfBooksSection}`;
