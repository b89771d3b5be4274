// Where the service may send a browser after an authorization: a caller's redirect_url.

import { type Problem, problem } from '../errors.ts';

export const maximumRedirectUrlLength = 2048;

/** The characters of a URI (RFC 3986 section 2) without `#`, after a scheme and a host. */
const pattern = /^https?:\/\/[\w\-.~:[\]%!$&'()*+,;=]+(?:[/?][\w\-.~:/?[\]@!$&'()*+,;=%]*)?$/i;

/** The only hosts that may go without TLS, since nothing leaves the machine. */
const loopbackHosts = new Set(['localhost', '127.0.0.1', '[::1]']);

/** Parameters that the service adds, or that an authorization's own parties would read. */
const reservedParameters = ['status', 'domain_url', 'error', 'code', 'state'];

/**
 * The rule that forbids to send a browser to this URL with the outcome added to its query, if there
 * is one. It is https (http to this machine only), without user name, fragment and reserved
 * parameters. The pattern comes first, since a URL parser would mend what a browser then reads in
 * another way.
 */
export const ruleBrokenByRedirectUrl = (text: string): string | undefined => {
  if (!/^https?:/i.test(text)) return 'https';
  if (text.includes('#')) return 'no_fragment';
  if (/^https?:\/\/[^/?]*@/i.test(text)) return 'no_user_name';
  const url = pattern.test(text) ? URL.parse(text) : null;
  if (url === null) return 'well_formed';
  if (url.protocol !== 'https:' && !loopbackHosts.has(url.hostname)) return 'https';
  const isReserved = reservedParameters.some((name) => url.searchParams.has(name));
  return isReserved ? 'no_reserved_parameter' : undefined;
};

export const isRedirectUrl = (text: string): boolean => ruleBrokenByRedirectUrl(text) === undefined;

const originAndPath = (text: string): string | undefined => {
  const url = URL.parse(text);
  return url ? `${url.origin}${url.pathname}` : undefined;
};

/**
 * Whether redirect URLs must be registered even where an application has registered none. Where
 * they must, they are https: localhost is a developer's machine, and in production anybody's.
 */
export type RedirectRegistration = 'required' | 'optional';

/** Whether a stage takes this redirect URL at all, whoever registers it. */
export const isRedirectUrlOf = (registration: RedirectRegistration, text: string): boolean =>
  isRedirectUrl(text) && (registration === 'optional' || /^https:/i.test(text));

/**
 * The problem of a redirect URL that the stage does not take, or that the application has not
 * registered, if there is one. Origin and path must be equal (RFC 9700 section 4.1.3); the query is
 * the caller's own.
 */
export const registrationProblems = (
  redirectUrl: string | undefined,
  { registered, registration }: { registered: string[]; registration: RedirectRegistration },
): Problem[] => {
  if (redirectUrl === undefined) return [];
  if (!isRedirectUrlOf(registration, redirectUrl)) {
    return [problem('redirect_url_not_valid', '/redirect_url')];
  }
  if (registration === 'optional' && registered.length === 0) return [];
  const asked = originAndPath(redirectUrl);
  return registered.some((url) => originAndPath(url) === asked)
    ? []
    : [problem('redirect_url_not_registered', '/redirect_url')];
};

/** The URL with parameters after its own query. All that the caller wrote is kept as it is. */
export const withParameters = (
  redirectUrl: string,
  parameters: Readonly<Record<string, string>>,
): string => {
  const query = /\?.*$/.exec(redirectUrl)?.[0];
  const separator = query === undefined ? '?' : /^\?$|&$/.test(query) ? '' : '&';
  return `${redirectUrl}${separator}${new URLSearchParams(parameters)}`;
};
