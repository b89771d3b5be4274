import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type DraftLine, draftLine, type EntryDraft } from '#shared/entries/drafts/draft.ts';
import { differences } from '#shared/entries/drafts/draft-differences.ts';
import { pointerList } from '#shared/entries/entry-replays.view.ts';
import type { ApiEntry } from '#shared/entries/journal-entry.ts';
import { parseAmount } from '#shared/money/amounts.ts';
import { draft, expectedEntry } from '../../support/builders/journal-entry.ts';

describe('where a repeated request differs', () => {
  const original: ApiEntry = {
    ...expectedEntry,
    entryId: 'entry-1',
    journalNumber: 'MJ-20260320-0001',
    postingSequence: 1,
    hash: 'a'.repeat(64),
    hashVersion: 2,
  };
  const [first, second, third] = draft.lines as [DraftLine, DraftLine, DraftLine];
  const otherwise = { ...first, debit: parseAmount('066.670') };
  const changed = draftLine({ account: '4010', credit: '33.33', description: 'Other' });
  const all = {
    date: '2026-03-21',
    memo: 'Other',
    accrualDate: '2026-04-01',
    lines: [],
    transactionCurrency: 'USD',
    reportingCurrency: 'EUR',
  };

  test.each<[title: string, changes: Partial<EntryDraft>, pointers: string]>([
    ['nowhere', {}, ''],
    ['in its memo, even by a blank', { memo: 'March consulting ' }, '/memo'],
    [
      'in an accrual date that the original does not have',
      { accrualDate: '2026-04-01' },
      '/accrual_date',
    ],
    ['nowhere, if amounts only have another form', { lines: [otherwise, second, third] }, ''],
    [
      'in every field of a line',
      { lines: [first, changed, third] },
      '/entries/1/account /entries/1/description /entries/1/debit /entries/1/credit',
    ],
    ['in a missing line', { lines: [first, second] }, '/entries/2'],
    ['in an additional line', { lines: [first, second, third, third] }, '/entries/3'],
    [
      'in the order of its lines',
      { lines: [second, first, third] },
      '/entries/0/description /entries/0/debit /entries/1/description /entries/1/debit',
    ],
    [
      'everywhere',
      all,
      '/date /memo /transactionCurrency /reportingCurrency /accrual_date ' +
        '/entries/0 /entries/1 /entries/2',
    ],
  ])('%s', (_title, changes, pointers) => {
    expect(differences({ ...draft, ...changes }, original).join(' ')).toBe(pointers);
  });
});

describe('pointers in a header', () => {
  const pointers = ['/memo', '/entries/0/debit', '/entries/0/credit', '/entries/12/account'];
  const inFull = '/memo, /entries/0/debit, /entries/0/credit, /entries/12/account';
  const byLine = '/memo, /entries/0, /entries/12';
  const byField = '/memo, /entries';

  test.each([
    ['name every field if the list fits exactly', inFull.length, inFull],
    ['name whole lines if the fields do not fit', inFull.length - 1, byLine],
    ['name whole lines if these fit exactly', byLine.length, byLine],
    ['name all lines together if single lines do not fit', byLine.length - 1, byField],
  ])('%s', (_title, longest, expected) => {
    expect(pointerList(pointers, longest)).toBe(expected);
  });

  test('always fit into 4,096 characters and cover every pointer', () => {
    const fields = ['/date', '/memo', '/transactionCurrency', '/accrual_date'];
    const pointer = fc.oneof(
      fc.constantFrom(...fields),
      fc
        .tuple(fc.nat(499), fc.constantFrom('', '/account', '/description', '/debit', '/credit'))
        .map(([line, field]) => `/entries/${line}${field}`),
    );
    fc.assert(
      fc.property(fc.uniqueArray(pointer, { maxLength: 2_000, size: 'max' }), (differing) => {
        const list = pointerList(differing, 4_096);
        expect(list.length).toBeLessThanOrEqual(4_096);
        const named = list.split(', ');
        for (const it of differing) {
          expect(named.some((parent) => it === parent || it.startsWith(`${parent}/`))).toBe(true);
        }
      }),
    );
  });
});
