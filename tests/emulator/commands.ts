// Runs an operator's commands as an operator does, against LocalStack: CDK, npm and the tool `ops`.

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync } from 'node:fs';
import { delimiter, join, resolve } from 'node:path';

export type Ended = { code: number; output: string };

export type Commands = ReturnType<typeof openCommands>;

/** Colors and pictures are for terminals. */
const plain = { NO_COLOR: '1', FORCE_COLOR: '0', CI: 'true' };

export const openCommands = ({
  stage,
  endpoint,
  region,
  folder,
  project = '.',
  deployOptions = [],
  variables,
}: {
  stage: string;
  endpoint: string;
  region: string;
  /** The folder for their output and for CDK's own notes. */
  folder: string;
  /** The checkout whose commands these are. */
  project?: string;
  /** Further options of each deployment. */
  deployOptions?: readonly string[];
  /** Further variables of their environment. */
  variables: Readonly<Record<string, string>>;
}) => {
  const running = new Set<ChildProcess>();
  const { AWS_PROFILE: _profile, AWS_SESSION_TOKEN: _token, ...inherited } = process.env;
  const env = {
    ...inherited,
    ...plain,
    ...variables,
    PATH: [resolve(project, 'node_modules/.bin'), inherited.PATH].join(delimiter),
    AWS_ENDPOINT_URL: endpoint,
    AWS_REGION: region,
    AWS_ACCESS_KEY_ID: 'test',
    AWS_SECRET_ACCESS_KEY: 'test',
    CDK_HOME: join(folder, 'cdk-home'),
    LEDGER_STAGE: stage,
  };

  const run = async (command: string, words: readonly string[], input = ''): Promise<Ended> => {
    const child = spawn(command, words, { env, cwd: project, stdio: 'pipe', detached: true });
    running.add(child);
    let output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk: Buffer) => {
        output += chunk.toString();
      });
    }
    child.stdin.end(input);
    const [code] = await once(child, 'close');
    running.delete(child);
    appendFileSync(join(folder, 'commands.log'), `$ ${command} ${words.join(' ')}\n${output}\n`);
    return { code: Number(code ?? 1), output };
  };

  /** @throws with the end of the output, if the command fails */
  const succeed = async (
    command: string,
    words: readonly string[],
    input = '',
  ): Promise<string> => {
    const { code, output } = await run(command, words, input);
    if (code === 0) return output;
    throw new Error(`${command} ${words.join(' ')} ended with ${code}:\n${output.slice(-3_000)}`);
  };

  const kill = (): void => {
    for (const { pid } of running) {
      try {
        process.kill(-(pid ?? 0), 'SIGKILL');
      } catch {
        // It has ended before.
      }
    }
  };

  /** The project's own command, without a question that needs a terminal. */
  const deploy = (...words: string[]): Promise<string> =>
    succeed('npm', [
      'run',
      'deploy',
      '--',
      '--require-approval',
      'never',
      ...deployOptions,
      ...words,
    ]);

  return {
    bootstrap: () => succeed('npx', ['cdk', 'bootstrap']),
    deploy,
    /** Deploys another app than the one in cdk.json: this file. */
    deployApp: (file: string) => deploy('--app', `node ${resolve(file)}`),
    destroy: () => succeed('npx', ['cdk', 'destroy', '--all', '--force']),
    /** A command of the operator's tool, as scripts run it. */
    // biome-ignore lint/suspicious/noExplicitAny: each command has a report of its own.
    ops: async (line: string | readonly string[], input = ''): Promise<any> => {
      const words = typeof line === 'string' ? line.split(' ') : line;
      const command = ['run', '--silent', 'ops', '--', ...words, '--json', '--yes'];
      const output = await succeed('npm', command, input);
      return JSON.parse(output.trim().split('\n').at(-1) ?? '');
    },
    kill,
    stop: async (): Promise<void> => kill(),
  };
};
