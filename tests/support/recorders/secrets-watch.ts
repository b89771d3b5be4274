// Collects the requests, replies and output of this process.

import type { SecretsCollector } from './secrets-collector.ts';

/** The reference shows made-up requests, and the same to everybody. */
const isReference = (path: string): boolean => /^\/(?:docs|openapi\.json)/.test(path);

const bodyText = async (response: Response): Promise<string> => {
  const headers = [...response.headers].map((header) => header.join(': ')).join('\n');
  return `${headers}\n\n${await response.text()}`;
};

/**
 * Keeps every reply of a service, and learns from the requests which passwords there are.
 * @returns ends it
 */
export const watchReplies = (secrets: SecretsCollector): (() => void) => {
  const plainFetch = globalThis.fetch;
  globalThis.fetch = async (input, init) => {
    const url = new URL(input instanceof Request ? input.url : input);
    if (typeof init?.body === 'string') secrets.registerFields(init.body);
    const response = await plainFetch(input, init);
    if (secrets.isOfService(url) && !isReference(url.pathname)) {
      const text = await bodyText(response.clone());
      secrets.keep(`reply of ${init?.method ?? 'GET'} ${url.pathname}`, text);
    }
    return response;
  };
  return () => {
    globalThis.fetch = plainFetch;
  };
};

/** Collects the output of a stream of this process. Returns a function that ends it. */
export const watchStream = (secrets: SecretsCollector, name: 'stdout' | 'stderr'): (() => void) => {
  const stream = process[name];
  const { write } = stream;
  stream.write = ((chunk: string | Uint8Array, ...rest: []) => {
    secrets.keep(name, Buffer.from(chunk as string).toString());
    return write.call(stream, chunk, ...rest);
  }) as typeof stream.write;
  return () => {
    stream.write = write;
  };
};
