// Sends deliveries. A name is resolved once, every address must be public, and the connection goes
// to an address that was checked.

import { lookup } from 'node:dns/promises';
import { request as requestPlain } from 'node:http';
import { request as requestSecure } from 'node:https';
import { isIP } from 'node:net';
import { isPublicAddress } from './public-addresses.ts';
import type { Attempt } from './webhooks.ts';

/** Where a stage lets webhooks be: `and_localhost` also allows `http://localhost`. */
export const webhookTargets = ['public_https', 'and_localhost'] as const;
export type WebhookTargets = (typeof webhookTargets)[number];

export const sendMilliseconds = 15_000;

type Address = { address: string; family: number };

export type Resolve = (host: string) => Promise<Address[]>;

const resolveAll: Resolve = (host) => lookup(host, { all: true, verbatim: true });

/** The rule that an address breaks, with what it resolved to. */
export type RefusedTarget = { rule: string; resolvedTo: string[] };

/** A target that was checked. */
type Target = { url: URL; address: string };

const isLocal = ({ protocol, hostname }: URL): boolean =>
  protocol === 'http:' && hostname === 'localhost';

/** The rule that a URL breaks by itself, before its name is resolved. */
export const ruleBrokenByUrl = (text: string, targets: WebhookTargets): string | undefined => {
  const url = URL.parse(text);
  if (url === null) return 'absolute_url';
  if (url.username !== '' || url.password !== '') return 'no_user_info';
  if (url.hash !== '') return 'no_fragment';
  if (targets === 'and_localhost' && isLocal(url)) return undefined;
  if (url.protocol !== 'https:') return 'https';
  return url.port === '' ? undefined : 'port_443';
};

const hostOf = ({ hostname }: URL): string => hostname.replace(/^\[|\]$/g, '');

/** Lambda has no IPv6 outside of a VPC, so IPv4 comes first. */
const preferred = (addresses: readonly Address[]): string =>
  (addresses.find(({ family }) => family === 4) ?? addresses[0])?.address ?? '';

export type WebhookSending = ReturnType<typeof openWebhookSending>;

export const openWebhookSending = ({
  targets,
  resolve = resolveAll,
  isAllowedAddress = isPublicAddress,
  certificateAuthority,
  port,
}: {
  targets: WebhookTargets;
  resolve?: Resolve;
  /** For tests, which have no public address. */
  isAllowedAddress?: (address: string) => boolean;
  certificateAuthority?: string;
  port?: number;
}) => {
  const findTarget = async (text: string): Promise<Target | RefusedTarget> => {
    const rule = ruleBrokenByUrl(text, targets);
    if (rule !== undefined) return { rule, resolvedTo: [] };
    const url = new URL(text);
    const host = hostOf(url);
    if (isLocal(url)) return { url, address: '127.0.0.1' };
    const addresses =
      isIP(host) === 0
        ? await resolve(host).catch((): Address[] => [])
        : [{ address: host, family: isIP(host) }];
    if (addresses.length === 0) return { rule: 'name_resolves', resolvedTo: [] };
    const refused = addresses.filter(({ address }) => !isAllowedAddress(address));
    if (refused.length > 0) {
      return { rule: 'public_address', resolvedTo: refused.map(({ address }) => address) };
    }
    return { url, address: preferred(addresses) };
  };

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
      const target = await findTarget(url);
      return 'rule' in target ? target : undefined;
    },

    /** Makes one attempt. Never throws. */
    send: async (
      url: string,
      message: { headers: Record<string, string>; body: string },
      now: Date,
    ): Promise<{ attempt: Attempt; retryAfterSeconds: number | undefined }> => {
      const at = now.toISOString();
      const target = await findTarget(url);
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
