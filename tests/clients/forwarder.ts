// Forwards calls of the platforms' clients from their real hosts to the sandbox. The clients are
// unchanged; only their connections end here, at a server that speaks plain HTTP.

import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type { Slot } from '#shared/platforms/slots.ts';

const slotByDomain: Record<string, Slot> = { 'xero.com': 'platform_a', 'intuit.com': 'platform_b' };

/** The sandbox's URL for a platform's URL. */
const atSandbox = (sandboxUrl: string, platformUrl: string): URL => {
  const { host, pathname, search } = new URL(platformUrl);
  const slot = slotByDomain[host.split('.').slice(-2).join('.')];
  if (slot === undefined) throw new Error(`a client called ${host}, an unknown host`);
  return new URL(`/${slot}/${host}${pathname}${search}`, sandboxUrl);
};

/** Answers a consent page as its user does, for one company or for several of one user. */
const giveConsent = async (page: URL, companies: readonly string[]): Promise<string> => {
  const html = await (await fetch(page)).text();
  const [, action = ''] = /<form method="post" action="([^"]+)"/.exec(html) ?? [];
  const [, consent] = /name="consent" value="([^"]+)"/.exec(html) ?? [];
  if (consent === undefined) {
    const [, title] = /<title>([^<]*)/.exec(html) ?? [];
    throw new Error(`no consent page but "${title}" is at ${page}`);
  }
  const body = new URLSearchParams({ consent, decision: 'approve' });
  for (const company of companies) body.append('company', company);
  const reply = await fetch(new URL(action, page), { method: 'POST', body, redirect: 'manual' });
  const location = reply.headers.get('Location');
  if (location === null) throw new Error(`consent was refused: ${await reply.text()}`);
  return location;
};

/** A client's request that its user consents. The reply is the callback's URL. */
export type ConsentRequest = { url: string; companies: readonly string[] };

const forward = async (
  sandboxUrl: string,
  message: IncomingMessage,
  response: ServerResponse,
): Promise<void> => {
  const { method, headers, url = '/' } = message;
  if (headers.host?.startsWith('127.0.0.1:')) {
    const asked: ConsentRequest = JSON.parse(await text(message));
    response.end(await giveConsent(atSandbox(sandboxUrl, asked.url), asked.companies));
    return;
  }
  const target = atSandbox(sandboxUrl, `https://${headers.host}${url}`);
  const forwarded = request(target, { method, headers: { ...headers, host: target.host } });
  message.pipe(forwarded);
  const [reply] = (await once(forwarded, 'response')) as [IncomingMessage];
  response.writeHead(reply.statusCode ?? 502, reply.headers);
  reply.pipe(response);
};

export const startForwarder = async (sandboxUrl: string) => {
  const server = createServer((message, response) => {
    forward(sandboxUrl, message, response).catch((error) => {
      response.writeHead(502).end(String(error));
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    stop: async () => {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
};
