// An upgrade: the last released version deploys the stage and serves an application, and then this
// version takes its place.

import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { type FunctionName, functions } from '#infra/manifest/manifest.ts';
import { functionNameOf } from '#infra/manifest/names.ts';
import { type StageSettings, stages } from '#infra/manifest/stages.ts';
import { ada, dollarEntry, manualTenant } from '../../support/builders/requests.ts';
import type { Emulator } from '../emulator.ts';
import type { Report } from '../report.ts';
import { assertRefused, call, dataOf } from './calls.ts';
import type { Deployed } from './deployed.ts';
import { deployStacks } from './deployment.ts';

/** The books of a tenant: a user's tenant with an entry, and its trial balance. */
const writeBooks = async (deployed: Deployed) => {
  const { user_id } = dataOf(await call(deployed, 'users/ensure/', { body: ada }));
  const tenant = { ...manualTenant, user_id };
  const created = dataOf(await call(deployed, 'tenants/create/', { body: tenant }));
  const domain_url: string = created.tenant_domain_url;
  const body = { ...dollarEntry, domain_url, external_id: randomUUID() };
  const posted = dataOf(await call(deployed, 'journal_entries/create/', { body }));
  return { user_id, domain_url, body, posted };
};

const balancesOf = async (deployed: Deployed, domain_url: string) => {
  const query = new URLSearchParams({ domain_url, as_of: '2026-03-31' });
  const { rows } = dataOf(await call(deployed, `reports/trial_balance/?${query}`));
  return rows.map(({ account, debit, credit }: Record<string, unknown>) => ({
    account,
    debit,
    credit,
  }));
};

const checkReservations = async ({ aws, stage }: Emulator): Promise<void> => {
  const names = Object.keys(functions) as FunctionName[];
  const reserved = await Promise.all(
    names.map(async (name) => [name, await aws.reservedConcurrency(functionNameOf(stage, name))]),
  );
  const { reservedConcurrency }: StageSettings = stages[stage];
  assert.deepEqual(
    reserved,
    names.map((name) => [name, reservedConcurrency?.[name]]),
  );
};

export const walkUpgrade = async (
  emulator: Emulator,
  { deployed, report }: { deployed: Deployed; report: Report },
): Promise<void> => {
  report.heading('Upgrading');
  const { domain_url, body, posted, user_id, balances } = await report.step(
    'the last release serves: a user, a tenant, an entry',
    async () => {
      const books = await writeBooks(deployed);
      return { ...books, balances: await balancesOf(deployed, books.domain_url) };
    },
  );
  assert.ok(balances.length > 0);
  await report.step('npm run deploy of this version', () =>
    deployStacks(emulator, { report, commands: emulator.commands }),
  );
  await report.check("the row's executions are reserved", () => checkReservations(emulator));
  await report.check('ops rollback refuses the release, which cannot read the table', () =>
    assert.rejects(emulator.commands.ops('rollback'), /the table has stored format \d+/),
  );
  await report.check('the methods that this version removed answer 404', async () => {
    const reply = await call(deployed, 'users/ensure/', { method: 'DELETE' });
    assertRefused(reply, { code: 'route_not_found' });
  });
  await report.check('the same key reads the same books', async () => {
    const known = dataOf(await call(deployed, 'users/ensure/', { body: ada }));
    assert.deepEqual([known.created, known.user_id], [false, user_id]);
    assert.deepEqual(await balancesOf(deployed, domain_url), balances);
  });
  await report.check("a repeat of the release's entry is the same entry", async () => {
    const repeated = dataOf(await call(deployed, 'journal_entries/create/', { body }));
    assert.equal(repeated.journal_entry_id, posted.journal_entry_id);
  });
  await report.check('ops books verify finds no difference', async () => {
    const { tenants, difference_count } = await emulator.commands.ops('books verify --all');
    assert.deepEqual([tenants > 1, difference_count], [true, 0]);
  });
};
