import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';

const terminal = new URL('../../../infra/ops/terminal.ts', import.meta.url).href;

const start = (script: string) =>
  spawn(process.execPath, ['--input-type=module', '--eval', script], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });

test('the first Ctrl-C is caught, and the second ends the process', async () => {
  const child = start(`
    import { watchInterrupt } from '${terminal}';
    const isStopped = watchInterrupt();
    console.log(isStopped());
    while (!isStopped()) await new Promise((goOn) => setTimeout(goOn, 10));
    console.log(isStopped());
    setInterval(() => {}, 1000);
  `);
  const [first] = await once(child.stdout, 'data');
  child.kill('SIGINT');
  const [second] = await once(child.stdout, 'data');
  expect(`${first}${second}`).toBe('false\ntrue\n');
  child.kill('SIGINT');
  expect(await once(child, 'exit')).toEqual([null, 'SIGINT']);
});

test('a closed output is a failure in one line', async () => {
  const child = start(`
    import { writeOutput } from '${terminal}';
    try {
      for (;;) await writeOutput('x'.repeat(65536));
    } catch (error) {
      console.error(error.message);
    }
  `);
  await once(child.stdout, 'data');
  child.stdout.destroy();
  expect(await text(child.stderr)).toBe('the output was closed before its end\n');
});
