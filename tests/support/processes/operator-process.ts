// Runs the operator's tool as a process.

import { execFile } from 'node:child_process';
import { secrets } from '../recorders/secrets-collector.ts';

const projectFolder = new URL('../../..', import.meta.url).pathname;

export type Ended = { code: number; stdout: string; stderr: string };

/** The command's noun and verb, without its options. */
const commandOf = (words: readonly string[]): string => {
  const end = words.findIndex((word) => word.startsWith('-'));
  return words.slice(0, end === -1 ? words.length : end).join(' ');
};

/** Runs the tool with `input` on standard input. Never rejects. */
export const runOperator = async (
  words: readonly string[],
  { env, input = '' }: { env: NodeJS.ProcessEnv; input?: string },
): Promise<Ended> => {
  const { promise, resolve } = Promise.withResolvers<Ended>();
  const child = execFile(
    'node',
    ['infra/ops/main.ts', ...words],
    { cwd: projectFolder, env: { NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE, ...env } },
    (error, stdout, stderr) => resolve({ code: Number(error?.code ?? 0), stdout, stderr }),
  );
  child.stdin?.end(input);
  const ended = await promise;
  // Text on standard input is a secret. The tool must not print it.
  secrets.register('a secret given to the operator', input.trim());
  for (const stream of ['stdout', 'stderr'] as const) {
    secrets.keep(`${stream} of ops ${commandOf(words)}`, ended[stream]);
  }
  return ended;
};

/** Runs a command and returns its report. @throws Error if the tool exits with an error */
export const operate = async (
  words: readonly string[],
  environment: NodeJS.ProcessEnv,
  // biome-ignore lint/suspicious/noExplicitAny: each command has a report of its own.
): Promise<any> => {
  const ended = await runOperator([...words, '--json'], { env: environment });
  if (ended.code !== 0) throw Object.assign(new Error(ended.stderr), ended);
  return JSON.parse(ended.stdout);
};
