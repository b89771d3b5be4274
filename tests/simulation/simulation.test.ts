import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { describe, expect, inject, test } from 'vitest';
import { runSimulation } from './simulation.ts';

const endpoint = inject('dynamoDBEndpoint');

/** Other tests may leave little of the machine. */
const timeout = 120_000;

describe('a simulation', () => {
  test('of one seed shows nothing wrong, under faults, and is one run', { timeout }, async () => {
    const run = (seed: number) => runSimulation({ seed, steps: 70, endpoint });
    const [first, second] = [await run(1), await run(1)];
    expect({ seed: 1, problem: first.problem }).toEqual({ seed: 1, problem: undefined });
    expect(second).toEqual(first);
    expect(Object.keys(first.faults).length).toBeGreaterThan(10);
    expect(Math.min(first.entries, first.tenants, first.recordings)).toBeGreaterThan(4);
  });
});

describe('the command', () => {
  const run = async (...parameters: string[]) => {
    const command = ['tests/simulation/main.ts', ...parameters];
    return promisify(execFile)('node', command).then(
      ({ stdout }) => ({ status: 0, stdout }),
      ({ code, stdout }) => ({ status: code, stdout }),
    );
  };

  test('ends with a summary', { timeout }, async () => {
    const { status, stdout } = await run('--seed', '6', '--steps', '20');
    expect(status).toBe(0);
    expect(stdout).toMatch(/^\d+ operations\n.*"seed": 6,.*"digest": "[0-9a-f]{64}"/s);
  });

  test('names the seed, the step, the operation and the difference, and fails', {
    timeout,
  }, async () => {
    const { status, stdout } = await run('--sabotage', 'forgets to link a tenant');
    expect(status).toBe(1);
    expect(stdout).toMatch(/^Seed 1, step \d+: .*\n- .* /m);
  });
});
