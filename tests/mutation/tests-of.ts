// Which tests have to find out what is changed in a source file of the domain or the store.

import { existsSync, globSync } from 'node:fs';
import { join } from 'node:path';

const functionTests = (...names: string[]): string[] =>
  names.map((name) => `tests/functions/${name}.test.ts`);
const storeTests = (...names: string[]): string[] =>
  names.map((name) => `tests/shared/store/${name}.test.ts`);

const entryTest = 'tests/shared/domain/entries/draft.test.ts';
const tenantTests = functionTests('create-tenant', 'create-tenant-idempotency');
const userTests = [...storeTests('oauth-states'), ...functionTests('ensure-user')];

/** Tests that a file has besides those of its own name, or instead of them. */
const furtherTests: Record<string, string[]> = {
  'shared/domain/account-rules.ts': functionTests('create-account', 'update-account'),
  'shared/domain/accounts.ts': [
    'tests/shared/domain/default-chart.test.ts',
    ...storeTests('accounts'),
    ...functionTests('create-journal-entry', 'create-account', 'update-account'),
    'tests/shared/platforms/account-classification.test.ts',
  ],
  'shared/domain/authorization-states.ts': functionTests('initiate-oauth', 'oauth-callback'),
  'shared/domain/entries/entry-names.ts': functionTests(
    'get-journal-entry',
    'reverse-journal-entry',
  ),
  'shared/domain/entries/reversal.ts': functionTests('reverse-journal-entry'),
  'shared/domain/entries/day-sheet.ts': storeTests('day-sheets'),
  'shared/domain/entries/entry-content.ts': ['tests/shared/domain/entries/entry-hash.test.ts'],
  'shared/domain/entries/entry-request.ts': functionTests(
    'create-journal-entry',
    'create-journal-entries',
  ),
  'shared/domain/entries/metadata.ts': functionTests('create-journal-entry-metadata'),
  'shared/domain/entries/journal-entry.ts': [
    entryTest,
    'tests/shared/domain/entries/entry-ids.test.ts',
    ...storeTests('journal-entries'),
  ],
  'shared/domain/entries/make-entry.ts': [entryTest],
  'shared/domain/idempotency-keys.ts': functionTests(
    'create-journal-entry-idempotency',
    'create-tenant-idempotency',
  ),
  'shared/domain/import-report.ts': [
    ...storeTests('imports'),
    ...functionTests('import-tenant-data-report', 'import-tenant-data-journals'),
    ...functionTests('import-tenant-data-changes'),
  ],
  'shared/domain/import-request.ts': functionTests('start-imports', 'import-tenant-data'),
  'shared/domain/platform-connections.ts': storeTests('connections', 'connected-companies'),
  'shared/domain/changes.ts': functionTests('update-tenant', 'update-account'),
  'shared/domain/financial-year.ts': [
    ...['xero', 'quickbooks', 'zoho'].map((name) => `tests/shared/platforms/${name}.test.ts`),
    ...functionTests('update-tenant'),
  ],
  'shared/domain/period-lock.ts': functionTests('update-tenant'),
  'shared/domain/tenant-rules.ts': functionTests('update-tenant'),
  'shared/domain/elapsed-time.ts': ['tests/clock-jumps.test.ts'],
  'shared/domain/entries/date-range.ts': functionTests('quotas'),
  'shared/domain/import-timing.ts': [
    'tests/clock-jumps.test.ts',
    ...functionTests('get-tenant-import'),
  ],
  'shared/domain/platform-account-codes.ts': storeTests('accounts'),
  'shared/domain/quotas.ts': functionTests('quotas'),
  'shared/domain/stuck-work.ts': functionTests('post-scheduled-entries'),
  'shared/domain/tenants.ts': [...storeTests('tenants'), ...tenantTests],
  'shared/store/account-actions.ts': [
    ...storeTests('accounts'),
    ...functionTests('create-account', 'update-account'),
  ],
  'shared/store/audit-log.ts': ['tests/infra/ops/audit.test.ts'],
  'shared/store/callback-address.ts': ['tests/infra/ops/callback-address.test.ts'],
  'shared/store/charts.ts': [
    ...storeTests('accounts'),
    ...functionTests('list-accounts', 'create-account', 'update-account'),
  ],
  'shared/store/connections.ts': [
    ...storeTests('refresh-leases', 'connected-companies'),
    ...functionTests('renew-connections'),
    'tests/infra/ops/secret-versions.test.ts',
  ],
  'shared/store/entry-bounds.ts': [
    ...storeTests('entry-lists'),
    ...functionTests('list-journal-entries'),
  ],
  'shared/store/entry-lists.ts': [
    ...functionTests('list-journal-entries'),
    'tests/reading-costs.test.ts',
  ],
  'shared/store/entry-cancellations.ts': functionTests('cancel-journal-entry'),
  'shared/store/entry-reversals.ts': functionTests('reverse-journal-entry'),
  'shared/store/entry-lookups.ts': [
    ...functionTests('get-journal-entry', 'reverse-journal-entry', 'cancel-journal-entry'),
    'tests/reading-costs.test.ts',
  ],
  'shared/store/entry-items.ts': storeTests('journal-entries', 'imported-journals'),
  'shared/store/entry-guards.ts': functionTests(
    'create-journal-entry-idempotency',
    'create-journal-entries',
  ),
  'shared/store/entry-recording.ts': [
    ...storeTests('journal-entries', 'scheduled-entries', 'day-sheets'),
    ...functionTests('create-journal-entry', 'create-journal-entries'),
    ...functionTests('create-journal-entry-dry-run'),
  ],
  'shared/store/request-recording.ts': functionTests(
    'create-journal-entry-idempotency',
    'create-journal-entry-users',
    'create-journal-entries',
  ),
  'shared/store/entry-reader.ts': [
    ...storeTests('journal-entries'),
    ...functionTests('get-journal-entry'),
  ],
  'shared/store/optimistic-write.ts': [
    ...storeTests('journal-entries', 'scheduled-entries'),
    ...functionTests('create-journal-entries', 'cancel-journal-entry'),
  ],
  'shared/store/budget-use.ts': ['tests/cost-budget.test.ts'],
  'shared/store/charged-table.ts': ['tests/cost-budget.test.ts'],
  'shared/store/due-dates.ts': functionTests('post-scheduled-entries'),
  'shared/store/due-keys.ts': storeTests('due-index', 'import-resumption'),
  'shared/store/expiry.ts': functionTests('confirm-tenant'),
  'shared/store/import-runs.ts': storeTests('imports'),
  'shared/store/migration-step.ts': storeTests('migrations'),
  'shared/store/quota-counts.ts': functionTests('quotas'),
  'shared/store/table-scan.ts': storeTests('migrations'),
  'shared/store/write-outcomes.ts': storeTests('table'),
  'shared/store/held-consents.ts': functionTests('oauth-callback-choices'),
  'shared/store/pending-connections.ts': functionTests('confirm-tenant'),
  'shared/store/idempotency-keys.ts': [
    ...storeTests('connected-companies', 'tenants'),
    ...functionTests('create-tenant-idempotency'),
  ],
  'shared/store/import-checkpoint.ts': [
    ...storeTests('imports'),
    ...functionTests('import-tenant-data', 'import-tenant-data-checkpoints'),
  ],
  'shared/store/import-conditions.ts': [
    ...storeTests('imports'),
    ...functionTests('get-tenant-import'),
  ],
  'shared/store/import-scope.ts': [
    ...storeTests('imports'),
    ...functionTests('import-tenant-data-changes'),
  ],
  'shared/store/import-status.ts': [...storeTests('imports'), ...functionTests('resume-imports')],
  'shared/store/imported-journals.ts': functionTests('import-tenant-data-changes'),
  'shared/store/imports.ts': [
    ...storeTests('connected-companies', 'due-index'),
    ...functionTests('resume-imports', 'import-tenant-data-pages'),
  ],
  'shared/store/journal-entries.ts': functionTests(
    'create-journal-entry',
    'create-journal-entry-idempotency',
    'create-journal-entry-users',
    'create-journal-entries',
    'post-scheduled-entries',
  ),
  'shared/store/kept-books.ts': ['books-verify', 'books-export', 'books-show'].map(
    (name) => `tests/infra/ops/${name}.test.ts`,
  ),
  'shared/store/keys.ts': [
    ...storeTests('accounts', 'applications', 'connections', 'due-index', 'exchange-rates'),
    ...storeTests('imports', 'journal-entries', 'oauth-states', 'operator-queries', 'tenants'),
    ...functionTests('ensure-user', 'create-tenant-idempotency', 'post-scheduled-entries'),
  ],
  'shared/store/partitions.ts': ['tests/infra/local/grants.test.ts'],
  'shared/store/scheduled-entries.ts': functionTests('post-scheduled-entries'),
  'shared/store/field-updates.ts': [
    ...storeTests('accounts'),
    ...functionTests('update-account', 'update-tenant'),
  ],
  'shared/store/tenant-settings.ts': functionTests('update-tenant'),
  'shared/store/tenant-status.ts': [
    ...storeTests('connections', 'imports'),
    ...functionTests('get-user-profile'),
  ],
  'shared/domain/reports/account-ledger.ts': functionTests(
    'get-account-ledger',
    'get-account-ledger-pages',
  ),
  'shared/domain/reports/cash-flow.ts': ['tests/shared/domain/reports/cash-flow-examples.test.ts'],
  'shared/domain/reports/statement-sums.ts': [
    'tests/shared/domain/reports/cash-flow.test.ts',
    ...functionTests('get-balance-sheet', 'get-profit-and-loss'),
  ],
  'shared/domain/reports/sheet-sums.ts': ['tests/shared/domain/reports/trial-balance.test.ts'],
  'shared/store/day-sheets.ts': functionTests('get-trial-balance', 'get-account-ledger'),
  'shared/store/posted-entries.ts': functionTests(
    'get-account-ledger',
    'get-account-ledger-budget',
  ),
  'shared/store/report-sources.ts': functionTests('get-trial-balance'),
  'shared/store/rate-cache.ts': [
    ...storeTests('exchange-rates'),
    ...functionTests('create-journal-entry-rates'),
  ],
  'shared/store/table.ts': storeTests('journal-entries', 'retry'),
  'shared/store/tenant-imports.ts': [
    ...storeTests('operator-queries'),
    ...functionTests('get-tenant-import'),
  ],
  'shared/store/tenant-links.ts': functionTests('link-tenant'),
  'shared/store/tenants.ts': [
    ...storeTests('connected-companies'),
    ...tenantTests,
    ...functionTests('get-user-profile'),
  ],
  'shared/store/users.ts': [...userTests, ...functionTests('get-user-profile')],
};

/** The files that a source file or a folder of them stands for. */
export const sourcesIn = (path: string): string[] => {
  const found = globSync([join(path), join(path, '**')]);
  const sources = found.filter((name) => name.endsWith('.ts')).sort();
  if (sources.length === 0) throw new Error(`There is no source file in ${path}.`);
  return sources;
};

/** The tests of `shared/store/imports.ts` are `imports.test.ts`, `imports-*.test.ts` and a row. */
export const testsOf = (source: string): string[] => {
  const stem = join('tests', source.replace(/\.ts$/, ''));
  const named = globSync(`${stem}{,-*}.test.ts`).sort();
  const tests = [...named, ...(furtherTests[source] ?? [])];
  const missing = tests.filter((path) => !existsSync(path));
  if (missing.length > 0) throw new Error(`${source} has lost its tests: ${missing.join(', ')}`);
  if (tests.length === 0) throw new Error(`${source} has no tests; give it a row.`);
  return tests;
};
