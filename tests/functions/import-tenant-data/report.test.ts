import { describe, expect, test } from 'vitest';
import { type Findings, noFindings, withFindings } from '#functions/import-tenant-data/report.ts';
import { type ImportCheckpoint, startOfImport } from '#shared/imports/import-checkpoint.store.ts';
import type { Assumption, RefusedRecord } from '#shared/imports/import-report.ts';

/** A refusal as a line says it: its kind, its reference and its reason. */
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

/** A checkpoint after pages on which these were found. */
const reportAfter = (
  pages: (Partial<Findings> & Pick<Findings, 'kind'>)[],
  { from = startOfImport, reading = first } = {},
): ImportCheckpoint =>
  pages.reduce(
    (it, page) => withFindings(it, { ...noFindings(page.kind), ...page }, reading),
    from,
  );

const refusedOf = ({ refused, accountsRefused, journalsRefused, ...rest }: ImportCheckpoint) => ({
  refused: refused.map(({ kind, reference, reason }) => `${kind} ${reference} ${reason}`),
  counts: [accountsRefused, journalsRefused, rest.refusedByReason],
});

describe('records that are refused', () => {
  const before = reportAfter([
    { kind: 'account', refused: [refusal('account 1 odd')] },
    { kind: 'journal', refused: [refusal('journal 1 odd'), refusal('journal 2 large')] },
  ]);

  test('are named and counted by kind and by reason', () => {
    expect(refusedOf(before)).toEqual({
      refused: ['account 1 odd', 'journal 1 odd', 'journal 2 large'],
      counts: [1, 2, { odd: 2, large: 1 }],
    });
  });

  test('leave the report once they are not refused any more, those of their kind alone', () => {
    expect(
      refusedOf(reportAfter([{ kind: 'journal', settled: ['1', '3'] }], { from: before })),
    ).toEqual({
      refused: ['account 1 odd', 'journal 2 large'],
      counts: [1, 1, { odd: 1, large: 1 }],
    });
  });

  test('stay once where they are refused again, for whatever reason', () => {
    const again = [refusal('journal 1 odd'), refusal('journal 2 odd')];
    expect(refusedOf(reportAfter([{ kind: 'journal', refused: again }], { from: before }))).toEqual(
      {
        refused: ['account 1 odd', 'journal 1 odd', 'journal 2 odd'],
        counts: [1, 2, { odd: 3 }],
      },
    );
  });

  test('are named to fifty, and counted on', () => {
    const many = reportAfter([
      { kind: 'journal', refused: numbered(48).map((it) => refusal(`journal ${it}`)) },
      { kind: 'journal', refused: numbered(4, 49).map((it) => refusal(`journal ${it}`)) },
    ]);
    expect(many.refused.map(({ reference }) => reference)).toEqual(numbered(50));
    expect(refusedOf(many).counts).toEqual([0, 52, { odd: 52 }]);
    // In a later pass they come again, and nobody can tell those that are not named from new ones.
    const page = { kind: 'journal', refused: many.refused.concat(refusal('journal 52')) } as const;
    expect(refusedOf(reportAfter([page], { from: many, reading: later })).counts).toEqual([
      0,
      52,
      { odd: 52 },
    ]);
  });
});

describe('what was assumed', () => {
  const tallyOf = ({ assumptions, assumptionCount }: ImportCheckpoint) => [
    assumptions.map(({ kind, reference }) => `${kind} ${reference}`),
    assumptionCount,
  ];
  const many = reportAfter([
    { kind: 'journal', assumed: numbered(51).map((it) => assumption(it)) },
  ]);

  test('of journals is named to fifty, and counted on', () => {
    expect(many.assumptions).toHaveLength(50);
    expect(many.assumptionCount).toBe(51);
  });

  test.each<[string, Partial<Findings>, typeof first, number]>([
    ['counts where it is assumed now', { assumed: [assumption('52')] }, changesOnly, 52],
    ['counts once', { assumed: [assumption('50')] }, changesOnly, 51],
    [
      'counts where a run died that had recorded it',
      { assumedBefore: [assumption('51')] },
      first,
      52,
    ],
    ['does not count in a later pass', { assumedBefore: [assumption('51')] }, later, 51],
    ['does not count if only changed', { assumedBefore: [assumption('51')] }, changesOnly, 51],
  ])('beyond fifty %s', (_, found, reading, count) => {
    const page = { kind: 'journal', ...found } as const;
    expect(reportAfter([page], { from: many, reading }).assumptionCount).toBe(count);
  });

  test('of accounts leaves the report once the platform says more', () => {
    const assumed = [assumption('1', 'account'), assumption('2', 'account'), assumption('1')];
    const before = reportAfter([{ kind: 'account', settled: ['1', '2'], assumed }]);
    const page = { kind: 'account', settled: ['1', '2'], assumed: assumed.slice(1, 2) } as const;
    const now = reportAfter([page], { from: before, reading: changesOnly });
    expect(tallyOf(now)).toEqual([['account 2', 'journal 1'], 2]);
  });
});

describe('journals that are others by now', () => {
  test('are reported once each, as they are, for as long as they are', () => {
    const pages = [
      [
        { reference: '1', change: 'edited' },
        { reference: '2', change: 'edited' },
      ] as const,
      [
        { reference: '2', change: 'voided' },
        { reference: '3', change: 'edited' },
      ] as const,
    ].map((changes) => ({ kind: 'journal', changes }) as const);
    const changed = reportAfter(pages, { reading: changesOnly });
    const restored = reportAfter([{ kind: 'journal', unchanged: ['1', '4'] }], { from: changed });
    expect([restored.changes, restored.changeCount]).toEqual([
      [
        { reference: '2', change: 'voided' },
        { reference: '3', change: 'edited' },
      ],
      2,
    ]);
  });
});
