// One endpoint in the OpenAPI document: operation and schemas.

import type * as z from 'zod/mini';
import type { EndpointDocumentation } from '#shared/endpoint/documentation.ts';
import { validate } from '#shared/endpoint/validation.ts';
import type { ApiErrorCode } from '#shared/errors.ts';
import { type FunctionName, functions, isReadOnly } from '../manifest/manifest.ts';
import type { Trigger } from '../manifest/triggers.ts';
import { failureResponses } from './failures.ts';
import { codeSamplesOf, type SampleRequest } from './samples.ts';
import {
  type Components,
  componentNameOf,
  type JsonSchema,
  jsonSchemaOf,
  mergeComponents,
  namedSchemaOf,
  refTo,
  withAlternatives,
  withOptionalNulls,
} from './schemas.ts';

/** The exports of an endpoint's schema.ts. */
export type EndpointSchema = {
  Request: z.ZodMiniType;
  Data: z.ZodMiniType;
  /** The schemas of path parameters, by name. */
  PathParameters?: z.ZodMiniObject;
  /** Formats a reply as CSV. */
  csv?: (data: unknown, request: unknown) => string;
  documentation: EndpointDocumentation;
};

export type Endpoint = {
  name: FunctionName;
  trigger: Extract<Trigger, { kind: 'api' }>;
  schema: EndpointSchema;
};

/** A GET has a query, a POST has a body. */
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
  'cost_budget_exhausted',
  'internal_error',
  'temporarily_unavailable',
  'request_timed_out',
];

/** The path that callers write, with a trailing slash. */
export const pathOf = ({ trigger }: Endpoint): string => `${trigger.path}/`;

const bodyOf = (endpoint: Endpoint) => {
  const name = componentNameOf(endpoint.name, 'request');
  const { Request, documentation } = endpoint.schema;
  const { requestAlternatives } = documentation;
  const made = jsonSchemaOf(Request, 'input');
  if (requestAlternatives === undefined) return namedSchemaOf(name, made);
  const components = {
    ...made.components,
    ...withAlternatives(name, made.schema, requestAlternatives),
  };
  return { schema: refTo(name), components };
};

const dataOf = (endpoint: Endpoint) =>
  namedSchemaOf(
    componentNameOf(endpoint.name, 'data'),
    jsonSchemaOf(endpoint.schema.Data, 'output'),
  );

/** The envelope of an endpoint's success. */
const replyOf = (endpoint: Endpoint) => {
  const data = dataOf(endpoint);
  const envelope = {
    type: 'object',
    required: ['status', 'status_code', 'data'],
    properties: {
      status: { type: 'string', const: 'success' },
      status_code: { type: 'integer', const: 200 },
      data: data.schema,
    },
  };
  return namedSchemaOf(componentNameOf(endpoint.name, 'reply'), {
    schema: envelope,
    components: data.components,
  });
};

/** The component schemas of an endpoint. Query parameters are part of the operation. */
export const schemasOf = (endpoint: Endpoint): Components =>
  mergeComponents([
    ...(hasBody(endpoint) ? [withOptionalNulls(bodyOf(endpoint).components)] : []),
    replyOf(endpoint).components,
  ]);

const keyOf = (exampleName: string): string =>
  exampleName.toLowerCase().replace(/[^a-z0-9]+/g, '-');

/** The documented examples by name. `pick` selects the value to show. */
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

/** Query values are text; the example of a number or boolean must have that type. */
const inTypeOf = ({ type }: JsonSchema, value: unknown): unknown =>
  typeof value === 'string' && (type === 'integer' || type === 'boolean')
    ? JSON.parse(value)
    : value;

/** The properties of a schema as parameters with examples. */
const parametersOf = (
  schema: z.ZodMiniType,
  { place, examples = {} }: { place: 'path' | 'query'; examples?: Record<string, unknown> },
): object[] => {
  const { properties = {}, required = [] } = jsonSchemaOf(schema, 'input').schema;
  return Object.entries(properties).map(([name, property]) => {
    const { description, example, ...plain } = property;
    return {
      name,
      in: place,
      required: required.includes(name),
      ...(description && { description }),
      schema: plain,
      example: inTypeOf(plain, example ?? examples[name]),
    };
  });
};

/** Encodes a query value, but keeps shell variables such as $TENANT. */
const inQueryText = (value: unknown): string =>
  encodeURIComponent(String(value)).replaceAll('%24', '$');

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
  const { csv, documentation } = endpoint.schema;
  const { replyHeaders = {} } = documentation;
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
        schema: replyOf(endpoint).schema,
        examples: examplesOf(endpoint, ({ data }) => ({
          status: 'success',
          status_code: 200,
          data,
        })),
      },
      ...(csv && {
        'text/csv': {
          schema: { type: 'string' },
          examples: examplesOf(endpoint, ({ data, request }) => csv(data, request)),
        },
      }),
    },
  };
};

const failures = (endpoint: Endpoint): Record<string, object> => {
  const { Request, documentation } = endpoint.schema;
  const possible = [
    ...(hasBody(endpoint) ? errorsOfBodies : []),
    ...errorsOfAll,
    ...(isReadOnly(functions[endpoint.name]) ? [] : (['api_key_read_only'] as const)),
    ...documentation.errors,
  ];
  const emptyRequest = validate(Request, {});
  return failureResponses(possible, emptyRequest.valid ? [] : emptyRequest.problems);
};

/** The first example of an endpoint as a request. `values` replace fields. */
export const sampleOf = (endpoint: Endpoint, values: object = {}): SampleRequest => {
  const { PathParameters, documentation } = endpoint.schema;
  const input = { ...(documentation.examples[0]?.request as object), ...values };
  const inPlace = PathParameters ? jsonSchemaOf(PathParameters, 'input').schema.properties : {};
  const path = pathOf(endpoint).replace(/\{(\w+)\}/g, (_, name) => {
    const { example } = inPlace?.[name] ?? {};
    if (example === undefined) throw new Error(`schema.ts must have an example of {${name}}`);
    return String(example);
  });
  const { method } = endpoint.trigger;
  if (hasBody(endpoint)) return { method, pathAndQuery: path, body: input };
  const query = Object.entries(input)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${name}=${inQueryText(value)}`);
  return { method, pathAndQuery: [path, query.join('&')].filter(Boolean).join('?') };
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
            schema: bodyOf(endpoint).schema,
            examples: examplesOf(endpoint, ({ request }) => request),
          },
        },
      },
    }),
    responses: { 200: success(endpoint), ...failures(endpoint) },
    'x-codeSamples': codeSamplesOf(sampleOf(endpoint)),
  };
};
