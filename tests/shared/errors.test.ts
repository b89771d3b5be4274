import { describe, expect, test } from 'vitest';
import {
  ApiError,
  type ApiErrorCode,
  apiErrors,
  errorEnvelope,
  maximumProblems,
  pointerTo,
  problem,
  problems,
  throwIfProblems,
} from '#shared/errors.ts';

const codes = Object.keys(apiErrors) as ApiErrorCode[];

/** A sentence starts with a capital letter and ends with a full stop. */
const sentence = /^[A-Z].*\.$/;

const codePattern = /^[a-z]+(_[a-z]+)*$/;

describe('every refusal', () => {
  test.each(codes)('%s has an error status of HTTP and a sentence', (code) => {
    expect(code).toMatch(codePattern);
    const statuses = [400, 401, 403, 404, 409, 410, 413, 415, 422, 429, 500, 502, 503, 504];
    expect(statuses).toContain(apiErrors[code].status);
    expect(apiErrors[code].message).toMatch(sentence);
  });

  test('is retryable exactly if the same request may succeed later', () => {
    const retryable = codes.filter((code) => apiErrors[code].retryable);
    expect(retryable.join(' ')).toBe(
      'too_many_requests cost_budget_exhausted internal_error platform_failed contention ' +
        'temporarily_unavailable platform_timed_out request_timed_out',
    );
    const later = ({ status }: { status: number }) => status === 429 || status >= 500;
    expect(retryable).toEqual(codes.filter((code) => later(apiErrors[code])));
  });

  test('depends on idempotency if the outcome is unknown', () => {
    const open = codes.filter((code) => apiErrors[code].retryable === 'if_idempotent');
    expect(open).toEqual(['internal_error', 'temporarily_unavailable', 'request_timed_out']);
    for (const code of open) {
      for (const isIdempotent of [true, false]) {
        const { error } = errorEnvelope({ code, requestId: 'x', isIdempotent });
        expect([code, error.retryable]).toEqual([code, isIdempotent]);
      }
    }
  });
});

describe('every problem', () => {
  test.each(Object.entries(problems))('%s has a sentence', (code, message) => {
    expect(code).toMatch(codePattern);
    expect(message).toMatch(sentence);
  });

  test('has its message, and parameters only if there are some', () => {
    expect(problem('too_long', '/memo', { maximum: 1000 })).toEqual({
      code: 'too_long',
      pointer: '/memo',
      message: 'This text is too long.',
      params: { maximum: 1000 },
    });
    expect(problem('required', '/memo')).not.toHaveProperty('params');
  });
});

test.each([
  ['the whole document', [], ''],
  ['a field', ['memo'], '/memo'],
  ['a field of an item of a list', ['entries', 0, 'debit'], '/entries/0/debit'],
  ['a name with a slash and a tilde', ['a/b', 'm~n', '~1'], '/a~1b/m~0n/~01'],
  ['an empty name', [''], '/'],
])('a pointer to %s', (_title, path, pointer) => {
  expect(pointerTo(...path)).toBe(pointer);
});

describe('refusing', () => {
  test('has its status, message, details and cause', () => {
    const cause = new Error('the cause');
    const details = [problem('required', '/memo')];
    const refusal = new ApiError('contention', { details, retryAfterSeconds: 2, cause });
    expect(refusal).toBeInstanceOf(Error);
    expect({ ...refusal, name: refusal.name, message: refusal.message }).toEqual({
      name: 'ApiError',
      message: apiErrors.contention.message,
      code: 'contention',
      details,
      retryAfterSeconds: 2,
    });
    expect(refusal.status).toBe(503);
    expect(refusal.cause).toBe(cause);
  });

  test('throws only if there are problems', () => {
    expect(() => throwIfProblems([])).not.toThrow();
    const found = [problem('required', '/memo')];
    expect(() => throwIfProblems(found)).toThrow(
      expect.objectContaining({ code: 'validation_failed', details: found }),
    );
  });
});

describe('the failure envelope', () => {
  test('contains the error, whether to retry and the request id', () => {
    expect(errorEnvelope({ code: 'user_not_found', requestId: 'r-1' })).toEqual({
      status: 'error',
      status_code: 404,
      error: {
        code: 'user_not_found',
        message: 'The calling application has no such user.',
        retryable: false,
        request_id: 'r-1',
        details: [],
      },
    });
  });

  test('lists the first hundred problems', () => {
    const details = Array.from({ length: 101 }, (_, line) =>
      problem('required', pointerTo('entries', line)),
    );
    const { error } = errorEnvelope({ code: 'validation_failed', requestId: 'r-1', details });
    expect(maximumProblems).toBe(100);
    expect(error.details).toEqual(details.slice(0, 100));
  });
});
