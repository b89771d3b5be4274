// The page at /: links to the other local pages.

import type { Resource } from './page-resources.ts';

const contentSecurityPolicy =
  "default-src 'none'; style-src 'self'; img-src data:; base-uri 'none'; form-action 'none'; " +
  "frame-ancestors 'none'";

const pageWith = (sandboxUrl: string): string => {
  const links = [
    ['/docs', 'Reference', 'every endpoint, with a guide'],
    ['/docs/worked-year', 'A year of books', 'requests and figures of a small company'],
    ['/books', 'Books', "the demo application's companies"],
    ['/openapi.json', 'OpenAPI document', 'for tools that generate clients'],
    [sandboxUrl, 'Sandbox', 'replaces the accounting platforms on this machine'],
  ];
  return `<!doctype html>
<html lang="en">
<head>
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <title>Accounting ledger</title>
  <link rel="icon" href="data:,">
  <link rel="stylesheet" href="/books/assets/style.css">
</head>
<body>
<main>
<h1>Accounting ledger</h1>
<ul>
${links.map(([url, name, text]) => `<li><a href="${url}">${name}</a>: ${text}</li>`).join('\n')}
</ul>
</main>
</body>
</html>
`;
};

export const startPageResources = ({
  sandboxUrl,
}: {
  sandboxUrl: string;
}): [string, Resource][] => [
  [
    '/',
    { contentType: 'text/html; charset=utf-8', body: pageWith(sandboxUrl), contentSecurityPolicy },
  ],
];
