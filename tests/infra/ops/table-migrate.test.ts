// `ops table migrate` on a table of an earlier version, and the API's replies afterwards.

import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, test } from 'vitest';
import { migrateTable } from '#infra/ops/commands/table.ts';
import { changesFormat, checkFormat } from '#infra/ops/deployment/preflight.ts';
import { runCommand } from '#infra/ops/run-command.ts';
import { currentFormat, formatVersion } from '#shared/operator/migrations.store.ts';
import { formatKey } from '#shared/table/keys.ts';
import { apiEvent, lambdaContext, readResult } from '../../support/events/lambda-events.ts';
import { openVerification } from '../../support/harnesses/books-verification.ts';
import { type Instance, openInstance } from '../../support/harnesses/instances.ts';
import { refusalOf, useOperator } from '../../support/harnesses/operator.ts';
import { afterFormat3, format3Items } from '../../support/readers/earlier-formats.ts';

const operator = useOperator({ hasAuthenticators: false });

const migrate = (options: { dryRun?: boolean; again?: boolean } = {}) =>
  runCommand(
    {
      words: 'table migrate',
      command: migrateTable,
      options: { dryRun: false, again: false, ...options },
    },
    operator.dependencies,
    { stage: 'test', warn: () => {} },
  );

const applicationId = String(format3Items.find(({ sk }) => sk === 'demo')?.applicationId);
const tenants = format3Items.filter(({ kind }) => kind === 'tenant');
const prefixOf = (companyName: string): string =>
  String(
    tenants.find((it) => it.companyName === companyName && it.applicationId === applicationId)
      ?.prefix,
  );
const domain_url = prefixOf('Analytical Engines');

let service: Instance;
const call = async (handler: keyof Instance, request: Parameters<typeof apiEvent>[0]) => {
  const event = apiEvent({ ...request, applicationId });
  const handle = service[handler] as Instance['getEntry'];
  const { status, body } = readResult(await handle(event, lambdaContext()));
  expect([handler, status, body.error]).toEqual([handler, 200, undefined]);
  return body.data;
};
const read = (handler: keyof Instance, query: Record<string, string> = {}) =>
  call(handler, { method: 'GET', query: { domain_url, ...query } });

beforeAll(async () => {
  await operator.database.seed(...format3Items);
  service = openInstance({
    table: operator.database.table,
    clock: () => afterFormat3,
  });
});

test('the command counts, then converts, and leaves an entry in the audit log', async () => {
  const { auditLog } = operator.dependencies;
  const before = await auditLog.list({ limit: 100 });
  const counted = await migrate({ dryRun: true });
  expect(counted).toMatchObject({ dry_run: true, format_before: 3, format: 3 });
  expect(await auditLog.list({ limit: 100 })).toEqual(before);
  const report = await migrate();
  expect(report).toMatchObject({ dry_run: false, format_before: 3, format: 6 });
  expect(report.steps).toEqual(counted.steps);
  const changes = await auditLog.list({ limit: 100 });
  expect(changes.filter(({ command }) => command === 'table migrate')).toMatchObject([
    { outcome: 'done', before: { format: 3 }, after: { format: 6 } },
  ]);
  expect(await migrate()).toMatchObject({ format_before: 6, format: 6, items_read: 0 });
});

describe('after the migration', () => {
  test('users, their tenants and their links exist', async () => {
    const profile = await call('getProfile', { body: { email: 'ada@example.com' } });
    const shown = profile.tenants.map((it: Record<string, unknown>) => [
      it.company_name,
      it.platform,
      it.status,
      it.lock_date,
    ]);
    expect(shown.sort()).toEqual([
      ['Alder Software Inc.', 'platform_b', 'active', null],
      ['Analytical Engines', 'manual', 'active', '2025-03-31'],
      ['Harbour Coffee Roasters Ltd', 'platform_a', 'importing', null],
      ['Linden Bakery GmbH', 'platform_a', 'active', null],
      ['Prairie Tools Inc.', 'platform_a', 'importing', null],
    ]);
    const user = { email: 'ADA@example.com', first_name: 'Ada', last_name: 'Lovelace' };
    expect(await call('ensureUser', { body: { ...user, password: 'correct horse' } })).toEqual({
      user_id: profile.user_id,
      email: 'Ada@example.com',
      created: false,
    });
    const grace = await call('getProfile', { body: { email: 'grace@example.com' } });
    expect(grace.tenants).toMatchObject([{ tenant_domain_url: domain_url }]);
  });

  test('every entry is listed, and shown by each identifier', async () => {
    const listed = [];
    for (let cursor: string | null = ''; cursor !== null; ) {
      const page = await read('listEntries', { limit: '5', ...(cursor && { cursor }) });
      listed.push(...page.journal_entries);
      cursor = page.next_cursor;
    }
    const statuses = listed.map(({ status }) => status);
    const countOf = (status: string) => statuses.filter((it) => it === status).length;
    expect([countOf('posted'), countOf('scheduled'), countOf('cancelled')]).toEqual([12, 5, 1]);
    for (const entry of listed) {
      const { journal_entry_id, journal_number, external_id } = entry;
      const names = [
        { journal_entry_id },
        { journal_number },
        ...(external_id ? [{ external_id }] : []),
      ];
      for (const name of names) expect(await read('getEntry', name)).toEqual(entry);
    }
    const long = listed.find(({ external_id }) => external_id === 'long-1');
    expect(long.transactions).toHaveLength(121);
  });

  test('an entry is replayed by its external_id and by its Idempotency-Key', async () => {
    const entry = {
      domain_url,
      date: '2026-03-23',
      memo: 'March consulting',
      transactionCurrency: 'EUR',
      reportingCurrency: 'EUR',
      external_id: 'invoice-1',
      entries: [
        { account: '1010', debit: '100.00' },
        { account: '4010', credit: '100.00' },
      ],
    };
    const posted = await read('getEntry', { external_id: 'invoice-1' });
    expect(await call('createEntry', { body: entry })).toEqual({ ...posted, replayed: true });
    const { external_id: _, ...keyed } = { ...entry, date: '2026-02-10', memo: ';=HYPERLINK(A1)' };
    const headers = { 'Idempotency-Key': 'entry-1' };
    const replayed = await call('createEntry', { body: keyed, headers });
    expect(replayed.journal_number).toBe('MJ-20260210-0001');
  });

  test('an external_id with a tab and a line end still leads to its entry', async () => {
    const external_id = 'tab\tand\nline end';
    const entry = await read('getEntry', { external_id });
    expect(entry).toMatchObject({ external_id, memo: 'An external_id with control characters' });
    const tried = { domain_url, original_external_id: external_id, date: '2026-11-20' };
    const reversal = await call('reverseEntry', { body: { ...tried, dry_run: true } });
    expect(reversal.reverses).toBe(entry.journal_entry_id);
  });

  test('reports show the same figures', async () => {
    const period = { from: '2026-01-01', to: '2026-12-31' };
    const { rows } = await read('getTrialBalance', period);
    expect(rows.map((it: { account: string }) => it.account)).toEqual(['1010', '4010', '6500']);
    const ledger = await read('getAccountLedger', { ...period, account: '1010' });
    expect([ledger.opening_balance, ledger.closing_balance]).toEqual(['300.00', '1680.00']);
    const sheet = await read('getBalanceSheet', { as_of: '2026-12-31' });
    expect(sheet.total_liabilities_and_equity).toBe('1680.00');
    expect((await read('getProfitAndLoss', period)).profit).toBe('1380.00');
    expect((await read('getCashFlow', period)).closing_cash).toBe('1680.00');
  });

  test('accounts of connected companies and their imports exist', async () => {
    const connected = prefixOf('Linden Bakery GmbH');
    const { accounts } = await read('listAccounts', { domain_url: connected, limit: '200' });
    expect(accounts.length).toBeGreaterThan(100);
    const report = await read('getImport', { domain_url: connected });
    expect(report).toMatchObject({ status: 'active' });
  });

  test('no books differ', async () => {
    const report = await openVerification(operator).verify({ all: true });
    expect(report).toMatchObject({ tenants: 6, difference_count: 0 });
  });
});

test('a deployment refuses a table of a later version', async () => {
  const { dependencies, database } = operator;
  expect(await refusalOf(checkFormat(dependencies))).toBe('nothing was refused');
  const stamp = await database.table.get(formatKey);
  await database.seed({ ...formatKey, format: 7 });
  expect(await refusalOf(checkFormat(dependencies))).toBe(
    'the table has stored format 7, and this version of the ledger reads the formats 3, 4, 5, ' +
      '6: use a version after 1.3.0',
  );
  await database.seed({ ...formatKey, format: 8, version: '1.5.0' });
  expect(await refusalOf(checkFormat(dependencies))).toContain(': use version 1.5.0');
  await database.seed({ ...formatKey, ...stamp });
});

test('a deployment switches at once if the table has an earlier format', async () => {
  const { dependencies, database } = operator;
  const stamp = await database.table.get(formatKey);
  expect(await changesFormat(dependencies)).toBe(false);
  await database.seed({ ...formatKey, format: currentFormat - 1 });
  expect(await changesFormat(dependencies)).toBe(true);
  await database.seed({ ...formatKey, ...stamp });
});

test('the stamp has the version that reads the format, which the package has reached', async () => {
  const stamp = await operator.database.table.get(formatKey);
  expect(stamp).toMatchObject({ format: currentFormat, version: formatVersion });
  const { version } = JSON.parse(readFileSync('package.json', 'utf8'));
  const order = version.localeCompare(formatVersion, 'en', { numeric: true });
  expect(order).toBeGreaterThanOrEqual(0);
});
