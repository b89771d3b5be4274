// Every command that names an application or a tenant refuses one that does not exist.

import { expect, test } from 'vitest';
import { commandWords, loadCommand } from '#infra/ops/catalog.ts';
import { addTenant } from '../../support/builders/connected-tenants.ts';
import { refusalOf, useOperator } from '../../support/harnesses/operator.ts';

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

/** The message of a command's refusal, which must have changed nothing. */
const refusedBy = async (words: string, options: object): Promise<string> => {
  const { table } = operator.database;
  const issuing = operator.dependencies;
  await addTenant({ table, issuing }, { prefix: 'by-hand', slot: 'manual' });
  const before = await operator.database.scan();
  const command = await loadCommand(words);
  const refusal = await refusalOf(command.run(issuing, { ...others[words], ...options }));
  expect(await operator.database.scan()).toEqual(before);
  return refusal;
};

test.each(ofApplications)('%s of a missing application', async (words) => {
  const refusal = await refusedBy(words, { tenant: 'nobody', application: 'None' });
  expect(refusal.replace(': run applications create first', '')).toBe(
    'there is no application "None"',
  );
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
