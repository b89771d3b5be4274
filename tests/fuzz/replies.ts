// The fuzzer's replies by operation and HTTP status, from its HAR file.

import { readFile } from 'node:fs/promises';
import * as z from 'zod/mini';

const Archive = z.object({
  log: z.object({
    entries: z.array(
      z.object({
        request: z.object({
          method: z.string(),
          url: z.string(),
          headers: z.array(z.object({ name: z.string(), value: z.string() })),
        }),
        response: z.object({ status: z.number() }),
      }),
    ),
  }),
});

type Archive = z.infer<typeof Archive>;

/** How often each status came, by operation. */
export type Replies = Map<string, Map<number, number>>;

type Operation = { name: string; method: string; pattern: RegExp };

/** The operations of an OpenAPI document, each with the paths that are its own. */
export const operationsOf = (paths: Record<string, Record<string, object>>): Operation[] =>
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => ({
      name: `${method.toUpperCase()} ${path}`,
      method: method.toUpperCase(),
      pattern: new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+')}$`),
    })),
  );

/** Counts the replies; requests that are no operation's are counted as `elsewhere`. */
export const countReplies = ({ log }: Archive, operations: readonly Operation[]): Replies => {
  const replies: Replies = new Map(
    [...operations, { name: 'elsewhere' }].map(({ name }) => [name, new Map()]),
  );
  for (const { request, response } of log.entries) {
    const path = new URL(request.url).pathname;
    const operation = operations.find(
      ({ method, pattern }) => method === request.method && pattern.test(path),
    );
    const counts = replies.get(operation?.name ?? 'elsewhere');
    counts?.set(response.status, (counts.get(response.status) ?? 0) + 1);
  }
  return replies;
};

/** @returns the operations without a successful request */
export const neverSuccessful = (replies: Replies): string[] =>
  [...replies]
    .filter(([name, counts]) => name !== 'elsewhere' && !counts.has(200))
    .map(([name]) => name);

export const describeReplies = (replies: Replies): string =>
  [...replies]
    .map(([name, counts]) => {
      const sorted = [...counts].sort(([one], [other]) => one - other);
      const statuses = sorted.map(([status, count]) => `${status} x ${count}`);
      return `  ${name}: ${statuses.join(', ') || '-'}`;
    })
    .join('\n');

/** The maximum size of the request line and headers (API Gateway quotas). */
const maximumHeadBytes = 10_240;

type Request = Archive['log']['entries'][number]['request'];
const headBytes = ({ method, url, headers }: Request): number =>
  Buffer.byteLength(
    [`${method} ${url}`, ...headers.map(({ name, value }) => `${name}: ${value}`)].join('\r\n'),
  );

/** @returns short requests that were refused as too long */
export const wronglyTooLong = ({ log }: Archive): string[] =>
  log.entries
    .filter(
      ({ response, request }) => response.status === 431 && headBytes(request) < maximumHeadBytes,
    )
    .map(({ request }) => `${request.method} ${request.url} was refused as too long`);

export const readArchive = async (file: string): Promise<Archive> =>
  Archive.parse(JSON.parse(await readFile(file, 'utf8')));
