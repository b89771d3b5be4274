// The signature of a delivery (Standard Webhooks, standardwebhooks.com, version 1.0.0).
//
// The asymmetric signature `v1a` is left out: no official library verifies it yet. Revisit when one
// does.

import { createHmac } from 'node:crypto';

const secretPrefix = 'whsec_';
const secretBytes = 32;

export const newWebhookSecret = (random: (size: number) => Uint8Array): string =>
  secretPrefix + Buffer.from(random(secretBytes)).toString('base64');

/** The headers of a delivery. Each secret signs it, so that a receiver can rotate its secret. */
export const signedHeaders = (
  { id, at, body }: { id: string; at: Date; body: string },
  secrets: readonly string[],
): Record<string, string> => {
  const timestamp = String(Math.floor(at.getTime() / 1_000));
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.slice(secretPrefix.length), 'base64');
    const signature = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`);
    return `v1,${signature.digest('base64')}`;
  });
  return {
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': signatures.join(' '),
  };
};
