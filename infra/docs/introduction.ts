// The introduction of the OpenAPI document: the Markdown files of this folder, with their values.

import { readFileSync } from 'node:fs';
import { normalBalanceOf } from '#shared/accounts/accounts.ts';
import { defaultChart } from '#shared/accounts/default-chart.ts';
import { contentionSeconds } from '#shared/aws-call-limits.ts';
import { maximumBodyBytes } from '#shared/endpoint/json-body.ts';
import { maximumRequestEntries } from '#shared/entries/drafts/entry-request.ts';
import { JournalEntryView } from '#shared/entries/journal-entry.view.ts';
import { maximumProblems } from '#shared/errors.ts';
import { burstSeconds, freeUnits } from '#shared/table/cost-budget.ts';
import { maximumEntryYears } from '#shared/tenants/entry-years.ts';
import {
  type FunctionName,
  functions,
  isReadOnly,
  throttledEndpoints,
} from '../manifest/manifest.ts';
import { apiKeyPlaceholder, documentedServer } from '../manifest/reference-placeholders.ts';
import { deployedStages, type StageSettings, type Throttle } from '../manifest/stages.ts';
import { errorTable, failureToRead } from './failures.ts';
import { table } from './markdown.ts';
import { type Endpoint, sampleOf } from './operations.ts';
import { type Keep, shellOf } from './samples.ts';

const chapters = [
  ...['introduction', 'guide', 'typescript', 'requests', 'connecting', 'events', 'errors'],
  ...['limits', 'books', 'reports'],
];

const inWords = ({ ratePerSecond, burst }: Throttle): string =>
  `${ratePerSecond} a second, burst of ${burst}`;

/** The limits of an application, and their values in a stage. */
const limits: [limit: string, valueIn: (settings: StageSettings) => string | number][] = [
  ['requests', ({ throttling }) => inWords(throttling.application)],
  ...throttledEndpoints.map(({ name, throttle }): (typeof limits)[number] => [
    `requests to ${name}`,
    ({ throttling }) => inWords(throttling[throttle]),
  ]),
  ['read units a minute', ({ costBudget }) => costBudget.readUnits],
  ['write units a minute', ({ costBudget }) => costBudget.writeUnits],
  ['tenants', ({ quotas }) => quotas.tenantsPerApplication],
  ['accounts of a tenant', ({ quotas }) => quotas.accountsPerTenant],
  ['code of a new account', ({ quotas }) => `${quotas.accountCodeBytes} bytes in UTF-8`],
  [
    '`date` and `accrual_date` of a new entry',
    ({ quotas }) =>
      `${quotas.entryYearsBack} years before to ${quotas.entryYearsAhead} after today (UTC); a ` +
      `tenant can set up to ${maximumEntryYears.back} and ${maximumEntryYears.ahead}`,
  ],
];

const limitsTable = table(
  ['limit', ...deployedStages.map(({ name }) => name)],
  limits.map(([limit, valueIn]) => [
    limit,
    ...deployedStages.map(({ settings }) => valueIn(settings)),
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

/** Fields of an entry that its hash does not cover. */
const uncovered = ['status', 'cancelled_at', 'reversed_by', 'hash', 'hash_version', 'stuck'];

const coveredFields = Object.keys(JournalEntryView.shape).filter(
  (name) => !uncovered.includes(name),
);

/** Wraps names to indented lines of at most 94 columns. */
const inLines = (names: readonly string[]): string =>
  names
    .join(' ')
    .replaceAll(/(.{1,92})(?: |$)/g, '  $1\n')
    .trimEnd();

type Request = { values?: object; headers?: Record<string, string>; keep?: Keep };

/** The requests of the guide. Each changes the first example of its endpoint. */
const guide: Partial<Record<FunctionName, Request>> = {
  'ensure-user': { keep: { variable: 'USER_ID', field: 'user_id' } },
  'initiate-oauth': { values: { user_id: '$USER_ID' } },
  'create-tenant': {
    values: { user_id: '$USER_ID' },
    headers: { 'Idempotency-Key': 'company-1' },
    keep: { variable: 'TENANT', field: 'tenant_domain_url' },
  },
  'get-tenant-import': { values: { domain_url: '$TENANT' } },
  'list-accounts': {
    values: { domain_url: '$TENANT', status: 'active', type: undefined, limit: 200 },
  },
  'create-journal-entry': { values: { domain_url: '$TENANT' } },
  'get-journal-entry': { values: { domain_url: '$TENANT' } },
  'get-trial-balance': { values: { domain_url: '$TENANT' } },
};

const guideRequests = (endpoints: readonly Endpoint[]): [string, string][] =>
  endpoints.flatMap((endpoint) => {
    const request = guide[endpoint.name];
    if (request === undefined) return [];
    const { values = {}, headers = {}, keep } = request;
    return [[endpoint.name, shellOf({ ...sampleOf(endpoint, values), headers }, keep)]];
  });

const namesOf = (endpoints: readonly Endpoint[]): string =>
  new Intl.ListFormat('en').format(endpoints.map(({ name }) => name));

/** The values of the placeholders in the Markdown files. */
const valuesOf = (endpoints: readonly Endpoint[]): Map<string, string | number> =>
  new Map<string, string | number>([
    ['server', documentedServer],
    ['api-key', apiKeyPlaceholder],
    ['maximum-body-kilobytes', maximumBodyBytes / 1024],
    ['csv-endpoints', namesOf(endpoints.filter(({ schema }) => schema.csv !== undefined))],
    ['key-cache-seconds', functions.authorizer.trigger.cacheSeconds],
    ['read-only-endpoints', namesOf(endpoints.filter(({ name }) => isReadOnly(functions[name])))],
    ['maximum-problems', maximumProblems],
    ['failure-example', JSON.stringify(failureToRead, undefined, 2)],
    ['error-table', errorTable],
    ['limits-table', limitsTable],
    ['free-units', freeUnits],
    ['burst-seconds', burstSeconds],
    ['contention-seconds', contentionSeconds],
    ['maximum-request-entries', maximumRequestEntries],
    ['chart-table', chartTable],
    ['covered-fields', inLines(coveredFields)],
    ...guideRequests(endpoints),
  ]);

/** @throws Error if a placeholder has no value, or a value no placeholder */
export const introductionOf = (endpoints: readonly Endpoint[]): string => {
  const values = valuesOf(endpoints);
  const unused = new Set(values.keys());
  const text = chapters
    .map((name) => readFileSync(new URL(`./${name}.md`, import.meta.url), 'utf8').trimEnd())
    .join('\n\n')
    .replaceAll(/\{\{([\w-]+)\}\}/g, (_, name: string) => {
      unused.delete(name);
      const value = values.get(name);
      if (value === undefined) throw new Error(`the placeholder {{${name}}} has no value`);
      return String(value);
    });
  if (unused.size > 0) throw new Error(`no chapter uses ${[...unused].join(', ')}`);
  return text;
};
