// Reads a platform's reply within its size limit, without loss of digits and with valid Unicode.

import Big from 'big.js';
import * as z from 'zod/mini';
import { cleaned } from '../texts.ts';

/** `body` is `undefined` if it is not JSON. */
export type Reply = {
  status: number;
  headers: Headers;
  body: unknown;
  /** Whether the body is text other than JSON. Then a proxy has answered, not the platform. */
  isFromIntermediary: boolean;
};

const maximumNumberLength = 60;

/**
 * The maximum density of a reply: one comma or opening bracket per this number of bytes. Memory
 * depends on the number of values, not on bytes. 32 MiB of `[],` need 1.5 GB to parse, and 32 MiB
 * within this limit 0.35 GB.
 */
const bytesPerSeparator = 8;

/**
 * Numbers that a float cannot represent stay text. Half surrogate pairs, which platforms produce
 * when they truncate text, become U+FFFD, because DynamoDB refuses invalid Unicode.
 */
const losslessReviver = (_key: string, value: unknown, context?: { source?: string }): unknown => {
  if (typeof value === 'string') return value.toWellFormed();
  const source = context?.source;
  if (typeof value !== 'number' || source === undefined) return value;
  // A longer number is not an amount, and comparing it would take long.
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

/** Counts the bytes `,`, `[` and `{`. Each can begin another value. */
const countSeparators = (bytes: Uint8Array): number => {
  let count = 0;
  for (const byte of bytes) if (byte === 0x2c || byte === 0x5b || byte === 0x7b) count += 1;
  return count;
};

/** The body is larger than its limit, or has too many values. */
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

/** An amount or a rate, as a number or as text. It never passes through a float. */
export const Decimal = z.pipe(
  z.union([z.number(), z.string().check(z.regex(/^-?\d{1,30}(?:\.\d{1,30})?$/))]),
  z.transform((value) => new Big(String(value))),
);

/** A company's name, cleaned like names in requests. */
export const CompanyName = z.pipe(
  z.pipe(
    z.string(),
    z.transform((name) => cleaned('name', name)),
  ),
  z.string().check(z.minLength(1)),
);
