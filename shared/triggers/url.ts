// How a browser reaches us without API Gateway: Lambda URL events (payload 2.0), pages and
// redirects out.

import type {
  APIGatewayProxyEventV2,
  APIGatewayProxyStructuredResultV2,
  Context,
} from 'aws-lambda';
import { instrument, type Telemetry } from './instrumentation.ts';
import { securityHeaders } from './security-headers.ts';

export type UrlRequest = {
  method: string;
  path: string;
  query: URLSearchParams;
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
};

/** Where the browser goes next, or the page it is shown. */
export type UrlReply = Redirect | Page;
export type Redirect = Ended & { redirectTo: string };
export type Page = Ended & {
  title: string;
  text: string;
  headers?: Record<string, string>;
};

/** Nothing of a callback may be kept or passed on (RFC 9700 section 4.2.4). */
const headersOfAll = {
  ...securityHeaders,
  'Referrer-Policy': 'no-referrer',
  'Strict-Transport-Security': 'max-age=63072000',
};

const escapeHtml = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);

const page = ({ title, text }: { title: string; text: string }): string => `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title>
<style>
  :root { color-scheme: light dark }
  body { font: 1.125rem/1.5 system-ui, sans-serif; max-width: 34rem }
  body { margin: 20vh auto; padding: 0 1.5rem }
</style>
<main><h1>${escapeHtml(title)}</h1><p>${escapeHtml(text)}</p></main>
</html>
`;

const resultOf = (reply: UrlReply): APIGatewayProxyStructuredResultV2 =>
  'redirectTo' in reply
    ? { statusCode: 303, headers: { ...headersOfAll, Location: reply.redirectTo } }
    : {
        statusCode: reply.status,
        headers: {
          ...headersOfAll,
          ...reply.headers,
          'Content-Type': 'text/html; charset=utf-8',
          'Content-Security-Policy': "default-src 'none'; style-src 'unsafe-inline'",
        },
        body: page(reply),
      };

export const createUrlHandler = (
  handle: (request: UrlRequest) => Promise<UrlReply>,
  telemetry: Telemetry,
) => {
  const answer = async (request: UrlRequest): Promise<UrlReply> => {
    try {
      return await handle(request);
    } catch (error) {
      telemetry.log.error('callback failed', { request_id: request.requestId, error });
      return {
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
      requestId: event.requestContext.requestId,
    };
    const reply = await instrument(() => answer(request), telemetry, {
      name: 'callback',
      // The query holds an authorization code and a state: it is not logged.
      about: { request_id: request.requestId, route: `${request.method} ${request.path}` },
      summarize: ({ outcome, status, applicationId }) => ({
        outcome,
        status,
        fields: { application_id: applicationId, status },
      }),
    });
    return resultOf(reply);
  };
};
