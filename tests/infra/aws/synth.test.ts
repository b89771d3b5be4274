import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { deployedStages } from '#infra/stages.ts';

// It bundles every function and applies CDK's own rules, which takes a busy machine a while.
const timeout = 120_000;

test('npm run synth makes the templates of every stage, and nothing is wrong', { timeout }, () => {
  const folder = mkdtempSync(join(tmpdir(), 'ledger-synth-'));
  try {
    const { status, stdout, stderr } = spawnSync('node', ['infra/aws/synth.ts', folder], {
      encoding: 'utf8',
    });
    expect(stderr).toBe('');
    expect(stdout.trim().split('\n')).toEqual(
      deployedStages.map(({ name }) =>
        expect.stringMatching(
          `^${name}: ledger-${name}-data \\(\\d+ resources, \\d+ kB\\), ` +
            `ledger-${name}-service \\(\\d+ resources, \\d+ kB\\)$`,
        ),
      ),
    );
    expect(status).toBe(0);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
