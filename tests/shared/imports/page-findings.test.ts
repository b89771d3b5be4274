// The report of an import, after the findings of its pages.

import { describe, expect, test } from 'vitest';
import { type ImportCheckpoint, startOfImport } from '#shared/imports/import-checkpoint.ts';
import type { Assumption, RefusedRecord } from '#shared/imports/import-report.ts';
import { type Findings, noFindings, withFindings } from '#shared/imports/page-findings.ts';

/** A refusal from its kind, reference and reason. */
const refusal = (text: string): RefusedRecord => {
  const [kind, reference = '', reason = 'odd'] = text.split(' ');
  return { kind: kind === 'account' ? 'account' : 'journal', reference, reason, field: null };
};
const assumption = (reference: string, kind: Assumption['kind'] = 'journal'): Assumption => {
  const name = kind === 'journal' ? 'tax_clearing_used' : 'account_type_assumed';
  return { kind, reference, assumption: name, field: null };
};
const numbered = (count: number, first = 1): string[] =>
  Array.from({ length: count }, (_, index) => `${first + index}`);

const first = { isFirst: true, isComplete: true };
const later = { isFirst: false, isComplete: true };
const changesOnly = { isFirst: true, isComplete: false };

/** The checkpoint after pages with these findings. */
const reportAfter = (
  pages: (Partial<Findings> & Pick<Findings, 'kind'>)[],
  { from = startOfImport, reading = first } = {},
): ImportCheckpoint =>
  pages.reduce(
    (it, page) => withFindings(it, { ...noFindings(page.kind), ...page }, reading),
    from,
  );

describe('refused records', () => {
  const refusedOf = ({ refused, accountsRefused, journalsRefused, ...rest }: ImportCheckpoint) => ({
    refused: refused.map(({ kind, reference, reason }) => `${kind} ${reference} ${reason}`),
    counts: [accountsRefused, journalsRefused, rest.refusedByReason],
  });
  const before = reportAfter([
    { kind: 'account', refused: [refusal('account 1 odd')] },
    { kind: 'journal', refused: [refusal('journal 1 odd'), refusal('journal 2 large')] },
  ]);
  const again = [refusal('journal 1 odd'), refusal('journal 2 odd')];

  test.each<[string, Partial<Findings>, string, counts: unknown[]]>([
    ['are counted by kind and reason', {}, '1 odd, 2 large', [1, 2, { odd: 2, large: 1 }]],
    ['are dropped once accepted', { settled: ['1', '3'] }, '2 large', [1, 1, { odd: 1, large: 1 }]],
    ['are counted once if refused again', { refused: again }, '1 odd, 2 odd', [1, 2, { odd: 3 }]],
  ])('%s', (_, findings, named, counts) => {
    const journals = named.split(', ').map((it) => `journal ${it}`);
    const after = reportAfter([{ kind: 'journal', ...findings }], { from: before });
    expect(refusedOf(after)).toEqual({ refused: ['account 1 odd', ...journals], counts });
  });

  test('are named up to fifty; the others are counted in the first pass only', () => {
    const many = reportAfter([
      { kind: 'journal', refused: numbered(48).map((it) => refusal(`journal ${it}`)) },
      { kind: 'journal', refused: numbered(4, 49).map((it) => refusal(`journal ${it}`)) },
    ]);
    expect(many.refused.map(({ reference }) => reference)).toEqual(numbered(50));
    const page = { kind: 'journal', refused: many.refused.concat(refusal('journal 52')) } as const;
    for (const report of [many, reportAfter([page], { from: many, reading: later })]) {
      expect(refusedOf(report).counts).toEqual([0, 52, { odd: 52 }]);
    }
  });
});

describe('assumptions', () => {
  const many = reportAfter([
    { kind: 'journal', assumed: numbered(51).map((it) => assumption(it)) },
  ]);

  test('are named up to fifty', () => {
    expect([many.assumptions.length, many.assumptionCount]).toEqual([50, 51]);
  });

  test.each<[string, Partial<Findings>, typeof first, count: number]>([
    ['a new one', { assumed: [assumption('52')] }, changesOnly, 52],
    ['a known one, not again', { assumed: [assumption('50')] }, changesOnly, 51],
    ['one of a run that died', { assumedBefore: [assumption('51')] }, first, 52],
    ['none of a later pass', { assumedBefore: [assumption('51')] }, later, 51],
    ['none that only changed', { assumedBefore: [assumption('51')] }, changesOnly, 51],
  ])('beyond fifty are counted: %s', (_, found, reading, count) => {
    const page = { kind: 'journal', ...found } as const;
    expect(reportAfter([page], { from: many, reading }).assumptionCount).toBe(count);
  });

  test('of an account are dropped once the platform says more', () => {
    const assumed = [assumption('1', 'account'), assumption('2', 'account'), assumption('1')];
    const before = reportAfter([{ kind: 'account', settled: ['1', '2'], assumed }]);
    const page = { kind: 'account', settled: ['1', '2'], assumed: assumed.slice(1, 2) } as const;
    const now = reportAfter([page], { from: before, reading: changesOnly });
    expect([now.assumptions, now.assumptionCount]).toEqual([assumed.slice(1), 2]);
  });
});

test('changed journals are reported once, until they are unchanged again', () => {
  const edited = (reference: string) => ({ reference, change: 'edited' }) as const;
  const voided = { reference: '2', change: 'voided' } as const;
  const changed = reportAfter(
    [
      { kind: 'journal', changes: [edited('1'), edited('2')] },
      { kind: 'journal', changes: [voided, edited('3')] },
    ],
    { reading: changesOnly },
  );
  const restored = reportAfter([{ kind: 'journal', unchanged: ['1', '4'] }], { from: changed });
  expect([restored.changes, restored.changeCount]).toEqual([[voided, edited('3')], 2]);
});
