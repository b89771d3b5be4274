// The results that the platforms' clients must find, computed from the demo companies without
// their dialects.

import Big from 'big.js';
import { balancesAt } from '#infra/sandbox/balances.ts';
import { companiesOf } from '#infra/sandbox/companies.ts';
import {
  booksCreatedAt,
  type DemoAccount,
  type DemoJournal,
  daysAgo,
} from '#infra/sandbox/demo-company.ts';
import { localDialects } from '#infra/sandbox/dialects.ts';
import type { Slot } from '#shared/platforms/slots.ts';

/** The debits with the taxes on their side, with three decimals. */
const totalOf = ({ lines }: DemoJournal): string =>
  lines
    .filter(({ debit }) => Number(debit) > 0)
    .reduce((sum, { debit, tax }) => sum.plus(debit).plus(tax?.amount ?? 0), new Big(0))
    .toFixed(3);

const expectationsOf = (slot: Slot, id: string) => {
  const company = companiesOf[slot].find((one) => one.id === id);
  if (company === undefined) throw new Error(`the sandbox has no company ${id}`);
  const { accounts, journalCount, journalAt, name, currency } = company;
  const { companyIdOf, accountIdOf } = localDialects[slot];
  // At noon, since all changes are in the morning.
  const since = daysAgo(6).replace('T09:30', 'T12:00');
  const isChanged = ({ modifiedAt = booksCreatedAt }: { modifiedAt?: string }) =>
    modifiedAt > since;
  const accountIds = (isMeant: (account: DemoAccount) => boolean): string[] =>
    [...accounts.entries()].flatMap(([index, account]) =>
      isMeant(account) ? [accountIdOf(company, index)] : [],
    );
  const child = accounts.findLastIndex(({ parent }) => parent !== undefined);
  const { name: childName = '', parent = 0 } = accounts[child] ?? {};
  const journals = [...Array(journalCount).keys()].map(journalAt);
  const posted = journals.filter(({ status }) => status === 'posted');
  const fingerprints = (of: typeof journals) =>
    of.map((journal) => `${journal.memo} ${totalOf(journal)}`).toSorted();
  const isInMarch = ({ date, hole }: DemoJournal) => date.startsWith('2026-03') && hole !== 'date';
  const ofUser = companiesOf[slot].filter(({ owner }) => owner === company.owner);
  return {
    since,
    company: { id, companyId: companyIdOf(company), name, currency },
    /** All companies of the user: their ids in the sandbox and their names. */
    companies: ofUser.map((one) => one.id),
    companyNames: ofUser.map((one) => one.name),
    accounts: {
      all: accounts.length,
      active: accounts.filter(({ status }) => status === 'active').length,
      bankIds: accountIds(({ kind }) => kind === 'bank'),
      changedIds: accountIds(isChanged),
      child: {
        id: accountIdOf(company, child),
        parentId: accountIdOf(company, parent),
        name: childName,
      },
      withoutAName: accounts.filter(({ hole }) => hole === 'name').length,
    },
    /** At the end of February 2026: balances by account id, without those that are zero. */
    trialBalance: Object.fromEntries(
      [...balancesAt(company, { to: '2026-02-28', profitFrom: '2026-01-01' })].flatMap(
        ([index, balance]) =>
          balance.eq(0) ? [] : [[accountIdOf(company, index), balance.toFixed(3)]],
      ),
    ),
    journals: {
      posted: fingerprints(posted),
      drafts: journals.filter(({ status }) => status === 'draft').length,
      inMarch: fingerprints(posted.filter(isInMarch)),
      changed: fingerprints(posted.filter(isChanged)),
      deleted: journals.filter((it) => it.status === 'deleted' && isChanged(it)).length,
      taxed: posted.filter(({ lines }) => lines.some(({ tax }) => tax)).length,
      withoutAnAccount: posted.flatMap(({ lines }) => lines).filter(({ hole }) => hole).length,
    },
  };
};

export const expectations = () => ({
  xero: expectationsOf('platform_a', 'cedar-interiors'),
  quickbooks: expectationsOf('platform_b', 'cypress-clinics'),
});
export type Expectations = ReturnType<typeof expectations>;
