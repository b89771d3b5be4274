// The parts of the API reference that an endpoint writes beside its schemas.

import type { ApiErrorCode } from '../errors.ts';

/**
 * Rules for requests in which the value of one field decides about other fields: for each value the
 * required fields, the refused fields, and the fields that need other fields.
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
  /** Markdown about everything that the fields do not explain. */
  description: string;
  /** The endpoint's own errors. The reference adds the errors of every endpoint. */
  errors: readonly ApiErrorCode[];
  /** Request headers in addition to X-API-Key, and headers of a successful reply. */
  requestHeaders?: Readonly<Record<string, string>>;
  replyHeaders?: Readonly<Record<string, string>>;
  requestAlternatives?: RequestAlternatives;
  /** Guides and samples use the first example. */
  examples: readonly { name: string; request: unknown; data: unknown }[];
};
