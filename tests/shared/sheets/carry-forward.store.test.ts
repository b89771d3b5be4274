// Reports that start from carried totals have the same figures and digests as the sum of all sheets,
// whatever is posted and carried in between.

import fc from 'fast-check';
import { test } from 'vitest';
import { draftLine } from '#shared/entries/drafts/draft.ts';
import { openPosting } from '#shared/entries/posting.service.ts';
import { openExchangeRates } from '#shared/rates/exchange-rates.store.ts';
import { openCarryForward } from '#shared/sheets/carry-forward.store.ts';
import type { TenantName } from '#shared/table/keys.ts';
import { openTestLedger } from '../../support/builders/ledger.ts';
import { expectCarriedFigures } from '../../support/readers/carried-figures.ts';

const ledger = await openTestLedger();
const { table } = ledger;
const now = new Date('2026-06-20T12:00:00Z');
const exchangeRates = openExchangeRates(table, { maximumAgeDays: 1_000, clock: () => now });
await exchangeRates.record([{ date: '2025-12-30', rates: { USD: '1.1757' } }]);
const posting = openPosting({ ...ledger, exchangeRates, clock: () => now });
const carryForward = openCarryForward(table);

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
      externalId: null,
      userId: null,
      metadata: {},
    },
  ]);
};

const dates = [
  ...['2025-12-31', '2026-01-05', '2026-02-01', '2026-02-28', '2026-04-10', '2026-05-31'],
  '2026-06-15',
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
  months: fc.integer({ min: 1, max: 7 }),
});

const carry = async (tenant: TenantName, months: number) => {
  for (let month = 0; month < months; month += 1) await carryForward.carryNext(tenant, now);
};

test('carried totals change no figure and no digest', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.oneof({ arbitrary: aPost, weight: 4 }, { arbitrary: aRun, weight: 1 }), {
        minLength: 6,
        maxLength: 24,
      }),
      fc.constantFrom(...dates, '2026-03-15'),
      fc.constantFrom(...dates, '2026-03-31'),
      async (steps, one, other) => {
        const tenant = await newTenant();
        for (const step of steps) {
          if (step.kind === 'post') await post(tenant, step);
          else await carry(tenant, step.months);
        }
        const [from, to] = [one, other].toSorted() as [string, string];
        await expectCarriedFigures(table, tenant, { from, to });
        await expectCarriedFigures(table, tenant, { to });
        await expectCarriedFigures(table, tenant, { to: '2026-12-31' });
      },
    ),
    { numRuns: 25 },
  );
});
