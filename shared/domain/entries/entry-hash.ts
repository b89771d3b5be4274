// The chain of hashes along what counts on a date. Each entry's hash covers the entry and the hash
// before it, so that nobody can change, add, leave out or reorder one and leave the last as it was.

import { createHash } from 'node:crypto';
import { contentOf, type EntryContent } from './entry-content.ts';

/** Stands before the first entry of a chain. */
export const noHash = '0'.repeat(64);

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

/**
 * JSON with sorted names and without white space: the form of RFC 8785, as far as texts, whole
 * numbers, booleans and null need it.
 */
const canonicalJson = (value: unknown): string => {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const fields = Object.entries(value)
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, field]) => `${JSON.stringify(name)}:${canonicalJson(field)}`);
  return `{${fields.join(',')}}`;
};

/** The hash of an entry that counts after the one with the hash `previous`, 64 hex digits. */
export const hashOf = (entry: EntryContent, previous: string): string =>
  sha256(`v1\n${previous}\n${canonicalJson(contentOf(entry))}`);

/** The chain of a date: how many entries count on it, and the hash of the last. */
export type ChainHead = { date: string; series: string; counted: number; head: string };

/**
 * The digest of what counts on these dates. It stays the same as long as nothing is posted there,
 * whatever is filed under its dates to be posted later.
 */
export const digestOf = (heads: readonly ChainHead[]): string => {
  const lines = heads
    .filter(({ counted }) => counted > 0)
    .map(({ date, series, counted, head }) => `${date}\t${series}\t${counted}\t${head}\n`)
    .sort();
  return sha256(lines.join(''));
};
