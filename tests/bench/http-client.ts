// Sends requests over HTTP by kept connections, one for each client.

import { Agent, type IncomingHttpHeaders, request } from 'node:http';

type Answer = { status: number; headers: IncomingHttpHeaders; text: string };

export type HttpClient = ReturnType<typeof openHttpClient>;

export const openHttpClient = (
  { baseUrl, apiKey }: { baseUrl: string; apiKey: string },
  maximumClients: number,
) => {
  const agent = new Agent({ keepAlive: true, maxSockets: maximumClients });
  const send = (path: string, body?: string): Promise<Answer> =>
    new Promise((resolve, reject) => {
      const headers = {
        'X-API-Key': apiKey,
        ...(body !== undefined && {
          'Content-Type': 'application/json',
          'Content-Length': Buffer.byteLength(body),
        }),
      };
      const method = body === undefined ? 'GET' : 'POST';
      const url = `${baseUrl}/external/v1/${path}`;
      const sent = request(url, { method, agent, headers }, (response) => {
        let text = '';
        response.setEncoding('utf8');
        response.on('data', (chunk) => {
          text += chunk;
        });
        response.on('end', () =>
          resolve({ status: response.statusCode ?? 0, headers: response.headers, text }),
        );
      });
      // A server may close a kept connection in the very moment of its next use (Node.js,
      // "request.reusedSocket").
      sent.on('error', (error) => (sent.reusedSocket ? resolve(send(path, body)) : reject(error)));
      sent.end(body);
    });
  return {
    send: (path: string, body: string) => send(path, body),
    get: (path: string) => send(path),
    /** Posts an entry. */
    post: (body: string) => send('journal_entries/create/', body),
    /** Posts many entries at once. */
    postMany: (body: string) => send('journal_entries/create_many/', body),
    profile: (body: string) => send('users/profile/', body),
    close: () => agent.destroy(),
  };
};
