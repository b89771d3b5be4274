// The introduction of the OpenAPI document, for callers.

import { normalBalanceOf } from '#shared/accounts/accounts.ts';
import { defaultChart } from '#shared/accounts/default-chart.ts';
import { maximumBodyBytes } from '#shared/endpoint/json-body.ts';
import { maximumRequestEntries } from '#shared/entries/drafts/entry-request.ts';
import { postingBudgetSeconds } from '#shared/entries/journal-entries.store.ts';
import { maximumProblems } from '#shared/errors.ts';
import { burstSeconds, freeUnits } from '#shared/table/cost-budget.ts';
import { functions, isReadOnly, throttledEndpoints } from '../manifest.ts';
import { deployedStages, type Throttle } from '../stages.ts';
import { booksSection } from './books.ts';
import { connectingSection } from './connecting.ts';
import { errorTable, failureToRead } from './failures.ts';
import { guideOf } from './guide.ts';
import { codeBlock, table } from './markdown.ts';
import type { Endpoint } from './operations.ts';
import { typeScriptSection } from './typescript.ts';

const { cacheSeconds } = functions.authorizer.trigger;

const throttleTable = table(
  ['stage', 'requests a second', 'burst'],
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
  `${ratePerSecond} a second, burst of ${burst}`;

/** The endpoints with a lower limit for each application, and that limit in each stage. */
const methodThrottleTable = table(
  ['endpoint', ...deployedStages.map(({ name }) => name)],
  throttledEndpoints.map(({ name, throttle }) => [
    name,
    ...deployedStages.map(({ settings }) => inWords(settings.throttling[throttle])),
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

const readOnlyNamesOf = (endpoints: readonly Endpoint[]): string =>
  namesOf(endpoints.filter(({ name }) => isReadOnly(functions[name])));

const csvNamesOf = (endpoints: readonly Endpoint[]): string =>
  namesOf(endpoints.filter(({ schema }) => schema.csv !== undefined));

export const introductionOf = (endpoints: readonly Endpoint[]): string => `A multi-tenant
accounting ledger. Your application registers its users, creates a tenant for each company, and
posts balanced journal entries. A company's chart of accounts and manual journals can be imported
from an accounting platform:

| name in requests | platform |
| --- | --- |
| \`platform_a\` | Xero |
| \`platform_b\` | QuickBooks Online |
| \`platform_c\` | Zoho Books |
| \`manual\` | none: you create the company here |

The operator of a service can assign these names differently.

${guideOf(endpoints)}

${typeScriptSection}

## Requests and replies

Bodies are JSON in UTF-8, up to ${maximumBodyBytes / 1024} KB. Unknown fields in a request are
refused by name. Every path works with and without its trailing slash. A success looks like this:

\`\`\`json
{ "status": "success", "status_code": 200, "data": {} }
\`\`\`

Each endpoint documents its \`data\`. Later versions may add fields, codes and enum values to
replies: ignore unknown fields, and handle unknown values. Amounts and rates are decimal strings.
Parse them as decimals, never as floats.

Text is normalized to Unicode NFC, both for comparison and in replies. Ids, account codes and names
must not contain invisible characters or characters that change the text direction. Joiners are
allowed if the script of a name or an emoji needs them. Memos and descriptions may contain such
characters, except the embeddings, overrides and isolates of the bidirectional algorithm. The
problem code is \`invisible_characters_not_allowed\`.

### Reports as CSV

To get a report as CSV for a spreadsheet, send \`Accept: text/csv\`. These endpoints support it:
${csvNamesOf(endpoints)}.

- The reply contains only the table (RFC 4180, UTF-8, no byte order mark). The first line names the
  columns. Later versions may add columns: address them by name.
- Every row repeats the tenant, the dates and the coverage of the report.
- Amounts are plain decimal numbers. All text is in double quotes.
- A single quote precedes every part of a text that a spreadsheet might run as a formula: the start
  of the text, and what follows a comma, semicolon, tab, pipe or line end. A part is affected if it
  starts with \`= + - @\`, a full-width form of these, or a null character, after optional white
  space and quotes. Text that starts with a tab or a line end is affected as well. A program that
  reads the CSV removes these single quotes. JSON replies contain the original text.
- Failures are always JSON. If \`Accept\` gives CSV and JSON equal weight, the reply is JSON.

Import the file into your spreadsheet as UTF-8, with a dot as the decimal separator and the account
codes as text. Some spreadsheets get this wrong if you open the file with a double click.

## Authentication

Send your application's key in the header \`X-API-Key\` with every request. A key sees only the
users and tenants of its own application. The users and tenants of other applications look like ones
that do not exist. An application can have several keys, so you can replace one without downtime.
When a key expires or is revoked, or its application is suspended, requests may still succeed for
${cacheSeconds} seconds.

A read-only key is for dashboards, reports and auditors. Its access is set when it is created and
cannot be changed. It can call ${readOnlyNamesOf(endpoints)}; all other endpoints refuse it with 403
\`api_key_read_only\`.

${connectingSection}

## Errors

All failures have the same envelope. \`details\` lists every problem of the request (at most
${maximumProblems}). Each problem has a code, a JSON Pointer (RFC 6901) to the part of the request,
and parameters for your program.

${codeBlock('json', JSON.stringify(failureToRead, undefined, 2))}

Decide on \`code\`, never on \`message\`. If \`retryable\` is true, the same request can succeed
later; \`Retry-After\` gives the seconds to wait. Some failures leave open whether the request was
carried out. \`retryable\` is then true only if the request is idempotent: it cannot take effect
twice, or it has a key or id. Quote \`request_id\` when you report a failure. Successful replies
have the same id in the header \`x-amzn-RequestId\`.

${errorTable}

## Limits

Each application has its own rate limit, shared by all its keys. Other applications do not affect
it. Requests above the limit are refused with 429 \`too_many_requests\`. The service on a
developer's machine has a much higher limit.

${throttleTable}

Endpoints that run long or handle many entries have a lower limit for each application:

${methodThrottleTable}

Each application also has a budget of database units for each minute. A read unit reads 4 KB;
writing 1 KB takes two write units. A request that uses ${freeUnits} units or fewer is free, which
covers most posts and look-ups. All other requests count in full.

${budgetTable}

The budget becomes available gradually. At the start of a minute, an application may use the units
of ${burstSeconds} seconds; each further second adds its share. Requests beyond that are refused
with 429 \`cost_budget_exhausted\`. \`Retry-After\` gives the seconds to wait, and \`details\` name
the budget, its size, the units used and the units allowed by now. Free requests can be refused as
well. A request that has started to write is never refused, so a refusal means that nothing was
written. Batches and reports of ordinary books stay far below the budget. To use less, ask for
shorter periods, smaller pages, or filters that match more entries.

Entries of one tenant and date are numbered one after another, so posts to the same date wait for
each other. After ${postingBudgetSeconds} seconds a waiting post is refused with 503 \`contention\`;
nothing was written. 503 \`temporarily_unavailable\` means that the service has no capacity at the
moment. If this reply comes from the gateway, which does not read requests, \`retryable\` is false.

After a 429 or 503, wait for the seconds in \`Retry-After\` plus a random delay of up to the same
length, so that refused clients do not all return together. Double the wait after each further
refusal. Then send the same request with the same key or id. To post many entries with one date, use
create-journal-entries with up to ${maximumRequestEntries} entries, one request after another.

## Idempotency

If you get no reply, send the request again. With a key or id, repeating is safe:

- **Ensure user** returns the existing user. \`created\` is true only if this request created it.
- **Create tenant** takes an \`Idempotency-Key\` header. A key is unique forever within the
  application.
- **Create journal entry** takes an \`external_id\`, an \`Idempotency-Key\` header, or both. Each is
  unique forever within the tenant.
- **Create journal entries** takes an \`external_id\` for each entry, one \`Idempotency-Key\` for
  the request, or both. Existing entries are returned; the rest are created.
- **Reverse journal entry** reverses an entry once, and **cancel journal entry** cancels an entry
  once, with or without a key or id. A repeat returns the existing result.
- **Create account** returns an existing account with the same content. \`created\` is true only if
  this request created it.
- **Confirm tenant** confirms a connection once. A repeat within one hour returns the tenant.
- Repeating an update of an account or tenant changes nothing. The same is true of linking and
  unlinking a user, disconnecting a tenant, and requesting an import that is running or has just
  ended.

A repeat with the same key or id returns the original result with the header \`Idempotent-Replayed:
true\`. If the repeat describes a different entry, the header \`Idempotency-Mismatch\` lists the
fields that differ. Without a key or id, a repeat creates a second tenant or entry. An
\`Idempotency-Key\` is stored together with the entries that a request records. If all entries of a
batch existed already under their own ids, the key remains unused.

With \`dry_run\`, a request is checked like any other and returns the entry that it would post,
without id, number and hash. Nothing is written, and no key or id is used up. If the request repeats
an earlier one, the reply contains the earlier entry.

## Quotas

Each tenant and application has quotas. In production, a tenant can have 10,000 accounts and an
application 10,000 tenants. The code of a new account can have 64 bytes in UTF-8. The \`date\` and
\`accrual_date\` of a new entry must lie between 50 years before and 5 years after today (UTC). A
request beyond a quota is refused with 422: \`account_quota_reached\`, \`tenant_quota_reached\`,
\`account_code_too_long\` or \`date_out_of_range\`. \`params\` give the quota and its size. Quotas
apply only to new records: you can still read, post to, reverse and archive existing ones, and
repeat earlier requests.

## Lists

Lists are paginated. \`limit\` is the maximum number of items on a page. To get the next page, send
\`next_cursor\` as \`cursor\` and leave the other parameters unchanged; a cursor with different
parameters is refused as \`cursor_not_valid\`. **Keep reading until \`next_cursor\` is null**, even
if a page is short or empty: each page examines a limited number of items, whether or not they
match. Every item that existed when you read the first page appears exactly once, even if items are
added in the meantime. Cursors do not expire. Treat them as opaque.

## Exchange rates

Rates are the euro foreign exchange reference rates of the European Central Bank. The bank publishes
them for information only and discourages their use for transactions. An entry uses the most recent
rates on or before its date; an entry in the future uses the latest known rates. Rates to the euro,
and cross rates between two other currencies through the euro, are calculated from the bank's rates
of one day and rounded half to even to eleven decimals. \`exchange_rate_date\` and
\`exchange_rate_source\` identify the rate. The rate of an entry never changes. If the operator
corrects a wrong rate, later entries use the corrected one, and \`exchange_rate_source\` says so.

If there is no rate or it is too old, an entry is refused as \`exchange_rate_unavailable\`. The
pointer is \`/date\` if another date has a rate. It is the currency if the currency has never had a
rate or no longer has one. The parameter \`first_date\` is the first date that has rates of both
currencies. The service on a developer's machine accepts old rates, because it can be offline.

${booksSection}

## Imports

Connecting a platform imports its chart of accounts and its posted manual journals. An account keeps
its code. If an account has no code, or another account has the same code, its code is \`ID-\`
followed by its id at the platform. \`subtype\` and \`cash_flow\` follow from the account's type at
the platform: bank accounts are cash; fixed and other long-term assets are investing; long-term
liabilities and equity are financing; all others are operating. You can change both with
update-account, and later imports keep your change. The first import decides whether an account is
cash; that cannot be changed.

If a company has more accounts than the quota allows, the surplus accounts are refused as
\`account_quota_reached\`, and journals that use them as \`account_not_found\`. The import then ends
with \`records_refused\` and counts them.

Journals become entries of type \`Imported Journal\` with numbers that start with \`IJ-\`. Each
journal is imported once. Text is shortened to the maximum lengths of requests, and characters that
requests must not contain are removed. Requesting another import, or connecting the company again,
adds only new journals: a journal that is edited or voided at the platform after its import does not
change here. get-tenant-import lists the first of these, together with the first records that were
refused or imported with an assumption, and counts all.

A journal dated in the tenant's locked period is refused as \`period_locked\`; the rest of the
import continues. Later imports only ask the platform for new journals, so they do not include it.
You have two options: post an entry for it in the open period; or move the lock back with
update-tenant, request an import, which then asks for all journals, and move the lock forward when
it has ended. If an import ended less than a minute ago, \`requested\` is false: try again a minute
later.

## The default chart of accounts

A \`manual\` tenant, and a \`platform_c\` tenant without credentials, starts with these accounts.

${chartTable}`;
