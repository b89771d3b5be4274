// Posts entries over HTTP by kept connections, one for each client.

import { Agent, request } from 'node:http';

type Answer = { status: number; text: string };

export type HttpClient = ReturnType<typeof openHttpClient>;

export const openHttpClient = (
  { baseUrl, apiKey }: { baseUrl: string; apiKey: string },
  maximumClients: number,
) => {
  const agent = new Agent({ keepAlive: true, maxSockets: maximumClients });
  const url = `${baseUrl}/external/v1/journal_entries/create/`;
  return {
    post: (body: string): Promise<Answer> =>
      new Promise((resolve, reject) => {
        const headers = {
          'X-API-Key': apiKey,
          'Content-Type': 'application/json',
          'Content-Length': Buffer.byteLength(body),
        };
        const sent = request(url, { method: 'POST', agent, headers }, (response) => {
          let text = '';
          response.setEncoding('utf8');
          response.on('data', (chunk) => {
            text += chunk;
          });
          response.on('end', () => resolve({ status: response.statusCode ?? 0, text }));
        });
        sent.on('error', reject);
        sent.end(body);
      }),
    close: () => agent.destroy(),
  };
};
