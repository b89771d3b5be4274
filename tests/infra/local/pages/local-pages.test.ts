import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { gunzipSync } from 'node:zlib';
import { afterAll, describe, expect, test } from 'vitest';
import { openApiFile } from '#infra/docs/build.ts';
import { workedYearPage } from '#infra/docs/worked-year.ts';
import { listen } from '#infra/http-server.ts';
import { serveLocalPages } from '#infra/local/pages/local-pages.ts';

const baseUrl = 'http://localhost:4000';
const sandboxUrl = 'http://localhost:4002';
const apiKey = 'the key of the demo application';

const contentSecurityPolicy =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; " +
  "img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; " +
  "frame-ancestors 'none'";

const localFolder = new URL('../../../../infra/local/pages/', import.meta.url);

const documentation = serveLocalPages(
  (request, response) => {
    response.writeHead(418).end(`${request.method} ${request.url}`);
  },
  { baseUrl, sandboxUrl, apiKey, openApiFile, workedYearPage },
);
const server = await listen(documentation, { port: 0, purpose: 'test' });
afterAll(server.stop);

/** Requests a path exactly as written; `fetch` would normalize it. */
const ask = async (path: string, { method = 'GET' } = {}) => {
  const sent = httpRequest({ port: server.port, host: '127.0.0.1', path, method }).end();
  const [reply] = (await once(sent, 'response')) as [IncomingMessage];
  const { headers } = reply;
  const bytes = await buffer(reply);
  const body = headers['content-encoding'] === 'gzip' ? gunzipSync(bytes) : bytes;
  return {
    head: [reply.statusCode, headers['content-type']],
    policies: [headers['content-security-policy'], headers['cross-origin-resource-policy']],
    body: body.toString(),
  };
};

describe('the reference page', () => {
  test.each(['/docs', '/docs/', '/docs?from=start'])('is at %s', async (path) => {
    const { body, ...rest } = await ask(path);
    expect(rest).toEqual({
      head: [200, 'text/html; charset=utf-8'],
      policies: [contentSecurityPolicy, 'same-origin'],
    });
    expect(body).toContain('<title>Accounting ledger: reference</title>');
    expect(body).toContain(apiKey);
    // Its policy would stop an inline script; the settings are data.
    expect(body).not.toMatch(/<script(?![^>]*\b(?:src=|type="application\/json"))|\bon\w+=/);
  });

  test('loads only existing files of its own server', async () => {
    const { body } = await ask('/docs');
    const sources = [...body.matchAll(/(?:src|href)="(?!data:)([^"]*)"/g)].map(
      ([, source = '']) => source,
    );
    const replies = await Promise.all(
      sources.map(async (source) => [source, ...(await ask(source)).head]),
    );
    expect(replies).toEqual([
      ['/docs/assets/style.css', 200, 'text/css; charset=utf-8'],
      ['/docs/assets/scalar.js', 200, 'text/javascript; charset=utf-8'],
      ['/docs/assets/initializer.js', 200, 'text/javascript; charset=utf-8'],
    ]);
  });

  test('has the renderer that its README names', async () => {
    const readme = await readFile(new URL('reference/README.md', localFolder), 'utf8');
    const { body } = await ask('/docs/assets/scalar.js');
    expect(readme).toContain(`\`${createHash('sha256').update(body).digest('hex')}\``);
  });
});

test('/ links to every other page', async () => {
  const { head, body } = await ask('/');
  expect(head).toEqual([200, 'text/html; charset=utf-8']);
  const links = [...body.matchAll(/href="(?!data:)([^"]*)"/g)].map(([, link = '']) => link);
  expect(links).toEqual([
    ...['/books/assets/style.css', '/docs', '/docs/worked-year', '/books', '/openapi.json'],
    sandboxUrl,
  ]);
  for (const link of links.slice(0, -1)) expect((await ask(link)).head[0]).toBe(200);
});

test('/docs/worked-year has requests with this server and its key, and figures', async () => {
  const { head, body } = await ask('/docs/worked-year');
  expect(head).toEqual([200, 'text/html; charset=utf-8']);
  expect(body).toContain(`curl -s "${baseUrl}/external/v1/reports/profit_and_loss/`);
  expect(body).toContain(`-H 'X-API-Key: ${apiKey}'`);
  expect(body).not.toMatch(/localhost:3000|API_KEY/);
  expect(body).toContain(
    '<th scope="row"><code>profit_before_tax</code></th><td class="figure">23480.00</td>',
  );
});

test('/openapi.json is the committed document, with this server and its key', async () => {
  const { head, body } = await ask('/openapi.json');
  expect(head).toEqual([200, 'application/json']);
  const committed = await readFile(openApiFile, 'utf8');
  expect(JSON.parse(body)).toEqual({
    ...JSON.parse(
      committed.replaceAll('http://localhost:3000', baseUrl).replaceAll('<API_KEY>', apiKey),
    ),
    servers: [{ url: baseUrl, description: 'The service on this machine' }],
  });
});

test('everything else goes to the gateway', async () => {
  for (const line of [
    'GET /external/v1/oauth/platform_a/initiate/?user_id=1',
    'POST /docs',
    'POST /openapi.json',
    'GET /docs/assets/',
    'GET /docs/assets/package.json',
    'GET /docs/assets/scalar.js.gz',
    'GET /docs/assets/../../package.json',
    'GET /docs/assets/%2e%2e/package.json',
    'GET /docs/assets/constructor',
  ]) {
    const [method, path = ''] = line.split(' ');
    expect(await ask(path, { method: String(method) })).toMatchObject({
      head: [418, undefined],
      body: line,
    });
  }
});
