// Verifies webhooks by the specification Standard Webhooks (standardwebhooks.com).

/** Older and newer deliveries are refused, so that nobody can send a recorded one again. */
const toleranceSeconds = 300;

export class WebhookError extends Error {
  override readonly name = 'WebhookError';
}

type Headers =
  | { get: (name: string) => string | null }
  | Record<string, string | string[] | undefined>;

const headerOf = (headers: Headers, name: string): string => {
  const value =
    typeof headers.get === 'function'
      ? headers.get(name)
      : (headers as Record<string, unknown>)[name];
  if (typeof value !== 'string') throw new WebhookError(`the header ${name} is missing`);
  return value;
};

const bytesOf = (base64: string) => Uint8Array.from(atob(base64), (it) => it.charCodeAt(0));

/** Signatures in other versions of the specification, or that are not base64, do not count. */
const signaturesIn = (header: string) =>
  header.split(' ').flatMap((signature) => {
    const [version, text = ''] = signature.split(',');
    try {
      return version === 'v1' ? [bytesOf(text)] : [];
    } catch {
      return [];
    }
  });

/**
 * Returns the event of a delivery. It can come twice and out of order: handle each `sequence` once.
 * @param delivery.body the body as it came, unparsed
 * @param secret `whsec_…`
 * @throws WebhookError if it is not signed with the secret, or not sent within five minutes
 */
export const verifyWebhook = async <Event>(
  { headers, body }: { headers: Headers; body: string },
  secret: string,
): Promise<Event> => {
  const [id, timestamp, signature] = ['id', 'timestamp', 'signature'].map((name) =>
    headerOf(headers, `webhook-${name}`),
  ) as [string, string, string];
  const age = Math.floor(Date.now() / 1000) - Number(timestamp);
  if (!(Math.abs(age) <= toleranceSeconds)) throw new WebhookError('it was not sent just now');
  const secretBytes = bytesOf(secret.replace(/^whsec_/, ''));
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  const key = await crypto.subtle.importKey('raw', secretBytes, algorithm, false, ['verify']);
  const content = new TextEncoder().encode(`${id}.${timestamp}.${body}`);
  for (const bytes of signaturesIn(signature)) {
    // Takes the same time for every wrong signature.
    if (await crypto.subtle.verify('HMAC', key, bytes, content)) return JSON.parse(body) as Event;
  }
  throw new WebhookError('no signature is of this secret');
};
