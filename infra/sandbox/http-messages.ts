// The requests and replies of the sandbox's handlers.

import type { IncomingHttpHeaders } from 'node:http';
import type { Slot } from '#shared/platforms/slots.ts';

export type Request = {
  slot: Slot;
  /** The platform's host and the path on it; empty for the sandbox's own pages. */
  host: string;
  path: string;
  method: string;
  query: URLSearchParams;
  headers: IncomingHttpHeaders;
  body: string;
};

export type Reply =
  | { status: number; json: unknown; headers?: Record<string, string> }
  | { status: number; page: string }
  | { redirectTo: string };

export const withHeaders = (reply: Reply, headers: Record<string, string>): Reply =>
  'json' in reply ? { ...reply, headers: { ...headers, ...reply.headers } } : reply;

/** `null` if the platform does not state the wait. */
export const withRetryAfter = (reply: Reply, seconds: number | null): Reply =>
  seconds === null ? reply : withHeaders(reply, { 'Retry-After': String(seconds) });

/** Ends a request with a reply other than the usual one. */
export class Refusal extends Error {
  readonly reply: Reply;

  constructor(reply: Reply) {
    super('refused');
    this.reply = reply;
  }
}

/** `undefined` for text that is not JSON. */
export const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};
