// A data folder and the service on it, which is killed and restarted, with all requests and
// replies.

import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DeleteCommand, DynamoDBDocumentClient, paginateScan } from '@aws-sdk/lib-dynamodb';
import { localCredentials, localRegion } from '#infra/manifest/local-credentials.ts';
import { companiesOf } from '#infra/sandbox/companies.ts';
import { slotNames } from '#shared/platforms/slots.ts';
import { runOperator } from '../support/processes/operator-process.ts';
import {
  callApi,
  findPorts,
  makeDataFolder,
  spawnService,
  startService,
} from '../support/processes/service.ts';
import type { RawItem } from '../support/readers/item-kinds.ts';
import { type Operation, send, tenantNamed, userNamed } from './operations.ts';
import { killTree, processTreeOf } from './process-tree.ts';

const ownerName = 'owner@example.com';

/** Every demo company with tidy books of a usual size, and how many journals an import brings. */
export const companies = slotNames.flatMap((slot) =>
  companiesOf[slot]
    .filter(({ journalCount, taxRates }) => journalCount < 1_000 && taxRates.length === 0)
    .filter(({ id, owner }) => id === owner)
    .map(({ id, name, journalCount, journalAt }) => ({
      slot,
      id,
      name,
      journals: Array.from({ length: journalCount }, (_, index) => journalAt(index)).filter(
        ({ status }) => status === 'posted',
      ).length,
    })),
);

const maximumImportMilliseconds = 60_000;

type OpenTable = { client: DynamoDBDocumentClient; TableName: string };

const scanTable = async ({ client, TableName }: OpenTable): Promise<RawItem[]> => {
  const items: RawItem[] = [];
  for await (const page of paginateScan({ client }, { TableName, ConsistentRead: true })) {
    items.push(...(page.Items ?? []));
  }
  return items;
};

export type RestartableService = Awaited<ReturnType<typeof openRestartableService>>;

export const openRestartableService = async () => {
  const folder = await makeDataFolder();
  const port = await findPorts();
  const start = () => startService({ dataFolder: folder.path, port });
  let service = await start();
  const operations: Operation[] = [];
  const violations: string[] = [];
  const counts = { repeats: 0, replays: 0, unanswered: 0 };
  const lastUnanswered = new Map<Operation, string>();

  /** Sends an operation, and compares the reply with earlier ones. */
  const attempt = async (operation: Operation): Promise<boolean> => {
    const before = operation.acknowledged;
    const answer = await send(service.demo, operation);
    if (answer.outcome === 'refused') {
      violations.push(`${operation.kind} "${operation.name}" was refused: ${answer.why}`);
      return true;
    }
    if (answer.outcome === 'unanswered') {
      counts.unanswered += 1;
      lastUnanswered.set(operation, answer.why);
      return false;
    }
    operation.acknowledged ??= answer.identity;
    if (before !== undefined) counts.repeats += 1;
    if (answer.isReplay) counts.replays += 1;
    if (operation.acknowledged !== answer.identity) {
      violations.push(`"${operation.name}" was ${before} and is now ${answer.identity}`);
    }
    const isPosting = ['entry', 'batch', 'reversal'].includes(operation.kind);
    if (before !== undefined && isPosting && !answer.isReplay) {
      violations.push(`${operation.kind} "${operation.name}" was posted again`);
    }
    return true;
  };

  const sendUntilAnswered = async (operation: Operation): Promise<string> => {
    for (let attempts = 0; attempts < 10; attempts += 1) {
      if (await attempt(operation)) return operation.acknowledged ?? '';
      await pause(200);
    }
    const last = lastUnanswered.get(operation);
    violations.push(`${operation.kind} "${operation.name}" was answered by nobody: ${last}`);
    return '';
  };

  const add = (operation: Operation): Operation => {
    operations.push(operation);
    return operation;
  };
  const ownerId = await sendUntilAnswered(add(userNamed(ownerName)));
  await sendUntilAnswered(add(tenantNamed('Books', ownerId)));

  const runSchedule = async (name: string, time: string): Promise<unknown> => {
    const url = `${service.demo.sandbox_url}/schedules/${name}?time=${time}`;
    return (await fetch(url, { method: 'POST' })).json();
  };

  const importing = async (): Promise<number> => {
    const { body } = await callApi(service.demo, 'users/profile/', { body: { email: ownerName } });
    const tenants: { status: string }[] = body.data?.tenants ?? [];
    return tenants.filter(({ status }) => status === 'importing').length;
  };

  const onTable = async <Result>(work: (table: OpenTable) => Promise<Result>): Promise<Result> => {
    const local = JSON.parse(await readFile(join(folder.path, 'local.json'), 'utf8'));
    const client = new DynamoDBClient({
      endpoint: local.dynamodb_endpoint,
      region: localRegion,
      credentials: localCredentials,
    });
    try {
      const documents = DynamoDBDocumentClient.from(client);
      return await work({ client: documents, TableName: local.table_name });
    } finally {
      client.destroy();
    }
  };

  return {
    folder,
    ownerId,
    operations,
    violations,
    counts,
    attempt,
    sendUntilAnswered,
    add,
    runSchedule,
    importing,

    /** Leave to read a company, for a caller that holds the tokens itself. */
    grantOf: async ({ slot, id }: (typeof companies)[number]): Promise<Record<string, unknown>> => {
      const url = `${service.demo.sandbox_url}/${slot}/test-tokens`;
      const body = JSON.stringify({ company_id: id });
      const reply = await fetch(url, { method: 'POST', body });
      return reply.json() as Promise<Record<string, unknown>>;
    },

    kill: async (): Promise<void> => {
      killTree(processTreeOf(service.child.pid ?? 0));
      await service.exited;
    },

    /** Starts the service and kills it before it can be ready. */
    killAtStart: async (afterMilliseconds: number): Promise<void> => {
      const child = spawnService({ dataFolder: folder.path, port });
      for (const stream of [child.stdout, child.stderr]) stream.resume();
      const exited = once(child, 'exit');
      await pause(afterMilliseconds);
      killTree(processTreeOf(child.pid ?? 0));
      await exited;
    },

    restart: async (): Promise<void> => {
      service = await start();
    },

    /** Waits until no import is in progress. A killed run continues after the restart. */
    settleImports: async (): Promise<void> => {
      const giveUpAt = Date.now() + maximumImportMilliseconds;
      while ((await importing()) > 0) {
        if (Date.now() > giveUpAt) {
          violations.push(`after ${maximumImportMilliseconds} ms imports are still under way`);
          return;
        }
        await pause(200);
      }
    },

    scan: (): Promise<RawItem[]> => onTable(scanTable),

    /** The differences that the operator's tool finds in all books. */
    verifyBooks: async (): Promise<string[]> => {
      const { code, stdout, stderr } = await runOperator(
        ['books', 'verify', '--all', '--local', '--json'],
        { env: { PATH: process.env.PATH, LEDGER_DATA: folder.path } },
      );
      const isRight = code === 0 && JSON.parse(stdout).difference_count === 0;
      return isRight ? [] : [`the operator's tool finds: ${stdout} ${stderr}`];
    },

    /** Takes items out of the table, behind the back of the service. */
    deleteItems: (isTaken: (item: RawItem) => boolean): Promise<void> =>
      onTable(async (table) => {
        for (const { pk, sk } of (await scanTable(table)).filter(isTaken)) {
          const { client, TableName } = table;
          await client.send(new DeleteCommand({ TableName, Key: { pk, sk } }));
        }
      }),

    end: async (): Promise<void> => {
      await service.stop();
      await folder.remove();
    },
  };
};
