import { spawnSync } from 'node:child_process';
import { expect, onTestFinished, test } from 'vitest';
import { deployedStages } from '#infra/manifest/stages.ts';
import { makeDataFolder } from '../../support/processes/service.ts';

// Bundling every function and applying CDK's rules is slow on a busy machine.
const timeout = 120_000;

test('npm run synth makes the templates of every stage, and nothing is wrong', {
  timeout,
}, async () => {
  const folder = await makeDataFolder();
  onTestFinished(folder.remove);
  const { status, stdout, stderr } = spawnSync('node', ['infra/aws/synth.ts', folder.path], {
    encoding: 'utf8',
  });
  expect(stderr).toBe('');
  expect(stdout.trim().split('\n')).toEqual(
    deployedStages.map(({ name }) =>
      expect.stringMatching(
        `^${name}: ledger-${name}-data \\(\\d+ resources, \\d+ kB\\), ` +
          `ledger-${name}-service \\(\\d+ resources, \\d+ kB\\), ` +
          `ledger-${name}-alarms \\(\\d+ resources, \\d+ kB\\)$`,
      ),
    ),
  );
  expect(status).toBe(0);
});
