// `node tests/kills/main.ts --times 100 [--seed N]`: kills the whole local service under load with
// SIGKILL, the database too, and checks after each start that nothing acknowledged is lost.

import { randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';
import { runKills } from './kill-rounds.ts';

const { values } = parseArgs({
  options: { times: { type: 'string', default: '100' }, seed: { type: 'string' } },
});
const times = Number(values.times);
const seed = values.seed === undefined ? randomInt(2 ** 32) : Number(values.seed);
if (!(times >= 1 && Number.isInteger(times)) || !Number.isInteger(seed)) {
  throw new Error('Both --times and --seed are whole numbers, and there is at least one kill.');
}

console.log(`The seed is ${seed}. It decides the moments and the requests, not who is faster.`);
const { violations, ...report } = await runKills({ times, seed, log: console.log });
console.log(report);
for (const violation of violations) console.error(violation);
console.log(violations.length === 0 ? 'Nothing lost, nothing doubled.' : 'Something is wrong.');
process.exitCode = violations.length === 0 ? 0 : 1;
