import { once } from 'node:events';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, expect, test } from 'vitest';
import { listen } from '#infra/http-server.ts';

const server = await listen((_, response) => response.end('served'), { port: 0, purpose: 'test' });
afterAll(server.stop);

/** Sends these lines as they stand, and gives the status and the body of the reply. */
const send = async (...lines: string[]): Promise<[number, string]> => {
  const socket = connect({ host: '127.0.0.1', port: server.port });
  await once(socket, 'connect');
  socket.write(`${[...lines, 'Connection: close'].join('\r\n')}\r\n\r\n`);
  const [head = '', body = ''] = (await text(socket)).split('\r\n\r\n');
  return [Number(head.split(' ')[1]), body];
};

const foreign = [421, 'This server answers only to the host name localhost.\n'];

test.each([
  ['localhost', 'Host: localhost'],
  ['localhost with a port', 'Host: localhost:3000'],
  ['localhost in capitals', 'Host: LOCALHOST:3000'],
  ['an address', 'Host: 127.0.0.1:3000'],
  ['an address of IPv6', 'Host: [::1]:3000'],
])('a request is served whose host is %s', async (_, host) => {
  expect(await send('GET / HTTP/1.1', host)).toEqual([200, expect.stringContaining('served')]);
});

test.each([
  ['a name of somebody else', 'Host: evil.example:3000'],
  ['a name that begins like ours', 'Host: localhost.evil.example'],
  ['a name that ends like ours', 'Host: evil.localhost'],
  ['an address of another machine', 'Host: 127.0.0.1.evil.example'],
  ['another address of this machine', 'Host: 127.0.0.2:3000'],
  ['two names', 'Host: localhost evil.example'],
  ['nothing', 'Host:'],
])('a request is refused whose host is %s', async (_, host) => {
  const [status, body] = await send('GET / HTTP/1.1', host);
  expect([status, body]).toEqual([421, expect.stringContaining(String(foreign[1]))]);
});

test('a request without a host is refused, in both versions of HTTP', async () => {
  expect(await send('GET / HTTP/1.0')).toEqual(foreign);
  expect((await send('GET / HTTP/1.1'))[0]).toBe(400);
});

test.each([
  ['GET', 'cross-site', 200],
  ['HEAD', 'cross-site', 200],
  ['POST', 'cross-site', 403],
  ['PUT', 'cross-site', 403],
  ['OPTIONS', 'cross-site', 403],
  ['POST', 'same-site', 200],
  ['POST', 'same-origin', 200],
  ['POST', 'none', 200],
])('a %s that a browser marks as %s gets %i', async (method, site, status) => {
  const reply = await send(
    `${method} / HTTP/1.1`,
    'Host: localhost',
    `Sec-Fetch-Site: ${site}`,
    'Content-Length: 0',
  );
  expect(reply[0]).toBe(status);
});
