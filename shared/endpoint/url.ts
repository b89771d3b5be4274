// How a browser reaches us without API Gateway: Lambda URL events (payload 2.0), pages and
// redirects out.

import type {
  APIGatewayProxyEventV2,
  APIGatewayProxyStructuredResultV2,
  Context,
} from 'aws-lambda';
import { instrument, type Telemetry } from './instrumentation.ts';
import { contentSecurityPolicyOf, type PageContent, pageOf } from './pages.ts';
import { securityHeaders } from './security-headers.ts';

export type UrlRequest = {
  method: string;
  path: string;
  query: URLSearchParams;
  /** The fields of a form that was sent; empty where none was. */
  form: URLSearchParams;
  requestId: string;
};

/** How a request ended, for the log. */
type Ended = {
  /** `success`, or the code of what went wrong. */
  outcome: string;
  /** The HTTP status of a page; a redirect has that of the page in whose place it stands. */
  status: number;
  /** Whose user it was, where that is known. */
  applicationId?: string;
  /** What is behind it, where it is a fault of ours. */
  fault?: unknown;
};

/** Where the browser goes next, or the page it is shown. */
export type UrlReply = Redirect | Page;
export type Redirect = Ended & { redirectTo: string };
export type Page = Ended & PageContent & { headers?: Record<string, string> };

/** Nothing of a callback may be kept or passed on (RFC 9700 section 4.2.4). */
const headersOfAll = {
  ...securityHeaders,
  'Referrer-Policy': 'no-referrer',
  'Strict-Transport-Security': 'max-age=63072000',
};

/** A form of ours is far smaller; what is larger is no form. */
const maximumFormLength = 16 * 1024;

/**
 * The fields of a form that was sent. Lambda hands a body on in Base64 unless its type is a text's.
 */
const formIn = ({ headers, body = '', isBase64Encoded }: APIGatewayProxyEventV2) => {
  const type = headers?.['content-type']?.split(';', 1)[0]?.trim().toLowerCase();
  const isForm = type === 'application/x-www-form-urlencoded' && body.length <= maximumFormLength;
  const text = isBase64Encoded ? Buffer.from(body, 'base64').toString() : body;
  return new URLSearchParams(isForm ? text : '');
};

const resultOf = (reply: UrlReply, path: string): APIGatewayProxyStructuredResultV2 =>
  'redirectTo' in reply
    ? { statusCode: 303, headers: { ...headersOfAll, Location: reply.redirectTo } }
    : {
        statusCode: reply.status,
        headers: {
          ...headersOfAll,
          ...reply.headers,
          'Content-Type': 'text/html; charset=utf-8',
          'Content-Security-Policy': contentSecurityPolicyOf(reply),
        },
        body: pageOf(reply, path),
      };

export const createUrlHandler = (
  handle: (request: UrlRequest) => Promise<UrlReply>,
  telemetry: Telemetry,
) => {
  const answer = async (request: UrlRequest): Promise<UrlReply> => {
    try {
      return await handle(request);
    } catch (error) {
      return {
        fault: error,
        outcome: 'internal_error',
        status: 500,
        title: 'Something went wrong',
        text: `Please go back and try again. If it happens again, quote ${request.requestId}.`,
      };
    }
  };
  return async (
    event: APIGatewayProxyEventV2,
    _context: Context,
  ): Promise<APIGatewayProxyStructuredResultV2> => {
    const request: UrlRequest = {
      method: event.requestContext.http.method,
      path: event.rawPath,
      query: new URLSearchParams(event.rawQueryString),
      form: formIn(event),
      requestId: event.requestContext.requestId,
    };
    const reply = await instrument(() => answer(request), telemetry, {
      name: 'callback',
      // Query and form hold a code and a state: they are not logged.
      about: { request_id: request.requestId, route: `${request.method} ${request.path}` },
      summarize: ({ outcome, status, applicationId, fault }) => ({
        outcome,
        status,
        fields: { application_id: applicationId, status },
        fault,
      }),
    });
    return resultOf(reply, request.path);
  };
};
