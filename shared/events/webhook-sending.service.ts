// Sends deliveries. The connection goes to the address that was checked.

import { request as requestPlain } from 'node:http';
import { request as requestSecure } from 'node:https';
import { isIP } from 'node:net';
import {
  findTarget,
  hostOf,
  type RefusedTarget,
  type Target,
  type TargetOptions,
} from './webhook-targets.service.ts';
import { type Attempt, sendMilliseconds } from './webhooks.ts';

export type WebhookSending = ReturnType<typeof openWebhookSending>;

export const openWebhookSending = ({
  certificateAuthority,
  port,
  ...targets
}: TargetOptions & {
  /** For tests, whose receivers have neither a public certificate nor port 443. */
  certificateAuthority?: string;
  port?: number;
}) => {
  /** Sends the request to the address. Resolves with the status; the body of the reply is lost. */
  const post = (
    { url, address }: Target,
    { headers, body }: { headers: Record<string, string>; body: string },
  ): Promise<{ status: number; retryAfter: string | undefined }> => {
    const {
      promise,
      resolve: settle,
      reject,
    } = Promise.withResolvers<{
      status: number;
      retryAfter: string | undefined;
    }>();
    const isSecure = url.protocol === 'https:';
    const host = hostOf(url);
    const call = (isSecure ? requestSecure : requestPlain)(
      {
        host: address,
        port: port ?? (url.port || (isSecure ? 443 : 80)),
        path: `${url.pathname}${url.search}`,
        method: 'POST',
        agent: false,
        signal: AbortSignal.timeout(sendMilliseconds),
        headers: {
          ...headers,
          Host: url.host,
          'Content-Type': 'application/json',
          'Content-Length': Buffer.byteLength(body),
          'User-Agent': 'accounting-ledger',
        },
        // The name for the certificate. An address has no server name (RFC 6066 section 3).
        ...(isSecure && { servername: isIP(host) === 0 ? host : '' }),
        ...(certificateAuthority !== undefined && { ca: certificateAuthority }),
      },
      (response) => {
        const retryAfter = response.headers['retry-after'];
        settle({ status: response.statusCode ?? 0, retryAfter });
        response.destroy();
      },
    );
    call.on('error', reject);
    call.end(body);
    return promise;
  };

  return {
    /** The rule that a URL breaks, with its addresses; `undefined` if it may be called. */
    findProblem: async (url: string): Promise<RefusedTarget | undefined> => {
      const target = await findTarget(url, targets);
      return 'rule' in target ? target : undefined;
    },

    /** Makes one attempt. Never throws. */
    send: async (
      url: string,
      message: { headers: Record<string, string>; body: string },
      now: Date,
    ): Promise<{ attempt: Attempt; retryAfterSeconds: number | undefined }> => {
      const at = now.toISOString();
      const target = await findTarget(url, targets);
      if ('rule' in target) {
        const error = `refused_address: ${target.rule}`;
        return { attempt: { at, status: null, error }, retryAfterSeconds: undefined };
      }
      try {
        const { status, retryAfter } = await post(target, message);
        const seconds = Number(retryAfter);
        const isUsable = Number.isInteger(seconds) && seconds > 0;
        return {
          attempt: { at, status, error: null },
          retryAfterSeconds: isUsable ? seconds : undefined,
        };
      } catch (error) {
        const { name, code } = error as Error & { code?: string };
        const timedOut = name === 'TimeoutError' || code === 'ABORT_ERR';
        const reason = timedOut ? 'timed_out' : (code ?? name);
        return {
          attempt: { at, status: null, error: reason },
          retryAfterSeconds: undefined,
        };
      }
    },
  };
};
