// Replies of the API as tests compare them: whole, or by the problems that they name.

import type { readResult } from '../events/lambda-events.ts';

export const jsonHeaders = {
  'Content-Type': 'application/json',
  'Cache-Control': 'no-store',
  'X-Content-Type-Options': 'nosniff',
};

/** Of an endpoint whose reply can be csv, in both forms. */
export const reportHeaders = { ...jsonHeaders, Vary: 'Accept' };
export const csvHeaders = { ...reportHeaders, 'Content-Type': 'text/csv; charset=utf-8' };

export const replayedHeaders = { 'Idempotent-Replayed': 'true' };

/** The reply to a repeat of a request that had this reply. */
export const replayOf = (first: ReturnType<typeof readResult>) => ({
  ...first,
  headers: { ...first.headers, ...replayedHeaders },
  body: { ...first.body, data: { ...first.body.data, replayed: true } },
});

/** A success as a whole. */
export const success = (data: unknown) => ({
  status: 200,
  headers: jsonHeaders,
  body: { status: 'success', status_code: 200, data },
});

/** A success of an endpoint that also has csv. */
export const reportSuccess = (data: unknown) => ({ ...success(data), headers: reportHeaders });

/**
 * The problems of a reply in order: each code with its pointer. Neighbours with the same code are
 * one text. A success has none.
 */
export const problemsOf = ({ status, body }: ReturnType<typeof readResult>): string[] => {
  if (status === 200) return [];
  const groups: string[][] = [];
  for (const { code, pointer } of body.error.details as { code: string; pointer: string }[]) {
    if (groups.at(-1)?.[0] === code) groups.at(-1)?.push(pointer);
    else groups.push([code, pointer]);
  }
  return groups.map((group) => group.join(' '));
};

/** A refusal: its status, its code and its problems. */
export const verdictOf = (reply: ReturnType<typeof readResult>) => [
  reply.status,
  reply.body.error?.code,
  ...problemsOf(reply),
];
