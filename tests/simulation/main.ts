// Runs a simulation: `npm run simulate -- --seed 7 --steps 2000`
// It ends with what happened, and with status 1 where something was wrong. With --sabotage and the
// name of a saboteur (tests/support/harnesses/saboteurs.ts) the store is made wrong.

import { parseArgs } from 'node:util';
import { startTestEngine } from '../support/dynamodb/test-engine.ts';
import { saboteurs } from '../support/harnesses/saboteurs.ts';
import { runSimulation } from './simulation.ts';

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    steps: { type: 'string', default: '1000' },
    sabotage: { type: 'string' },
  },
});
const [seed, steps] = [Number(values.seed), Number(values.steps)];
const saboteur = Object.entries(saboteurs).find(([name]) => name === values.sabotage);
if (![seed, steps].every(Number.isSafeInteger) || (values.sabotage && !saboteur)) {
  console.error(`--seed and --steps are whole numbers, --sabotage one of these:`);
  console.error(Object.keys(saboteurs).join('\n'));
  process.exit(2);
}

Object.assign(process.env, {
  AWS_REGION: 'eu-west-1',
  AWS_ACCESS_KEY_ID: 'local',
  AWS_SECRET_ACCESS_KEY: 'local',
});
const database = await startTestEngine();
const startedAt = performance.now();
const { problem, ...summary } = await runSimulation({
  seed,
  steps,
  endpoint: database.endpoint,
  ...(saboteur && { sabotage: saboteur[1] }),
  progress: (begun) => console.log(`${begun} operations`),
});
await database.stop();
const seconds = Math.round((performance.now() - startedAt) / 100) / 10;
console.log(JSON.stringify({ seed, steps, seconds, ...summary }, null, 2));
if (problem) {
  const { step, operation, differences } = problem;
  console.log(`Seed ${seed}, step ${step}: ${operation}`);
  for (const difference of differences) console.log(`- ${difference}`);
}
process.exit(problem ? 1 : 0);
