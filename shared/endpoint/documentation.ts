// What an endpoint's schema says of it for the reference that is made from the schemas.

import type { ApiErrorCode } from '../errors.ts';

/**
 * Where the value of one field decides which others a request has, the rules of each value: the
 * fields that it must have, those that it must not have, and those that others need beside them.
 */
export type RequestAlternatives = {
  field: string;
  rules: Readonly<
    Record<
      string,
      {
        required: readonly string[];
        refused: readonly string[];
        dependentRequired?: Readonly<Record<string, readonly string[]>>;
      }
    >
  >;
};

export type EndpointDocumentation = {
  /** One line. */
  summary: string;
  /** Markdown; what a caller must know beyond the fields. */
  description: string;
  /** The refusals of its own; those of every endpoint are added. */
  errors: readonly ApiErrorCode[];
  /** Request headers beyond X-API-Key, and reply headers of a success, with what they mean. */
  requestHeaders?: Readonly<Record<string, string>>;
  replyHeaders?: Readonly<Record<string, string>>;
  requestAlternatives?: RequestAlternatives;
  /** The first is the one that guides and samples are made of. */
  examples: readonly { name: string; request: unknown; data: unknown }[];
};
