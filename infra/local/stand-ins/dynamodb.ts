// DynamoDB on this machine: an embedded engine in a child process, at a secret address in the data
// folder.

import { spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as pause } from 'node:timers/promises';
import { findEngine } from './engine.ts';

export type EmbeddedDynamoDB = {
  endpoint: string;
  /** Settles when the engine ends for any reason. */
  ended: Promise<unknown>;
  /** Lets the engine delete a table's stream records up to this one. */
  forgetStream: (tableName: string, sequenceNumber: string) => void;
  stop: () => Promise<void>;
};

/** The wait for the engine's lock on the database, the same as the engine's own (rusqlite). */
const lockMilliseconds = 5_000;

/**
 * One of 16 million loopback addresses, at random. The engine executes all requests: it checks no
 * signature and no origin. A web page cannot guess the address or reach it by DNS rebinding. A
 * proxy that checks signatures would not help, because the engine would still listen behind it.
 */
const randomLoopbackAddress = (): string =>
  `127.${[randomInt(1, 255), randomInt(256), randomInt(1, 255)].join('.')}`;

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
 * The engine must end with this process, even after a crash, because it locks the data file. The
 * shell waits for the end of its standard input, which closes with this process. Then it removes
 * the ready files (its last arguments) and stops the engine.
 */
const guardScript =
  'exec 3<&0; "$1" --host "$2" --port "$3" --db-path "$4" 3<&- & engine=$!; shift 4; ' +
  '{ read -r _ <&3; rm -f "$@"; kill "$engine" 2>/dev/null; } & exec 3<&-; wait "$engine"';

/** Each new record deletes more than one handled record, so their number shrinks. */
const forgottenPerRecord = 4;

/**
 * Additions to the engine's database, whose tables exist after its first reply.
 *
 * - An index. At every write the engine looks up the greatest sequence number of the table's
 *   stream. With the records of 6,000 posts, a post took 10.5 ms of processor time without the
 *   index and 1.5 ms with it.
 * - A trigger. The engine never deletes stream records, half of the file. Now each new record
 *   deletes some handled records in the engine's own transaction, and SQLite reuses the pages. The
 *   newest record stays, because the next one gets its number from it.
 */
const additions = `
  CREATE INDEX IF NOT EXISTS stream_records_by_sequence
    ON _stream_records (table_name, CAST(sequence_number AS INTEGER));
  CREATE TABLE IF NOT EXISTS _stream_positions
    (table_name TEXT PRIMARY KEY, sequence_number INTEGER NOT NULL);
  CREATE TRIGGER IF NOT EXISTS forget_handled_stream_records AFTER INSERT ON _stream_records
  BEGIN
    DELETE FROM _stream_records WHERE id IN (
      SELECT id FROM _stream_records
      WHERE table_name = NEW.table_name
        AND CAST(sequence_number AS INTEGER) <=
          (SELECT sequence_number FROM _stream_positions WHERE table_name = NEW.table_name)
        AND CAST(sequence_number AS INTEGER) < CAST(NEW.sequence_number AS INTEGER)
      ORDER BY CAST(sequence_number AS INTEGER)
      LIMIT ${forgottenPerRecord});
  END;
`;

const sqliteBusy = 5;

/** A second connection to the engine's database. */
const openBeside = (dataFile: string) => {
  const database = new DatabaseSync(dataFile, { timeout: lockMilliseconds });
  database.exec(additions);
  // From now on, do not wait for the engine or the disk: a lost position only delays a deletion.
  database.exec('PRAGMA busy_timeout = 0; PRAGMA synchronous = OFF; PRAGMA wal_autocheckpoint = 0');
  const record = database.prepare(
    'INSERT OR REPLACE INTO _stream_positions (table_name, sequence_number) VALUES (?, ?)',
  );
  return {
    close: () => database.close(),
    forgetStream: (tableName: string, sequenceNumber: string): void => {
      try {
        record.run(tableName, BigInt(sequenceNumber));
      } catch (error) {
        // The engine is writing. The next position follows soon.
        if ((error as { errcode?: number }).errcode !== sqliteBusy) throw error;
      }
    },
  };
};

/**
 * @param dataFile the SQLite database
 * @param options.removedAtEnd files to remove when this process ends, even after a crash
 */
export const startEmbeddedDynamoDB = async (
  dataFile: string,
  { removedAtEnd = [] }: { removedAtEnd?: readonly string[] } = {},
): Promise<EmbeddedDynamoDB> => {
  const host = randomLoopbackAddress();
  const port = await findFreePort();
  const child = spawn(
    'sh',
    ['-c', guardScript, 'sh', findEngine(), host, String(port), dataFile, ...removedAtEnd],
    // Detached: Ctrl-C must not stop the engine before the last request has ended.
    { stdio: ['pipe', 'ignore', 'pipe'], detached: true },
  );
  let complaint = '';
  child.stderr.on('data', (chunk: Buffer) => {
    complaint += chunk.toString();
  });
  const exited = once(child, 'exit');
  const endpoint = `http://${host}:${port}`;
  for (let attempt = 0; ; attempt += 1) {
    const isReady = await fetch(endpoint).then(
      () => true,
      () => false,
    );
    if (isReady) break;
    if (child.exitCode !== null || attempt > 200) {
      child.stdin.end();
      throw new Error(`the embedded DynamoDB did not start: ${complaint.trim()}`);
    }
    await pause(25);
  }
  const { forgetStream, close } = openBeside(dataFile);
  return {
    endpoint,
    ended: exited,
    forgetStream,
    stop: async () => {
      close();
      child.stdin.end();
      await exited;
    },
  };
};
