import { readdir, readFile } from 'node:fs/promises';
import { validate as validateJson } from '@hyperjump/json-schema/openapi-3-1';
import { describe, expect, test } from 'vitest';
import * as journalEntry from '#functions/create-journal-entry/schema.ts';
import { buildOpenApi, openApiFile, textOf } from '#infra/docs/build.ts';
import type { EndpointSchema } from '#infra/docs/operations.ts';
import { gatewayResponses } from '#infra/manifest/gateway-responses.ts';
import {
  type FunctionName,
  functions,
  functionsOfKind,
  isReadOnly,
} from '#infra/manifest/manifest.ts';
import { policyRefusals } from '#shared/endpoint/authorizer.ts';
import { validate } from '#shared/endpoint/validation.ts';
import { type ApiErrorCode, apiErrors, pointerTo, problems } from '#shared/errors.ts';

type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
type Example = { value: Json; summary?: string } | { $ref: string };
type Content = {
  'application/json': { schema: { $ref?: string }; examples: Record<string, Example> };
};
type Operation = {
  operationId: string;
  parameters?: { name: string; in: string }[];
  requestBody?: { content: Content };
  responses: Record<string, { headers?: object; content: Content }>;
};
type Schema = {
  description?: string;
  properties?: Record<string, { const?: Json }>;
  required?: string[];
  oneOf?: { $ref: string }[];
};
type OpenApi = {
  info: { description: string };
  paths: Record<string, Record<string, Operation>>;
  components: {
    schemas: Record<string, Schema>;
    examples: Record<string, { value: { error: { retryable: boolean } }; summary: string }>;
  };
};

const committed = await readFile(openApiFile, 'utf8');
const document: OpenApi = JSON.parse(committed);
const { schemas } = document.components;

const endpoints = await Promise.all(
  functionsOfKind('api').map(async ({ name, trigger }) => {
    const path = `${trigger.path}/`;
    const method = trigger.method.toLowerCase();
    const schema: EndpointSchema = await import(`../../../functions/${name}/schema.ts`);
    const operation = document.paths[path]?.[method] as Operation;
    const { $ref = '' } = operation.requestBody?.content['application/json'].schema ?? {};
    return { name, path, method, schema, operation, component: $ref.split('/').at(-1) ?? '' };
  }),
);

const validators = new Map<string, ReturnType<typeof validateJson>>();

/** Validates values against the referenced schema, which is compiled once. */
const validatorOf = (reference: string): ReturnType<typeof validateJson> => {
  const validator =
    validators.get(reference) ?? validateJson(new URL(encodeURI(reference), openApiFile).href);
  validators.set(reference, validator);
  return validator;
};

/** Whether a value fits the schema at a place of the committed document. */
const fits = async (value: Json, ...place: string[]): Promise<boolean> =>
  (await validatorOf(`#${pointerTo(...place)}`))(value).valid;

/** The schemas of a body: one, or those of its alternatives. */
const alternativesOf = (component: string): Schema[] => {
  const schema = schemas[component];
  const names = schema?.oneOf?.map(({ $ref }) => $ref.split('/').at(-1) ?? '') ?? [component];
  return names.map((name) => schemas[name] ?? {});
};

const shownBy = (example: Example): Json => {
  if ('value' in example) return example.value;
  return document.components.examples[example.$ref.split('/').at(-1) ?? '']?.value ?? null;
};

/** Every object of the document, with its place. */
function* objectsIn(value: unknown, place = '#'): Generator<[string, Record<string, unknown>]> {
  if (typeof value !== 'object' || value === null) return;
  yield [place, value as Record<string, unknown>];
  for (const [key, inner] of Object.entries(value)) yield* objectsIn(inner, `${place}/${key}`);
}

/** The refusals of an operation, which are the names of the examples of its failures. */
const refusalsOf = ({ responses }: Operation): ApiErrorCode[] =>
  Object.entries(responses)
    .filter(([status]) => status !== '200')
    .flatMap(([, { content }]) => Object.keys(content['application/json'].examples))
    .map((code) => code as ApiErrorCode);

describe('the committed document', () => {
  test('is what the schemas say now', async () => {
    const isFresh = committed === textOf(await buildOpenApi());
    expect(isFresh, 'openapi.json is stale: run `npm run openapi`').toBe(true);
  });

  test('is valid OpenAPI 3.1, its schemas included', async () => {
    const specification = 'https://spec.openapis.org/oas/3.1/schema-base';
    const verdict = await validateJson(specification, JSON.parse(committed), 'BASIC');
    expect(verdict).toEqual({ valid: true });
  });

  test('has an operation for each api function of the manifest, and no other', () => {
    const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, { operationId }]) => [operationId, method, path]),
    );
    expect(operations).toEqual(endpoints.map(({ name, method, path }) => [name, method, path]));
  });

  test('refers to all components that it has, and to nothing else', () => {
    const objects = [...objectsIn(document)];
    const places = new Set(objects.map(([place]) => place));
    const references = objects.flatMap(([, { $ref }]) =>
      $ref === undefined ? [] : [String($ref)],
    );
    expect(references.filter((reference) => !places.has(reference))).toEqual([]);
    const components = Object.entries(document.components)
      .filter(([kind]) => kind !== 'securitySchemes')
      .flatMap(([kind, named]) => Object.keys(named).map((name) => `#/components/${kind}/${name}`));
    expect(components).toContain('#/components/schemas/Failure');
    expect(components.filter((component) => !references.includes(component))).toEqual([]);
  });

  test('has nothing of the tools that made it, nor multipleOf, which floats break', () => {
    expect(committed).not.toMatch(/"(?:\$schema|\$defs|\$id|id|~standard|multipleOf)":/);
  });

  test('names every problem, with its sentence', () => {
    expect(schemas.Problem?.properties).toMatchObject({
      code: { 'x-extensible-enum': Object.keys(problems) },
    });
    for (const [code, sentence] of Object.entries(problems)) {
      expect(schemas.Problem?.description).toContain(`| \`${code}\` | ${sentence} |`);
    }
  });

  test('has every refusal at an endpoint or more, but that of methods that are none', () => {
    const documented = new Set(endpoints.flatMap(({ operation }) => refusalsOf(operation)));
    const all = Object.keys(apiErrors);
    expect([...documented].sort()).toEqual(all.sort());
  });
});

describe('the one table of refusals', () => {
  const rows = [
    ...document.info.description.matchAll(/^\| `(\w+)` \| (\d+) \| (.+) \| (.+) \|$/gm),
  ];
  const inWords = new Map([
    ['yes', [true, /^\w+$/]],
    ['no', [false, /^\w+$/]],
    ['if idempotent', [true, /of an idempotent request$/]],
  ] as const);

  test('has every refusal', () => {
    expect(rows.map(([, code, status, , message]) => [code, Number(status), message])).toEqual(
      Object.entries(apiErrors).map(([code, { status, message }]) => [code, status, message]),
    );
  });

  test('says of retryable what the examples say', () => {
    const { validation_failed: _ofEachEndpoint, ...shared } = document.components.examples;
    const told = Object.entries(shared).map(([code, { value, summary }]) => {
      const [, , , words = ''] = rows.find(([, it]) => it === code) ?? [];
      const [retryable, form] = inWords.get(words as 'yes') ?? [];
      return [code, form?.test(summary), retryable === value.error.retryable];
    });
    expect(told).toEqual(Object.keys(shared).map((code) => [code, true, true]));
  });
});

describe.each(endpoints)('the operation $name', ({ name, path, method, schema, operation }) => {
  const { documentation } = schema;

  test('has examples that the validation of requests and replies accepts', () => {
    expect(documentation.examples).not.toHaveLength(0);
    for (const { request, data } of documentation.examples) {
      expect(validate(schema.Request, request)).toMatchObject({ valid: true });
      expect(schema.Data.parse(data)).toEqual(data);
    }
  });

  test('has examples that fit its own schemas', async () => {
    const { requestBody, responses } = operation;
    const bodies = [
      ...(requestBody ? [{ place: ['requestBody'], ...requestBody }] : []),
      ...Object.entries(responses).map(([status, it]) => ({ place: ['responses', status], ...it })),
    ];
    for (const { place, content } of bodies) {
      const ofBody = ['paths', path, method, ...place, 'content', 'application/json', 'schema'];
      const { examples, schema } = content['application/json'];
      for (const [example, shown] of Object.entries(examples)) {
        const fitsHere = await validatorOf(schema.$ref ?? `#${pointerTo(...ofBody)}`);
        expect(fitsHere(shownBy(shown)).valid, `${place} ${example}`).toBe(true);
      }
    }
  });

  test('has each refusal once, under its HTTP status, with Retry-After where waiting helps', () => {
    const codes = refusalsOf(operation);
    expect(new Set(codes).size).toBe(codes.length);
    for (const code of codes) {
      const { status } = apiErrors[code];
      expect(operation.responses[status]?.content['application/json'].examples).toHaveProperty(
        code,
      );
      if (status !== 429 && status !== 503) continue;
      expect(operation.responses[status]?.headers).toHaveProperty('Retry-After');
    }
  });

  test('has the refusals of the gateway, of its own code and of its documentation', async () => {
    const folder = new URL(`../../../functions/${name}/`, import.meta.url);
    const files = await readdir(folder);
    const sources = await Promise.all(files.map((file) => readFile(new URL(file, folder), 'utf8')));
    const thrown = sources.join('\n').matchAll(/new ApiError\(\s*'(\w+)'/g);
    const ofBodies = ['malformed_json', 'body_too_large', 'content_type_not_supported'];
    const refusalsByPolicy = policyRefusals.filter(
      (code) => code !== 'api_key_read_only' || !isReadOnly(functions[name]),
    );
    const ofGateway = Object.values(gatewayResponses)
      .map(({ template }) => JSON.parse(template).error.code as string)
      .flatMap((code) => (code.startsWith('$') ? refusalsByPolicy : [code]))
      .filter((code) => operation.requestBody || !ofBodies.includes(code));
    const all = [...ofGateway, ...[...thrown].map(([, it]) => it), ...documentation.errors];
    expect(refusalsOf(operation)).toEqual(expect.arrayContaining(all));
  });

  test('has the headers of its documentation', () => {
    const requestHeaders = (operation.parameters ?? []).filter((it) => it.in === 'header');
    const replyHeaders = operation.responses[200]?.headers ?? {};
    expect([requestHeaders.map((header) => header.name), Object.keys(replyHeaders)]).toEqual(
      [documentation.requestHeaders, documentation.replyHeaders].map((it) => Object.keys(it ?? {})),
    );
  });
});

/** What the real validation and the document's schema say of a body. */
const verdictsOn = async (name: FunctionName, body: Json): Promise<[boolean, boolean]> => {
  const { schema, component } = endpoints.find((it) => it.name === name) as (typeof endpoints)[0];
  const { valid } = validate(schema.Request, body);
  return [valid, await fits(body, 'components', 'schemas', component)];
};

describe.each(endpoints.filter(({ method }) => method === 'post'))(
  'the document and the validation of $name both refuse',
  ({ name, component, schema }) => {
    const examples = schema.documentation.examples.map(
      ({ request }) => request as Record<string, Json>,
    );
    const good = examples[0];
    const required = alternativesOf(component).flatMap((alternative) =>
      (alternative.required ?? []).flatMap((field) => {
        const fields = Object.entries(alternative.properties ?? {});
        const fitting = examples.find((example) =>
          fields.every(([key, it]) => it.const === undefined || it.const === example[key]),
        );
        return fitting === undefined ? [] : [{ field, fitting }];
      }),
    );

    test.each(required)('a body without $field', async ({ field, fitting }) => {
      const { [field]: _left, ...body } = fitting;
      expect(await verdictsOn(name, body)).toEqual([false, false]);
    });

    test('a body with an unknown field', async () => {
      expect(await verdictsOn(name, { ...good, nickname: 'A' })).toEqual([false, false]);
    });
  },
);

describe('an amount, to the validation and to the document', () => {
  const good = journalEntry.documentation.examples[0]?.request as { entries: Json[] };

  test.each<[string, Json, boolean, boolean]>([
    ['decimal text', '1159.60', true, true],
    ['empty text, which is zero', '', true, true],
    ['an exact number, which is taken and not documented', 1159.6, true, false],
    ['text of four decimals', '1.2345', false, false],
    ['text of sixteen digits', '1000000000000000', false, false],
    ['text with a sign', '-1.00', false, false],
    ['a negative number', -1, false, false],
    ['a truth value', true, false, false],
  ])('%s', async (_case, debit, ...verdicts) => {
    const body = { ...good, entries: [{ account: '1010', debit }, ...good.entries.slice(1)] };
    expect(await verdictsOn('create-journal-entry', body)).toEqual(verdicts);
  });
});

describe('a tenant, to the validation and to the document', () => {
  const owner = { user_id: 7, cash_flow_method: 'direct' };
  const company = { company_name: 'A', currency: 'EUR' };
  const tokens = { access_token: 'a', refresh_token: 'r', platform_company_id: 'c' };

  test.each<[string, Record<string, Json>, boolean]>([
    ['kept by hand', { platform: 'manual', ...company }, true],
    ['kept by hand with tokens', { platform: 'manual', ...company, ...tokens }, false],
    ['of platform_a', { platform: 'platform_a', ...tokens }, true],
    ['of platform_a without tokens', { platform: 'platform_a', ...company }, false],
    [
      'of platform_b in a data center',
      { platform: 'platform_b', ...tokens, data_center: 'eu' },
      false,
    ],
    ['of platform_c without tokens', { platform: 'platform_c', ...company }, true],
    ['of platform_c', { platform: 'platform_c', ...company, ...tokens, data_center: 'eu' }, true],
    [
      'of platform_c with one token',
      { platform: 'platform_c', ...company, access_token: 'a' },
      false,
    ],
    ['of no platform', { platform: 'platform_d', ...company }, false],
  ])('%s', async (_case, fields, accepted) => {
    const verdicts = await verdictsOn('create-tenant', { ...owner, ...fields });
    expect(verdicts).toEqual([accepted, accepted]);
  });
});

test.each(['JournalEntry', 'JournalLine', 'Problem', 'TenantSummary', 'UserProfile'])(
  '%s is a schema by that name, which others refer to',
  (name) => {
    const { [name]: schema, ...others } = schemas;
    expect(schema).toHaveProperty('properties');
    expect(JSON.stringify(others)).toContain(`"#/components/schemas/${name}"`);
  },
);

test('a reply may gain a field without breaking what was made from the document', async () => {
  const data = journalEntry.documentation.examples[0]?.data as Record<string, Json>;
  const grown = { ...data, branch: 'Berlin' };
  expect(await fits(grown, 'components', 'schemas', 'JournalEntry')).toBe(true);
});
