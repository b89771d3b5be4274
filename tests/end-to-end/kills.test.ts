// The whole service, its database included, is killed under load: a few of the kills that
// `npm run test:kills` does by the hundred.

import { expect, test } from 'vitest';
import { runKills } from '../kills/kill-rounds.ts';
import { entryNamed } from '../kills/operations.ts';
import type { RestartableService } from '../kills/restartable-service.ts';

const seed = 20_260_323;

/** A kill takes some ten seconds, and many times that where other tests run beside it. */
const timeout = 400_000;

test('killed under load, it loses and doubles nothing', { timeout }, async () => {
  const report = await runKills({ times: 2, seed });
  expect(report.violations).toEqual([]);
  expect(report.kills).toBe(2);
  expect(report.entriesAcknowledged).toBeGreaterThan(0);
  expect(report.repeatsCompared).toBeGreaterThan(0);
});

const schemaNameIn = ({ operations }: RestartableService): string =>
  operations.find(({ kind }) => kind === 'tenant')?.acknowledged ?? '';

/** An entry in the books that are there from the beginning. */
const entryIn = (
  target: RestartableService,
  { name, externalId }: { name: string; externalId?: string },
) =>
  entryNamed(name, {
    domainUrl: schemaNameIn(target).replaceAll('_', '-'),
    date: '2026-03-23',
    lineCount: 2,
    currency: 'EUR',
    accrualDate: undefined,
    externalId,
  });

test('what is lost all the same is noticed', { timeout }, async () => {
  const { violations } = await runKills({
    times: 1,
    seed,
    tamper: async (target) => {
      await target.sendUntilAnswered(target.add(entryIn(target, { name: 'lost' })));
      await target.deleteItems(({ memo }) => memo === 'lost');
      // What is lost without a trace is posted anew when its client sends it again.
      await target.sendUntilAnswered(
        target.add(entryIn(target, { name: 'forgotten', externalId: 'forgotten' })),
      );
      await target.deleteItems(({ memo, sk }) => memo === 'forgotten' || sk === 'EXT#forgotten');
    },
  });
  expect(violations).toContain('entry "lost" is lost');
  expect(violations).toContain('entry "forgotten" was posted again');
  expect(violations).toContainEqual(
    expect.stringMatching(/SEQUENCE#2026-03-23#MJ has the numbers/),
  );
  expect(violations).toContainEqual(expect.stringMatching(/^the operator's tool finds/));
  expect(violations).toContainEqual(expect.stringMatching(/^"forgotten" was \S+ .* and is now /));
});
