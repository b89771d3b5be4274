// Turns errors from AWS and platforms into one line that tells the operator what to do.

import { ApiError } from '#shared/errors.ts';
import { PlatformFailure } from '#shared/platforms/platform.ts';
import { CommandFailure, IncompleteChange, UsageError } from './errors.ts';

type AwsError = Error & { code?: string };

/** The settings that hold AWS credentials. */
const settings = 'AWS_PROFILE, or AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY';

const notDeployed = (stage: string): string =>
  `${stage} is not deployed here: deploy it first, or check the stage, the account and AWS_REGION`;

const unreachable = 'AWS cannot be reached: check the network and AWS_REGION';
const notAccepted = `AWS does not accept the credentials: check ${settings}, and the clock`;
const denied = 'AWS denied the request: use credentials with the required permission';
const expired = 'the AWS credentials have expired: log in again';

/** Sentences by error name or code. */
const sentences: Readonly<Record<string, (stage: string) => string>> = {
  CredentialsProviderError: () => `no AWS credentials found: set ${settings}`,
  TokenProviderError: () => expired,
  ExpiredToken: () => expired,
  ExpiredTokenException: () => expired,
  UnrecognizedClientException: () => notAccepted,
  InvalidClientTokenId: () => notAccepted,
  InvalidSignatureException: () => notAccepted,
  SignatureDoesNotMatch: () => notAccepted,
  AccessDenied: () => denied,
  AccessDeniedException: () => denied,
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
  if (message === 'Region is missing') return 'no AWS region is set: set AWS_REGION';
  const known = [name, code].find((word) => Object.hasOwn(sentences, word));
  return known === undefined ? undefined : sentences[known]?.(stage);
};

/** The reason code, then the request and reply. The cause's message contains no secrets. */
const explainPlatformFailure = ({ reason, cause }: PlatformFailure): string =>
  [reason, ...(cause instanceof Error ? [cause.message] : [])].join(': ');

/** A known AWS error gets its sentence, with the AWS message in parentheses. */
const textOf = (error: unknown, stage: string): string => {
  if (error instanceof IncompleteChange) return `${error.message} (${textOf(error.cause, stage)})`;
  if (error instanceof CommandFailure || error instanceof UsageError) return error.message;
  if (error instanceof ApiError && error.cause) return textOf(error.cause, stage);
  if (error instanceof PlatformFailure) return explainPlatformFailure(error);
  if (!(error instanceof Error)) return String(error);
  const sentence = sentenceOf(error, stage);
  if (sentence === undefined) return String(error);
  const awsMessage = error.message || (error as AwsError).code;
  return `${sentence} (${awsMessage})`;
};

/** Describes an error in one line. @param stage the stage's name in the sentence */
export const explain = (error: unknown, stage: string): string =>
  textOf(error, stage).replace(/\s+/g, ' ').trim();
