// What all reports show in one form: the books that they are of, their dates and their amounts.

import * as z from 'zod/mini';
import { type CsvColumns, type CsvField, csvNumber } from '../csv.ts';
import { Account } from '../domain/accounts.ts';
import { formatHundredths } from '../domain/hundredths.ts';
import type { Sides } from '../domain/reports/sheet-sums.ts';
import type { Figures } from '../domain/reports/trial-balance.ts';

const amountText = z.string().check(z.meta({ pattern: '^\\d+\\.\\d{2}$' }));

export const reportAmount = (description: string) => amountText.check(z.describe(description));

/** A single figure of an account. */
export const signedAmount = (description: string) =>
  z.string().check(z.meta({ pattern: '^-?\\d+\\.\\d{2}$', description }));

export const dateText = (description: string) =>
  z.string().check(z.meta({ format: 'date', description }));

/** The fields that every report begins with. */
export const booksFields = {
  tenant_domain_url: z.string().check(z.describe('Subdomain prefix of the tenant.')),
  currency: z
    .string()
    .check(
      z.meta({ pattern: '^[A-Z]{3}$', description: "The tenant's currency, of all its books." }),
    ),
  coverage: z
    .enum(['all_entries', 'journals_only'])
    .check(
      z.describe(
        'What the report covers. **`all_entries`: all of the books, which are kept here. ' +
          '`journals_only`: the books are kept at the accounting platform that the tenant is ' +
          'connected to, and only its manual journals and what was posted here are in the ' +
          'report; its invoices, bills, payments and bank transactions are not.**',
      ),
    ),
  digest: z.string().check(
    z.meta({
      pattern: '^[0-9a-f]{64}$',
      description:
        'SHA-256 over the heads of the hash chains of all posting dates up to the last one of ' +
        'the report. It stays the same as long as nothing comes to count there. The guide says ' +
        'how to recompute it, and what it proves.',
    }),
  ),
};

export type BooksView = Record<keyof typeof booksFields, string>;

/**
 * The columns of a report. Each row says of what books it is, so that one that somebody copies out
 * of a table still does. The digest comes last, as the longest.
 */
export const reportColumns = <Row extends { report: BooksView }>(
  columns: CsvColumns<Row>,
): CsvColumns<Row> => ({
  tenant_domain_url: ({ report }) => report.tenant_domain_url,
  coverage: ({ report }) => report.coverage,
  ...columns,
  digest: ({ report }) => report.digest,
});

/** An amount of a report, or nothing where the row has none. */
export const csvAmount = (amount: string | null | undefined): CsvField =>
  amount === null || amount === undefined ? null : csvNumber(amount);

const SidesView = z.object({ debit: amountText, credit: amountText });
z.globalRegistry.add(SidesView, {
  id: 'Sides',
  description: 'An amount on each side, in the currency of the report unless another is named.',
});

export const figuresFields = {
  opening: SidesView.check(
    z.describe('Net of everything before the period, over all years, on one side.'),
  ),
  movement: SidesView.check(z.describe('Gross debits and credits of the period.')),
  closing: SidesView.check(z.describe('Net at the end of the period, on one side.')),
};

type FiguresView = Record<keyof typeof figuresFields, z.output<typeof SidesView>>;

/** The columns of the figures of a row. */
export const figuresColumns = {
  opening_debit: ({ figures }) => csvAmount(figures.opening.debit),
  opening_credit: ({ figures }) => csvAmount(figures.opening.credit),
  movement_debit: ({ figures }) => csvAmount(figures.movement.debit),
  movement_credit: ({ figures }) => csvAmount(figures.movement.credit),
  closing_debit: ({ figures }) => csvAmount(figures.closing.debit),
  closing_credit: ({ figures }) => csvAmount(figures.closing.credit),
} satisfies CsvColumns<{ figures: FiguresView }>;

const sidesViewOf = ({ debit, credit }: Sides) => ({
  debit: formatHundredths(debit),
  credit: formatHundredths(credit),
});

export const figuresViewOf = ({ opening, movement, closing }: Figures) => ({
  opening: sidesViewOf(opening),
  movement: sidesViewOf(movement),
  closing: sidesViewOf(closing),
});

export const accountFields = {
  account: z.string().check(z.describe('Code of the account.')),
  account_name: z.string().check(z.describe('Its name as it is now.')),
  account_type: Account.shape.type,
};
