import { inspect } from 'node:util';
import { describe, expect, test } from 'vitest';
import { meterCall } from '#shared/table-metering.ts';
import { createUrlHandler, type UrlReply, type UrlRequest } from '#shared/triggers/url.ts';
import { keepReply, lambdaContext } from '../../support/events/lambda-events.ts';
import { readPage, urlEvent } from '../../support/events/url-events.ts';
import { costFields, keepLog } from '../../support/recorders/log.ts';
import { keepMetrics } from '../../support/recorders/metrics.ts';

const event = urlEvent({ path: '/oauth/xero/callback', query: 'code=secret&state=a%20b&state=c' });
const requestId = event.requestContext.requestId;

const visit = async (handle: (request: UrlRequest) => Promise<UrlReply>) => {
  const log = keepLog();
  const metrics = keepMetrics();
  const result = await createUrlHandler(handle, { log, metrics })(event, lambdaContext());
  return { result: keepReply(result), log: log.lines, metrics };
};

const line = (outcome: string, status: number, more = {}) => [
  'callback',
  {
    request_id: requestId,
    route: 'GET /oauth/xero/callback',
    application_id: undefined,
    outcome,
    status,
    ...costFields(),
    ...more,
  },
];

const ending = (code: string, status: number, applicationId?: string) => [
  'ended',
  { requestId, applicationId, code, status, contentionRetries: 0 },
];

const guardingHeaders = {
  'Cache-Control': 'no-store',
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
  'Strict-Transport-Security': 'max-age=63072000',
};

describe('a visit of a browser', () => {
  test('reaches the function with method, path and every query parameter', async () => {
    let seen: unknown;
    await visit(async ({ query, ...request }) => {
      seen = { ...request, query: [...query] };
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
    });
  });

  test('is sent on with a GET that carries nothing along', async () => {
    const redirectTo = 'https://app.example.com/done?status=success&domain_url=acme';
    const { result, log, metrics } = await visit(async () => ({
      outcome: 'success',
      status: 200,
      applicationId: 'app1',
      redirectTo,
    }));
    expect(result).toEqual({
      statusCode: 303,
      headers: { ...guardingHeaders, Location: redirectTo },
    });
    expect(log).toEqual([line('success', 200, { application_id: 'app1' })]);
    expect(metrics.events).toEqual([ending('success', 200, 'app1')]);
  });

  test('is shown a page that loads and runs nothing', async () => {
    const { result, log } = await visit(async () => ({
      outcome: 'state_unknown',
      status: 400,
      title: 'This link has expired',
      text: 'Please start again.',
      headers: { 'Retry-After': '5' },
    }));
    expect(result).toEqual({
      statusCode: 400,
      headers: {
        ...guardingHeaders,
        'Retry-After': '5',
        'Content-Type': 'text/html; charset=utf-8',
        'Content-Security-Policy': "default-src 'none'; style-src 'unsafe-inline'",
      },
      body: expect.stringMatching(/^<!doctype html>\n<html lang="en">\n<meta charset="utf-8">/),
    });
    expect(readPage(result)).toEqual({
      status: 400,
      location: undefined,
      title: 'This link has expired',
      text: 'Please start again.',
    });
    expect(result.body).toContain('<title>This link has expired</title>');
    expect(log).toEqual([line('state_unknown', 400)]);
  });

  test('is shown a text as it is, whatever it holds', async () => {
    const hostile = `<script>alert("1" + '2')</script> & <img src=x onerror=alert(1)>`;
    const { result } = await visit(async () => ({
      outcome: 'shown',
      status: 200,
      title: hostile,
      text: hostile,
    }));
    const shown =
      '&#60;script&#62;alert(&#34;1&#34; + &#39;2&#39;)&#60;/script&#62; &#38; ' +
      '&#60;img src=x onerror=alert(1)&#62;';
    expect(readPage(result)).toMatchObject({ title: shown, text: shown });
    expect(result.body?.split(shown)).toHaveLength(4);
    expect(result.body).not.toMatch(/<script|<img/);
  });

  test('is shown nothing of the cause of a fault, which the log has', async () => {
    const error = new Error('secret of the database');
    const { result, log, metrics } = await visit(() => Promise.reject(error));
    expect(readPage(result)).toEqual({
      status: 500,
      location: undefined,
      title: 'Something went wrong',
      text: `Please go back and try again. If it happens again, quote ${requestId}.`,
    });
    expect(result.headers).toMatchObject(guardingHeaders);
    expect(log).toEqual([
      ['callback failed', { request_id: requestId, error }],
      line('internal_error', 500),
    ]);
    expect(metrics.events).toEqual([ending('internal_error', 500)]);
  });

  test('is logged with its calls to the table, and without its code and state', async () => {
    const { log } = await visit(async ({ query }) => {
      await meterCall({ operation: 'DeleteItem', input: {} }, async () => ({}));
      return {
        outcome: 'success',
        status: 200,
        redirectTo: `https://app.example.com/?it=${query.get('code')}`,
      };
    });
    expect(log).toEqual([line('success', 200, { table_calls: 1 })]);
    expect(inspect(log, { depth: Infinity })).not.toMatch(/secret|a b/);
  });
});
