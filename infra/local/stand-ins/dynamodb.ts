// DynamoDB on this machine: an embedded engine in a child process, at a secret address in the data
// folder.

import { spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as pause } from 'node:timers/promises';
import type { StreamFilter } from '../../manifest/triggers.ts';
import { findEngine } from './engine.ts';

/** The stored records of a table's stream. */
export type StoredStream = {
  /** The newest sequence number, 0 without any record, or undefined if it is unknown. */
  newest: () => number | undefined;
  /** Deletes the records up to this one. */
  forget: (sequenceNumber: string) => void;
};

export type EmbeddedDynamoDB = {
  endpoint: string;
  /** Settles when the engine ends for any reason. */
  ended: Promise<unknown>;
  streamOf: (tableName: string) => StoredStream;
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

/**
 * At every write the engine looks up the greatest sequence number of the table's stream. With the
 * records of 6,000 posts, a post took 10.5 ms of processor time without this index and 1.5 ms with
 * it.
 */
const sequenceIndex = `
  CREATE INDEX IF NOT EXISTS stream_records_by_sequence
    ON _stream_records (table_name, CAST(sequence_number AS INTEGER));
`;

/**
 * The engine stores each write in its stream and never deletes a record. This trigger drops the
 * records that no filter wants, inside the write itself. So a reader gets the rare records without
 * the others, no matter which process wrote them, and a crash loses none.
 */
const filterTrigger = (filters: readonly StreamFilter[]): string => {
  const isWanted = filters.map((filter) =>
    Object.entries(filter)
      .map(([name, text]) => {
        const found = `json_extract(NEW.new_image, '$.${name}.S')`;
        return typeof text === 'string' ? `${found} = '${text}'` : `${found} IS NOT NULL`;
      })
      .join(' AND '),
  );
  return `
    CREATE TRIGGER keep_wanted_stream_records BEFORE INSERT ON _stream_records
    WHEN (${isWanted.map((it) => `(${it})`).join(' OR ')}) IS NOT TRUE
    BEGIN SELECT RAISE(IGNORE); END;
  `;
};

const newestRecord = `
  SELECT COALESCE(MAX(CAST(sequence_number AS INTEGER)), 0) AS newest
  FROM _stream_records WHERE table_name = ?
`;

/** The next record gets its sequence number from the newest one, so the newest one stays. */
const forgetRecords = `
  DELETE FROM _stream_records
  WHERE table_name = :tableName
    AND CAST(sequence_number AS INTEGER) <= :reached
    AND CAST(sequence_number AS INTEGER) <
      (SELECT MAX(CAST(sequence_number AS INTEGER)) FROM _stream_records
        WHERE table_name = :tableName)
`;

const sqliteBusy = 5;

/** A second connection to the engine's database, whose tables exist after its first reply. */
const openBeside = (dataFile: string, streamFilters: readonly StreamFilter[]) => {
  const database = new DatabaseSync(dataFile, { timeout: lockMilliseconds });
  database.exec(sequenceIndex);
  // The filters can differ from those of the last start.
  database.exec('DROP TRIGGER IF EXISTS keep_wanted_stream_records');
  if (streamFilters.length > 0) database.exec(filterTrigger(streamFilters));
  // From now on, do not wait for the engine or the disk: records that stay only take space.
  database.exec('PRAGMA busy_timeout = 0; PRAGMA synchronous = OFF; PRAGMA wal_autocheckpoint = 0');
  const newest = database.prepare(newestRecord);
  const forget = database.prepare(forgetRecords);
  return {
    close: () => database.close(),
    streamOf: (tableName: string): StoredStream => ({
      newest: () => Number(newest.get(tableName)?.newest),
      forget: (sequenceNumber) => {
        try {
          forget.run({ tableName, reached: BigInt(sequenceNumber) });
        } catch (error) {
          // The engine is writing. The next call deletes these records too.
          if ((error as { errcode?: number }).errcode !== sqliteBusy) throw error;
        }
      },
    }),
  };
};

/**
 * @param dataFile the SQLite database
 * @param options.removedAtEnd files to remove when this process ends, even after a crash
 * @param options.streamFilters the stream has only the records of these filters, or without any
 *   filter, all records
 */
export const startEmbeddedDynamoDB = async (
  dataFile: string,
  {
    removedAtEnd = [],
    streamFilters = [],
  }: { removedAtEnd?: readonly string[]; streamFilters?: readonly StreamFilter[] } = {},
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
  const { streamOf, close } = openBeside(dataFile, streamFilters);
  return {
    endpoint,
    ended: exited,
    streamOf,
    stop: async () => {
      close();
      child.stdin.end();
      await exited;
    },
  };
};
