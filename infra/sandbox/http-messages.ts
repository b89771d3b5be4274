// What the sandbox platform's handlers are given and what they answer with.

import type { IncomingHttpHeaders } from 'node:http';
import type { Slot } from '#shared/platforms/slots.ts';

export type Request = {
  slot: Slot;
  /** The platform's own host and the path on it; empty for the sandbox's own pages. */
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
