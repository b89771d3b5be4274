// Amazon's own DynamoDB Local: fetched once through Maven, and started in memory on a free port.

import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { DynamoDBClient, TransactWriteItemsCommand } from '@aws-sdk/client-dynamodb';
import { localCredentials, localRegion } from '#infra/manifest/local-credentials.ts';
import { ensureTable } from '#infra/manifest/table.ts';
import { findPorts } from '../support/processes/service.ts';

const projectFolder = new URL('../..', import.meta.url).pathname;
const projectFile = join(projectFolder, 'tests/dynamodb-local/pom.xml');
const leastJava = 17;

/** The output of a program for `-version`; `undefined` if it cannot be started. */
const versionOf = (program: string): string | undefined => {
  const { status, stdout, stderr } = spawnSync(program, ['-version'], { encoding: 'utf8' });
  return status === 0 ? stdout + stderr : undefined;
};

const checkJava = (): void => {
  const version = versionOf('java');
  // Up to Java 8 the number was the second: 1.8.
  const [, major] = /version "(?:1\.)?(\d+)/.exec(version ?? '') ?? [];
  if (Number(major) >= leastJava) return;
  const found = major === undefined ? 'none that can be started' : `Java ${major}`;
  throw new Error(
    `DynamoDB Local needs Java ${leastJava} or newer, and there is ${found} here. ` +
      'Install a JRE (on Debian: openjdk-17-jre-headless) and have its java in the PATH.',
  );
};

/** The folder with the engine and all it needs. Another pom.xml gets another folder. */
const fetchEngine = (): string => {
  const version = createHash('sha256').update(readFileSync(projectFile)).digest('hex').slice(0, 12);
  const folder = join(projectFolder, '.dynamodb-local', version);
  if (existsSync(folder)) return folder;
  if (versionOf('mvn') === undefined) {
    throw new Error(
      'DynamoDB Local is fetched with Maven once, and there is no mvn here that can be started. ' +
        'Install Maven (on Debian: maven) and have its mvn in the PATH.',
    );
  }
  console.log('Fetching DynamoDB Local and its dependencies (about 50 MB)');
  const unfinished = `${folder}.unfinished`;
  rmSync(unfinished, { recursive: true, force: true });
  const goal = ['dependency:copy-dependencies', '-DincludeScope=runtime'];
  const options = ['-q', '-B', '-f', projectFile, ...goal, `-DoutputDirectory=${unfinished}`];
  if (spawnSync('mvn', options, { stdio: 'inherit' }).status !== 0) {
    throw new Error('Maven could not fetch DynamoDB Local, for the reason that it gives above.');
  }
  renameSync(unfinished, folder);
  return folder;
};

/** The first transactions of a fresh engine take seconds each: longer than a call of ours may. */
const warmUp = async (port: number): Promise<void> => {
  const TableName = 'warm-up';
  const client = new DynamoDBClient({
    endpoint: `http://127.0.0.1:${port}`,
    region: localRegion,
    credentials: { ...localCredentials, accessKeyId: 'warm' },
  });
  await ensureTable(client, TableName);
  for (let round = 0; round < 20; round += 1) {
    const startedAt = performance.now();
    const TransactItems = Array.from({ length: 100 }, (_, number) => ({
      Put: {
        TableName,
        Item: { pk: { S: `${round}` }, sk: { S: `${number}` } },
        ConditionExpression: 'attribute_not_exists(pk)',
      },
    }));
    await client.send(new TransactWriteItemsCommand({ TransactItems }));
    if (performance.now() - startedAt < 200) break;
  }
  client.destroy();
};

/**
 * Fetches the engine on first use.
 * @returns its folder
 * @throws if this machine lacks a tool
 */
export const prepareDynamoDBLocal = (): string => {
  checkJava();
  return fetchEngine();
};

/** @throws if this machine lacks a tool */
export const startDynamoDBLocal = async () => {
  const folder = prepareDynamoDBLocal();
  const port = await findPorts();
  const child = spawn(
    'java',
    [
      `-Djava.library.path=${folder}`,
      ...['-cp', join(folder, '*')],
      'software.amazon.dynamodb.services.local.main.ServerRunner',
      ...['-inMemory', '-disableTelemetry', '-port', String(port)],
    ],
    { stdio: ['ignore', 'ignore', 'pipe'] },
  );
  let complaint = '';
  child.stderr.on('data', (chunk: Buffer) => {
    complaint += chunk.toString();
  });
  const exited = once(child, 'exit');
  process.on('exit', () => child.kill('SIGKILL'));
  for (let attempt = 0; ; attempt += 1) {
    const answered = await fetch(`http://127.0.0.1:${port}`).then(
      () => true,
      () => false,
    );
    if (answered) break;
    if (child.exitCode !== null || attempt > 6_000) {
      child.kill('SIGKILL');
      throw new Error(`DynamoDB Local did not start: ${complaint.trim()}`);
    }
    await pause(50);
  }
  await warmUp(port);
  return {
    port,
    stop: async () => {
      child.kill();
      await exited;
    },
  };
};
