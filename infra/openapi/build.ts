// Makes the OpenAPI document of the API from the schemas that validate its requests and replies.

import { functionsOfKind } from '../manifest.ts';
import { failureExamples, failureHeaders, failureSchemas } from './failures.ts';
import { introduction } from './introduction.ts';
import {
  type Endpoint,
  type EndpointSchema,
  operationOf,
  pathOf,
  schemasOf,
} from './operations.ts';

export const openApiFile = new URL('./openapi.json', import.meta.url);

/** The tags, each with the path segment of its endpoints. */
const tags = [
  {
    segment: 'users',
    name: 'Users',
    description: 'People, as the calling application knows them.',
  },
  {
    segment: 'oauth',
    name: 'Authorization',
    description: 'Connecting an accounting platform with the consent of its user.',
  },
  {
    segment: 'tenants',
    name: 'Tenants',
    description: 'Companies, each with its own chart of accounts and journal.',
  },
  {
    segment: 'journal_entries',
    name: 'Journal entries',
    description: 'Balanced entries, posted at once or on a later date.',
  },
];

const tagOf = (path: string): string => {
  const tag = tags.find(({ segment }) => path.split('/').includes(segment));
  if (tag === undefined) throw new Error(`no tag has a path segment of ${path}`);
  return tag.name;
};

const loadEndpoints = (): Promise<Endpoint[]> =>
  Promise.all(
    functionsOfKind('api').map(async ({ name, trigger }) => ({
      name,
      trigger,
      schema: (await import(`../../functions/${name}/schema.ts`)) as EndpointSchema,
    })),
  );

export const buildOpenApi = async (): Promise<object> => {
  const endpoints = await loadEndpoints();
  return {
    openapi: '3.1.0',
    info: { title: 'Accounting ledger', version: '1.0.0', description: introduction },
    servers: [{ url: 'http://localhost:3000', description: 'The service on this machine' }],
    security: [{ 'X-API-Key': [] }],
    tags: tags.map(({ name, description }) => ({ name, description })),
    paths: Object.fromEntries(
      endpoints.map((endpoint) => [
        pathOf(endpoint),
        {
          [endpoint.trigger.method.toLowerCase()]: operationOf(
            endpoint,
            tagOf(endpoint.trigger.path),
          ),
        },
      ]),
    ),
    components: {
      securitySchemes: {
        'X-API-Key': {
          type: 'apiKey',
          in: 'header',
          name: 'X-API-Key',
          description: "The application's key. The operator of the service issues it.",
        },
      },
      schemas: { ...Object.assign({}, ...endpoints.map(schemasOf)), ...failureSchemas },
      headers: failureHeaders,
      examples: failureExamples,
    },
  };
};

/** The document as it is committed. */
export const openApiText = async (): Promise<string> =>
  `${JSON.stringify(await buildOpenApi(), undefined, 2)}\n`;
