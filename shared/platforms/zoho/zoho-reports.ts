// Reads the trial balance of Zoho Books, which its API does not document. What is known about it is
// in ../reports.md.

import * as z from 'zod/mini';
import type { AccountType } from '../../accounts/accounts.ts';
import type { TrialBalance } from '../../balances/trial-balance.ts';
import { type ReportedRow, refuseReport, reportAmount, trialBalanceOf } from '../trial-balance.ts';
import { typeByGroup } from './zoho-accounts.ts';
import { ZohoId, zohoReplyOf } from './zoho-organizations.ts';

const Text = z.nullish(z.string());
const Amount = z.nullish(z.union([z.number(), z.string()]));

const NodeFields = z.object({
  name: Text,
  account_id: Text,
  account_type: Text,
  net_debit_total: Amount,
  net_credit_total: Amount,
});

/** A group, an account with sub-accounts, or an account. */
type Node = z.output<typeof NodeFields> & { account_transactions?: Node[] | null | undefined };
const Node: z.ZodMiniType<Node> = z.extend(NodeFields, {
  account_transactions: z.nullish(z.array(z.lazy(() => Node))),
});

export const TrialBalanceReply = zohoReplyOf({
  trialbalance: z.tuple([Node]),
  page_context: z.object({
    report_basis: z.nullish(z.string()),
    to_date: z.string(),
  }),
});

/** Before any company's first entry: with this start, all balances are cumulative. */
export const earliestDate = '1970-01-01';

const sidesIn = ({ net_debit_total, net_credit_total }: Node) => ({
  debit: reportAmount(net_debit_total),
  credit: reportAmount(net_credit_total),
});

/**
 * The accounts below a node. A node without an id is a header, and its totals repeat the accounts
 * below it. `net_debit_total` of an account with sub-accounts has only its own amounts; the totals
 * with sub-accounts are separate fields.
 */
const rowsBelow = (node: Node, type: AccountType | null): ReportedRow[] =>
  (node.account_transactions ?? []).flatMap((below): ReportedRow[] => {
    const typeBelow = typeByGroup.get(below.account_type ?? '') ?? type;
    const further = rowsBelow(below, typeBelow);
    const { account_id: id, name } = below;
    if (id != null && !ZohoId.safeParse(id).success) refuseReport('has an id that cannot be read');
    const isHeader = id == null && below.account_transactions != null;
    const row = { accountId: id ?? null, name: name ?? '', type: typeBelow, ...sidesIn(below) };
    return isHeader ? further : [row, ...further];
  });

/** @throws PlatformFailure `report_refused` */
export const trialBalanceFrom = (
  {
    trialbalance: [root],
    page_context: { report_basis, to_date },
  }: z.output<typeof TrialBalanceReply>,
  date: string,
): TrialBalance => {
  if (report_basis != null && !/accrual/i.test(report_basis)) {
    refuseReport('is not on the accrual basis');
  }
  if (to_date !== date) refuseReport('is of another date');
  const hasTotals = root.net_debit_total != null && root.net_credit_total != null;
  const stated = hasTotals ? sidesIn(root) : undefined;
  return trialBalanceOf({ rows: rowsBelow(root, null), stated, profitSince: 'start_of_books' });
};
