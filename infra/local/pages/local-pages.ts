// The local pages: links at /, the reference at /docs, the books at /books. They contain the demo
// application's API key and call the API with it.

import type { RequestListener } from 'node:http';
import { booksResources } from './books-page.ts';
import { documentationResources, type Reference } from './documentation.ts';
import type { Resource } from './page-resources.ts';
import { startPageResources } from './start-page.ts';

/** Serves the pages and the OpenAPI document. All other requests go to the gateway. */
export const serveLocalPages = (
  gateway: RequestListener,
  reference: Reference & { sandboxUrl: string },
): RequestListener => {
  const resources: ReadonlyMap<string, Resource> = new Map([
    ...startPageResources(reference),
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
