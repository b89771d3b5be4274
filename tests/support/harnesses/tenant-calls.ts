// Endpoints as they are called for one tenant, by their paths.

import type { TenantName } from '#shared/table/keys.ts';
import type { Table } from '#shared/table/table.ts';
import { newKeys } from '../builders/secrets.ts';
import { randomIds } from '../builders/small-ledger.ts';
import { apiEvent, lambdaContext, readResult } from '../events/lambda-events.ts';
import { type Instance, openInstance } from './instances.ts';

const handlers = {
  'accounts/create': 'createAccount',
  'journal_entries/cancel': 'cancelEntry',
  'journal_entries/create_many': 'createEntries',
  'journal_entries/reverse': 'reverseEntry',
  'reports/balance_sheet': 'getBalanceSheet',
  'reports/cash_flow': 'getCashFlow',
  'reports/profit_and_loss': 'getProfitAndLoss',
  'reports/trial_balance': 'getTrialBalance',
  'tenants/update': 'updateTenant',
} as const satisfies Record<string, keyof Instance>;
type Path = keyof typeof handlers;

export const isCalled = (path: string): path is Path => path in handlers;

export type TenantCalls = ReturnType<typeof openTenantCalls>;

/** Every call returns its data, and throws if it is refused. */
export const openTenantCalls = (
  { table, clock }: { table: Table; clock: () => Date },
  { applicationId, schemaName }: TenantName,
) => {
  const domain_url = schemaName.replaceAll('_', '-');
  const instance = openInstance({
    table,
    clock,
    ids: randomIds,
    keys: newKeys('1'),
    platforms: { get: () => Promise.reject(new Error('no platform is asked here')) },
  });
  const call = async (path: Path, asked: Parameters<typeof apiEvent>[0]) => {
    const event = apiEvent({ ...asked, applicationId });
    const { status, body } = readResult(await instance[handlers[path]](event, lambdaContext()));
    if (status !== 200) throw new Error(`${path}: ${JSON.stringify(body)}`);
    return body.data;
  };
  return {
    post: (path: Path, body: object) => call(path, { body: { ...body, domain_url } }),
    get: (path: Path, query: Record<string, string>) =>
      call(path, { method: 'GET', query: { ...query, domain_url } }),
  };
};
