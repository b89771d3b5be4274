// Sends requests over keep-alive connections, one for each client.

import { Agent, type IncomingHttpHeaders, request } from 'node:http';

type Reply = { status: number; headers: IncomingHttpHeaders; text: string };

export type HttpClient = ReturnType<typeof openHttpClient>;

export const openHttpClient = (
  { baseUrl, apiKey }: { baseUrl: string; apiKey: string },
  maximumClients: number,
) => {
  const agent = new Agent({ keepAlive: true, maxSockets: maximumClients });
  const send = (path: string, body?: string): Promise<Reply> =>
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
      const outgoing = request(url, { method, agent, headers }, (response) => {
        let text = '';
        response.setEncoding('utf8');
        response.on('data', (chunk) => {
          text += chunk;
        });
        response.on('end', () =>
          resolve({ status: response.statusCode ?? 0, headers: response.headers, text }),
        );
      });
      // A server can close a connection just as it is reused (Node.js, "request.reusedSocket").
      outgoing.on('error', (error) =>
        outgoing.reusedSocket ? resolve(send(path, body)) : reject(error),
      );
      outgoing.end(body);
    });
  return {
    send: (path: string, body: string) => send(path, body),
    get: (path: string) => send(path),
    post: (body: string) => send('journal_entries/create/', body),
    postMany: (body: string) => send('journal_entries/create_many/', body),
    profile: (body: string) => send('users/profile/', body),
    close: () => agent.destroy(),
  };
};
