// `npm run test:dynamodb-local`: runs the tests of what speaks to the table against Amazon's own
// DynamoDB Local, a second engine beside the embedded one. Paths take the place of the suites;
// `--left-out` runs the tests alone that a difference leaves out, to see that they still fail.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, rmSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { differences } from './differences.ts';
import { startDynamoDBLocal } from './engine.ts';
import { startFront } from './front.ts';
import { Results, reportLeftOut, reportRun } from './report.ts';

const suites = [
  'tests/shared',
  'tests/functions',
  'tests/end-to-end',
  'tests/dynamodb-local/posts-at-once.test.ts',
];

const resultsFile = new URL('../../.dynamodb-local/results.json', import.meta.url).pathname;

const leftOutTitles = differences
  .flatMap(({ tests }) => tests)
  .map((title) => title.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'))
  .join('|');

/** Runs vitest on the engine, and answers with its exit code and its results. */
const runTests = async (options: readonly string[]) => {
  const engine = await startDynamoDBLocal();
  const front = await startFront(engine.port);
  rmSync(resultsFile, { force: true });
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${resultsFile}`];
  // All tests take several times longer than on the embedded engine.
  const times = ['--testTimeout', '90000', '--hookTimeout', '120000'];
  const vitest = spawn(
    'vitest',
    ['run', '--project', 'ledger', ...reporters, ...times, ...options],
    { stdio: 'inherit', env: { ...process.env, AWS_ENDPOINT_URL_DYNAMODB: front.endpoint } },
  );
  process.on('exit', () => vitest.kill());
  const [code] = await once(vitest, 'exit');
  await front.stop();
  await engine.stop();
  return {
    code: (code ?? 1) as number,
    results: Results.parse(JSON.parse(readFileSync(resultsFile, 'utf8'))),
  };
};

const run = async (): Promise<number> => {
  const { values, positionals } = parseArgs({
    options: { 'left-out': { type: 'boolean', default: false } },
    allowPositionals: true,
  });
  const startedAt = performance.now();
  const isWhole = positionals.length === 0;
  const pattern = values['left-out'] ? `(?:${leftOutTitles})$` : `^(?!.*(?:${leftOutTitles})$)`;
  const paths = isWhole ? suites : positionals;
  const { code, results } = await runTests(['--testNamePattern', pattern, ...paths]);
  const { lines, violations } = values['left-out']
    ? reportLeftOut(results)
    : reportRun(results, { differences, isWhole });
  const seconds = Math.round((performance.now() - startedAt) / 1000);
  console.log([...lines, `It took ${seconds} s, with the start of the engine.`].join('\n'));
  for (const violation of violations) console.error(violation);
  return violations.length > 0 || (code !== 0 && !values['left-out']) ? 1 : 0;
};

// `exit` also stops the engine and vitest.
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => process.exit(1));

process.exitCode = await run().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  return 1;
});
