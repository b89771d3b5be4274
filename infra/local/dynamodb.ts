// DynamoDB on this machine: an embedded engine for this platform, run as a child process.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as pause } from 'node:timers/promises';
import { findEngine } from './engine.ts';

export type EmbeddedDynamoDB = {
  endpoint: string;
  /** Settles when the engine has ended, whether it was stopped or not. */
  ended: Promise<unknown>;
  stop: () => Promise<void>;
};

/** How long we wait where the engine is writing; it waits as long for us (rusqlite's default). */
const lockMilliseconds = 5_000;

const findFreePort = async (): Promise<number> => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') throw new Error('no free port');
  return address.port;
};

/**
 * The engine must not outlive us, however we end, or it would hold the data file. The shell waits
 * on our end of its standard input, which closes with us, and then ends the engine.
 */
const guardScript =
  'exec 3<&0; "$@" 3<&- & engine=$!; { read -r _ <&3; kill "$engine" 2>/dev/null; } & ' +
  'exec 3<&-; wait "$engine"';

/**
 * Gives the engine an index that it lacks. At every write it asks for the greatest sequence number
 * of the table's stream, and would go through all records that the stream ever had: after 6,000
 * posts it took 10.5 ms of processor time for one, and takes 1.5 ms with the index. Its tables are
 * there when it answers. SQLite makes an index whole or not at all, however we end.
 */
const addMissingIndex = (dataFile: string): void => {
  const database = new DatabaseSync(dataFile, { timeout: lockMilliseconds });
  database.exec(
    'CREATE INDEX IF NOT EXISTS stream_records_by_sequence ' +
      'ON _stream_records (table_name, CAST(sequence_number AS INTEGER))',
  );
  database.close();
};

/** @param dataFile where the data is kept, a SQLite database */
export const startEmbeddedDynamoDB = async (dataFile: string): Promise<EmbeddedDynamoDB> => {
  const engine = await findEngine();
  const port = await findFreePort();
  const command = [engine, '--host', '127.0.0.1', '--port', String(port)];
  const child = spawn(
    'sh',
    ['-c', guardScript, 'sh', ...command, '--db-path', dataFile],
    // Detached: Ctrl-C is for us, who end the engine after the last request.
    { stdio: ['pipe', 'ignore', 'pipe'], detached: true },
  );
  let complaint = '';
  child.stderr.on('data', (chunk: Buffer) => {
    complaint += chunk.toString();
  });
  const exited = once(child, 'exit');
  const endpoint = `http://127.0.0.1:${port}`;
  for (let attempt = 0; ; attempt += 1) {
    const answered = await fetch(endpoint).then(
      () => true,
      () => false,
    );
    if (answered) break;
    if (child.exitCode !== null || attempt > 200) {
      child.stdin.end();
      throw new Error(`the embedded DynamoDB did not start: ${complaint.trim()}`);
    }
    await pause(25);
  }
  addMissingIndex(dataFile);
  return {
    endpoint,
    ended: exited,
    stop: async () => {
      child.stdin.end();
      await exited;
    },
  };
};
