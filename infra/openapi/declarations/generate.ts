// Makes TypeScript's types of the API from its OpenAPI document. The generator works with the API
// of the compiler, which TypeScript 7 does not have: so this folder is a workspace of npm with a
// TypeScript 5 of its own, while the project compiles with 7. The generator is maintained for
// faults only (openapi-ts/openapi-typescript, issue 2874): once it breaks on what the document
// needs, or 7 has an API that another one uses, take another. Callers keep the names of the types.

import openApiTypeScript, { astToString, type OpenAPI3 } from 'openapi-typescript';

const header = `// The types of the accounting ledger's API, made from its OpenAPI document.
// Replies may gain fields, and a code or another word of a list may be one that is not here yet.

`;

export const declarationsOf = async (document: object): Promise<string> => {
  const declarations = await openApiTypeScript(document as OpenAPI3, {
    // A field with a default may be left out of a request.
    defaultNonNullable: false,
    // Every schema by its name, beside components['schemas'].
    rootTypes: true,
    rootTypesNoSchemaPrefix: true,
    silent: true,
  });
  return `${header}${astToString(declarations)}`;
};
