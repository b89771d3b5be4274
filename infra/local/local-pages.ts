// The pages of this machine: the reference at /docs, the books at /books. They know the key of the
// demo application, so that they can call the API as any application does.

import type { RequestListener } from 'node:http';
import { booksResources } from './books.ts';
import { documentationResources, type Reference } from './documentation.ts';
import type { Resource } from './page-resources.ts';

/** Serves the pages and the OpenAPI document; all else is the gateway's. */
export const serveLocalPages = (
  gateway: RequestListener,
  reference: Reference,
): RequestListener => {
  const resources: ReadonlyMap<string, Resource> = new Map([
    ...documentationResources(reference),
    ...booksResources(reference),
  ]);

  return (request, response) => {
    const [path = ''] = request.url?.split('?', 1) ?? [];
    const isRead = request.method === 'GET' || request.method === 'HEAD';
    const resource = isRead ? resources.get(path) : undefined;
    if (resource === undefined) return gateway(request, response);
    response
      .writeHead(200, {
        'Content-Type': resource.contentType,
        ...(resource.encoding && { 'Content-Encoding': resource.encoding }),
        'Content-Security-Policy': resource.contentSecurityPolicy,
        'Cross-Origin-Resource-Policy': 'same-origin',
        'X-Content-Type-Options': 'nosniff',
        'Cache-Control': 'no-cache',
      })
      .end(resource.body);
  };
};
