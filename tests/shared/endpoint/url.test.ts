import { createHash } from 'node:crypto';
import { inspect } from 'node:util';
import { describe, expect, test } from 'vitest';
import type { Form } from '#shared/endpoint/pages.ts';
import { createUrlHandler, type UrlReply, type UrlRequest } from '#shared/endpoint/url.ts';
import { meterCall } from '#shared/table/metering.ts';
import { keepReply, lambdaContext } from '../../support/events/lambda-events.ts';
import { readForm, readPage, urlEvent } from '../../support/events/url-events.ts';
import { costFields, keepLog } from '../../support/recorders/log.ts';
import { endedWith, keepMetrics } from '../../support/recorders/metrics.ts';

const event = urlEvent({ path: '/oauth/xero/callback', query: 'code=secret&state=a%20b&state=c' });
const requestId = event.requestContext.requestId;

const visit = async (handle: (request: UrlRequest) => Promise<UrlReply>, sent = event) => {
  const log = keepLog();
  const metrics = keepMetrics();
  const result = await createUrlHandler(handle, { log, metrics })(sent, lambdaContext());
  return { result: keepReply(result), log: log.lines, metrics };
};

const line = (
  outcome: string,
  status: number,
  applicationId?: string,
): [message: string, fields: object] => [
  'callback',
  {
    request_id: requestId,
    route: 'GET /oauth/xero/callback',
    outcome,
    status,
    application_id: applicationId,
    ...costFields(),
  },
];

const guardingHeaders = {
  'Cache-Control': 'no-store',
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
  'Strict-Transport-Security': 'max-age=63072000',
};

/** The hash of all that stands between a page's `style` tags, as browsers make it. */
const hashOf = (body = ''): string => {
  const [, style = 'none'] = /<style>(.*)<\/style>/s.exec(body) ?? [];
  return createHash('sha256').update(style).digest('base64');
};

describe('a visit of a browser', () => {
  test('reaches the function with method, path and every query parameter', async () => {
    let seen: unknown;
    await visit(async ({ query, form, ...request }) => {
      seen = { ...request, query: [...query], form: [...form] };
      return { outcome: 'success', status: 200, redirectTo: 'https://app.example.com/' };
    });
    expect(seen).toEqual({
      method: 'GET',
      path: '/oauth/xero/callback',
      requestId,
      query: [
        ['code', 'secret'],
        ['state', 'a b'],
        ['state', 'c'],
      ],
      form: [],
    });
  });

  test('through the gateway is the same, and forms lead to the path of the browser', async () => {
    let seen: unknown;
    const handler = createUrlHandler(
      async ({ query, form, ...request }) => {
        seen = { ...request, query: [...query], form: [...form] };
        return {
          outcome: 'company_to_be_chosen',
          status: 200,
          title: 'Which company?',
          text: 'One.',
          form: {
            hidden: {},
            legend: 'Company',
            field: 'company',
            choices: [],
            submit: 'Connect',
            cancel: 'Cancel',
            leadsTo: null,
          },
        };
      },
      { log: keepLog(), metrics: keepMetrics() },
    );
    const path = '/oauth/xero/callback';
    const event = {
      httpMethod: 'POST',
      path,
      headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
      multiValueQueryStringParameters: { state: ['a b', 'c'], code: ['x&y'] },
      body: 'company=1&proof=p',
      isBase64Encoded: false,
      requestContext: { requestId, path: `/production${path}` },
    };
    const { body } = await handler(event as never, lambdaContext());
    expect(seen).toEqual({
      method: 'POST',
      path,
      requestId,
      query: [
        ['state', 'a b'],
        ['state', 'c'],
        ['code', 'x&y'],
      ],
      form: [
        ['company', '1'],
        ['proof', 'p'],
      ],
    });
    expect(body).toContain(`action="/production${path}"`);
  });

  test('is redirected with 303 and without a referrer', async () => {
    const redirectTo = 'https://app.example.com/done?status=success&domain_url=acme';
    const ended = { outcome: 'success', status: 200, applicationId: 'app1' };
    const { result, log, metrics } = await visit(async () => ({ ...ended, redirectTo }));
    expect(result).toEqual({
      statusCode: 303,
      headers: { ...guardingHeaders, Location: redirectTo },
    });
    expect(log).toEqual([line('success', 200, 'app1')]);
    const outcome = { code: 'success', status: 200 };
    expect(metrics.events).toEqual([endedWith(outcome)]);
  });

  test('is shown a page without scripts and external resources', async () => {
    const shown = { title: 'This link has expired', text: 'Please start again.' };
    const { result, log } = await visit(async () => ({
      outcome: 'state_unknown',
      status: 400,
      ...shown,
      headers: { 'Retry-After': '5' },
    }));
    expect(result).toEqual({
      statusCode: 400,
      headers: {
        ...guardingHeaders,
        'Retry-After': '5',
        'Content-Type': 'text/html; charset=utf-8',
        'Content-Security-Policy':
          `default-src 'none'; style-src 'sha256-${hashOf(result.body)}'; base-uri 'none'; ` +
          "frame-ancestors 'none'; form-action 'none'",
      },
      body: expect.stringMatching(/^<!doctype html>\n<html lang="en">\n<meta charset="utf-8">/),
    });
    expect(readPage(result)).toEqual({ status: 400, location: undefined, ...shown });
    expect(result.body).toContain('<title>This link has expired</title>');
    expect(log).toEqual([line('state_unknown', 400)]);
  });

  test('is shown any text escaped', async () => {
    const hostile = `<script>alert("1" + '2')</script> & <img src=x onerror=alert(1)>`;
    const page = { outcome: 'shown', status: 200, title: hostile, text: hostile };
    const { result } = await visit(async () => page);
    const shown =
      '&#60;script&#62;alert(&#34;1&#34; + &#39;2&#39;)&#60;/script&#62; &#38; ' +
      '&#60;img src=x onerror=alert(1)&#62;';
    expect(readPage(result)).toMatchObject({ title: shown, text: shown });
    expect(result.body?.split(shown)).toHaveLength(4);
    expect(result.body).not.toMatch(/<script|<img/);
  });

  const form: Form = {
    hidden: { state: 'a "b"' },
    legend: 'Company',
    field: 'company',
    choices: [
      { value: '1', label: '<b>Acme</b>', note: 'id 1' },
      { value: '2"', label: 'Zenith', note: 'id 2' },
    ],
    submit: 'Connect',
    cancel: 'Cancel',
    leadsTo: null,
  };
  const ask = (leadsTo: string | null) =>
    visit(async () => ({
      outcome: 'asked',
      status: 200,
      title: 'Which?',
      text: 'One.',
      form: { ...form, leadsTo },
    }));

  test('is shown a form that goes to its own path', async () => {
    const { result } = await ask(null);
    expect(readForm(result)).toEqual({
      action: event.rawPath,
      hidden: { state: 'a &#34;b&#34;' },
      choices: ['1', '2&#34;'],
    });
    expect(result.body).toContain(
      '<span>&#60;b&#62;Acme&#60;/b&#62;<br><small>id 1</small></span>',
    );
  });

  test.each([
    [null, "form-action 'self'"],
    ['https://app.example/a?b=c', "form-action 'self' https:"],
    ['http://localhost:8080/a', "form-action 'self' https: http:"],
  ])('can submit a form that leads to %s', async (leadsTo, policy) => {
    const { result } = await ask(leadsTo);
    const header = String(result.headers?.['Content-Security-Policy']);
    expect(header.split('; ').at(-1)).toBe(policy);
  });

  test.each<[string, object, string[][]]>([
    [
      'as text',
      { body: 'a=1&b=%262', isBase64Encoded: false },
      [
        ['a', '1'],
        ['b', '&2'],
      ],
    ],
    [
      'in Base64',
      { body: 'YT0xJmI9JTI2Mg==', isBase64Encoded: true },
      [
        ['a', '1'],
        ['b', '&2'],
      ],
    ],
    ['of another type', { body: 'a=1', headers: { 'content-type': 'text/plain' } }, []],
    ['without any headers', { body: 'a=1', headers: null }, []],
    ['that is too long for a form', { body: `a=${'1'.repeat(16 * 1024)}` }, []],
  ])('sends a form %s', async (_, changes, fields) => {
    const headers = { 'content-type': 'application/x-www-form-urlencoded; charset=UTF-8' };
    const sent = { ...event, headers, isBase64Encoded: false, ...changes };
    let seen: unknown;
    await visit(async (request) => {
      seen = [...request.form];
      return { outcome: 'success', status: 200, redirectTo: 'https://app.example.com/' };
    }, sent);
    expect(seen).toEqual(fields);
  });

  test('is shown no cause of an internal error, except in the log', async () => {
    const error = new Error('secret of the database');
    const { result, log, metrics } = await visit(() => Promise.reject(error));
    expect(readPage(result)).toEqual({
      status: 500,
      location: undefined,
      title: 'Something went wrong',
      text: `Please go back and try again. If it happens again, quote ${requestId}.`,
    });
    expect(result.headers).toMatchObject(guardingHeaders);
    const [, fields] = line('internal_error', 500);
    expect(log).toEqual([['callback failed', { ...fields, error }]]);
    const outcome = { code: 'internal_error', status: 500 };
    expect(metrics.events).toEqual([endedWith(outcome)]);
  });

  test('is logged with its table calls, without its code and state', async () => {
    const { log } = await visit(async ({ query }) => {
      await meterCall({ operation: 'DeleteItem', input: {} }, async () => ({}));
      const redirectTo = `https://app.example.com/?it=${query.get('code')}`;
      return { outcome: 'success', status: 200, redirectTo };
    });
    expect(log).toMatchObject([['callback', { outcome: 'success', table_calls: 1 }]]);
    expect(inspect(log, { depth: Infinity })).not.toMatch(/secret|a b/);
  });
});
