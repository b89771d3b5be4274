// A line of a journal entry in a reply.

import * as z from 'zod/mini';
import { lineClasses } from '../accounts/line-classes.ts';

export const currencyText = z.string().check(z.meta({ pattern: '^[A-Z]{3}$' }));
export const amountText = z.string().check(z.meta({ pattern: '^\\d+\\.\\d{2,3}$' }));

export const TransactionLine = z.object({
  line_number: z.int().check(z.meta({ minimum: 1, description: 'Position of the line, from 1.' })),
  account: z.string().check(z.describe('Account code.')),
  account_name: z.string().check(z.describe('Name of the account when the entry was created.')),
  description: z.string().check(z.describe('Description of the line; may be empty.')),
  debit: amountText.check(z.describe('Debit in the transaction currency.')),
  credit: amountText.check(z.describe('Credit in the transaction currency.')),
  reporting_debit: amountText.check(
    z.describe('Debit in the reporting currency. The debits add up to `reporting_amount`.'),
  ),
  reporting_credit: amountText.check(
    z.describe('Credit in the reporting currency. The credits add up to `reporting_amount`.'),
  ),
  book_debit: amountText.check(
    z.describe("Debit in the tenant's book currency. Reports add up book amounts."),
  ),
  book_credit: amountText.check(z.describe("Credit in the tenant's book currency.")),
  revalued_currency: z
    .optional(currencyText)
    .check(
      z.describe(
        'Only in revaluations and their reversals: the currency whose book amount the line ' +
          'adjusts.',
      ),
    ),
  line_class: z
    .enum(lineClasses)
    .check(
      z.describe(
        "What the line is to the statement of cash flows, from its account's classification when " +
          'the entry was created. `unknown` in entries of versions before 1.3.0.',
      ),
    ),
});
z.globalRegistry.add(TransactionLine, {
  id: 'JournalEntryLine',
  description: 'A line of a journal entry.',
});
