import { describe, expect, test } from 'vitest';
import { ApiError } from '#shared/errors.ts';
import { thrownFor } from '#shared/table/outcomes.ts';

describe('an error of a call', () => {
  const named = (name: string) => Object.assign(new Error('fault'), { name });
  const coded = (code: string) => Object.assign(new Error('fault'), { code });
  const answered = (httpStatusCode: number) =>
    Object.assign(new Error('fault'), { name: 'Unknown', $metadata: { httpStatusCode } });
  const names = [
    ...['ThrottlingException', 'ProvisionedThroughputExceededException', 'TimeoutError'],
    ...['RequestLimitExceeded', 'TransactionInProgressException'],
  ];
  const codes = ['ECONNRESET', 'ECONNREFUSED', 'ETIMEDOUT', 'EPIPE', 'EAI_AGAIN'];

  test.each([...names.map(named), ...codes.map(coded), answered(500), answered(503)])(
    'is temporarily unavailable: %j',
    (cause) => {
      const thrown = thrownFor(cause);
      expect(thrown).toBeInstanceOf(ApiError);
      const answer = { code: 'temporarily_unavailable', retryAfterSeconds: 1, cause };
      expect(thrown).toMatchObject(answer);
    },
  );

  test.each([
    named('ResourceNotFoundException'),
    named('AccessDeniedException'),
    answered(400),
    new TypeError('undefined is not a function'),
    'something thrown that is no error',
  ])('is thrown unchanged: %s', (cause) => {
    expect(thrownFor(cause)).toBe(cause);
  });
});
