import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { afterAll, describe, expect, test } from 'vitest';
import { listen } from '#infra/http-server.ts';
import { serveDocumentation } from '#infra/local/documentation.ts';
import { openApiFile } from '#infra/openapi/build.ts';

const baseUrl = 'http://localhost:4000';

const contentSecurityPolicy =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; " +
  "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

const documentation = serveDocumentation(
  (request, response) => {
    response.writeHead(418).end(`${request.method} ${request.url}`);
  },
  { baseUrl, openApiFile },
);
const server = await listen(documentation, { port: 0, purpose: 'test' });
afterAll(server.stop);

/** Asks for a path exactly as it stands; `fetch` would tidy it. */
const ask = async (path: string, method = 'GET') => {
  const sent = httpRequest({ port: server.port, host: '127.0.0.1', path, method }).end();
  const [reply] = (await once(sent, 'response')) as [IncomingMessage];
  const { 'content-type': contentType, 'content-security-policy': policy } = reply.headers;
  return { head: [reply.statusCode, contentType], policy, body: await text(reply) };
};

describe('the reference page', () => {
  test.each(['/docs', '/docs/', '/docs?from=start'])('is at %s', async (path) => {
    const { body, ...rest } = await ask(path);
    expect(rest).toEqual({
      head: [200, 'text/html; charset=utf-8'],
      policy: contentSecurityPolicy,
    });
    expect(body).toContain('<title>Accounting ledger: reference</title>');
    // Its policy would stop an inline script or style.
    expect(body).not.toMatch(/<script(?![^>]*\bsrc=)|<style|\bstyle=|\bon\w+=/);
  });

  test('loads files of its own server only, and each is there', async () => {
    const { body } = await ask('/docs');
    const sources = [...body.matchAll(/(?:src|href)="([^"]*)"/g)].map(([, source = '']) => source);
    const replies = await Promise.all(
      sources.map(async (source) => [source, ...(await ask(source)).head]),
    );
    expect(replies).toEqual([
      ['/docs/assets/swagger-ui.css', 200, 'text/css; charset=utf-8'],
      ['/docs/assets/favicon-32x32.png', 200, 'image/png'],
      ['/docs/assets/swagger-ui-bundle.js', 200, 'text/javascript; charset=utf-8'],
      ['/docs/assets/initializer.js', 200, 'text/javascript; charset=utf-8'],
    ]);
  });

  test('asks no validator elsewhere', async () => {
    const { body } = await ask('/docs/assets/initializer.js');
    expect(body).toContain('validatorUrl: null');
    expect(body).not.toMatch(/https?:/);
  });
});

test('/openapi.json is the committed document, with this server', async () => {
  const { head, body } = await ask('/openapi.json');
  expect(head).toEqual([200, 'application/json']);
  expect(JSON.parse(body)).toEqual({
    ...JSON.parse(await readFile(openApiFile, 'utf8')),
    servers: [{ url: baseUrl, description: 'The service on this machine' }],
  });
});

test('everything else goes to the gateway', async () => {
  for (const line of [
    'GET /',
    'GET /external/v1/oauth/platform_a/initiate/?user_id=1',
    'POST /docs',
    'POST /openapi.json',
    'GET /docs/assets/',
    'GET /docs/assets/package.json',
    'GET /docs/assets/swagger-ui-bundle.js.map',
    'GET /docs/assets/../../package.json',
    'GET /docs/assets/%2e%2e/package.json',
    'GET /docs/assets/constructor',
  ]) {
    const [method, path = ''] = line.split(' ');
    expect(await ask(path, method)).toMatchObject({ head: [418, undefined], body: line });
  }
});
