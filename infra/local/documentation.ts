// The reference page: Swagger UI with the committed OpenAPI document, all from this machine.

import { readFileSync } from 'node:fs';
import type { RequestListener } from 'node:http';
import { createRequire } from 'node:module';

type Resource = { contentType: string; body: string | Buffer };

const page = `<!doctype html>
<html lang="en">
<head>
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <title>Accounting ledger: reference</title>
  <link rel="stylesheet" href="/docs/assets/swagger-ui.css">
  <link rel="icon" type="image/png" href="/docs/assets/favicon-32x32.png">
  <script src="/docs/assets/swagger-ui-bundle.js" defer></script>
  <script src="/docs/assets/initializer.js" defer></script>
</head>
<body>
  <div id="reference"></div>
</body>
</html>
`;

const initializer = `SwaggerUIBundle({
  url: '/openapi.json',
  dom_id: '#reference',
  deepLinking: true,
  defaultModelsExpandDepth: 0,
  displayRequestDuration: true,
  tryItOutEnabled: true,
  validatorUrl: null,
  // The page may have been opened under another name of this machine than the document has.
  requestInterceptor: (request) => {
    const { pathname, search } = new URL(request.url, location.href);
    request.url = location.origin + pathname + search;
    return request;
  },
});
`;

/** Only what the page itself loads; nothing from elsewhere, and no script that is not a file. */
const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const { resolve } = createRequire(import.meta.url);

/** A file of the renderer. Files that are not there must fail the start, not a request. */
const asset = (fileName: string, contentType: string): Resource => ({
  contentType,
  body: readFileSync(resolve(`swagger-ui-dist/${fileName}`)),
});

type Reference = { baseUrl: string; openApiFile: URL };

const documentAt = ({ baseUrl, openApiFile }: Reference): string =>
  JSON.stringify({
    ...JSON.parse(readFileSync(openApiFile, 'utf8')),
    servers: [{ url: baseUrl, description: 'The service on this machine' }],
  });

/** Serves the reference page and the OpenAPI document; all else is the gateway's. */
export const serveDocumentation = (
  gateway: RequestListener,
  reference: Reference,
): RequestListener => {
  const html = { contentType: 'text/html; charset=utf-8', body: page };
  const script = 'text/javascript; charset=utf-8';
  const resources = new Map<string, Resource>([
    ['/docs', html],
    ['/docs/', html],
    ['/docs/assets/initializer.js', { contentType: script, body: initializer }],
    ['/docs/assets/swagger-ui-bundle.js', asset('swagger-ui-bundle.js', script)],
    ['/docs/assets/swagger-ui.css', asset('swagger-ui.css', 'text/css; charset=utf-8')],
    ['/docs/assets/favicon-32x32.png', asset('favicon-32x32.png', 'image/png')],
    ['/openapi.json', { contentType: 'application/json', body: documentAt(reference) }],
  ]);

  return (request, response) => {
    const [path = ''] = request.url?.split('?', 1) ?? [];
    const isRead = request.method === 'GET' || request.method === 'HEAD';
    const resource = isRead ? resources.get(path) : undefined;
    if (resource === undefined) return gateway(request, response);
    response
      .writeHead(200, {
        'Content-Type': resource.contentType,
        'Content-Security-Policy': contentSecurityPolicy,
        'X-Content-Type-Options': 'nosniff',
        'Cache-Control': 'no-cache',
      })
      .end(resource.body);
  };
};
