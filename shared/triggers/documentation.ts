// What an endpoint's schema says of it for the reference that is made from the schemas.

import type { ApiErrorCode } from '../errors.ts';

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
  examples: readonly { name: string; request: unknown; data: unknown }[];
};
