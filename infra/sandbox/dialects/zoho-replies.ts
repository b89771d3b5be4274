// The shapes of what Zoho Books answers, and the words of its refusals.

import type { Reply } from '../http-messages.ts';
import { type LimitName, platformLimits } from '../limits.ts';

export const answer = (body: object): Reply => ({
  status: 200,
  json: { code: 0, message: 'success', ...body },
});

type Fault = { status: number; code: number; message: string };

export const fault = (
  { status, code, message }: Fault,
  headers: Record<string, string> = {},
): Reply => ({ status, headers, json: { code, message } });

export const unauthorized = fault({
  status: 401,
  code: 57,
  message: 'You are not authorized to perform this operation',
});

export const faultOf = (parameter: string): Reply =>
  fault({ status: 400, code: 2, message: `Invalid value passed for ${parameter}` });

export const missing = fault({ status: 404, code: 1002, message: 'Resource does not exist.' });

/**
 * Seen by others (github.com/qutubkothari/salesmate-ai, ZOHO_TRIAL_EXPIRATION_ISSUE.md).
 * Unverified: its status, and that every organization which is not active answers so.
 */
export const lapsed = fault({
  status: 400,
  code: 103001,
  message: 'Your trial of Zoho Books is over. Please upgrade to a paid plan',
});

export const stranger = (organizationId: string | null): Reply =>
  fault({
    status: 400,
    code: 6041,
    message: `This user is not associated with the CompanyID/CompanyName:${organizationId}.`,
  });

/** The words of www.zoho.com/books/api/v3/introduction. */
export const limitFaults: Record<LimitName, Fault> = {
  minute: {
    status: 429,
    code: 44,
    message:
      'For security reasons your organization has been blocked as it have exceeded the maximum ' +
      'number of requests per minute that can originate from an organization.',
  },
  day: {
    status: 429,
    code: 45,
    message:
      'The API call for this organization has exceeded the maximum call rate limit of ' +
      `${platformLimits.zoho.perDay}.`,
  },
  concurrent: {
    status: 429,
    code: 1070,
    message:
      'You have reached the maximum number of in process requests allowed. Kindly try again ' +
      'after some time.',
  },
  'client minute': { status: 429, code: 44, message: 'Zoho knows no such limit.' },
};

/**
 * The words that other people's programs were answered with. Unverified: the status, which is 400
 * in their notes, and stays 200 by help.zoho.com/portal/en/community/topic/
 * kaizen-43-tokens-and-limitations.
 */
export const tooManyTokens: Reply = {
  status: 400,
  json: {
    error_description:
      'You have made too many requests continuously. Please try again after some time.',
    error: 'Access Denied',
    status: 'failure',
  },
};
