// The schemas of the OpenAPI document, generated from the zod schemas. A schema with an id becomes
// a component with that name.

import * as z from 'zod/mini';
import type { RequestAlternatives } from '#shared/endpoint/documentation.ts';

export type JsonSchema = {
  type?: string | string[];
  description?: string;
  example?: unknown;
  properties?: Record<string, JsonSchema>;
  required?: string[];
  [keyword: string]: unknown;
};

export type Components = Record<string, JsonSchema>;

const componentPath = '#/components/schemas/';

export const refTo = (name: string) => ({ $ref: `${componentPath}${name}` });

/** Joins words as the name of a component: `create-tenant`, `request` -> `CreateTenantRequest`. */
export const componentNameOf = (...words: readonly string[]): string =>
  words
    .flatMap((word) => word.split(/[-_]/))
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('');

/**
 * Replies may gain fields and words; clients generated from this document must not break then. The
 * generators take `x-extensible-enum` for text, and a class of an enum refuses an unknown word.
 */
const openForNextVersions = (schema: z.core.JSONSchema.BaseSchema): void => {
  if (schema.additionalProperties === false) delete schema.additionalProperties;
  if (!Array.isArray(schema.enum)) return;
  schema['x-extensible-enum'] = schema.enum;
  delete schema.enum;
};

/** A schema, and separately the components that it refers to. */
export const jsonSchemaOf = (
  schema: z.ZodMiniType,
  io: 'input' | 'output',
): { schema: JsonSchema; components: Components } => {
  const made = z.toJSONSchema(schema, {
    io,
    target: 'draft-2020-12',
    override: ({ jsonSchema }) => {
      // If a schema states its type, document only that type.
      if (jsonSchema.type !== undefined) delete jsonSchema.anyOf;
      if (io === 'output') openForNextVersions(jsonSchema);
    },
  });
  const text = JSON.stringify(made).replaceAll('"#/$defs/', `"${componentPath}`);
  const { $schema: _dialect, $defs: components = {}, ...plain } = JSON.parse(text);
  return { schema: plain, components };
};

const orNull = (schema: JsonSchema): JsonSchema => {
  if (typeof schema.type === 'string') {
    const values = Array.isArray(schema.enum) && { enum: [...schema.enum, null] };
    return { ...schema, type: [schema.type, 'null'], ...values };
  }
  if (Array.isArray(schema.anyOf)) return { ...schema, anyOf: [...schema.anyOf, { type: 'null' }] };
  return { anyOf: [schema, { type: 'null' }] };
};

/** In a body null means absent, so every optional field accepts null. */
export const withOptionalNulls = (components: Components): Components => {
  const withNulls = ({ properties = {}, required = [], ...rest }: JsonSchema): JsonSchema => {
    const fields = Object.entries(properties).map(([name, property]) => [
      name,
      required.includes(name) ? property : orNull(property),
    ]);
    return { ...rest, properties: Object.fromEntries(fields), required };
  };
  return Object.fromEntries(
    Object.entries(components).map(([name, schema]) => [
      name,
      schema.properties ? withNulls(schema) : schema,
    ]),
  );
};

/** Turns a schema without a name into a component with this name. */
export const namedSchemaOf = (
  name: string,
  made: { schema: JsonSchema; components: Components },
): { schema: JsonSchema; components: Components } =>
  '$ref' in made.schema
    ? made
    : { schema: refTo(name), components: { [name]: made.schema, ...made.components } };

/** @throws Error if different schemas have the same name */
export const mergeComponents = (all: readonly Components[]): Components => {
  const merged: Components = {};
  for (const [name, schema] of all.flatMap(Object.entries<JsonSchema>)) {
    const known = merged[name];
    if (known !== undefined && JSON.stringify(known) !== JSON.stringify(schema)) {
      throw new Error(`two schemas have the id ${name}; give an id after every other check`);
    }
    merged[name] = schema;
  }
  return merged;
};

/** Splits an object schema into `oneOf`, with a component for each value of `field`. */
export const withAlternatives = (
  name: string,
  whole: JsonSchema,
  { field, rules }: RequestAlternatives,
): Components => {
  const nameFor = (value: string) => `${name}${componentNameOf(value)}`;
  const { properties = {}, required = [], ...rest } = whole;
  const alternatives = Object.entries(rules).map(([value, rule]) => {
    const { enum: _values, ...decides } = properties[field] ?? {};
    const alternative: JsonSchema = {
      ...rest,
      properties: Object.fromEntries(
        Object.entries({ ...properties, [field]: { ...decides, const: value } }).filter(
          ([property]) => !rule.refused.includes(property),
        ),
      ),
      required: Object.keys(properties).filter((property) =>
        [...required, ...rule.required].includes(property),
      ),
      ...(rule.dependentRequired && { dependentRequired: rule.dependentRequired }),
    };
    return [value, alternative] as const;
  });
  return {
    [name]: {
      description: `The fields depend on \`${field}\`.`,
      oneOf: alternatives.map(([value]) => refTo(nameFor(value))),
      discriminator: {
        propertyName: field,
        mapping: Object.fromEntries(
          alternatives.map(([value]) => [value, refTo(nameFor(value)).$ref]),
        ),
      },
    },
    ...Object.fromEntries(alternatives.map(([value, schema]) => [nameFor(value), schema])),
  };
};
