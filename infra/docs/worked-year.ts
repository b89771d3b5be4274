// A small company's books for a year, as requests with the figures that their replies must show.
// The page /docs/worked-year shows them; tests send them.

import { apiKeyPlaceholder, documentedServer } from '../manifest/reference-placeholders.ts';
import { type Keep, type SampleRequest, shellOf } from './samples.ts';
import year from './worked-year.json' with { type: 'json' };

type WorkedRequest = SampleRequest & {
  keep?: Keep;
  /** Figures of the reply, calculated by hand in tests/data/worked-books.md. */
  expected?: object;
};

type WorkedYear = {
  title: string;
  text: string;
  steps: readonly { heading: string; text: string; requests: readonly WorkedRequest[] }[];
};

export const workedYear = year as WorkedYear;

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

const paragraph = (text: string): string =>
  `<p>${escaped(text).replaceAll(/`([^`]+)`/g, '<code>$1</code>')}</p>`;

/** The figures of an object with their paths, for example `operating.total`. */
const figuresIn = (value: object, path = ''): [string, string][] =>
  Object.entries(value).flatMap(([name, inner]) =>
    typeof inner === 'object' ? figuresIn(inner, `${path}${name}.`) : [[path + name, inner]],
  );

const figuresTable = (expected: object): string => `<table>
<caption>Figures of the reply</caption>
${figuresIn(expected)
  .map(
    ([path, figure]) =>
      `<tr><th scope="row"><code>${path}</code></th><td class="figure">${figure}</td></tr>`,
  )
  .join('\n')}
</table>`;

/** The page with the address and the key of a service. */
export const workedYearPage = ({
  baseUrl,
  apiKey,
}: {
  baseUrl: string;
  apiKey: string;
}): string => {
  const block = ({ keep, expected, ...request }: WorkedRequest): string => {
    const command = shellOf(request, keep)
      .replaceAll(documentedServer, baseUrl)
      .replaceAll(apiKeyPlaceholder, apiKey);
    const code = `<pre tabindex="0"><code>${escaped(command)}</code></pre>`;
    return expected === undefined ? code : `${code}\n${figuresTable(expected)}`;
  };
  const section = ({ heading, text, requests }: WorkedYear['steps'][number]): string =>
    [`<h2>${escaped(heading)}</h2>`, paragraph(text), ...requests.map(block)].join('\n');
  return `<!doctype html>
<html lang="en">
<head>
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <title>Accounting ledger: ${escaped(workedYear.title)}</title>
  <link rel="icon" href="data:,">
  <link rel="stylesheet" href="/books/assets/style.css">
</head>
<body>
<header>
<h1>${escaped(workedYear.title)}</h1>
<nav aria-label="Other pages"><a href="/docs">Reference</a> <a href="/books">Books</a></nav>
</header>
<main>
${paragraph(workedYear.text)}
${workedYear.steps.map(section).join('\n')}
</main>
</body>
</html>
`;
};
