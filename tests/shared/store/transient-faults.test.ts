import { describe, expect, test } from 'vitest';
import { ApiError } from '#shared/errors.ts';
import { thrownFor } from '#shared/store/transient-faults.ts';

describe('a fault of the table', () => {
  const named = (name: string) => Object.assign(new Error('fault'), { name });
  const coded = (code: string) => Object.assign(new Error('fault'), { code });
  const answered = (httpStatusCode: number) =>
    Object.assign(new Error('fault'), { name: 'Unknown', $metadata: { httpStatusCode } });

  test.each([
    ['a throttle', named('ThrottlingException')],
    ['spent capacity', named('ProvisionedThroughputExceededException')],
    ['a limit of the account', named('RequestLimitExceeded')],
    ['the same transaction under way', named('TransactionInProgressException')],
    ['a fault of the server', answered(500)],
    ['a server that is not there', answered(503)],
    ['a call that took too long', named('TimeoutError')],
    ['a connection that was lost', coded('ECONNRESET')],
    ['a connection that was refused', coded('ECONNREFUSED')],
    ['a connection that took too long', coded('ETIMEDOUT')],
    ['a connection closed while writing', coded('EPIPE')],
    ['a name that cannot be looked up now', coded('EAI_AGAIN')],
  ])('that passes is temporarily unavailable: %s', (_title, cause) => {
    const thrown = thrownFor(cause);
    expect(thrown).toBeInstanceOf(ApiError);
    expect(thrown).toMatchObject({
      code: 'temporarily_unavailable',
      retryAfterSeconds: 1,
      cause,
    });
  });

  test.each([
    ['a table that is not there', named('ResourceNotFoundException')],
    ['a call that may not be made', named('AccessDeniedException')],
    ['a call that is not well formed', answered(400)],
    ['a mistake in the program', new TypeError('undefined is not a function')],
    ['something thrown that is no error', 'text'],
  ])('that stays is thrown as it is: %s', (_title, cause) => {
    expect(thrownFor(cause)).toBe(cause);
  });
});
