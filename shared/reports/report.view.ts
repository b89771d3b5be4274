// The common parts of reports: the books, the dates and the amounts.

import * as z from 'zod/mini';
import { Account } from '../accounts/accounts.ts';
import { amountText } from '../entries/entry-line.view.ts';
import type { AmountFormat } from '../money/amounts.ts';
import type { Sides } from '../sheets/sheet-sums.ts';
import { type CsvColumns, type CsvField, csvNumber } from './csv.ts';
import type { Figures } from './trial-balance.ts';

export const reportAmount = (description: string) => amountText.check(z.describe(description));

/** An amount that can be negative. */
export const signedAmount = (description: string) =>
  z.string().check(z.meta({ pattern: '^-?\\d+\\.\\d{2,3}$', description }));

export const dateText = (description: string) =>
  z.string().check(z.meta({ format: 'date', description }));

export const currencyText = (description: string) =>
  z.string().check(z.meta({ pattern: '^[A-Z]{3}$', description }));

/** The fields for the period of a report. */
export const periodView = {
  from: dateText('First posting date.'),
  to: dateText('Last posting date.'),
};

const coverageFields = {
  coverage: z
    .enum(['all_entries', 'platform_balances', 'journals_only'])
    .check(
      z.describe(
        'Scope of the report. **`all_entries`: the tenant keeps its books here, and the report ' +
          'is complete. The others are for a tenant that keeps its books on a connected ' +
          'accounting platform. `platform_balances`: the figures equal those of the platform, ' +
          'and entries posted here are added. `journals_only`: after `covered_to`, the report ' +
          'has only the manual journals of the platform and the entries posted here; invoices, ' +
          'bills, payments and bank transactions are missing.**',
      ),
    ),
  covered_from: z.nullable(
    dateText(
      "First day on which the balances equal the platform's; null if there is none, or if the " +
        'tenant is not connected.',
    ),
  ),
  covered_to: z.nullable(
    dateText(
      "Last day up to the end of the report on which the balances equal the platform's: the end " +
        'of a month, or the day of the last check.',
    ),
  ),
  checked_at: z.nullable(z.string()).check(
    z.meta({
      format: 'date-time',
      description: "When the balances were last compared with the platform's (UTC).",
    }),
  ),
};

/** The first fields of every report. */
export const booksFields = {
  tenant_domain_url: z.string().check(z.describe('Subdomain prefix of the tenant.')),
  company_name: z.string().check(z.describe('Name of the company.')),
  made_at: z
    .string()
    .check(z.meta({ format: 'date-time', description: 'When the report was made (UTC).' })),
  currency: currencyText("The tenant's book currency."),
  ...coverageFields,
  digest: z.string().check(
    z.meta({
      pattern: '^[0-9a-f]{64}$',
      description:
        'SHA-256 over `entries_digest`, the totals of the accounts at the end of the report, and ' +
        'their classification then; in an account ledger, equal to `entries_digest`. It changes ' +
        'only if an entry is posted up to the last date of the report, or an account is ' +
        'classified differently on that date. The guide explains how to recompute it and what it ' +
        'proves.',
    }),
  ),
  entries_digest: z.string().check(
    z.meta({
      pattern: '^[0-9a-f]{64}$',
      description:
        'SHA-256 over the heads of the hash chains of all posting dates up to the last date of ' +
        'the report. It changes only if an entry is posted on one of these dates.',
    }),
  ),
};

export type BooksView = {
  [Field in keyof typeof booksFields]: z.output<(typeof booksFields)[Field]>;
};

/**
 * The columns of a report. Each row has the company and the coverage, because users copy single
 * rows. The digest is last because it is the longest.
 */
export const reportColumns = <Row extends { report: BooksView }>(
  columns: CsvColumns<Row>,
): CsvColumns<Row> => ({
  tenant_domain_url: ({ report }) => report.tenant_domain_url,
  company_name: ({ report }) => report.company_name,
  made_at: ({ report }) => report.made_at,
  coverage: ({ report }) => report.coverage,
  ...columns,
  digest: ({ report }) => report.digest,
});

/** An amount, or an empty field if the row has none. */
export const csvAmount = (amount: string | null | undefined): CsvField =>
  amount === null || amount === undefined ? null : csvNumber(amount);

const SidesView = z.object({ debit: amountText, credit: amountText });
z.globalRegistry.add(SidesView, {
  id: 'Sides',
  description: 'An amount on each side, in the currency of the report unless stated otherwise.',
});

export const figuresFields = {
  opening: SidesView.check(
    z.describe('Net balance before the period, over all years, on one side.'),
  ),
  movement: SidesView.check(z.describe('Total debits and total credits of the period.')),
  closing: SidesView.check(z.describe('Net balance at the end of the period, on one side.')),
};

type FiguresView = Record<keyof typeof figuresFields, z.output<typeof SidesView>>;

export const figuresColumns = {
  opening_debit: ({ figures }) => csvAmount(figures.opening.debit),
  opening_credit: ({ figures }) => csvAmount(figures.opening.credit),
  movement_debit: ({ figures }) => csvAmount(figures.movement.debit),
  movement_credit: ({ figures }) => csvAmount(figures.movement.credit),
  closing_debit: ({ figures }) => csvAmount(figures.closing.debit),
  closing_credit: ({ figures }) => csvAmount(figures.closing.credit),
} satisfies CsvColumns<{ figures: FiguresView }>;

const sidesViewOf = ({ debit, credit }: Sides, format: AmountFormat) => ({
  debit: format(debit),
  credit: format(credit),
});

export const figuresViewOf = ({ opening, movement, closing }: Figures, format: AmountFormat) => ({
  opening: sidesViewOf(opening, format),
  movement: sidesViewOf(movement, format),
  closing: sidesViewOf(closing, format),
});

export const accountFields = {
  account: z.string().check(z.describe('Account code.')),
  account_name: z.string().check(z.describe('Current name of the account.')),
  account_type: Account.shape.type,
};
