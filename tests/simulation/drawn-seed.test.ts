// A simulation whose seed is drawn: each `npm test` and `npm run test:proof` tries another one.

import { expect, inject, test } from 'vitest';
import { isWhole, sliceSeed } from '../support/slices.ts';
import { runSimulation } from './simulation.ts';

const endpoint = inject('dynamoDBEndpoint');

test('a simulation shows nothing wrong', { timeout: 120_000 }, async () => {
  const { problem } = await runSimulation({
    seed: sliceSeed,
    steps: isWhole ? 200 : 40,
    faultOnceIn: 6,
    endpoint,
  });
  expect({ seed: sliceSeed, problem }).toEqual({ seed: sliceSeed, problem: undefined });
});
