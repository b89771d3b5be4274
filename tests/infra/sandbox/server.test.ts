import { afterAll, describe, expect, test } from 'vitest';
import { openSandboxClient } from '../../support/harnesses/sandbox-client.ts';

const sandbox = await openSandboxClient();
afterAll(sandbox.stop);

describe('the server', () => {
  test.each([
    ['GET', '/nowhere'],
    ['GET', '/platform_a'],
    ['GET', '/platform_a/'],
    ['GET', '/platform_a/nowhere'],
    ['GET', '/platform_a/login.plain.example'],
    ['GET', '/platform_d/login.plain.example/authorize'],
    ['GET', '/platform_a/login.plain.example/token'],
    ['GET', '/platform_a/login.plain.example/revoke'],
    ['POST', '/platform_a/login.plain.example/authorize'],
    ['GET', '/platform_a/oauth/consent'],
    ['GET', '/platform_a/test-grants'],
  ])('has nothing at %s %s', async (method, path) => {
    expect((await fetch(`${sandbox.url}${path}`, { method })).status).toBe(404);
  });

  test('refuses a body that is longer than any of its forms', async () => {
    const body = 'x'.repeat(64 * 1024 + 1);
    const url = `${sandbox.baseUrl('platform_a')}/test-grants`;
    expect((await fetch(url, { method: 'POST', body })).status).toBe(413);
  });

  test('stops at once while a reply is slow', async () => {
    const other = await openSandboxClient({ slowMilliseconds: 60_000 });
    const tokens = await other.makeGrant('platform_a', { failure: 'slow' });
    const slow = other.callApi('platform_a', tokens).catch(() => 'broken off');
    // The reply is under way once the request was received, which another one proves.
    await fetch(other.url);
    const before = performance.now();
    await other.stop();
    expect(performance.now() - before).toBeLessThan(1_000);
    expect(await slow).toBe('broken off');
  });
});
