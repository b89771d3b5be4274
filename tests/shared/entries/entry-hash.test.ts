// Recomputes the hash of an entry as a customer does: from a reply, with another implementation of
// RFC 8785.

import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import canonicalize from 'canonicalize';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { documentation } from '#functions/create-journal-entry/schema.ts';
import { digestOf, noHash } from '#shared/entries/entry-hash.ts';
import type { ApiEntry, JournalLine } from '#shared/entries/journal-entry.ts';
import { viewOf } from '#shared/entries/journal-entry.view.ts';
import { countEntry, emptySheet } from '#shared/sheets/day-sheet.ts';
import { expectedEntry } from '../../support/builders/journal-entry.ts';

const sha256 = (text: string): string => createHash('sha256').update(text, 'utf8').digest('hex');

const recomputed = (reply: unknown, previous = noHash): string => {
  const { status, cancelled_at, reversed_by, replayed, hash, hash_version, ...content } =
    JSON.parse(JSON.stringify(reply));
  return sha256(`v2\n${previous}\n${canonicalize(content)}`);
};

const uncounted = { ...expectedEntry, entryId: 'id', journalNumber: 'MJ-20260320-0001' };
const posted = (changes: Partial<ApiEntry> = {}, sheet = emptySheet) =>
  countEntry({ ...uncounted, ...changes }, sheet);

describe('the hash of an entry', () => {
  test('can be recomputed from replies, entry by entry', () => {
    const anyText = fc.string({ unit: 'grapheme', maxLength: 30 });
    fc.assert(
      fc.property(fc.array(fc.tuple(anyText, fc.option(anyText)), { maxLength: 5 }), (texts) => {
        let sheet = emptySheet;
        for (const [memo, externalId] of texts) {
          const lines = uncounted.lines.map((line) => ({ ...line, description: memo }));
          const counted = posted({ memo, externalId, lines }, sheet);
          expect(counted.entry.hash).toBe(recomputed(viewOf(counted.entry), sheet.head));
          sheet = counted.sheet;
        }
      }),
    );
  });

  test.each([
    ['the reference', documentation.examples[0]?.data],
    [
      'the README',
      JSON.parse(/^```json\n(.+?)^```/ms.exec(readFileSync('README.md', 'utf8'))?.[1] ?? '').data,
    ],
  ])('in %s matches its entry', (_, reply) => {
    expect(recomputed(reply)).toBe((reply as { hash: string }).hash);
  });

  const { entry } = posted();
  /** The fields that can change after an entry has its hash. */
  const outside = new Set(['status', 'cancelledAt', 'reversedBy']);
  const [first, second, ...others] = uncounted.lines as [JournalLine, JournalLine];
  const another = (value: unknown) => {
    if (value === null || typeof value === 'string') return '7.00';
    if (typeof value === 'object') return { name: 'seven' };
    return typeof value === 'number' ? 7 : value === false;
  };

  test.each(Object.keys(uncounted))('covers a field of a reply: %s', (field) => {
    const value = uncounted[field as keyof typeof uncounted];
    const other = field.endsWith('Currency') ? 'CHF' : another(value);
    const changed = Array.isArray(value) ? [second, first, ...others] : other;
    const isCovered = posted({ [field]: changed }).entry.hash !== entry.hash;
    expect(isCovered).toBe(!outside.has(field));
  });

  test.each(Object.keys(first))('covers a field of a line: %s', (field) => {
    const other = field === 'lineClass' ? 'operating' : another(first[field as keyof JournalLine]);
    const changed = { ...first, [field]: other };
    const isCovered = posted({ lines: [changed, second, ...others] }).entry.hash !== entry.hash;
    expect(isCovered).toBe(!outside.has(field));
  });
});

describe('the digest of sheets', () => {
  const heads = [
    { date: '2026-03-20', series: 'IJ', counted: 2, head: 'a'.repeat(64) },
    { date: '2026-03-20', series: 'MJ', counted: 1, head: 'b'.repeat(64) },
    { date: '2026-03-21', series: 'MJ', counted: 3, head: 'c'.repeat(64) },
    { date: '2026-04-01', series: 'MJ', counted: 1, head: 'd'.repeat(64) },
  ];

  test('can be recomputed from their heads', () => {
    const [march, april] = ['2026-03', '2026-04'].map((month) => {
      const ofMonth = heads.filter(({ date }) => date.startsWith(month));
      const lines = ofMonth.map((it) => [it.date, it.series, it.counted, it.head].join('\t'));
      return `${month}\t${sha256(lines.map((line) => `${line}\n`).join(''))}\n`;
    });
    expect(digestOf(heads)).toBe(sha256(`${march}${april}`));
    expect(digestOf([])).toBe(sha256(''));
  });

  test('does not depend on the order or on sheets without counted entries', () => {
    const waiting = { date: '2026-03-19', series: 'MJ', counted: 0, head: noHash };
    fc.assert(
      fc.property(fc.shuffledSubarray([...heads, waiting], { minLength: 5 }), (shuffled) => {
        expect(digestOf(shuffled)).toBe(digestOf(heads));
      }),
    );
  });
});
