// The hash chain of the entries that count on a date. Each hash covers the entry and the previous
// hash, so any change, insertion, removal or reordering changes the last hash.

import { createHash } from 'node:crypto';
import { contentOf, type EntryContent } from './entry-content.ts';

/** The previous hash of the first entry in a chain. */
export const noHash = '0'.repeat(64);

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

/**
 * Canonical JSON (RFC 8785), limited to strings, integers, booleans, null, arrays and objects.
 */
const canonicalJson = (value: unknown): string => {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const fields = Object.entries(value)
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, field]) => `${JSON.stringify(name)}:${canonicalJson(field)}`);
  return `{${fields.join(',')}}`;
};

/** @param previous the hash of the previous entry in the chain, 64 hex digits */
export const hashOf = (entry: EntryContent, previous: string): string =>
  sha256(`v1\n${previous}\n${canonicalJson(contentOf(entry))}`);

/** The chain of a date: the number of entries that count on it, and the hash of the last one. */
export type ChainHead = { date: string; series: string; counted: number; head: string };

/**
 * The digest of the entries that count on these dates. It changes only if an entry is posted on one
 * of them; scheduling an entry does not change it.
 */
export const digestOf = (heads: readonly ChainHead[]): string => {
  const lines = heads
    .filter(({ counted }) => counted > 0)
    .map(({ date, series, counted, head }) => `${date}\t${series}\t${counted}\t${head}\n`)
    .sort();
  return sha256(lines.join(''));
};
