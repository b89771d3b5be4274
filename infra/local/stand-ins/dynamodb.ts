// DynamoDB on this machine: an embedded engine, run as a child process, at an address that only the
// owner of the data folder gets to know.

import { spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as pause } from 'node:timers/promises';
import { findEngine } from './engine.ts';

export type EmbeddedDynamoDB = {
  endpoint: string;
  /** Settles when the engine has ended, whether it was stopped or not. */
  ended: Promise<unknown>;
  /** Lets the engine delete a table's stream records up to this one, which was handled. */
  forgetStream: (tableName: string, sequenceNumber: string) => void;
  stop: () => Promise<void>;
};

/** How long we wait where the engine is writing; it waits as long for us (rusqlite's default). */
const lockMilliseconds = 5_000;

/**
 * A loopback address, drawn from 16 million. The engine carries out whatever reaches it: it checks
 * no signature and answers pages of any origin. A page in the browser of this machine cannot guess
 * the address, and a host name that it points here leads elsewhere. A proxy that checks signatures
 * would not protect more, since the engine would go on answering behind it.
 */
const drawLoopbackAddress = (): string =>
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
 * The engine must not outlive us, however we end, or it would hold the data file. The shell waits
 * on our end of its standard input, which closes with us. Then it removes the files that say that
 * we are ready, which are its last arguments, and ends the engine.
 */
const guardScript =
  'exec 3<&0; "$1" --host "$2" --port "$3" --db-path "$4" 3<&- & engine=$!; shift 4; ' +
  '{ read -r _ <&3; rm -f "$@"; kill "$engine" 2>/dev/null; } & exec 3<&-; wait "$engine"';

/** How many handled records each new one takes away, so that there are ever fewer of them. */
const forgottenPerRecord = 4;

/**
 * What the engine's database lacks. Its tables are there when it answers.
 *
 * - An index. At every write the engine asks for the greatest sequence number of the table's
 *   stream, and would go through all its records: with 6,000 posts in it that took 10.5 ms of
 *   processor time a post, and takes 1.5 ms with the index.
 * - A trigger. The engine keeps stream records for ever, which is half of the file. Now each new
 *   record deletes some that were handled, in the engine's own transaction, and its pages are used
 *   again. The newest record always stays: the next one gets its number from it.
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

/** The engine's database, beside the engine. */
const openBeside = (dataFile: string) => {
  const database = new DatabaseSync(dataFile, { timeout: lockMilliseconds });
  database.exec(additions);
  // From here on we never wait for the engine, nor make it wait for a disk: a position that is lost
  // only keeps records longer.
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
        // The engine is writing; the next position comes soon.
        if ((error as { errcode?: number }).errcode !== sqliteBusy) throw error;
      }
    },
  };
};

/**
 * @param dataFile where the data is kept, a SQLite database
 * @param options.removedAtEnd files that are removed when this process has ended, however it ends
 */
export const startEmbeddedDynamoDB = async (
  dataFile: string,
  { removedAtEnd = [] }: { removedAtEnd?: readonly string[] } = {},
): Promise<EmbeddedDynamoDB> => {
  const host = drawLoopbackAddress();
  const port = await findFreePort();
  const child = spawn(
    'sh',
    ['-c', guardScript, 'sh', findEngine(), host, String(port), dataFile, ...removedAtEnd],
    // Detached: Ctrl-C is for us, who end the engine after the last request.
    { stdio: ['pipe', 'ignore', 'pipe'], detached: true },
  );
  let complaint = '';
  child.stderr.on('data', (chunk: Buffer) => {
    complaint += chunk.toString();
  });
  const exited = once(child, 'exit');
  const endpoint = `http://${host}:${port}`;
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
