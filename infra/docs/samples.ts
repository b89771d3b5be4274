// A request as code to copy: curl, a shell with variables, and TypeScript with fetch.

import { apiKeyPlaceholder, documentedServer } from '../manifest/reference-placeholders.ts';

export type SampleRequest = {
  method: string;
  /** Path parameters are filled in. */
  pathAndQuery: string;
  /** In addition to the key and the content type. */
  headers?: Readonly<Record<string, string>>;
  body?: unknown;
};

const inSingleQuotes = (text: string): string => text.replaceAll("'", `'\\''`);

const headersOf = ({ headers, body }: SampleRequest): [string, string][] =>
  Object.entries({
    'X-API-Key': apiKeyPlaceholder,
    ...headers,
    ...(body !== undefined && { 'Content-Type': 'application/json' }),
  });

const curlOf = (request: SampleRequest): string => {
  const { pathAndQuery, body } = request;
  const lines = [
    `curl "${documentedServer}${pathAndQuery}"`,
    ...headersOf(request).map(([name, value]) => `-H '${name}: ${value}'`),
  ];
  if (body === undefined) return lines.join(' \\\n  ');
  const json = inSingleQuotes(JSON.stringify(body, undefined, 2)).replaceAll('\n', '\n  ');
  return [...lines, `-d '${json}'`].join(' \\\n  ');
};

/** Puts each line of an entry on one line of text, and related fields above it together. */
const withShortLines = (request: string): string =>
  request
    .replaceAll(
      /\{\s*("account": [^{}]+?)\s*\}/g,
      (_, fields: string) => `{ ${fields.replaceAll(/\s+/g, ' ')} }`,
    )
    .replaceAll(/,\n\s+("(?:date|accrual_date|reportingCurrency)":)/g, ', $1');

/** Bodies are in single quotes; the shell expands variables only outside quotes. */
const withVariables = (request: string): string =>
  request.replaceAll('"$USER_ID"', `'"$USER_ID"'`).replaceAll(/"(\$TENANT|\$BAKERY)"/g, `"'"$1"'"`);

/** A shell variable that keeps a field of the reply for later requests. */
export type Keep = { variable: string; field: string };

/** A request to run in a shell after earlier ones, whose variables it uses. */
export const shellOf = (request: SampleRequest, keep?: Keep): string => {
  const command = withVariables(withShortLines(curlOf(request))).replace('curl ', 'curl -s ');
  if (keep === undefined) return command;
  const { variable, field } = keep;
  return [
    `${variable}=$(${command} \\`,
    `  | sed 's/.*"${field}":"\\([^"]*\\)".*/\\1/'); echo "$${variable}"`,
  ].join('\n');
};

/** An object in TypeScript syntax: no quotes around names that are identifiers. */
const literalOf = (value: unknown): string =>
  JSON.stringify(value, undefined, 2)
    .replace(/^(\s*)"([A-Za-z_]\w*)":/gm, '$1$2:')
    .replaceAll('\n', '\n  ');

const typeScriptOf = (request: SampleRequest): string => {
  const { method, pathAndQuery, body } = request;
  const headers = headersOf(request).map(([name, value]) => `'${name}': '${value}'`);
  const options = [
    ...(method === 'GET' ? [] : [`method: '${method}'`]),
    `headers: { ${headers.join(', ')} }`,
    ...(body === undefined ? [] : [`body: JSON.stringify(${literalOf(body)})`]),
  ];
  return [
    `const response = await fetch('${documentedServer}${pathAndQuery}', {`,
    ...options.map((option) => `  ${option},`),
    '});',
    'const { data, error } = await response.json();',
    'if (!response.ok) throw new Error(error.code, { cause: error });',
    'console.log(data);',
  ].join('\n');
};

/** The code samples that a renderer shows next to an operation (`x-codeSamples`). */
export const codeSamplesOf = (request: SampleRequest): object[] => [
  { lang: 'shell', label: 'curl', source: curlOf(request) },
  { lang: 'typescript', label: 'TypeScript', source: typeScriptOf(request) },
];
