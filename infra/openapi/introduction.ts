// What a caller must know before the first endpoint: the text that the OpenAPI document opens with.

import { defaultChart } from '#shared/domain/default-chart.ts';
import { maximumProblems } from '#shared/errors.ts';
import { maximumBodyBytes } from '#shared/triggers/json-body.ts';
import { functions } from '../manifest.ts';
import { deployedStages } from '../stages.ts';
import { errorTable, failureToRead } from './failures.ts';
import { guideOf } from './guide.ts';
import { codeBlock, table } from './markdown.ts';
import type { Endpoint } from './operations.ts';

const { cacheSeconds } = functions.authorizer.trigger;

const throttleTable = table(
  ['stage', 'requests a second', 'at once'],
  deployedStages.map(({ name, deployment }) => {
    const { ratePerSecond, burst } = deployment.throttling.application;
    return [name, ratePerSecond, burst];
  }),
);

const chartTable = table(
  ['code', 'name', 'type', 'normal balance'],
  defaultChart.map(({ code, name, type, normalBalance }) => [
    code,
    name,
    type,
    normalBalance ?? '',
  ]),
);

export const introductionOf = (
  endpoints: readonly Endpoint[],
): string => `A multi-tenant accounting ledger. An application registers its
users, creates company tenants for them, by hand or from an accounting platform, and posts balanced
journal entries.

${guideOf(endpoints)}

## Requests and replies

Bodies are JSON in UTF-8, up to ${maximumBodyBytes / 1024} KB. A field that is not part of a
request is refused by name. Every path works with and without its last slash. A success is

\`\`\`json
{ "status": "success", "status_code": 200, "data": {} }
\`\`\`

where \`data\` depends on the endpoint. Replies may gain fields: ignore those that you do not know.
Amounts and rates are decimal strings; read them with a decimal type, not with a float.

## Authentication

Every request carries the application's key in the header \`X-API-Key\`. The key decides what can be
seen: users and tenants of another application are answered like ones that do not exist. An
application can have several keys at a time, so that they can be exchanged without a gap. A key that
expires or is revoked, or whose application is suspended, may pass for another ${cacheSeconds}
seconds.

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

## Idempotency

A request that got no reply can be sent again without doubling anything, if it has its key or id:

- Ensure user finds the user that is there; \`created\` says whether it was made just now.
- Create tenant takes an \`Idempotency-Key\` header, unique for ever within the application.
- Create journal entry takes an \`external_id\`, unique for ever within the tenant.

A repeat with the same key or id returns what the first request made, with the header
\`Idempotent-Replayed: true\`. Without one, a repeat makes a second tenant or entry.

## Throttles

Each application has a limit of its own, over all its keys. What is beyond it is refused as
\`too_many_requests\`, with a \`Retry-After\`. The service on a developer's machine has none.

${throttleTable}

## Exchange rates

Rates are the euro foreign exchange reference rates of the European Central Bank, which publishes
them for information only and discourages their use for transactions. An entry gets the last rates
published on or before its date, or the latest known for a date in the future; where there are none,
or only old ones, it is refused as \`exchange_rate_unavailable\`. Rates that the ECB does not
publish as such, towards the euro or between two other currencies, are derived from its figures,
rounded half to even to eleven decimals. \`exchange_rate_date\` and \`exchange_rate_source\` say
which rate it was. It never changes afterwards.

## What an import brings

A connected tenant gets its platform's chart of accounts and its posted manual journals. An account
keeps its platform's code; one without a code, or with a code that another account has, is called
\`ID-\` and its id at the platform. Journals become entries of type \`Imported Journal\`, numbered
\`IJ-\` in a series of their own, each once for ever; their texts are cut to the lengths that
requests may have. Connecting a company again imports it again, which adds only what is new: a
journal that was changed or voided at the platform after its import stays as it was imported.

## The default chart of accounts

A \`manual\` tenant, and one of \`platform_c\` without credentials, starts with these accounts.

${chartTable}`;
