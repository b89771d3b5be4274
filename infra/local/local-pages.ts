// The pages of this machine: the reference at /docs, the books at /books. They know the key of the
// demo application, so that they can call the API as any application does.

import type { RequestListener } from 'node:http';
import { apiKeyPlaceholder } from '../reference.ts';
import { booksResources } from './books.ts';
import { documentationResources, type Reference } from './documentation.ts';
import type { Resource } from './page-resources.ts';

/** A name of somebody else's may lead here too (DNS rebinding); its pages get no key. */
const isNameOfThisMachine = (host = ''): boolean =>
  /^(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/.test(host);

const resourcesOf = (reference: Reference): ReadonlyMap<string, Resource> =>
  new Map([...documentationResources(reference), ...booksResources(reference)]);

/** Serves the pages and the OpenAPI document; all else is the gateway's. */
export const serveLocalPages = (
  gateway: RequestListener,
  reference: Reference,
): RequestListener => {
  const forThisMachine = resourcesOf(reference);
  const forOthers = resourcesOf({ ...reference, apiKey: apiKeyPlaceholder });

  return (request, response) => {
    const [path = ''] = request.url?.split('?', 1) ?? [];
    const resources = isNameOfThisMachine(request.headers.host) ? forThisMachine : forOthers;
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
