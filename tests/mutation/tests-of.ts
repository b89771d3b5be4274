// The tests that must detect a change of a rule, a store or the table's code.

import { existsSync, globSync } from 'node:fs';
import { join } from 'node:path';

/** Tests by the names of their files. */
const testsNamed = (folder: string, names: readonly string[]): string[] =>
  names.map((name) => {
    const [path] = globSync(`tests/${folder}/**/${name}{.store,}.test.ts`).sort();
    if (path === undefined) throw new Error(`No test in tests/${folder} is named ${name}.`);
    return path;
  });
const functionTests = (...names: string[]): string[] => testsNamed('{functions,security}', names);
const storeTests = (...names: string[]): string[] => testsNamed('shared', names);

const entryTest = 'tests/shared/entries/drafts/draft.test.ts';
const tenantTests = functionTests('create-tenant', 'idempotency');
const userTests = [...storeTests('oauth-states'), ...functionTests('ensure-user')];

/** Tests that a file has besides those of its own name, or instead of them. */
const furtherTests: Record<string, string[]> = {
  'shared/accounts/account-rules.ts': functionTests('create-account', 'update-account'),
  'shared/accounts/accounts.ts': [
    'tests/shared/accounts/default-chart.test.ts',
    ...storeTests('accounts'),
    ...functionTests('create-journal-entry', 'create-account', 'update-account'),
    'tests/shared/platforms/account-classification.test.ts',
  ],
  'shared/connections/authorization-states.ts': functionTests('initiate-oauth', 'oauth-callback'),
  'shared/entries/entry-names.ts': functionTests('get-journal-entry', 'reverse-journal-entry'),
  'shared/entries/reversals/reversal.ts': functionTests('reverse-journal-entry'),
  'shared/sheets/day-sheet.ts': storeTests('day-sheets'),
  'shared/entries/entry-content.ts': ['tests/shared/entries/entry-hash.test.ts'],
  'shared/entries/drafts/entry-request.ts': functionTests(
    'create-journal-entry',
    'create-journal-entries',
  ),
  'shared/entries/drafts/metadata.ts': functionTests('metadata'),
  'shared/entries/journal-entry.ts': [
    entryTest,
    'tests/shared/entries/entry-ids.test.ts',
    ...storeTests('journal-entries'),
  ],
  'shared/entries/make-entry.ts': [entryTest],
  'shared/idempotency-keys.ts': functionTests('idempotency', 'idempotency'),
  'shared/imports/import-report.ts': [
    ...storeTests('imports'),
    ...functionTests('report', 'journals'),
    ...functionTests('changes'),
  ],
  'shared/imports/import-request.ts': functionTests('start-imports', 'import-tenant-data'),
  'shared/connections/platform-connections.ts': storeTests('connections', 'connected-companies'),
  'shared/changes.ts': functionTests('update-tenant', 'update-account'),
  'shared/tenants/financial-year.ts': [
    ...['xero', 'quickbooks', 'zoho'].map(
      (name) => `tests/shared/platforms/${name}/${name}.test.ts`,
    ),
    ...functionTests('update-tenant'),
  ],
  'shared/tenants/period-lock.ts': functionTests('update-tenant'),
  'shared/tenants/tenant-rules.ts': functionTests('update-tenant'),
  'shared/elapsed-time.ts': ['tests/clock-jumps.test.ts'],
  'shared/entries/drafts/date-range.ts': functionTests('quotas'),
  'shared/imports/import-timing.ts': [
    'tests/clock-jumps.test.ts',
    ...functionTests('get-tenant-import'),
  ],
  'shared/accounts/platform-account-codes.ts': storeTests('accounts'),
  'shared/applications/quotas.ts': functionTests('quotas'),
  'shared/background/stuck-work.ts': functionTests('post-scheduled-entries'),
  'shared/tenants/tenants.ts': [...storeTests('tenants'), ...tenantTests],
  'shared/accounts/account-actions.store.ts': [
    ...storeTests('accounts'),
    ...functionTests('create-account', 'update-account'),
  ],
  'shared/operator/audit-log.store.ts': ['tests/infra/ops/audit.test.ts'],
  'shared/operator/callback-address.store.ts': ['tests/infra/ops/callback-address.test.ts'],
  'shared/accounts/charts.store.ts': [
    ...storeTests('accounts'),
    ...functionTests('list-accounts', 'create-account', 'update-account'),
  ],
  'shared/connections/connections.store.ts': [
    ...storeTests('refresh-leases', 'connected-companies'),
    ...functionTests('renew-connections'),
    'tests/infra/ops/secret-versions.test.ts',
  ],
  'shared/entries/lists/entry-bounds.store.ts': [
    ...storeTests('entry-lists'),
    ...functionTests('list-journal-entries'),
  ],
  'shared/entries/lists/entry-lists.store.ts': [
    ...functionTests('list-journal-entries'),
    'tests/reading-costs.test.ts',
  ],
  'shared/entries/schedule/cancellations.store.ts': functionTests('cancel-journal-entry'),
  'shared/entries/reversals/reversals.store.ts': functionTests('reverse-journal-entry'),
  'shared/entries/entry-lookups.store.ts': [
    ...functionTests('get-journal-entry', 'reverse-journal-entry', 'cancel-journal-entry'),
    'tests/reading-costs.test.ts',
  ],
  'shared/entries/entry-items.store.ts': storeTests('journal-entries', 'imported-journals'),
  'shared/entries/entry-guards.store.ts': functionTests('idempotency', 'create-journal-entries'),
  'shared/entries/entry-recording.store.ts': [
    ...storeTests('journal-entries', 'scheduled-entries', 'day-sheets'),
    ...functionTests('create-journal-entry', 'create-journal-entries'),
    ...functionTests('dry-run'),
  ],
  'shared/entries/request-recording.store.ts': functionTests(
    'idempotency',
    'users',
    'create-journal-entries',
  ),
  'shared/entries/entry-reader.store.ts': [
    ...storeTests('journal-entries'),
    ...functionTests('get-journal-entry'),
  ],
  'shared/table/optimistic-write.ts': [
    ...storeTests('journal-entries', 'scheduled-entries'),
    ...functionTests('create-journal-entries', 'cancel-journal-entry'),
  ],
  'shared/applications/budget-use.store.ts': ['tests/cost-budget.test.ts'],
  'shared/table/cost-budget.ts': ['tests/cost-budget.test.ts'],
  'shared/applications/charged-table.store.ts': ['tests/cost-budget.test.ts'],
  'shared/entries/schedule/due-dates.store.ts': functionTests('post-scheduled-entries'),
  'shared/table/due-keys.ts': storeTests('due-index', 'import-resumption'),
  'shared/table/expiry.ts': functionTests('confirm-tenant'),
  'shared/imports/import-runs.store.ts': storeTests('imports'),
  'shared/table/migration-step.ts': storeTests('migrations'),
  'shared/applications/quota-counts.store.ts': functionTests('quotas'),
  'shared/table/table-scan.ts': storeTests('migrations'),
  'shared/table/write-outcomes.ts': storeTests('table'),
  'shared/connections/held-consents.store.ts': functionTests('choices'),
  'shared/connections/pending-connections.store.ts': functionTests('confirm-tenant'),
  'shared/tenants/tenant-creations.store.ts': [
    ...storeTests('connected-companies', 'tenants'),
    ...functionTests('idempotency'),
  ],
  'shared/imports/import-checkpoint.store.ts': [
    ...storeTests('imports'),
    ...functionTests('import-tenant-data', 'checkpoints'),
  ],
  'shared/imports/import-scope.store.ts': [...storeTests('imports'), ...functionTests('changes')],
  'shared/imports/import-status.store.ts': [
    ...storeTests('imports'),
    ...functionTests('resume-imports'),
  ],
  'shared/imports/imported-journals.store.ts': functionTests('changes'),
  'shared/imports/imports.store.ts': [
    ...storeTests('connected-companies', 'due-index'),
    ...functionTests('get-tenant-import', 'resume-imports', 'pages'),
  ],
  'shared/entries/journal-entries.store.ts': functionTests(
    'create-journal-entry',
    'idempotency',
    'users',
    'create-journal-entries',
    'post-scheduled-entries',
  ),
  'shared/operator/recorded-books.store.ts': ['books-verify', 'books-export', 'books-show'].map(
    (name) => `tests/infra/ops/${name}.test.ts`,
  ),
  'shared/table/keys.ts': [
    ...storeTests('accounts', 'applications', 'connections', 'due-index', 'exchange-rates'),
    ...storeTests('imports', 'journal-entries', 'oauth-states', 'operator-queries', 'tenants'),
    ...functionTests('ensure-user', 'idempotency', 'post-scheduled-entries'),
  ],
  'shared/table/partitions.ts': ['tests/infra/local/stand-ins/permissions.test.ts'],
  'shared/entries/schedule/scheduled-entries.store.ts': functionTests('post-scheduled-entries'),
  'shared/table/field-updates.ts': [
    ...storeTests('accounts'),
    ...functionTests('update-account', 'update-tenant'),
  ],
  'shared/tenants/tenant-settings.store.ts': functionTests('update-tenant'),
  'shared/tenants/tenant-status.store.ts': [
    ...storeTests('connections', 'imports'),
    ...functionTests('get-user-profile'),
  ],
  'shared/reports/account-ledger.ts': functionTests('get-account-ledger', 'pages'),
  'shared/reports/cash-flow.ts': ['tests/shared/reports/cash-flow-examples.test.ts'],
  'shared/reports/statement-sums.ts': [
    'tests/shared/reports/cash-flow.test.ts',
    ...functionTests('get-balance-sheet', 'get-profit-and-loss'),
  ],
  'shared/sheets/sheet-sums.ts': ['tests/shared/reports/trial-balance.test.ts'],
  'shared/sheets/day-sheets.store.ts': functionTests('get-trial-balance', 'get-account-ledger'),
  'shared/entries/lists/posted-entries.store.ts': functionTests('get-account-ledger', 'budget'),
  'shared/reports/report-sources.store.ts': functionTests('get-trial-balance'),
  'shared/rates/rate-cache.store.ts': [...storeTests('exchange-rates'), ...functionTests('rates')],
  'shared/table/table.ts': storeTests('journal-entries', 'retry'),
  'shared/imports/tenant-imports.store.ts': [
    ...storeTests('operator-queries'),
    ...functionTests('get-tenant-import'),
  ],
  'shared/tenants/tenant-links.store.ts': functionTests('link-tenant'),
  'shared/tenants/tenant-reader.store.ts': functionTests('get-user-profile', 'confirm-tenant'),
  'shared/tenants/tenants.store.ts': [
    ...storeTests('connected-companies'),
    ...tenantTests,
    ...functionTests('get-user-profile'),
  ],
  'shared/users/users.store.ts': [...userTests, ...functionTests('get-user-profile')],
};

/** The folders with mutation tests. */
export const rulesAndStores = [
  ...['accounts', 'applications', 'background', 'connections', 'entries', 'imports', 'money'],
  ...['operator', 'rates', 'reports', 'sheets', 'table', 'tenants', 'users'],
].map((noun) => `shared/${noun}`);

/** The rules and stores in a file or folder. Tests of functions cover views and services. */
export const sourcesIn = (path: string): string[] => {
  const found = globSync([join(path), join(path, '**')]);
  const isRuleOrStore = /(?<!\.(view|service|endpoint|container))\.ts$/;
  const sources = found.filter((name) => isRuleOrStore.test(name)).sort();
  if (sources.length === 0) throw new Error(`There is no source file in ${path}.`);
  return sources;
};

/** The tests of `imports.store.ts`: `imports.store.test.ts`, `imports.store-*` and a row above. */
export const testsOf = (source: string): string[] => {
  const stem = join('tests', source.replace(/\.ts$/, ''));
  const named = globSync(`${stem}{,-*}.test.ts`).sort();
  const tests = [...named, ...(furtherTests[source] ?? [])];
  const missing = tests.filter((path) => !existsSync(path));
  if (missing.length > 0) throw new Error(`${source} has lost its tests: ${missing.join(', ')}`);
  if (tests.length === 0) throw new Error(`${source} has no tests; give it a row.`);
  return tests;
};
