import { describe, expect, test } from 'vitest';
import type { ApiErrorCode } from '#shared/errors.ts';
import { csvNumber } from '#shared/reports/csv.ts';
import { call, type EchoEndpoint, failure } from '../../support/harnesses/echo-endpoint.ts';
import { csvHeaders, reportSuccess, success } from '../../support/readers/replies.ts';

const csv: NonNullable<EchoEndpoint['csv']> = ({ note }, input) => `${note},${input.amount}\r\n`;
const body = { note: 'x', amount: '1.50' };
const asJson = reportSuccess(body);
const asCsv = { status: 200, headers: csvHeaders, body: 'x,1.50\r\n' };

const ask = async (accept?: string, changes: Partial<EchoEndpoint> = { csv }) => {
  const headers = accept === undefined ? {} : { ACCEPT: accept };
  const { log: _log, ...reply } = await call({ body, headers }, changes);
  return reply;
};

describe('an endpoint with csv answers a request', () => {
  test.each([
    ['csv alone', 'text/csv'],
    ['csv in capitals with a charset', 'Text/CSV; Charset=UTF-8'],
    ['any text', 'text/*'],
    ['csv, and all else as much', '*/*, text/csv'],
    ['csv, and all else a little', 'text/csv, */*;q=0.1'],
    ['csv more than JSON', 'application/json;q=0.8,text/csv;q=0.9'],
    ['csv more than JSON, both behind others', 'text/html, text/csv;q=0.5, application/*;q=0.4'],
    ['csv a little and no JSON', 'text/csv;q=0.001, */*;q=0.0'],
    ['csv with white space around its weight', 'application/json;q=0.5 , text/csv ; q=0.6'],
    ['text more than JSON, by the whole range', '*/*;q=0.3, application/json;q=0.2'],
    ['csv, and JSON with a weight that is none', 'text/csv;q=0.1, application/json;q=high'],
  ])('for %s with csv', async (_, accept) => {
    expect(await ask(accept)).toEqual(asCsv);
  });

  test.each([
    ['nothing', undefined],
    ['an empty list', ''],
    ['anything', '*/*'],
    ['JSON', 'application/json'],
    ['what there is not', 'application/xml'],
    ['both', 'text/csv, application/json'],
    ['both, in the other order', 'application/json, text/csv'],
    ['any text and any application', 'text/*, application/*'],
    ['JSON more', 'text/csv;q=0.9, application/json'],
    ['all but csv', 'text/csv;q=0, */*'],
    ['any text but csv', 'text/*, text/csv;q=0'],
    ['csv less than all else', 'text/csv;q=0.2, */*;q=0.5'],
    ['csv with a weight that is none', 'text/csv;q=2'],
    ['csv with a weight of too many digits', 'text/csv;q=0.1234'],
    ['what begins like csv', 'text/csv-schema'],
    ['neither', 'text/csv;q=0, application/json;q=0'],
  ])('for %s with JSON', async (_, accept) => {
    expect(await ask(accept)).toEqual(asJson);
  });

  test("with the endpoint's headers in both forms", async () => {
    const handle: EchoEndpoint['handle'] = async ({ input }) => ({
      data: input,
      headers: { 'Next-Cursor': 'x' },
    });
    for (const [accept, type] of [
      ['text/csv', 'text/csv; charset=utf-8'],
      ['*/*', 'application/json'],
    ]) {
      const { headers } = await ask(accept, { csv, handle });
      expect(headers).toEqual({ ...csvHeaders, 'Content-Type': type, 'Next-Cursor': 'x' });
    }
  });
});

test('an endpoint without CSV ignores the Accept header', async () => {
  expect(await ask('text/csv', {})).toEqual(success(body));
});

describe('a failure is JSON for any Accept header', () => {
  const makeLong = (length: number) => ({ csv: () => 'x'.repeat(length) });

  test.each<[string, Partial<EchoEndpoint>, ApiErrorCode, number]>([
    ['of an endpoint', { handle: () => Promise.reject(new Error('x')) }, 'internal_error', 500],
    ['of what makes csv', { csv: () => csvNumber('=1').number }, 'internal_error', 500],
    ['of csv that is more than Lambda takes', makeLong(6 * 1024 * 1024), 'reply_too_large', 422],
  ])('%s', async (_, changes, code, status) => {
    expect(await ask('text/csv', { csv, ...changes })).toEqual(failure(code, status));
  });

  test('the longest CSV is accepted', async () => {
    expect((await ask('text/csv', makeLong(6 * 1024 * 1024 - 1_000))).status).toBe(200);
  });
});
