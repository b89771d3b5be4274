import { afterAll, expect, test } from 'vitest';
import { listen } from '#infra/http-server.ts';
import { createGateway } from '#infra/local/gateway.ts';

const gateway = createGateway(
  () => expect.fail('no function was to be called'),
  () => {},
);
const server = await listen(gateway, { port: 0, purpose: 'gateway' });
afterAll(server.stop);

/** What a caller without a key is answered, whose URL is this long. */
const ask = async (urlBytes: number): Promise<[status: number, body: string]> => {
  const url = `http://127.0.0.1:${server.port}/external/v1/oauth/platform_a/initiate/?user_id=`;
  const response = await fetch(url.padEnd(urlBytes, '7'));
  return [response.status, await response.text()];
};

test('a request line and headers as long as the deployed gateway takes are read', async () => {
  // API Gateway quotas: the request line and the values of the headers have 10,240 bytes together.
  expect(await ask(10_240)).toEqual([401, expect.stringContaining('"api_key_not_accepted"')]);
});

test('much longer ones are refused by HTTP itself, before there is a gateway', async () => {
  expect(await ask(20_000)).toEqual([431, '']);
});
