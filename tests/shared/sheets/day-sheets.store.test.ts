// After any posts, imports and scheduled postings, concurrent or not, the sheets have the totals of
// the entries.

import Big from 'big.js';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { draftLine, type EntryDraft } from '#shared/entries/drafts/draft.ts';
import { openPosting } from '#shared/entries/posting.service.ts';
import type { DueEntry } from '#shared/entries/schedule/scheduled-entries.store.ts';
import { openImportedJournals } from '#shared/imports/imported-journals.store.ts';
import { dateOf } from '#shared/money/dates.ts';
import { emptySheet } from '#shared/sheets/day-sheet.ts';
import { sheetActions } from '#shared/sheets/day-sheets.store.ts';
import { rowNameOf } from '#shared/sheets/row-text.ts';
import { type TenantName, tenantKey } from '#shared/table/keys.ts';
import { meterUsage } from '#shared/table/metering.ts';
import { openTestLedger } from '../../support/builders/ledger.ts';
import { unnumbered } from '../../support/builders/platforms/platform-journal.ts';
import { dueEntriesOf, postEntries } from '../../support/readers/due-entries.ts';
import { sheetViolationsIn } from '../../support/readers/sheet-invariants.ts';
import { isWhole, sliceSeed } from '../../support/slices.ts';

const ledger = await openTestLedger();
const journals = openImportedJournals(ledger.table);
const [monday, friday] = [new Date('2026-03-23T12:00:00Z'), '2026-03-27'];
const posting = openPosting({ ...ledger, clock: () => monday });

const tenantName = { applicationId: 'app1', schemaName: 'large' };

let tenants = 0;
const newTenant = (currency: string) => {
  tenants += 1;
  return ledger.createTenant(`Books ${tenants}`, { currency });
};

/** Accounts of the chart. The first two are cash. */
const account = fc.constantFrom('1010', '1020', '1200', '4010', '6100');
const dates = ['2026-03-20', '2026-03-21', dateOf(monday)];
const currency = fc.constantFrom('EUR', 'USD', 'JPY');

/** Amounts in whole units, which yen allow. The last line balances the others. */
const draft: fc.Arbitrary<EntryDraft> = fc
  .record({
    date: fc.constantFrom(...dates),
    accrualDate: fc.option(fc.constantFrom(...dates, '2026-03-24', friday)),
    transactionCurrency: currency,
    reportingCurrency: currency,
    sides: fc.array(
      fc.record({ account, isDebit: fc.boolean(), amount: fc.integer({ min: 1, max: 9_999 }) }),
      { minLength: 1, maxLength: 6 },
    ),
    rest: account,
  })
  .map(({ sides, rest, ...fields }) => {
    const sum = sides.reduce((total, it) => total + (it.isDebit ? it.amount : -it.amount), 0);
    const last = { account: rest, isDebit: sum < 0, amount: Math.abs(sum) };
    const lines = (sum === 0 ? sides : [...sides, last]).map(({ account, isDebit, amount }) =>
      draftLine({ account, [isDebit ? 'debit' : 'credit']: amount }),
    );
    const ofCaller = { exchangeRate: null, isRateAccepted: false, externalId: null, userId: null };
    return { ...fields, ...ofCaller, memo: 'Consulting', lines, metadata: {} };
  })
  .filter(({ lines }) => lines.length > 1);

const step = fc.oneof(
  { weight: 8, arbitrary: draft },
  { weight: 1, arbitrary: fc.constantFrom(2, 3).map((lineCount) => ({ imported: lineCount })) },
  { weight: 1, arbitrary: fc.constantFrom('2026-03-24', friday).map((day) => ({ due: day })) },
);
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

const flip = async (schemaName: string, day: string): Promise<void> => {
  const entries: DueEntry[] = [];
  for await (const entry of dueEntriesOf(ledger.table, day)) {
    if (entry.pk.endsWith(`#${schemaName}`)) entries.push(entry);
  }
  await postEntries(ledger.table, entries, `${day}T00:05:00.000Z`);
};

/** A change of a sheet to rows with this number of bytes: accounts of 60 digits, with zeros. */
const changeTo = (bytes: number) => {
  const zero = new Big(0);
  const added = Array.from({ length: Math.ceil(bytes / 61) }, (_, index) => ({
    account: rowNameOf({ code: String(index).padStart(59, '0') }),
    currency: null,
    debit: zero,
    credit: zero,
    cashEffect: zero,
    nonCash: zero,
    disposed: zero,
  }));
  const of = { series: 'MJ', date: '2026-03-20' } as const;
  return sheetActions(tenantName, of, { before: emptySheet, after: { ...emptySheet, added } });
};

const take = async (
  { applicationId, schemaName }: TenantName & { prefix: string },
  step: Step,
  number: number,
): Promise<void> => {
  if ('due' in step) return flip(schemaName, step.due);
  if ('imported' in step) {
    const journal = unnumbered({ reference: String(number), lineCount: step.imported });
    await journals.record({ applicationId, schemaName }, [{ journal, origin: {} }]);
    return;
  }
  const target = { tenant: { applicationId, schemaName }, idempotencyKey: undefined };
  await posting.post(
    { ...target, createdWithKey: 'key', isBatch: false, isDryRun: false, refusesMismatch: false },
    [step],
  );
};

test.each([
  ['counts as large from a quarter of an item', 103_000, 1],
  ['does not count as large below that', 102_000, 0],
])('a sheet %s', async (_, bytes, largeSheets) => {
  const { usage } = await meterUsage(async () => changeTo(bytes));
  expect(usage.largeSheets).toBe(largeSheets);
});

test('a full sheet is named in the error', () => {
  expect(() => changeTo(408_000)).toThrow('the sheet of 2026-03-20 is full');
});

test('each sheet has the totals, the cash effects and the hashes of its entries', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom('EUR', 'USD', 'JPY'),
      fc.array(fc.array(step, { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 6 }),
      async (booked, rounds) => {
        const tenant = await newTenant(booked);
        for (const [round, steps] of rounds.entries()) {
          await Promise.all(steps.map((it, place) => take(tenant, it, 10 * round + place)));
        }
        await flip(tenant.schemaName, friday);
        const items = (await ledger.scan()).filter(({ pk }) => pk === tenantKey(tenant).pk);
        expect(sheetViolationsIn(items)).toEqual([]);
      },
    ),
    isWhole ? { numRuns: 40, endOnFailure: true } : { numRuns: 5, seed: sliceSeed },
  );
}, 120_000);
