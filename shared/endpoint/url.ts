// The URL trigger: a browser calls a Lambda URL (payload 2.0), or the same path of the gateway
// (payload 1.0), and gets a page or a redirect.

import type {
  APIGatewayProxyEvent,
  APIGatewayProxyEventV2,
  APIGatewayProxyStructuredResultV2,
  Context,
} from 'aws-lambda';
import type { Telemetry } from '../telemetry.ts';
import { securityHeaders } from './api-event.ts';
import { instrument } from './instrumentation.ts';
import { contentSecurityPolicyOf, type PageContent, pageOf } from './pages.ts';

export type UrlRequest = {
  method: string;
  path: string;
  query: URLSearchParams;
  /** The submitted form fields. Empty if the body is not a form. */
  form: URLSearchParams;
  requestId: string;
};

/** The fields of a reply that are logged. */
type LoggedFields = {
  /** `success` or an error code. */
  outcome: string;
  /** The HTTP status. For a redirect, the status that a page with the same result would have. */
  status: number;
  /** The application that owns the user, if it is known. */
  applicationId?: string;
  /** The prefix of the connected tenant. */
  tenant?: string | undefined;
  /** The error behind an internal failure. */
  fault?: unknown;
};

/** A redirect or a page. */
export type UrlReply = Redirect | Page;
type Redirect = LoggedFields & { redirectTo: string };
export type Page = LoggedFields & PageContent & { headers?: Record<string, string> };

/** A callback's URL must not be stored or passed on (RFC 9700 section 4.2.4). */
const headersOfAll = {
  ...securityHeaders,
  'Referrer-Policy': 'no-referrer',
  'Strict-Transport-Security': 'max-age=63072000',
};

/** Our own forms are far smaller. A larger body is ignored. */
const maximumFormLength = 16 * 1024;

type UrlEvent = APIGatewayProxyEventV2 | APIGatewayProxyEvent;

/** The submitted form fields. Lambda encodes a body as Base64 unless its type is textual. */
const formIn = (event: UrlEvent) => {
  const { headers, isBase64Encoded } = event;
  const body = event.body ?? '';
  // A Lambda URL has names in lower case, the gateway those of the caller.
  const named = Object.entries(headers ?? {}).find(([it]) => it.toLowerCase() === 'content-type');
  const type = named?.[1]?.split(';', 1)[0]?.trim().toLowerCase();
  const isForm = type === 'application/x-www-form-urlencoded' && body.length <= maximumFormLength;
  const text = isBase64Encoded ? Buffer.from(body, 'base64').toString() : body;
  return new URLSearchParams(isForm ? text : '');
};

/** The query of the gateway, whose names and values are decoded. */
const queryOf = ({ multiValueQueryStringParameters }: APIGatewayProxyEvent): URLSearchParams =>
  new URLSearchParams(
    Object.entries(multiValueQueryStringParameters ?? {}).flatMap(([name, values = []]) =>
      values.map((value): [string, string] => [name, value]),
    ),
  );

const requestOf = (event: UrlEvent): UrlRequest => {
  const { requestId } = event.requestContext;
  const form = formIn(event);
  return 'httpMethod' in event
    ? { method: event.httpMethod, path: event.path, query: queryOf(event), form, requestId }
    : {
        method: event.requestContext.http.method,
        path: event.rawPath,
        query: new URLSearchParams(event.rawQueryString),
        form,
        requestId,
      };
};

/** The path that the browser shows: the gateway's own host has the stage before ours. */
const shownPathOf = (event: UrlEvent): string =>
  'httpMethod' in event ? event.requestContext.path : event.rawPath;

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
  return async (event: UrlEvent, _context: Context): Promise<APIGatewayProxyStructuredResultV2> => {
    const request = requestOf(event);
    const reply = await instrument(() => answer(request), telemetry, {
      name: 'callback',
      // Not logged: the query and the form, which contain a code and a state.
      about: { request_id: request.requestId, route: `${request.method} ${request.path}` },
      summarize: ({ outcome, status, applicationId, tenant, fault }) => ({
        outcome,
        status,
        fields: { application_id: applicationId, tenant, status },
        fault,
      }),
    });
    return resultOf(reply, shownPathOf(event));
  };
};
