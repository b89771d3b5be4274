// The OAuth callback as an OpenAPI document. The committed document is for applications, which do
// not call the callback.

import { slotNames } from '#shared/platforms/slots.ts';

const text = { type: 'string' };

const page = (description: string, headers: object = {}) => ({
  description,
  headers: {
    'Cache-Control': { required: true, schema: { const: 'no-store' } },
    'Referrer-Policy': { required: true, schema: { const: 'no-referrer' } },
    'Content-Security-Policy': { required: true, schema: text },
    ...headers,
  },
  content: { 'text/html': { schema: text } },
});

const parameter = (name: string) => ({ name, in: 'query', schema: text });

/** No state here was issued, so no reply may redirect the browser. */
export const callbackDocument = {
  openapi: '3.1.0',
  info: { title: 'OAuth callback', version: '1' },
  paths: {
    '/oauth/{platform}/callback': {
      get: {
        operationId: 'oauth-callback',
        parameters: [
          { name: 'platform', in: 'path', required: true, schema: { enum: slotNames } },
          ...['code', 'state', 'error', 'realmId', 'location', 'accounts-server'].map(parameter),
        ],
        responses: {
          400: page('The state is unknown, used or old'),
          404: page('There is no such page'),
          405: page('It is only visited and sent forms', {
            Allow: { required: true, schema: text },
          }),
        },
      },
      post: {
        operationId: 'oauth-callback-choice',
        parameters: [{ name: 'platform', in: 'path', required: true, schema: { enum: slotNames } }],
        requestBody: {
          content: {
            'application/x-www-form-urlencoded': {
              schema: {
                type: 'object',
                properties: { state: text, proof: text, company: text, decision: text },
              },
            },
          },
        },
        responses: {
          400: page('The state is unknown, used or old'),
          404: page('There is no such page'),
        },
      },
    },
  },
};
