// The caller's redirect_url. The browser returns to it after an authorization.

import { type Problem, problem } from '../errors.ts';

export const maximumRedirectUrlLength = 2048;

/** The characters of a URI (RFC 3986 section 2) without `#`, after a scheme and a host. */
const pattern = /^https?:\/\/[\w\-.~:[\]%!$&'()*+,;=]+(?:[/?][\w\-.~:/?[\]@!$&'()*+,;=%]*)?$/i;

/** Only these hosts can be used without TLS, because the traffic stays on the machine. */
const loopbackHosts = new Set(['localhost', '127.0.0.1', '[::1]']);

/** Parameters that this service adds, or that OAuth libraries read. */
const reservedParameters = ['status', 'domain_url', 'error', 'code', 'state'];

/**
 * The name of the first rule that the URL breaks. It must be https (http only for this machine),
 * without user name, fragment or reserved parameters. The pattern is checked before parsing,
 * because URL parsers repair malformed URLs that a browser may read differently.
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
 * `optional`: an application without registered URLs can use any. `required`: URLs must be
 * registered and https, because in production localhost is any user's machine.
 */
export type RedirectRegistration = 'required' | 'optional';

/** Whether a stage accepts this redirect URL, registered or not. */
export const isRedirectUrlOf = (registration: RedirectRegistration, text: string): boolean =>
  isRedirectUrl(text) && (registration === 'optional' || /^https:/i.test(text));

/**
 * Refuses a redirect URL that the stage does not accept or the application has not registered.
 * Origin and path must be equal (RFC 9700 section 4.1.3). The query can differ.
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
  const target = originAndPath(redirectUrl);
  return registered.some((url) => originAndPath(url) === target)
    ? []
    : [problem('redirect_url_not_registered', '/redirect_url')];
};

/** Appends parameters to the query. The caller's part of the URL does not change. */
export const withParameters = (
  redirectUrl: string,
  parameters: Readonly<Record<string, string>>,
): string => {
  const query = /\?.*$/.exec(redirectUrl)?.[0];
  const separator = query === undefined ? '?' : /^\?$|&$/.test(query) ? '' : '&';
  return `${redirectUrl}${separator}${new URLSearchParams(parameters)}`;
};
