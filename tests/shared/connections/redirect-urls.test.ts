import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  isRedirectUrl,
  type RedirectRegistration,
  registrationProblems,
  ruleBrokenByRedirectUrl,
  withParameters,
} from '#shared/connections/redirect-urls.ts';

describe('a redirect URL', () => {
  test.each([
    ['https', 'https://app.example/connected'],
    ['https without a path', 'https://app.example'],
    ['https with a port', 'https://app.example:8443/connected'],
    ['its own query', 'https://app.example/connected?tenant=1&from=a%20b'],
    ['a query straight after the host', 'https://app.example?tenant=1'],
    ['an @ in its path', 'https://app.example/@ada'],
    ['a scheme in upper case', 'HTTPS://app.example/'],
    ['http to localhost', 'http://localhost:5173/done'],
    ['http to 127.0.0.1', 'http://127.0.0.1/done'],
    ['http to [::1]', 'http://[::1]:5173/done'],
    ['a parameter that only ends like a reserved one', 'https://app.example/?my_status=1'],
  ])('may have %s', (_, url) => {
    expect(isRedirectUrl(url)).toBe(true);
  });

  test.each([
    ['an empty text', '', 'https'],
    ['http to another host', 'http://app.example/', 'https'],
    ['http to a host that starts like localhost', 'http://localhost.app.example/', 'https'],
    ['another scheme', 'ftp://app.example/', 'https'],
    ['a scheme that runs code', 'javascript://app.example/%0aalert(1)', 'https'],
    ['a custom scheme', 'com.example.app://done', 'https'],
    ['no scheme', '//app.example/', 'https'],
    ['only a path', '/connected', 'https'],
    ['no slashes', 'https:app.example', 'well_formed'],
    ['one slash', 'https:/app.example/', 'well_formed'],
    ['three slashes', 'https:///app.example/', 'well_formed'],
    ['no host', 'https://', 'well_formed'],
    ['a user name', 'https://ada@app.example/', 'no_user_name'],
    ['a user name and a password', 'https://ada:secret@app.example/', 'no_user_name'],
    ['an empty user name', 'https://@app.example/', 'no_user_name'],
    ['a fragment', 'https://app.example/#done', 'no_fragment'],
    ['an empty fragment', 'https://app.example/#', 'no_fragment'],
    [
      'a backslash, which a browser reads as a slash',
      'https://evil.example\\@app.example/',
      'no_user_name',
    ],
    ['a line end', 'https://app.example/\r\nSet-Cookie: a=b', 'well_formed'],
    ['a tab', 'https://app.exa\tmple/', 'well_formed'],
    ['a blank before', ' https://app.example/', 'https'],
    ['a blank within', 'https://app.example/a b', 'well_formed'],
    ['letters beyond ASCII', 'https://äpp.example/', 'well_formed'],
    ['a quote', 'https://app.example/"', 'well_formed'],
    ['an invalid port', 'https://app.example:99999/', 'well_formed'],
    ['the parameter status', 'https://app.example/?status=success', 'no_reserved_parameter'],
    [
      'the parameter domain_url',
      'https://app.example/?a=1&domain_url=acme',
      'no_reserved_parameter',
    ],
    ['the parameter error', 'https://app.example/?error', 'no_reserved_parameter'],
    ['the parameter code', 'https://app.example/?code=1', 'no_reserved_parameter'],
    ['the parameter state', 'https://app.example/?state=1', 'no_reserved_parameter'],
    [
      'a reserved parameter in disguise',
      'https://app.example/?%73tatus=success',
      'no_reserved_parameter',
    ],
  ])('may not have %s', (_, url, rule) => {
    expect(ruleBrokenByRedirectUrl(url)).toBe(rule);
  });
});

describe('registration', () => {
  const registered = ['https://app.example/connected', 'http://localhost:5173/'];
  const secure = ['https://app.example/connected', 'https://root.example/'];
  const any = 'https://any.example/';

  test.each<[string, string | undefined, string[], RedirectRegistration, boolean]>([
    ['the request has none', undefined, registered, 'required', true],
    ['none is registered and registration is optional', any, [], 'optional', true],
    ['none is registered and registration is required', any, [], 'required', false],
    ['it is registered and registration is optional', registered[0], registered, 'optional', true],
    ['another one is registered', any, registered, 'optional', false],
    ['it is registered at localhost', registered[1], registered, 'optional', true],
  ])('where %s', (_, redirectUrl, list, registration, accepted) => {
    const refusal = {
      code: 'redirect_url_not_registered',
      pointer: '/redirect_url',
      message: 'The application has not registered this redirect URL.',
    };
    expect(registrationProblems(redirectUrl, { registered: list, registration })).toEqual(
      accepted ? [] : [refusal],
    );
  });

  test('of localhost does not count if registration is required', () => {
    for (const url of ['http://localhost:5173/', 'HTTP://127.0.0.1/', 'http://[::1]/']) {
      const registration: RedirectRegistration = 'required';
      const asked = { registered: [url], registration };
      expect(registrationProblems(url, asked)).toMatchObject([{ code: 'redirect_url_not_valid' }]);
    }
  });

  test.each([
    ['https://app.example/connected', true, 'is registered'],
    ['https://app.example/connected?t=1', true, 'differs only in its query'],
    ['https://APP.example/connected', true, 'differs only in the case of its host'],
    ['https://app.example:443/connected', true, 'states the default port'],
    ['https://root.example', true, 'has an empty path, which equals the root'],
    ['https://app.example/connected/more', false, 'has a longer path'],
    ['https://app.example/connected/', false, 'has a path that ends in a slash'],
    ['https://app.example/connected/../x', false, 'has a path with `..`'],
    ['https://app.example/Connected', false, 'differs in the case of its path'],
    ['https://a.app.example/connected', false, 'has a subdomain as host'],
    ['https://app.example.evil.example/connected', false, 'has a longer host'],
    ['https://app.example:8443/connected', false, 'has another port'],
  ])('is registered, %s: %s, because it %s', (redirectUrl, accepted) => {
    const asked = { registered: secure, registration: 'required' } as const;
    const problems = registrationProblems(redirectUrl, asked);
    expect(problems.length === 0).toBe(accepted);
  });
});

describe('the outcome', () => {
  test.each([
    ['https://app.example/done', '?'],
    ['https://app.example', '?'],
    ['https://app.example/a&', '?'],
    ['https://app.example&', '?'],
    ['https://app.example/?', ''],
    ['https://app.example/?a=1&', ''],
    ['https://app.example/done?a=1&b=%20x+y', '&'],
    ['https://app.example/??', '&'],
  ])('goes behind %s with "%s" between them', (redirectUrl, between) => {
    const success = { status: 'success', domain_url: 'acme' };
    expect(withParameters(redirectUrl, success)).toBe(
      `${redirectUrl}${between}status=success&domain_url=acme`,
    );
  });
});

describe('any text', () => {
  const pieces = [
    ...['https://', 'http://', 'HTTPS://', 'javascript:', '//', '/', '\\', '.', '..', '%2e%2e/'],
    ...['app.example', 'evil.example', 'localhost', '127.0.0.1', '[::1]', '0x7f.1', ':8443', '@'],
    ...['?', '#', '&', '=', ';', 'a', 'status', 'code', '%73tatus', '%', '%00', '%0d%0a', '%40'],
    ...[' ', '\t', '\r\n', '\u0000', 'é', '。', '\ufeff', '\u202e'],
  ];
  const composed = fc.array(fc.constantFrom(...pieces), { maxLength: 9 });
  const text = fc.oneof(
    fc.webUrl({ withQueryParameters: true, withFragments: true, validSchemes: ['http', 'https'] }),
    composed.map((parts) => parts.join('')),
    composed.map((parts) => `https://app.example${parts.join('')}`),
    fc.string({ unit: 'binary', maxLength: 40 }),
  );
  const loopback = ['localhost', '127.0.0.1', '[::1]'];
  const outcome = { status: 'success', domain_url: 'acme' };

  test('that is a redirect URL leads to its own host with one outcome', () => {
    let accepted = 0;
    fc.assert(
      fc.property(text, (it) => {
        if (!isRedirectUrl(it)) return;
        accepted += 1;
        const sent = withParameters(it, outcome);
        // The Location header is one line of visible ASCII and starts with the caller's URL.
        expect(sent).toMatch(/^[!-~]+$/);
        expect(sent.startsWith(it)).toBe(true);
        const url = new URL(sent);
        expect([url.username, url.password, url.hash]).toEqual(['', '', '']);
        expect(url.protocol === 'https:' || loopback.includes(url.hostname)).toBe(true);
        // RFC 3986: the authority ends at the path or the query.
        const authority = /^https?:\/\/([^/?#]*)/i.exec(it)?.[1] ?? '';
        if (/^[a-z][a-z.]*$/i.test(authority)) expect(url.host).toBe(authority.toLowerCase());
        for (const [name, value] of Object.entries(outcome)) {
          expect(url.searchParams.getAll(name)).toEqual([value]);
        }
        for (const name of ['error', 'code', 'state'])
          expect(url.searchParams.has(name)).toBe(false);
        const own = new URL(it).searchParams;
        expect([...url.searchParams].slice(0, own.size)).toEqual([...own]);
      }),
      { numRuns: 3_000 },
    );
    expect(accepted).toBeGreaterThan(100);
  });
});
