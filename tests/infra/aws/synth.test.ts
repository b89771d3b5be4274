import { spawnSync } from 'node:child_process';
import { expect, onTestFinished, test } from 'vitest';
import { stackNames } from '#infra/manifest/names.ts';
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
  const size = '\\(\\d+ resources, \\d+ kB\\)';
  expect(stdout.trim().split('\n')).toEqual(
    deployedStages.map(({ name, deployment }) => {
      const isCopied = 'backups' in deployment && deployment.backups?.copyTo !== undefined;
      const stacks = [...(isCopied ? ['copies'] : []), ...stackNames];
      const sizes = stacks.map((stack) => `ledger-${name}-${stack} ${size}`);
      return expect.stringMatching(`^${name}: ${sizes.join(', ')}$`);
    }),
  );
  expect(status).toBe(0);
});
