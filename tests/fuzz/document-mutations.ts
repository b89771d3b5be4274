// What the fuzzer must find: the OpenAPI document with one untrue word each, and the check that is
// there to notice it. `npm run fuzz -- --prove` tries each.

/** A document, or a part of one, that is about to be made untrue. */
// biome-ignore lint/suspicious/noExplicitAny: any part of any document.
type Part = any;

type DocumentMutation = {
  check: string;
  says: string;
  apply: (document: Part) => void;
  /** Instead of the statuses that the check expects otherwise. */
  expectedStatuses?: readonly string[];
};

const ensure = (document: Part): Part => document.paths['/external/v1/users/ensure/'].post;
const ensured = (document: Part): Part => ensure(document).responses[200];
const fieldsOf = (document: Part, schema: string): Part =>
  document.components.schemas[schema].properties;

export const documentMutations: readonly DocumentMutation[] = [
  {
    check: 'not_a_server_error',
    says: 'whatever is refused is a fault of the server',
    apply: () => {},
    expectedStatuses: ['200'],
  },
  {
    check: 'status_code_conformance',
    says: 'no request is answered with 422',
    apply: (document) => delete ensure(document).responses[422],
  },
  {
    check: 'content_type_conformance',
    says: 'a success is XML',
    apply: (document) => {
      const { content } = ensured(document);
      ensured(document).content = { 'application/xml': content['application/json'] };
    },
  },
  {
    check: 'response_headers_conformance',
    says: 'a success has a header that it does not have',
    apply: (document) => {
      ensured(document).headers = { 'X-Absent': { required: true, schema: { type: 'string' } } };
    },
  },
  {
    check: 'response_schema_conformance',
    says: 'user_id is an integer',
    apply: (document) => {
      fieldsOf(document, 'EnsuredUser').user_id = { type: 'integer' };
    },
  },
  {
    check: 'negative_data_rejection',
    says: 'a first name has at most one character',
    apply: (document) => {
      const fields = fieldsOf(document, 'EnsureUserRequest');
      fields.first_name.maxLength = 1;
      // Nothing else shall be wrong with what it makes up.
      fields.password.enum = ['correct horse battery staple'];
    },
  },
  {
    check: 'positive_data_acceptance',
    says: 'every body within the schema is accepted',
    apply: (document) => {
      fieldsOf(document, 'EnsureUserRequest').password.minLength = 1;
    },
    expectedStatuses: ['200'],
  },
  {
    check: 'ignored_auth',
    says: 'the reference asks for a key',
    apply: (document) => {
      const responses = { 200: { description: 'The document' } };
      const get = { security: [{ 'X-API-Key': [] }], responses };
      document.paths = { '/openapi.json': { get } };
    },
  },
  {
    check: 'unsupported_method',
    says: 'a path that the gateway does not have is one of its own',
    apply: (document) => {
      document.paths = { '/openapi.json': document.paths['/external/v1/users/ensure/'] };
    },
  },
  {
    check: 'allow_header_conformance',
    says: 'users are ensured by PUT, too',
    apply: (document) => {
      const path = document.paths['/external/v1/users/ensure/'];
      path.put = { ...path.post, operationId: 'putUser' };
    },
  },
];
