// What a platform's reply is read into: within its size, with every digit of its numbers, and in
// whole characters.

import Big from 'big.js';
import * as z from 'zod/mini';
import { cleaned } from '../texts.ts';

/** A reply as it came; `body` is `undefined` where it is not JSON. */
export type Reply = {
  status: number;
  headers: Headers;
  body: unknown;
  /** Whether it is text that is not JSON: somebody on the way has answered, not the platform. */
  isFromIntermediary: boolean;
};

const maximumNumberLength = 60;

/**
 * A reply of the largest size may have a comma or an opening bracket for every so many bytes.
 * Memory goes by values, not by bytes: 32 MiB of `[],` take 1.5 GB to parse, and as many bytes that
 * pass this limit 0.35 GB.
 */
const bytesPerSeparator = 8;

/**
 * A number that a float cannot hold becomes the text that it was written as. Half a character, as
 * platforms leave behind that cut texts, becomes U+FFFD: the table takes none that is not whole.
 */
const losslessReviver = (_key: string, value: unknown, context?: { source?: string }): unknown => {
  if (typeof value === 'string') return value.toWellFormed();
  const source = context?.source;
  if (typeof value !== 'number' || source === undefined) return value;
  // What is longer is no amount, and would take long to compare.
  if (source.length > maximumNumberLength) return source;
  return Number.isFinite(value) && new Big(source).eq(String(value)) ? value : source;
};

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text, losslessReviver);
  } catch {
    return undefined;
  }
};

/** How many of these bytes begin another value, in JSON: `,`, `[` and `{`. */
const countSeparators = (bytes: Uint8Array): number => {
  let count = 0;
  for (const byte of bytes) if (byte === 0x2c || byte === 0x5b || byte === 0x7b) count += 1;
  return count;
};

/** The body goes on beyond the limit, or has more values than fit into memory. */
export class ReplyTooLarge extends Error {}

/** @throws ReplyTooLarge */
const readText = async (response: Response, maximumBytes: number): Promise<string> => {
  const decoder = new TextDecoder();
  let text = '';
  let bytes = 0;
  let separators = 0;
  for await (const chunk of response.body ?? []) {
    bytes += chunk.byteLength;
    separators += countSeparators(chunk);
    const isTooLarge = bytes > maximumBytes || separators > maximumBytes / bytesPerSeparator;
    if (isTooLarge) throw new ReplyTooLarge();
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
};

/** @throws ReplyTooLarge */
export const readReply = async (response: Response, maximumBytes: number): Promise<Reply> => {
  const { status, headers } = response;
  const text = await readText(response, maximumBytes);
  const body = parseJson(text);
  return { status, headers, body, isFromIntermediary: body === undefined && text.trim() !== '' };
};

/** An amount or a rate in a reply, as a number or as text; nothing passes through a float. */
export const Decimal = z.pipe(
  z.union([z.number(), z.string().check(z.regex(/^-?\d{1,30}(?:\.\d{1,30})?$/))]),
  z.transform((value) => new Big(String(value))),
);

/** A company's name in a reply, as ours are. */
export const CompanyName = z.pipe(
  z.pipe(
    z.string(),
    z.transform((name) => cleaned('name', name)),
  ),
  z.string().check(z.minLength(1)),
);
