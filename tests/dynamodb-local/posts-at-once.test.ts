import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { entries } from '../faults/scenarios.ts';
import { ledgerTime, openSmallLedger, smallChart } from '../support/builders/small-ledger.ts';
import { apiEvent, lambdaContext, readResult } from '../support/events/lambda-events.ts';
import { openInstance } from '../support/harnesses/instances.ts';
import { findViolations } from '../support/readers/invariants.ts';

const title = '64 posts at once, sent again while they are told to, get 1 to 64 without a gap';

test(title, { timeout: 90_000 }, async () => {
  const { applicationId, keys, copy } = await openSmallLedger();
  const { table, scan } = await copy();
  const { createEntry } = openInstance({
    table,
    clock: () => new Date(ledgerTime),
    keys,
  });
  const numberOf = async (external_id: string): Promise<string> => {
    for (;;) {
      const event = apiEvent({
        applicationId,
        body: { ...entries['without an external_id'], external_id },
      });
      const reply = readResult(await createEntry(event, lambdaContext()));
      if (reply.status === 200) return reply.body.data.journal_number;
      expect(reply.body.error).toMatchObject({ retryable: true });
      await pause(Number(reply.headers['Retry-After'] ?? 1) * 1000 * (1 + Math.random()));
    }
  };
  const posts = Array.from({ length: 64 }, (_, post) => numberOf(`post ${post}`));
  expect((await Promise.all(posts)).sort()).toEqual(
    Array.from({ length: 64 }, (_, n) => `MJ-20260323-${String(n + 1).padStart(4, '0')}`),
  );
  const chartCodes = smallChart.map(({ code }) => code);
  expect(findViolations(await scan(), { chartCodes })).toEqual([]);
});
