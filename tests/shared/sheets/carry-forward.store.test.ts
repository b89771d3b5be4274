// Reports that start from carried totals have the same figures and digests as the sum of all
// sheets, whatever is posted and carried in between or at the same time.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { draftLine } from '#shared/entries/drafts/draft.ts';
import { openPosting } from '#shared/entries/posting.service.ts';
import { openRecordedTotals } from '#shared/operator/recorded-totals.store.ts';
import { openExchangeRates } from '#shared/rates/exchange-rates.store.ts';
import { openCarryForward } from '#shared/sheets/carry-forward.store.ts';
import type { TenantName } from '#shared/table/keys.ts';
import { openTestLedger } from '../../support/builders/ledger.ts';
import { expectCarriedFigures } from '../../support/readers/carried-figures.ts';
import { isWhole } from '../../support/slices.ts';

const ledger = await openTestLedger();
const { table } = ledger;
const now = new Date('2026-06-20T12:00:00Z');
const exchangeRates = openExchangeRates(table, { maximumAgeDays: 1_000, clock: () => now });
await exchangeRates.record([{ date: '2025-12-30', rates: { USD: '1.1757' } }]);
const posting = openPosting({ ...ledger, exchangeRates, clock: () => now });
const carryForward = openCarryForward(table);
const recordedTotals = openRecordedTotals(table);

let tenants = 0;
const newTenant = async (): Promise<TenantName> => {
  tenants += 1;
  return ledger.createTenant(`Carried ${tenants}`, { currency: 'EUR' });
};

type Post = { date: string; account: string; amount: number; currency: string };

const post = async (tenant: TenantName, { date, account, amount, currency }: Post) => {
  const target = {
    tenant,
    idempotencyKey: undefined,
    isBatch: false,
    createdWithKey: 'key1',
    isDryRun: false,
    refusesMismatch: false,
  };
  await posting.post(target, [
    {
      date,
      accrualDate: null,
      transactionCurrency: currency,
      reportingCurrency: 'EUR',
      memo: 'Consulting',
      lines: [
        draftLine({ account, debit: amount }),
        draftLine({ account: '1010', credit: amount }),
      ],
      exchangeRate: null,
      isRateAccepted: false,
      externalId: null,
      userId: null,
      metadata: {},
    },
  ]);
};

const dates = [
  ...['2025-12-31', '2026-01-05', '2026-02-01', '2026-02-28', '2026-03-09', '2026-03-12'],
  ...['2026-04-10', '2026-04-21', '2026-05-31', '2026-06-15'],
];
const aPost = fc.record({
  kind: fc.constant('post' as const),
  date: fc.constantFrom(...dates),
  account: fc.constantFrom('1200', '4010', '6100'),
  amount: fc.integer({ min: 1, max: 999 }),
  currency: fc.constantFrom('EUR', 'USD'),
});
const aRun = fc.record({
  kind: fc.constant('carry' as const),
  // Up to 31 January, 10 March, 20 April and 31 May.
  today: fc.constantFrom('2026-02-20', '2026-03-27', '2026-05-05', '2026-06-20'),
  steps: fc.integer({ min: 1, max: 7 }),
});
const aRestart = fc.record({
  kind: fc.constant('restart' as const),
  from: fc.constantFrom(...dates),
});

const carry = async (tenant: TenantName, today: string, steps = 20) => {
  const at = new Date(`${today}T12:00:00Z`);
  for (let step = 0; step < steps; step += 1) {
    if ((await carryForward.carryNext(tenant, at)) !== 'carried') return;
  }
};

const aStep = fc.oneof(
  { arbitrary: aPost, weight: 8 },
  { arbitrary: aRun, weight: 3 },
  { arbitrary: aRestart, weight: 1 },
);
type Step = typeof aStep extends fc.Arbitrary<infer It> ? It : never;

/** Runs a step. A run gives up if another one carries the same totals. */
const run = async (tenant: TenantName, step: Step): Promise<void> => {
  if (step.kind === 'post') return post(tenant, step);
  const background =
    step.kind === 'carry'
      ? carry(tenant, step.today, step.steps)
      : carryForward.restart(tenant, new Date('2026-01-01'), step.from);
  await background.catch((error: unknown) => expect(error).toMatchObject({ code: 'contention' }));
};

test('carried totals change no figure and no digest', { timeout: 60_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(aStep, { minLength: 1, maxLength: 3 }), { minLength: 4, maxLength: 14 }),
      fc.constantFrom(...dates, '2026-03-10'),
      fc.constantFrom(...dates, '2026-03-31'),
      async (groups, one, other) => {
        const tenant = await newTenant();
        for (const together of groups) {
          await Promise.all(together.map((step) => run(tenant, step)));
        }
        const [from, to] = [one, other].toSorted() as [string, string];
        const [earlier, all] = [{ from: '2025-12-31', to: from }, { to: '2026-12-31' }];
        await expectCarriedFigures(table, tenant, { from, to }, earlier, { to }, all);
        await expectCarriedFigures(table, tenant, { from, to });
        for (const { expected, found } of await recordedTotals.list(tenant)) {
          expect(found).toEqual(expected);
        }
      },
    ),
    { numRuns: isWhole ? 25 : 8 },
  );
});
