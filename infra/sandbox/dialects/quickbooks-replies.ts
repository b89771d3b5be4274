// What QuickBooks Online answers with, whatever it was asked: envelopes, and two kinds of faults.

import { randomUUID } from 'node:crypto';
import type { Reply } from '../http-messages.ts';

/** Every reply has an id, which Intuit's support asks for. */
export const replyWith = (
  status: number,
  json: unknown,
  headers: Record<string, string> = {},
): Reply => ({ status, headers: { intuit_tid: randomUUID(), ...headers }, json });

export const answer = (body: object): Reply =>
  replyWith(200, { ...body, time: new Date().toISOString() });

type FaultError = { status: number; type: string; code: string; message: string; detail: string };

export const fault = ({ status, type, code, message, detail }: FaultError): Reply =>
  replyWith(status, {
    Fault: { Error: [{ Message: message, Detail: detail, code }], type },
    time: new Date().toISOString(),
  });

/** What answers before the API does has other capitals. */
export const gatewayFault = (
  { status, type, code, message, detail }: Omit<FaultError, 'detail'> & { detail: string | null },
  headers?: Record<string, string>,
): Reply =>
  replyWith(
    status,
    {
      warnings: null,
      intuitObject: null,
      fault: { error: [{ message, detail, code, element: null }], type },
      report: null,
      queryResponse: null,
      time: Date.now(),
    },
    headers,
  );

const validationFault = (fields: Pick<FaultError, 'code' | 'message' | 'detail'>): Reply =>
  fault({ status: 400, type: 'ValidationFault', ...fields });

export const parserFault = (detail: string): Reply =>
  validationFault({
    code: '4000',
    message: 'Error parsing query',
    detail: `QueryParserError: ${detail}`,
  });

/** Unverified: these words and this code are users' reports. */
export const queryFault = (detail: string): Reply =>
  validationFault({
    code: '4001',
    message: 'Invalid query',
    detail: `QueryValidationError: ${detail}`,
  });

/** The words of github.com/Wish-Org/QuickBooksSharp, issue 19; the code is unverified. */
export const changesFault = (detail: string): Reply =>
  validationFault({ code: '4001', message: 'Unsupported Operation', detail });

/** The words of github.com/intuit/QuickBooks-V3-DotNET-SDK, issue 353. */
export const notFoundFault = (): Reply =>
  validationFault({
    code: '610',
    message: 'Object Not Found',
    detail:
      "Object Not Found : Something you're trying to use has been made inactive. Check the " +
      'fields with accounts, customers, items, vendors or employees.',
  });

export const companyFault = (): Reply =>
  gatewayFault({
    status: 403,
    type: 'SERVICE',
    code: '3100',
    message: 'message=ApplicationAuthorizationFailed; errorCode=003100; statusCode=403',
    detail: null,
  });
