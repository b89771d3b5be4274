// Every command that names an application or a tenant refuses one that does not exist.

import { expect, test } from 'vitest';
import { commandWords, loadCommand } from '#infra/ops/catalog.ts';
import { addTenant } from '../../support/builders/platforms/connected-tenants.ts';
import { useOperator } from '../../support/harnesses/operator.ts';

const operator = useOperator({ pepper: Buffer.alloc(32, 1) });

/** The other options that a command needs. */
const others: Record<string, object> = {
  'applications redirect-urls': { add: ['https://app.example/done'] },
  'books export': { format: 'csv' },
  'entries show': { number: 'MJ-20260323-0001' },
};

const takes = async (option: string): Promise<string[]> => {
  const commands = await Promise.all(
    commandWords.map(async (words) => ({ words, options: (await loadCommand(words)).options })),
  );
  return commands.filter(({ options }) => option in options).map(({ words }) => words);
};
const ofApplications = (await takes('application')).filter((it) => it !== 'applications create');
const ofTenants = await takes('tenant');

const refusedBy = async (words: string, options: object): Promise<string> => {
  await addTenant(operator.ledger, { prefix: 'by-hand', slot: 'manual' });
  const command = await loadCommand(words);
  const given = { ...others[words], ...options };
  return operator.refusalOf(() => command.run(operator.dependencies, given));
};

test.each(ofApplications)('%s of a missing application', async (words) => {
  const refusal = await refusedBy(words, { tenant: 'nobody', application: 'None' });
  const remedy = words === 'keys create' ? ': run applications create first' : '';
  expect(refusal).toBe(`there is no application "None"${remedy}`);
});

test.each(ofTenants)('%s of a missing tenant', async (words) => {
  expect(await refusedBy(words, { tenant: 'nobody', application: 'bookings' })).toBe(
    '"Bookings" has no tenant nobody',
  );
});

test.each(ofTenants.filter((words) => /^(connections|imports) /.test(words)))(
  '%s of a tenant without a platform',
  async (words) => {
    expect(await refusedBy(words, { tenant: 'by-hand', application: 'Bookings' })).toBe(
      'by-hand is a manual tenant: it has no platform',
    );
  },
);
