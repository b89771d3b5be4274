// The operator's guides have commands of AWS's command line. That program reads each of them here,
// and sends it to a server that refuses everything.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import type { RequestListener } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { listen } from '#infra/http-server.ts';
import { localCredentials, localRegion } from '#infra/manifest/local-credentials.ts';
import {
  hasPython,
  howToGetPython,
  installPythonPackages,
} from '../support/processes/python-tools.ts';
import { guides } from '../support/readers/guides.ts';
import { codeIn } from '../support/readers/markdown.ts';
import { cacheFolder, type Outcome } from './outcomes.ts';

/** Version 1: the package index has no version 2. */
const commandLine = 'awscli==1.43.10';

/** Version 1 needs no such option. */
const ofVersion2 = / --cli-binary-format raw-in-base64-out(?= .*(\/dev\/stdout))/;

const wordsOf = (command: string): string[] =>
  [...command.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, word]) => quoted ?? word ?? '');

/** Some lengths of parameters are checked. */
const exampleArn = 'arn:aws:service:eu-central-1:111111111111:thing/1';

/** Services with the older protocol reply in XML. */
const refuse: RequestListener = ({ headers }, response) => {
  const isOlder = headers['content-type']?.startsWith('application/x-www-form-urlencoded');
  const xml = '<ErrorResponse><Error><Code>400</Code></Error></ErrorResponse>';
  response.writeHead(400).end(isOlder ? xml : '{}');
};

/** The commands of a guide. A pipe ends a command. */
const commandsIn = (guide: string): string[] =>
  codeIn(guide)
    .flatMap((code) => code.match(/(?<=^|\| *)aws [a-z]+ [^|]+/g) ?? [])
    .map((command) => command.replace(ofVersion2, '').trim());

/** The messages of the command line for each command. */
const runAll = async (commands: readonly string[]): Promise<string[]> => {
  const folder = join(cacheFolder, commandLine.replace('==', '-'));
  const programs = installPythonPackages(folder, [commandLine]);
  const work = join(cacheFolder, 'aws-commands');
  mkdirSync(work, { recursive: true });
  writeFileSync(join(work, 'metadata.json'), '{}');
  writeFileSync(join(work, 'secret'), 'a secret');
  const words = commands.map((command) =>
    wordsOf(
      command.replace('file:///dev/stdin', 'file://secret').replace(/\bARN\b/, exampleArn),
    ).slice(1),
  );
  const { port, stop } = await listen(refuse, { port: 0, purpose: 'refusals' });
  try {
    const driver = fileURLToPath(new URL('drivers/aws-commands.py', import.meta.url));
    const child = spawn(join(programs, 'python'), [driver, JSON.stringify(words)], {
      cwd: work,
      env: {
        PATH: process.env.PATH,
        NO_PROXY: '*',
        AWS_ENDPOINT_URL: `http://127.0.0.1:${port}`,
        AWS_ACCESS_KEY_ID: localCredentials.accessKeyId,
        AWS_SECRET_ACCESS_KEY: localCredentials.secretAccessKey,
        AWS_DEFAULT_REGION: localRegion,
        AWS_MAX_ATTEMPTS: '1',
      },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const [output] = await Promise.all([text(child.stdout), once(child, 'close')]);
    return JSON.parse(output);
  } finally {
    await stop();
  }
};

/** Prints the commands that AWS's command line does not understand. */
export const readAwsCommands = async (): Promise<Outcome> => {
  if (!hasPython()) {
    console.log(`AWS's command line: left out. ${howToGetPython}`);
    return 'left out';
  }
  const commands = [...new Set([...guides.values()].flatMap(commandsIn))];
  const messages = await runAll(commands);
  const wrong = commands.flatMap((command, place) =>
    messages[place]?.includes('An error occurred (400)') ? [] : [`${command}\n${messages[place]}`],
  );
  for (const it of wrong) console.error(`AWS's command line: FAILED ${it}`);
  console.log(`AWS's command line: understands ${commands.length - wrong.length} commands.`);
  return wrong.length > 0 || commands.length === 0 ? 'failed' : 'passed';
};
