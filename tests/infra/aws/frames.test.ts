import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { bundleFunctions } from '#infra/aws/bundles.ts';
import { makeDataFolder } from '../../support/processes/service.ts';

test('the frames of a deployed function lead to the sources', async () => {
  const folder = await makeDataFolder();
  onTestFinished(folder.remove);
  const { authorizer } = await bundleFunctions(['authorizer'], join(folder.path, 'bundles'));
  const refusal = "new Error('Unauthorized')";
  const lines = readFileSync(authorizer.entryPoint, 'utf8').split('\n');
  const line = lines.findIndex((it) => it.includes('new Error("Unauthorized")'));
  const column = (lines[line] ?? '').indexOf('new Error("Unauthorized")');
  const source = readFileSync('shared/endpoint/authorizer.ts', 'utf8').split('\n');
  const sourceLine = source.findIndex((it) => it.includes(refusal));
  const sourceColumn = (source[sourceLine] ?? '').indexOf(refusal);
  const run = promisify(execFile)('node', ['infra/aws/frames.ts', 'authorizer', folder.path]);
  run.child.stdin?.end(
    `    at Object.<anonymous> (/var/task/index.cjs:${line + 1}:${column + 1})\n` +
      '    at node:internal/vm:219:10\n',
  );
  const { stdout } = await run;
  const place = `shared/endpoint/authorizer.ts:${sourceLine + 1}:${sourceColumn + 1}`;
  expect(stdout).toBe(`    at Object.<anonymous> (${place})\n    at node:internal/vm:219:10\n`);
});
