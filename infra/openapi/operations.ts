// One endpoint in the OpenAPI document: its operation, and the schemas of its request and its data.

import * as z from 'zod/mini';
import type { ApiErrorCode } from '#shared/errors.ts';
import type { EndpointDocumentation } from '#shared/triggers/documentation.ts';
import { validate } from '#shared/triggers/validation.ts';
import type { FunctionName, Trigger } from '../manifest.ts';
import { failureResponses } from './failures.ts';

/** What the schema.ts of an endpoint exports. */
export type EndpointSchema = {
  Request: z.ZodMiniType;
  Data: z.ZodMiniType;
  /** Where its path has parameters, their schemas by their names. */
  PathParameters?: z.ZodMiniObject;
  documentation: EndpointDocumentation;
};

export type Endpoint = {
  name: FunctionName;
  trigger: Extract<Trigger, { kind: 'api' }>;
  schema: EndpointSchema;
};

/** The input of a GET is its query; that of a POST is its body. */
const hasBody = ({ trigger }: Endpoint): boolean => trigger.method === 'POST';

const errorsOfBodies: readonly ApiErrorCode[] = [
  'malformed_json',
  'body_too_large',
  'content_type_not_supported',
];
const errorsOfAll: readonly ApiErrorCode[] = [
  'api_key_not_accepted',
  'application_suspended',
  'request_blocked',
  'route_not_found',
  'validation_failed',
  'too_many_requests',
  'internal_error',
  'temporarily_unavailable',
  'request_timed_out',
];

/** The path as callers write it: with a last slash. */
export const pathOf = ({ trigger }: Endpoint): string => `${trigger.path}/`;

const schemaNames = ({ name }: Endpoint) => {
  const words = name.split('-').map((word) => word.charAt(0).toUpperCase() + word.slice(1));
  return { request: `${words.join('')}Request`, data: `${words.join('')}Data` };
};

const refTo = (name: string) => ({ $ref: `#/components/schemas/${name}` });

type JsonSchema = z.core.JSONSchema.BaseSchema;

/** The same schema, or null. */
const orNull = (schema: JsonSchema): JsonSchema => {
  if (typeof schema.type === 'string') {
    const values = schema.enum && { enum: [...schema.enum, null] };
    return { ...schema, type: [schema.type, 'null'], ...values } as unknown as JsonSchema;
  }
  return { ...schema, anyOf: [...(schema.anyOf ?? []), { type: 'null' }] };
};

/** Null means absent in a body, so every optional field takes it. */
const letOptionalFieldsBeNull = ({ properties = {}, required = [] }: JsonSchema): void => {
  for (const [name, property] of Object.entries(properties)) {
    if (!required.includes(name) && typeof property === 'object')
      properties[name] = orNull(property);
  }
};

const jsonSchemaOf = (schema: z.ZodMiniType, io: 'body' | 'parameters' | 'reply') => {
  const { $schema: _dialect, ...plain } = z.toJSONSchema(schema, {
    io: io === 'reply' ? 'output' : 'input',
    target: 'draft-2020-12',
    override: ({ jsonSchema }) => {
      // Hardly any float is an exact multiple of 0.01: validators would refuse good amounts.
      delete jsonSchema.multipleOf;
      // A reply may gain fields, and a client made from this document must not break then.
      if (io === 'reply') delete jsonSchema.additionalProperties;
      if (io === 'body') letOptionalFieldsBeNull(jsonSchema);
    },
  });
  return plain;
};

/** The component schemas of an endpoint. Query parameters stand in its operation instead. */
export const schemasOf = (endpoint: Endpoint): Record<string, object> => {
  const names = schemaNames(endpoint);
  const { Request, Data } = endpoint.schema;
  return {
    ...(hasBody(endpoint) && { [names.request]: jsonSchemaOf(Request, 'body') }),
    [names.data]: jsonSchemaOf(Data, 'reply'),
  };
};

const keyOf = (exampleName: string): string =>
  exampleName.toLowerCase().replace(/[^a-z0-9]+/g, '-');

/** The examples of `documentation` by name, each with what `pick` takes of it. */
const examplesOf = (
  { schema: { documentation } }: Endpoint,
  pick: (example: { request: unknown; data: unknown }) => unknown,
) =>
  Object.fromEntries(
    documentation.examples.map((example) => [
      keyOf(example.name),
      { summary: example.name, value: pick(example) },
    ]),
  );

/** The properties of a schema as parameters, each with an example of its value. */
const parametersOf = (
  schema: z.ZodMiniType,
  { place, examples = {} }: { place: 'path' | 'query'; examples?: Record<string, unknown> },
): object[] => {
  const { properties = {}, required = [] } = jsonSchemaOf(schema, 'parameters');
  return Object.entries(properties).map(([name, property]) => {
    const { description, example, ...plain } = property as {
      description?: string;
      example?: unknown;
    };
    return {
      name,
      in: place,
      required: required.includes(name),
      ...(description && { description }),
      schema: plain,
      example: example ?? examples[name],
    };
  });
};

const inPath = ({ trigger, schema: { PathParameters } }: Endpoint): object[] => {
  const names = [...trigger.path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  const described = Object.keys(PathParameters?.shape ?? {});
  if (String(names) !== String(described)) {
    throw new Error(`schema.ts must describe the parameters of ${trigger.path}`);
  }
  return PathParameters ? parametersOf(PathParameters, { place: 'path' }) : [];
};

const inQuery = (endpoint: Endpoint): object[] => {
  if (hasBody(endpoint)) return [];
  const { Request, documentation } = endpoint.schema;
  const examples = documentation.examples[0]?.request as Record<string, unknown>;
  return parametersOf(Request, { place: 'query', examples });
};

const inHeaders = ({ schema: { documentation } }: Endpoint): object[] =>
  Object.entries(documentation.requestHeaders ?? {}).map(([name, description]) => ({
    name,
    in: 'header',
    description,
    schema: { type: 'string' },
  }));

const success = (endpoint: Endpoint): object => {
  const { replyHeaders = {} } = endpoint.schema.documentation;
  return {
    description: 'Success',
    headers: Object.fromEntries(
      Object.entries(replyHeaders).map(([name, description]) => [
        name,
        { description, schema: { type: 'string' } },
      ]),
    ),
    content: {
      'application/json': {
        schema: {
          type: 'object',
          required: ['status', 'status_code', 'data'],
          properties: {
            status: { type: 'string', const: 'success' },
            status_code: { type: 'integer', const: 200 },
            data: refTo(schemaNames(endpoint).data),
          },
        },
        examples: examplesOf(endpoint, ({ data }) => ({
          status: 'success',
          status_code: 200,
          data,
        })),
      },
    },
  };
};

const failures = (endpoint: Endpoint): Record<string, object> => {
  const { Request, documentation } = endpoint.schema;
  const possible = [
    ...(hasBody(endpoint) ? errorsOfBodies : []),
    ...errorsOfAll,
    ...documentation.errors,
  ];
  const emptyRequest = validate(Request, {});
  return failureResponses(possible, emptyRequest.valid ? [] : emptyRequest.problems);
};

export const operationOf = (endpoint: Endpoint, tag: string): object => {
  const { summary, description } = endpoint.schema.documentation;
  const parameters = [...inPath(endpoint), ...inQuery(endpoint), ...inHeaders(endpoint)];
  return {
    operationId: endpoint.name,
    tags: [tag],
    summary,
    description,
    ...(parameters.length > 0 && { parameters }),
    ...(hasBody(endpoint) && {
      requestBody: {
        required: true,
        content: {
          'application/json': {
            schema: refTo(schemaNames(endpoint).request),
            examples: examplesOf(endpoint, ({ request }) => request),
          },
        },
      },
    }),
    responses: { 200: success(endpoint), ...failures(endpoint) },
  };
};
