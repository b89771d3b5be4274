// What get-changes-in-equity accepts and returns.

import * as z from 'zod/mini';
import { accountSubtypes } from '#shared/accounts/accounts.ts';
import type { EndpointDocumentation } from '#shared/endpoint/documentation.ts';
import { fromNotAfterTo } from '#shared/field-relations.ts';
import { booksFields, periodView, signedAmount } from '#shared/reports/report.view.ts';
import { exampleBooks } from '#shared/reports/report-example.view.ts';
import {
  namedAccountFields,
  periodStatementFields,
  retainedEarningsFields,
  statementFields,
} from '#shared/reports/statement.view.ts';
import { figureRow, statementCsv } from '#shared/reports/statement-csv.view.ts';

export const Request = z.strictObject(periodStatementFields).check(fromNotAfterTo);

const movementFields = {
  opening: signedAmount('Balance before `from`.'),
  movement: signedAmount('Change in the period, for example shares issued.'),
  closing: signedAmount('Balance at the end of `to`.'),
};

const EquityAccount = z.object({ ...namedAccountFields, ...movementFields });
z.globalRegistry.add(EquityAccount, {
  id: 'EquityAccount',
  description: 'An equity account. A credit is positive.',
});

const Component = z.object({
  subtype: z
    .nullable(z.enum(accountSubtypes))
    .check(z.describe('Subtype of the accounts; null for equity accounts without one.')),
  accounts: z.array(EquityAccount).check(z.describe('The accounts, ordered by code.')),
  ...movementFields,
});
z.globalRegistry.add(Component, {
  id: 'EquityComponent',
  description: 'The equity accounts of a subtype. A credit is positive.',
});

const figures = {
  ...periodView,
  components: z
    .array(Component)
    .check(z.describe('All components but retained earnings, for example share capital.')),
  retained_earnings: z
    .object(retainedEarningsFields)
    .check(z.describe('Retained earnings, as in the balance sheet on `to`.')),
  total: z
    .object({
      opening: signedAmount('Equity before `from`.'),
      profit: signedAmount('Profit of the period; a loss is negative.'),
      distributions: signedAmount('Distributions to owners; usually negative.'),
      other_movements: signedAmount('Movements of the components and others of retained earnings.'),
      closing: signedAmount('Equity at the end of `to`; the sum of the figures above.'),
    })
    .check(z.describe('The components and retained earnings together.')),
};

export const Data = z.object({
  ...booksFields,
  ...statementFields(figures, { id: 'ChangesInEquityColumn' }),
});
z.globalRegistry.add(Data, {
  id: 'ChangesInEquity',
  description: 'How the equity of a company changed in a period. Increases are positive.',
});
export type Data = z.output<typeof Data>;

type Figures = NonNullable<Data['comparison']>;

const movements = ['opening', 'movement', 'closing'] as const;

const rowsOf = ({ components, retained_earnings, total }: Figures) => [
  ...components.flatMap(({ subtype, accounts, ...component }) => [
    ...accounts.flatMap((account) =>
      movements.map((name) => ({
        section: `components.${name}`,
        subtype,
        type: 'account' as const,
        account,
        amount: account[name],
      })),
    ),
    ...movements.map((name) => ({
      section: `components.${name}`,
      subtype,
      type: 'subtype_total' as const,
      amount: component[name],
    })),
  ]),
  ...Object.entries(retained_earnings).map(([name, amount]) =>
    figureRow(`retained_earnings.${name}`, amount),
  ),
  ...Object.entries(total).map(([name, amount]) => figureRow(`total.${name}`, amount)),
];

export const csv = (report: Data): string => {
  const { from, to } = report;
  return statementCsv<Figures>(
    report,
    {
      from: () => from,
      to: () => to,
      section: ({ section }) => section,
      subtype: ({ subtype }) => subtype ?? null,
    },
    rowsOf,
  );
};

export const documentation: EndpointDocumentation = {
  summary: 'Get changes in equity',
  description: `Returns how the company's equity changed in a period, from its opening to its
closing balance (IAS 1.106). \`from\` defaults to the first day of the fiscal year that contains
\`to\`.

Each component has the equity accounts of a subtype, for example \`contributed_capital\`. Retained
earnings are one component of their own, computed from all profits: the profit of the period is that
of its profit and loss, and the closing balance is \`retained_earnings.closing\` in the balance
sheet on \`to\`. \`total\` adds up all components; its closing balance is the equity of that
balance sheet.

Increases are positive. Accounts with only zeros are omitted; archived accounts are included. The
classification that an account has on \`to\` applies. Entries count on their posting date;
scheduled entries do not count.

**Check \`coverage\` before you show the equity of a connected tenant: with \`journals_only\`, it
is not the company's complete equity.**

The CSV has three rows for each account and each component, and a row for each other figure.
\`section\` is the path in the JSON reply, for example \`components.movement\` or
\`total.profit\`. \`row_type\` is \`account\`, \`subtype_total\` (of a component) or
\`figure\` (any other amount).`,
  errors: ['tenant_not_found', 'reply_too_large'],
  examples: [
    {
      name: 'A quarter',
      request: { domain_url: 'analytical-engines-k7m2xq', from: '2026-01-01', to: '2026-03-31' },
      data: {
        ...exampleBooks,
        from: '2026-01-01',
        to: '2026-03-31',
        components: [
          {
            subtype: 'contributed_capital',
            accounts: [
              {
                account: '3000',
                account_name: 'Share Capital',
                opening: '10000.00',
                movement: '0.00',
                closing: '10000.00',
              },
            ],
            opening: '10000.00',
            movement: '0.00',
            closing: '10000.00',
          },
        ],
        retained_earnings: {
          opening: '12000.00',
          profit: '9190.00',
          distributions: '-3000.00',
          other_movements: '0.00',
          closing: '18190.00',
        },
        total: {
          opening: '22000.00',
          profit: '9190.00',
          distributions: '-3000.00',
          other_movements: '0.00',
          closing: '28190.00',
        },
      },
    },
  ],
};
