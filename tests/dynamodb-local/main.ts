// `npm run test:dynamodb-local`: runs the tests of what speaks to the table against Amazon's own
// DynamoDB Local, a second engine beside the embedded one. Arguments go to vitest.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { differences } from './differences.ts';
import { startDynamoDBLocal } from './engine.ts';
import { startFront } from './front.ts';

const suites = ['tests/shared/store', 'tests/functions', 'tests/end-to-end'];

const run = async (given: readonly string[]): Promise<number> => {
  const engine = await startDynamoDBLocal();
  const front = await startFront(engine.port);
  const leftOut = differences
    .flatMap(({ tests }) => tests)
    .map((title) => title.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  const names = ['--testNamePattern', `^(?!.*(?:${leftOut.join('|')})$)`];
  // Everything takes several times as long as it does with the embedded engine.
  const times = ['--testTimeout', '90000', '--hookTimeout', '120000'];
  const paths = given.length > 0 ? given : suites;
  const vitest = spawn('vitest', ['run', '--project', 'ledger', ...names, ...times, ...paths], {
    stdio: 'inherit',
    env: { ...process.env, AWS_ENDPOINT_URL_DYNAMODB: front.endpoint },
  });
  process.on('exit', () => vitest.kill());
  const [code] = await once(vitest, 'exit');
  await front.stop();
  await engine.stop();
  return code ?? 1;
};

// Ends by way of `exit`, which takes the engine and vitest along.
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => process.exit(1));

process.exitCode = await run(process.argv.slice(2)).catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  return 1;
});
