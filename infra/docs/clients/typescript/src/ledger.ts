// A client of the accounting ledger: typed calls that retry, lists as async iterators, batches.

import type {
  Body,
  DataOfGet,
  DataOfPost,
  Failure,
  GetPath,
  ItemOf,
  ListPath,
  PostPath,
  Query,
  Schemas,
} from './calls.ts';
import { failureOf, LedgerError, pause, secondsUntilRetry } from './failures.ts';

export type {
  Body,
  DataOfGet,
  DataOfPost,
  Failure,
  GetPath,
  ItemOf,
  ListPath,
  PostPath,
  Query,
  Schemas,
};
export { LedgerError };

export type Settings = {
  /** For example `http://localhost:3000`. */
  baseUrl: string;
  apiKey: string;
  /** How often a call is tried. Defaults to 5. */
  attempts?: number;
  /** How long one attempt can take. The service answers within 29 seconds. */
  timeoutMilliseconds?: number;
};

/** Give your own key to repeat a write after your process has ended, for example an invoice id. */
export type WriteOptions = { idempotencyKey?: string };

const entriesPerBatch = 25;

type Request = { method: 'GET' | 'POST'; headers: Record<string, string>; body?: string };

export const openLedger = (settings: Settings) => {
  const { baseUrl, apiKey, attempts = 5, timeoutMilliseconds = 35_000 } = settings;

  const fetchReply = async (path: string, request: Request): Promise<Response | Error> => {
    try {
      const signal = AbortSignal.timeout(timeoutMilliseconds);
      const response = await fetch(new URL(path, baseUrl), { ...request, signal });
      // Read the whole reply here, because the connection can end within it.
      return new Response(await response.text(), response);
    } catch (error) {
      return new Error('no reply', { cause: error });
    }
  };

  /** Every request can be repeated: reads change nothing, and writes have an Idempotency-Key. */
  const send = async (path: string, request: Request): Promise<unknown> => {
    for (let attempt = 1; ; attempt += 1) {
      const reply = await fetchReply(path, request);
      if (reply instanceof Response && reply.ok) {
        return ((await reply.json()) as { data: unknown }).data;
      }
      const failure = await failureOf(reply);
      const seconds = secondsUntilRetry(reply, { failure, attempt });
      if (attempt >= attempts || seconds === undefined) throw failure;
      await pause(seconds);
    }
  };

  const get = <Path extends GetPath>(path: Path, query: Query<Path>): Promise<DataOfGet<Path>> => {
    const search = new URLSearchParams();
    let place: string = path;
    for (const [name, value] of Object.entries<unknown>(query ?? {})) {
      if (place.includes(`{${name}}`)) place = place.replace(`{${name}}`, String(value));
      else if (value != null) search.set(name, String(value));
    }
    const request = { method: 'GET', headers: { 'X-API-Key': apiKey } } as const;
    return send(`${place}?${search}`, request) as Promise<DataOfGet<Path>>;
  };

  /** `replayed` in the reply says whether an earlier attempt or request had already done it. */
  const post = <Path extends PostPath>(
    path: Path,
    body: Body<Path>,
    { idempotencyKey = crypto.randomUUID() }: WriteOptions = {},
  ): Promise<DataOfPost<Path>> => {
    const headers = {
      'X-API-Key': apiKey,
      'Content-Type': 'application/json',
      'Idempotency-Key': idempotencyKey,
    };
    const request = { method: 'POST', headers, body: JSON.stringify(body) } as const;
    return send(path, request) as Promise<DataOfPost<Path>>;
  };

  return {
    get,
    post,

    /** Yields all items of a list, page by page. */
    list: async function* <Path extends ListPath>(
      path: Path,
      query: Query<Path>,
    ): AsyncGenerator<ItemOf<Path>, void> {
      let cursor: string | null = null;
      do {
        const page: Record<string, unknown> = await get(path, {
          ...query,
          ...(cursor && { cursor }),
        });
        yield* (Object.values(page).find(Array.isArray) ?? []) as ItemOf<Path>[];
        cursor = page.next_cursor as string | null;
      } while (cursor !== null);
    },

    /** Yields the events after a sequence, to the latest. Store the last one that you handled. */
    events: async function* (
      query: Query<'/external/v1/events/list/'>,
    ): AsyncGenerator<Schemas['Event'], void> {
      let after = query.after;
      for (;;) {
        const rest = after === undefined ? query : { ...query, after };
        const page = await get('/external/v1/events/list/', rest);
        yield* page.events;
        if (!page.has_more) return;
        after = page.next_after;
      }
    },

    /**
     * Posts entries in batches of 25 and yields each batch. All entries of a batch are posted, or
     * none. With an `idempotencyKey`, the same entries can be sent again and are posted once.
     */
    postEntries: async function* (
      domain_url: string,
      entries: Iterable<BatchEntry> | AsyncIterable<BatchEntry>,
      { idempotencyKey = crypto.randomUUID() }: WriteOptions = {},
    ): AsyncGenerator<DataOfPost<typeof manyPath>, void> {
      let batch: BatchEntry[] = [];
      let number = 0;
      const flush = () => {
        const journal_entries = batch;
        batch = [];
        number += 1;
        const options = { idempotencyKey: `${idempotencyKey}-${number}` };
        return post(manyPath, { domain_url, journal_entries }, options);
      };
      for await (const entry of entries) {
        batch.push(entry);
        if (batch.length === entriesPerBatch) yield await flush();
      }
      if (batch.length > 0) yield await flush();
    },
  };
};

const manyPath = '/external/v1/journal_entries/create_many/';
export type BatchEntry = Body<typeof manyPath>['journal_entries'][number];
export type Ledger = ReturnType<typeof openLedger>;
