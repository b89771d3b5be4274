// The statement of changes in equity in a period (IAS 1.106): each component from its opening
// balance to its closing balance.

import type { Account, AccountSubtype } from '../accounts/accounts.ts';
import {
  equitySubtypes,
  type RetainedEarnings,
  retainedEarningsOf,
  subtypeOf,
} from './balance-sheet.ts';
import { type StatementAccount, totalOf } from './statement-sums.ts';

type Movement = { opening: bigint; movement: bigint; closing: bigint };

/** Retained earnings are not among the components. */
export type EquityComponent = Movement & {
  subtype: AccountSubtype | null;
  accounts: ({ account: Account } & Movement)[];
};

/** Increases are positive. The totals are of all components and of retained earnings. */
export type ChangesInEquity = Omit<RetainedEarnings, 'posted'> & {
  components: EquityComponent[];
  retainedEarnings: Omit<RetainedEarnings, 'posted'>;
};

const movementOf = (opening: bigint, movement: bigint): Movement => ({
  opening,
  movement,
  closing: opening + movement,
});

const componentOf = (
  subtype: AccountSubtype | null,
  accounts: readonly StatementAccount[],
): EquityComponent => ({
  subtype,
  accounts: accounts.map(({ account, before, within }) => ({
    account,
    ...movementOf(before, within),
  })),
  ...movementOf(
    totalOf(accounts, ({ before }) => before),
    totalOf(accounts, ({ within }) => within),
  ),
});

/** @param sums all accounts up to the end of the period */
export const changesInEquityOf = (sums: readonly StatementAccount[]): ChangesInEquity => {
  const { posted: _, ...retainedEarnings } = retainedEarningsOf(sums);
  const equity = sums.filter(({ account }) => account.type === 'equity');
  const components = equitySubtypes.map((subtype) =>
    componentOf(
      subtype,
      equity.filter((sum) => subtypeOf(sum) === subtype),
    ),
  );
  const sumOf = (figure: keyof Movement) =>
    components.reduce((sum, component) => sum + component[figure], 0n);
  return {
    components,
    retainedEarnings,
    opening: sumOf('opening') + retainedEarnings.opening,
    profit: retainedEarnings.profit,
    distributions: retainedEarnings.distributions,
    otherMovements: sumOf('movement') + retainedEarnings.otherMovements,
    closing: sumOf('closing') + retainedEarnings.closing,
  };
};
