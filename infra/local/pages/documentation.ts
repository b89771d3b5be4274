// The reference at /docs: Scalar with the committed OpenAPI document, and the worked year.

import { readFileSync } from 'node:fs';
import { apiKeyPlaceholder, documentedServer } from '../../manifest/reference-placeholders.ts';
import type { Resource } from './page-resources.ts';

/** The settings of the renderer, which makes no requests to other hosts. */
const settings = {
  url: '/openapi.json',
  withDefaultFonts: false,
  telemetry: false,
  agent: { disabled: true },
  mcp: { disabled: true },
  hideClientButton: true,
  showDeveloperTools: 'never',
  documentDownloadType: 'json',
  defaultOpenAllTags: true,
  // The document has its own samples, for curl and in TypeScript.
  hiddenClients: true,
};

const withKey = (apiKey: string) => ({
  ...settings,
  authentication: {
    preferredSecurityScheme: 'X-API-Key',
    securitySchemes: { 'X-API-Key': { value: apiKey } },
  },
});

/** The page contains the settings with the API key. Pages of other origins cannot read it. */
const pageWith = (apiKey: string): string => `<!doctype html>
<html lang="en">
<head>
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <title>Accounting ledger: reference</title>
  <link rel="icon" href="data:,">
  <link rel="stylesheet" href="/docs/assets/style.css">
  <script type="application/json" id="settings">${JSON.stringify(withKey(apiKey))}</script>
  <script src="/docs/assets/scalar.js" defer></script>
  <script src="/docs/assets/initializer.js" defer></script>
</head>
<body>
  <div id="reference"></div>
</body>
</html>
`;

/** The browser may use another host name of this machine than the document. */
const initializer = `Scalar.createApiReference('#reference', {
  ...JSON.parse(document.getElementById('settings').textContent),
  servers: [{ url: location.origin, description: 'The service on this machine' }],
});
`;

/**
 * Scripts and styles come from this server, and scripts only from files. The renderer creates style
 * elements while it runs, so their hashes are unknown.
 */
const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** A file of the renderer, read at start: a missing file fails the start, not a request. */
const asset = (fileName: string): Buffer =>
  readFileSync(new URL(`./reference/${fileName}`, import.meta.url));

export type Reference = {
  baseUrl: string;
  apiKey: string;
  openApiFile: URL;
  /** The HTML of /docs/worked-year. */
  workedYearPage: (service: { baseUrl: string; apiKey: string }) => string;
};

const documentWith = ({ baseUrl, apiKey, openApiFile }: Reference): string => {
  const text = readFileSync(openApiFile, 'utf8')
    .replaceAll(documentedServer, baseUrl)
    .replaceAll(apiKeyPlaceholder, apiKey);
  const servers = [{ url: baseUrl, description: 'The service on this machine' }];
  return JSON.stringify({ ...JSON.parse(text), servers });
};

const script = 'text/javascript; charset=utf-8';

export const documentationResources = (reference: Reference): [string, Resource][] => {
  const resource = (
    contentType: string,
    body: string | Buffer,
    more: Partial<Resource> = {},
  ): Resource => ({ contentType, body, contentSecurityPolicy, ...more });
  const page = resource('text/html; charset=utf-8', pageWith(reference.apiKey));
  return [
    ['/docs', page],
    ['/docs/', page],
    [
      '/docs/worked-year',
      resource('text/html; charset=utf-8', reference.workedYearPage(reference)),
    ],
    ['/docs/assets/initializer.js', resource(script, initializer)],
    ['/docs/assets/scalar.js', resource(script, asset('scalar.js.gz'), { encoding: 'gzip' })],
    ['/docs/assets/style.css', resource('text/css; charset=utf-8', asset('style.css'))],
    ['/openapi.json', resource('application/json', documentWith(reference))],
  ];
};
