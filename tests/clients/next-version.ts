// Replies of a later version of the service: the examples of the reference, with a new field in
// each object, and a new word in each field whose list of words may grow.

import { readFileSync } from 'node:fs';
import { openApiFile } from '#infra/docs/build.ts';

type Schema = {
  $ref?: string;
  properties?: Record<string, Schema>;
  items?: Schema;
  anyOf?: Schema[];
  oneOf?: Schema[];
  'x-extensible-enum'?: string[];
};
type Operation = {
  responses: Record<
    string,
    { content: Record<string, { schema: Schema; examples: Record<string, { value: unknown }> }> }
  >;
};
type Document = {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema> };
};

const newWord = 'a_word_of_the_next_version';

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A value as the next version would send it. Objects without known fields stay as they are. */
const inNextVersion = (document: Document, schema: Schema, value: unknown): unknown => {
  const name = schema.$ref?.split('/').at(-1);
  const named = name === undefined ? undefined : document.components.schemas[name];
  if (named !== undefined) return inNextVersion(document, named, value);
  if (value === null) return null;
  if (schema['x-extensible-enum'] !== undefined) return newWord;
  const choice = schema.anyOf?.find((it) => it.$ref !== undefined || it['x-extensible-enum']);
  if (choice !== undefined) return inNextVersion(document, choice, value);
  if (Array.isArray(value)) {
    return value.map((item) => inNextVersion(document, schema.items ?? {}, item));
  }
  const { properties } = schema;
  if (!isObject(value) || properties === undefined) return value;
  const fields = Object.entries(value).map(([field, content]) => [
    field,
    inNextVersion(document, properties[field] ?? {}, content),
  ]);
  return { ...Object.fromEntries(fields), a_field_of_the_next_version: 7 };
};

/** Each reply with the name of its schema. */
export const repliesOfNextVersion = (): [schema: string, reply: unknown][] => {
  const document = JSON.parse(readFileSync(openApiFile, 'utf8')) as Document;
  const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods));
  return operations.flatMap(({ responses }) =>
    Object.values(responses).flatMap(({ content }) => {
      const { schema, examples } = content?.['application/json'] ?? {};
      const name = schema?.$ref?.split('/').at(-1);
      if (schema === undefined || name === undefined) return [];
      return Object.values(examples ?? {})
        .filter(({ value }) => value !== undefined)
        .map(({ value }): [string, unknown] => [name, inNextVersion(document, schema, value)]);
    }),
  );
};
