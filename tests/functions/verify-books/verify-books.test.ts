// The weekly verification: who is verified when, and what it reports.

import { expect, test } from 'vitest';
import { addDays } from '#shared/money/dates.ts';
import { verificationKey } from '#shared/table/due-keys.ts';
import { openTenantCalls } from '../../support/harnesses/calls.ts';
import { openCarrying } from '../../support/harnesses/instances.ts';
import { openVerifiedTable, openVerifying } from '../../support/harnesses/verifying.ts';
import { keepLog } from '../../support/recorders/log.ts';
import { keepMetrics } from '../../support/recorders/metrics.ts';

const { ledger, name, call, post } = await openTenantCalls();
const { table, altered } = openVerifiedTable(ledger);
const log = keepLog();
const metrics = keepMetrics();
const verify = openVerifying(table, { altered, log, metrics });
const result = () => ledger.table.get(verificationKey(name));

test('each tenant is verified once a week', async () => {
  for (const amount of ['5.00', '6.00']) await post({ date: '2026-03-20', amount });
  const days: string[] = [];
  for (let day = 0; day < 14; day += 1) {
    const now = `${addDays('2026-05-01', day)}T01:00:00.000Z`;
    await openCarrying(ledger.table)(now);
    const { verified } = (await verify(now)) as { verified: number };
    if (verified > 0) days.push(now);
  }
  expect(days).toHaveLength(2);
  expect(Date.parse(days[1] ?? '') - Date.parse(days[0] ?? '')).toBe(7 * 86_400_000);
  expect(await result()).toMatchObject({ entries: 2, differences: 0, verifiedAt: days[1] });
});

test('an altered revaluation raises the alarm, and the log names it', async () => {
  await post({ date: '2026-03-20', amount: '7.00', currency: 'USD' });
  await call('postRevaluation', { as_of: '2026-03-23' });
  const sk = 'ENTRY#2026-03-23#RV#000000001';
  const revaluation = (await ledger.scan()).find((item) => item.sk === sk);
  if (revaluation === undefined) throw new Error('nothing was revalued');
  await ledger.tamper({ ...revaluation, memo: 'Altered' });
  for (let day = 0; day < 7; day += 1) {
    const now = `${addDays('2026-05-15', day)}T01:00:00.000Z`;
    await openCarrying(ledger.table)(now);
    await verify(now);
  }
  expect(metrics.events).toContainEqual(['booksDiffer']);
  expect(JSON.stringify(log.lines)).toMatch(/"books differ".*"hash of RV-20260323-0001"/);
});
