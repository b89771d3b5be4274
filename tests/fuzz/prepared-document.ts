// The OpenAPI document for the fuzzer: its examples name existing things, its patterns are
// explicit, and it includes HTTP's own replies to requests that are too long.

import { jsonSchemaOf } from '#infra/docs/schemas.ts';
import { amount } from '#shared/fields.ts';
import type { KnownValues } from './configuration.ts';

const { pattern: amountForm } = jsonSchemaOf(amount, 'input').schema;

type Example = { value: Record<string, unknown> };
type Operation = {
  parameters?: { name: string; in: string; required?: boolean; example?: unknown }[];
  requestBody?: {
    content: Record<string, { schema?: object; examples?: Record<string, Example> }>;
  };
  responses: Record<string, object>;
};
export type Document = { paths: Record<string, Record<string, Operation>> };

/** A server of HTTP answers so before it reads on (RFC 6585 section 5). */
const headTooLarge = { 431: { description: 'The request line and the headers are too long' } };

/** @param name its method and path, as known values that are for it alone have them */
const nameWhatIsThere = (
  { parameters = [], requestBody }: Operation,
  { name: operation, known }: { name: string; known: KnownValues },
): void => {
  const first = (field: string) => (known[`${operation} ${field}`] ?? known[field])?.[0];
  for (const parameter of parameters) {
    const value = first(`${parameter.in}.${parameter.name}`);
    if (value !== undefined) parameter.example = value;
  }
  const bodies = Object.values(requestBody?.content ?? {}).flatMap(({ examples = {} }) =>
    Object.values(examples),
  );
  for (const { value: body } of bodies) {
    for (const field of Object.keys(body)) body[field] = first(`body.${field}`) ?? body[field];
  }
};

/**
 * "A character that is not a space", and the same between the ends. With a length, the tool reads
 * the first as "only characters that are not spaces".
 */
const [somewhereNoSpace, noSpaceBetweenEnds] = ['\\S', '^\\s*\\S[\\s\\S]*$'];

const spellOutPatterns = (key: string, value: unknown): unknown =>
  key === 'pattern' && value === somewhereNoSpace ? noSpaceBetweenEnds : value;

/** An amount may also be an exact number, which the document does not say. */
const tellOfNumbers = (_key: string, value: unknown): unknown => {
  const schema = value as { type?: string | string[]; pattern?: unknown } | null;
  if (schema?.type === undefined || schema.pattern !== amountForm) return value;
  return { ...schema, type: [schema.type, 'number'].flat(), minimum: 0 };
};

export const prepareDocument = (document: Document, known: KnownValues): Document => {
  const spelt = JSON.stringify(JSON.parse(JSON.stringify(document), spellOutPatterns));
  const prepared: Document = JSON.parse(spelt, tellOfNumbers);
  const operations = Object.entries(prepared.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      name: `${method.toUpperCase()} ${path}`,
      operation,
    })),
  );
  for (const { name, operation } of operations) {
    nameWhatIsThere(operation, { name, known });
    operation.responses = { ...headTooLarge, ...operation.responses };
  }
  return prepared;
};
