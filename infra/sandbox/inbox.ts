// A receiver of webhooks that shows what arrives, with switches for its replies. The signatures are
// checked by the official library of Standard Webhooks.

import type { IncomingHttpHeaders } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { Webhook as Verifier } from 'standardwebhooks';
import { parseJson, type Reply } from './http-messages.ts';
import { type Arrival, InboxReply, inboxPage } from './inbox-page.ts';

/** The latest arrivals that the inbox keeps. */
const maximumKept = 100;
/** Longer than the service waits for a reply. */
const hangMilliseconds = 20_000;
const slowMilliseconds = 5_000;
const retryAfterSeconds = 5;

const statusOf: Record<InboxReply, number> = {
  accept: 200,
  error: 500,
  gone: 410,
  busy: 429,
  hang: 200,
  slow: 200,
};

type InboxRequest = {
  method: string;
  path: string;
  headers: IncomingHttpHeaders;
  body: string;
};

export const openInbox = ({
  secret,
  clock,
  signal,
}: {
  /** The secret of the webhook that sends to the inbox. */
  secret: string | undefined;
  clock: () => Date;
  /** Interrupts replies that wait. */
  signal: AbortSignal;
}) => {
  let reply: InboxReply = 'accept';
  const arrivals: Arrival[] = [];
  const attempts = new Map<string, number>();

  const signatureOf = (headers: IncomingHttpHeaders, body: string): Arrival['signature'] => {
    if (secret === undefined) return 'not checked';
    try {
      new Verifier(secret).verify(body, headers as Record<string, string>);
      return 'valid';
    } catch {
      return 'not valid';
    }
  };

  const receive = async ({ headers, body }: InboxRequest): Promise<Reply> => {
    const id = String(headers['webhook-id']);
    const attempt = (attempts.get(id) ?? 0) + 1;
    attempts.set(id, attempt);
    arrivals.unshift({
      received_at: clock().toISOString(),
      webhook_id: id,
      attempt,
      signature: signatureOf(headers, body),
      replied: reply,
      event: parseJson(body),
    });
    for (const dropped of arrivals.splice(maximumKept)) attempts.delete(dropped.webhook_id);
    const replied = reply;
    if (replied === 'hang') await pause(hangMilliseconds, undefined, { signal });
    if (replied === 'slow') await pause(slowMilliseconds, undefined, { signal });
    return {
      status: statusOf[replied],
      json: {},
      ...(replied === 'busy' && { headers: { 'Retry-After': String(retryAfterSeconds) } }),
    };
  };

  const changeReply = ({ body }: InboxRequest): Reply => {
    const asked = InboxReply.safeParse(new URLSearchParams(body).get('reply'));
    if (!asked.success) return { status: 422, json: { known: InboxReply.options } };
    reply = asked.data;
    return { redirectTo: '/inbox' };
  };

  return {
    /** `undefined` if the inbox has no such path. */
    answer: async (request: InboxRequest): Promise<Reply | undefined> => {
      switch (`${request.method} ${request.path}`) {
        case 'GET /inbox':
          return { status: 200, page: inboxPage({ reply, arrivals }) };
        case 'GET /inbox/deliveries':
          return { status: 200, json: { reply, deliveries: arrivals } };
        case 'POST /inbox':
          return receive(request);
        case 'POST /inbox/reply':
          return changeReply(request);
        default:
          return undefined;
      }
    },
  };
};
