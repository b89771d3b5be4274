// Builds the OpenAPI document: the chapters of this folder, and the schemas that validate requests
// and replies.

import { functionsOfKind } from '../manifest/manifest.ts';
import { documentedServer } from '../manifest/reference-placeholders.ts';
import { failureExamples, failureHeaders, failureSchemas } from './failures.ts';
import { introductionOf } from './introduction.ts';
import {
  type Endpoint,
  type EndpointSchema,
  operationOf,
  pathOf,
  schemasOf,
} from './operations.ts';
import { mergeComponents } from './schemas.ts';
import { withNamedWords, wordSchemas } from './words.ts';

export const openApiFile = new URL('./openapi.json', import.meta.url);

/** The tags, and the path segment of their endpoints. */
const tags = [
  {
    segment: 'users',
    name: 'Users',
    description: 'People, identified by email address within one application.',
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
    segment: 'accounts',
    name: 'Accounts',
    description: "A tenant's chart of accounts.",
  },
  {
    segment: 'journal_entries',
    name: 'Journal entries',
    description: 'Balanced entries, posted immediately or on a later date.',
  },
  {
    segment: 'audit',
    name: 'Audit',
    description: "Who changed a tenant's accounts and settings, and when.",
  },
  {
    segment: 'events',
    name: 'Events',
    description: 'What happened in the books, in one feed for all tenants.',
  },
  {
    segment: 'webhooks',
    name: 'Webhooks',
    description: 'Addresses of your application that get its events.',
  },
  {
    segment: 'rates',
    name: 'Exchange rates',
    description: 'The rates at which entries are converted.',
  },
  {
    segment: 'books',
    name: 'Books',
    description: "A tenant's books as an archive that can be verified offline.",
  },
  {
    segment: 'reports',
    name: 'Reports',
    description: 'Balances and statements, strongly consistent with the latest post.',
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
    info: {
      title: 'Accounting ledger',
      version: '1.3.0',
      summary: 'A multi-tenant accounting ledger that an application calls with an API key.',
      description: introductionOf(endpoints),
      contact: { name: 'The operator of the service' },
      license: { name: 'Proprietary', identifier: 'LicenseRef-Proprietary' },
    },
    servers: [
      {
        url: '{base_url}',
        description: 'The service on this machine, or the address from its operator',
        variables: { base_url: { default: documentedServer } },
      },
    ],
    security: [{ 'X-API-Key': [] }],
    tags: tags.map(({ name, description }) => ({ name, description })),
    paths: withNamedWords(
      Object.fromEntries(
        endpoints.map((endpoint) => {
          const { method, path } = endpoint.trigger;
          return [pathOf(endpoint), { [method.toLowerCase()]: operationOf(endpoint, tagOf(path)) }];
        }),
      ),
    ),
    components: {
      securitySchemes: {
        'X-API-Key': {
          type: 'apiKey',
          in: 'header',
          name: 'X-API-Key',
          description:
            "The application's key, issued by the operator of the service. Its access is full or " +
            'read-only.',
        },
      },
      schemas: {
        ...Object(withNamedWords(mergeComponents([...endpoints.map(schemasOf), failureSchemas]))),
        ...wordSchemas,
      },
      headers: failureHeaders,
      examples: failureExamples,
    },
  };
};

export const textOf = (document: object): string => `${JSON.stringify(document, undefined, 2)}\n`;
