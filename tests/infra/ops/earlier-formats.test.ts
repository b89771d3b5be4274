// Tables of earlier versions: the service replies as the version that wrote them, before and after
// `ops table migrate`.

import { beforeAll, describe, expect, test } from 'vitest';
import { migrateTable } from '#infra/ops/commands/table.ts';
import { runCommand } from '#infra/ops/run-command.ts';
import { currentFormat } from '#shared/operator/migrations.store.ts';
import { euroEntry } from '../../support/builders/requests.ts';
import { apiEvent, lambdaContext, readResult } from '../../support/events/lambda-events.ts';
import { openVerification } from '../../support/harnesses/books-verification.ts';
import { type Instance, openCarrying, openInstance } from '../../support/harnesses/instances.ts';
import { useOperator } from '../../support/harnesses/operator.ts';
import { afterWrittenTables, writtenTables } from '../../support/readers/earlier-formats.ts';
import { sortItems } from '../../support/readers/item-kinds.ts';
import { comparable } from '../../support/readers/statements/earlier-statements.ts';

const handlers = {
  'reports/trial_balance': 'getTrialBalance',
  'reports/account_ledger': 'getAccountLedger',
  'reports/balance_sheet': 'getBalanceSheet',
  'reports/profit_and_loss': 'getProfitAndLoss',
  'reports/cash_flow': 'getCashFlow',
} as const;

describe.each([4, 5] as const)('a table of format %s', (format) => {
  const operator = useOperator({ hasAuthenticators: false });
  const { items, replies } = writtenTables[format];
  const applicationId = String(items.find(({ sk }) => sk === 'demo')?.applicationId);
  const domain_url = replies[0]?.query.domain_url;
  let service: Instance;

  const call = async (handler: keyof Instance, request: Parameters<typeof apiEvent>[0]) => {
    const handle = service[handler] as Instance['getEntry'];
    const event = apiEvent({ ...request, applicationId });
    return readResult(await handle(event, lambdaContext())).body;
  };
  const expectSameReplies = async () => {
    for (const { path, query, data } of replies) {
      const reply = await call(handlers[path], { method: 'GET', query });
      // Digests have had another definition since format 5.
      const { digest, ...others } = data;
      const { data: now } = reply;
      expect({ path, query, data: comparable(path, now) }).toMatchObject({
        path,
        query,
        data: comparable(path, others),
      });
      if (format === 5) expect(now.entries_digest).toBe(digest);
    }
  };
  const verify = () => openVerification(operator).verify({ all: true });

  beforeAll(async () => {
    await operator.database.seed(...items);
    service = openInstance({ table: operator.database.table, clock: () => afterWrittenTables });
  });

  test('has the same reports before it is migrated', expectSameReplies);

  test('is migrated to the current format', async () => {
    const options = { dryRun: false, again: false };
    const command = { words: 'table migrate', command: migrateTable, options };
    const stage = { stage: 'test', warn: () => {} };
    const report = await runCommand(command, operator.dependencies, stage);
    expect(report).toMatchObject({ format_before: format, format: currentFormat });
    const sorted = sortItems(await operator.database.scan());
    expect([sorted.strays, sorted.orphans()]).toEqual([[], []]);
    expect(await verify()).toMatchObject({ tenants: 2, difference_count: 0 });
  });

  test('has the same reports after it is migrated', expectSameReplies);

  test('has the same reports after its totals are carried', async () => {
    await openCarrying(operator.database.table)(afterWrittenTables.toISOString());
    await expectSameReplies();
    expect(await verify()).toMatchObject({ tenants: 2, difference_count: 0 });
  });

  test('takes an entry into a month with carried totals', async () => {
    const body = { domain_url, ...euroEntry({ date: '2026-08-17' }) };
    expect(await call('createEntry', { body })).toMatchObject({ status: 'success' });
    expect(await verify()).toMatchObject({ tenants: 2, difference_count: 0 });
  });
});
