import { readFile } from 'node:fs/promises';
import { registerSchema, validate as validateJson } from '@hyperjump/json-schema/openapi-3-1';
import { beforeAll, describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { functionsOfKind } from '#infra/manifest.ts';
import { buildOpenApi, openApiFile, openApiText } from '#infra/openapi/build.ts';
import type { EndpointSchema } from '#infra/openapi/operations.ts';
import { problems, refusals } from '#shared/errors.ts';
import { validate } from '#shared/triggers/validation.ts';
