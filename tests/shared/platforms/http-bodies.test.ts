import Big from 'big.js';
import fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { type HttpOptions, openHttp } from '#shared/platforms/http.ts';
import { Decimal } from '#shared/platforms/replies.ts';
import { reasonOf } from '../../support/harnesses/adapters.ts';
import { startFakeServer } from '../../support/servers/fake-server.ts';

const server = await startFakeServer();
afterAll(server.stop);

/** The result of a call with this reply. */
const read = <Schema extends z.ZodMiniType>(
  body: string,
  schema: Schema,
  options: HttpOptions = {},
) => {
  server.reply = { body };
  return openHttp(options).call({ url: new URL(server.url), headers: {}, schema });
};
const readAmount = async (text: string): Promise<string> => {
  const { amount } = await read(`{"amount":${text}}`, z.object({ amount: Decimal }));
  return amount.toFixed();
};

describe('a number in a reply', () => {
  test.each([
    ['0', '0'],
    ['-0', '0'],
    ['1e2', '100'],
    ['1.5E-7', '0.00000015'],
    ['0.123456789012345678901234567890', '0.12345678901234567890123456789'],
    ['999999999999999999999999999999', '999999999999999999999999999999'],
    ['"123456789012345.67"', '123456789012345.67'],
    ['"-0.10"', '-0.1'],
  ])('written %s is read as %s', async (text, expected) => {
    expect(await readAmount(text)).toBe(expected);
  });

  test('is read exactly in any notation', async () => {
    const amount = fc
      .tuple(fc.bigInt({ min: -(10n ** 29n), max: 10n ** 29n }), fc.nat({ max: 28 }))
      .map(([digits, decimals]) => new Big(`${digits}e-${decimals}`).toFixed());
    await fc.assert(
      fc.asyncProperty(amount, fc.boolean(), async (text, isText) => {
        const expected = new Big(text).toFixed();
        expect(await readAmount(isText ? `"${text}"` : text)).toBe(expected);
      }),
    );
  });

  test.each([
    ['beyond the range of a float', '1e400'],
    ['with too many digits', '9'.repeat(31)],
    ['as text with an exponent', '"1e2"'],
    ['as text in another notation', '"1,234.56"'],
    ['as text with a sign before it', '"+1"'],
    ['as empty text', '""'],
    ['as text of a currency', '"EUR 1"'],
    ['that is none', 'null'],
    ['in a list', '[1]'],
  ])('is not understood %s', async (_, text) => {
    expect(await reasonOf(readAmount(text))).toBe('reply_not_understood');
  });

  test('is text if a float cannot represent it', async () => {
    const body = '{"page":2,"large":9007199254740993,"nested":[{"size":1000}]}';
    expect(await read(body, z.unknown())).toEqual({
      page: 2,
      large: '9007199254740993',
      nested: [{ size: 1000 }],
    });
  });
});

describe('text in a reply', () => {
  test.each([
    ['characters of four bytes', '"🧾"', '🧾'],
    ['the same in two escapes', '"\\ud83e\\uddfe"', '🧾'],
    ['half a character, which the table would refuse', '"cut \\ud83e"', 'cut \ufffd'],
    ['the other half', '"\\uddfe cut"', '\ufffd cut'],
    ['a name that JavaScript knows', '"__proto__"', '__proto__'],
  ])('has %s', async (_, text, expected) => {
    expect(await read(`{"name":${text}}`, z.object({ name: z.string() }))).toEqual({
      name: expected,
    });
  });
});

describe('the size of a reply', () => {
  const mebibyte = 1024 * 1024;
  const body = '{"name":"Ada"}';
  const Ada = z.object({ name: z.string() });

  test.each([
    ['2 MiB', 2 * mebibyte, {}],
    ['the limit of its caller', 3 * mebibyte, { maximumReplyBytes: 3 * mebibyte }],
  ])('is at most %s', async (_, largest, options) => {
    const padded = body + ' '.repeat(largest - body.length);
    expect(await read(padded, Ada, options)).toEqual({ name: 'Ada' });
    expect(await reasonOf(read(`${padded} `, Ada, options))).toBe('reply_too_large');
  });

  test('is counted in bytes, not in characters', async () => {
    const padded = `"${'é'.repeat(mebibyte)}"`;
    expect(await reasonOf(read(padded, z.unknown()))).toBe('reply_too_large');
  });

  test.each([
    ['arrays', '[],', 349_525],
    ['objects', '{},', 349_525],
    ['zeros', '0,', 524_288],
  ])('does not allow too many %s for the memory', async (_, value, count) => {
    const listOf = (items: number) => `[${value.repeat(items)}0]`;
    const few = await read(listOf(100_000), z.array(z.unknown()));
    expect(few).toHaveLength(100_001);
    expect(await reasonOf(read(listOf(count), z.unknown()))).toBe('reply_too_large');
  });

  test('stops an endless reply', async () => {
    let chunks = 0;
    let isCancelled = false;
    const endless = new ReadableStream({
      pull: (controller) => {
        chunks += 1;
        controller.enqueue(new Uint8Array(1024 * 1024).fill(0x20));
      },
      cancel: () => {
        isCancelled = true;
      },
    });
    const { call } = openHttp({ fetch: async () => new Response(endless) });
    const asked = { url: new URL(server.url), headers: {}, schema: z.unknown() };
    expect(await reasonOf(call(asked))).toBe('reply_too_large');
    expect(chunks).toBeLessThan(40);
    expect(isCancelled).toBe(true);
  });
});
