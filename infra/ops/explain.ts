// What a failure of AWS or of a platform means to the operator: one line that says what to do.

import { ApiError } from '#shared/errors.ts';
import { PlatformFailure } from '#shared/platforms/platform.ts';
import { CommandFailure, IncompleteChange, UsageError } from './errors.ts';

type AwsError = Error & { code?: string };

/** Where the settings of the AWS SDK are looked up. */
const settings = 'AWS_PROFILE, or AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY';

const notDeployed = (stage: string): string =>
  `there is nothing of ${stage} here: deploy it first, or check the stage, the account and ` +
  'AWS_REGION';

const unreachable = 'AWS cannot be reached: check the network and AWS_REGION';
const notAccepted = `AWS does not accept the credentials: check ${settings}, and the clock`;
const expired = 'the AWS credentials have expired: log in again';

/** The sentence for an error of this name or code. */
const sentences: Readonly<Record<string, (stage: string) => string>> = {
  CredentialsProviderError: () => `there are no AWS credentials: set ${settings}`,
  TokenProviderError: () => expired,
  ExpiredToken: () => expired,
  ExpiredTokenException: () => expired,
  UnrecognizedClientException: () => notAccepted,
  InvalidClientTokenId: () => notAccepted,
  InvalidSignatureException: () => notAccepted,
  SignatureDoesNotMatch: () => notAccepted,
  AccessDenied: () => 'AWS denies it: use credentials that may do this',
  AccessDeniedException: () => 'AWS denies it: use credentials that may do this',
  ResourceNotFoundException: notDeployed,
  NotFoundException: notDeployed,
  QueueDoesNotExist: notDeployed,
  ECONNREFUSED: () => unreachable,
  ECONNRESET: () => unreachable,
  ENOTFOUND: () => unreachable,
  EAI_AGAIN: () => unreachable,
  TimeoutError: () => unreachable,
};

const sentenceOf = ({ name, code = '', message }: AwsError, stage: string): string | undefined => {
  if (message === 'Region is missing') return 'there is no AWS region: set AWS_REGION';
  const known = [name, code].find((word) => Object.hasOwn(sentences, word));
  return known === undefined ? undefined : sentences[known]?.(stage);
};

/** The code of it, and what was asked of the platform and answered, which has no secrets. */
const wordsOfPlatformFailure = ({ reason, cause }: PlatformFailure): string =>
  [reason, ...(cause instanceof Error ? [cause.message] : [])].join(': ');

/** An error in words. What AWS said follows the sentence, and of an unforeseen error its name. */
const wordsOf = (error: unknown, stage: string): string => {
  if (error instanceof IncompleteChange) return `${error.message} (${wordsOf(error.cause, stage)})`;
  if (error instanceof CommandFailure || error instanceof UsageError) return error.message;
  if (error instanceof ApiError && error.cause) return wordsOf(error.cause, stage);
  if (error instanceof PlatformFailure) return wordsOfPlatformFailure(error);
  if (!(error instanceof Error)) return String(error);
  const sentence = sentenceOf(error, stage);
  if (sentence === undefined) return String(error);
  const said = error.message || (error as AwsError).code;
  return `${sentence} (${said})`;
};

/** One line about what went wrong. @param stage how to call where it went wrong */
export const explain = (error: unknown, stage: string): string =>
  wordsOf(error, stage).replace(/\s+/g, ' ').trim();
