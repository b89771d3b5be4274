// What the platforms' clients have to find: worked out from the sandbox's books themselves, not
// from how a platform's words put them.

import Big from 'big.js';
import { companiesOf } from '#infra/sandbox/companies.ts';
import { booksMadeAt, type DemoCompany, daysAgo } from '#infra/sandbox/demo-company.ts';
import { localDialects } from '#infra/sandbox/dialects.ts';
import type { Slot } from '#shared/platforms/slots.ts';

/** The debits with the taxes on their side, with three decimals. */
const totalOf = ({ lines }: ReturnType<DemoCompany['journalAt']>): string =>
  lines
    .filter(({ debit }) => Number(debit) > 0)
    .reduce((sum, { debit, tax }) => sum.plus(debit).plus(tax?.amount ?? 0), new Big(0))
    .toFixed(3);

const expectationsOf = (slot: Slot, id: string) => {
  const company = companiesOf[slot].find((one) => one.id === id);
  if (company === undefined) throw new Error(`the sandbox has no company ${id}`);
  const { companyIdOf, accountIdOf } = localDialects[slot];
  const { accounts, journalCount, journalAt, owner } = company;
  const since = daysAgo(6).replace('T09:30', 'T12:00');
  const journals = [...Array(journalCount).keys()].map(journalAt);
  const posted = journals.filter(({ status }) => status === 'posted');
  const fingerprints = (of: typeof journals) =>
    of.map((journal) => `${journal.memo} ${totalOf(journal)}`).toSorted();
  const child = accounts.findLastIndex(({ parent }) => parent !== undefined);
  const { name = '', parent = 0 } = accounts[child] ?? {};
  const isChanged = ({ modifiedAt = booksMadeAt }: { modifiedAt?: string }) => modifiedAt > since;
  return {
    company: {
      id,
      companyId: companyIdOf(company),
      name: company.name,
      currency: company.currency,
    },
    /** All of the user, the ids in the consent's form first. */
    companies: companiesOf[slot].filter((one) => one.owner === owner).map((one) => one.id),
    companyNames: companiesOf[slot].filter((one) => one.owner === owner).map((one) => one.name),
    accounts: {
      all: accounts.length,
      active: accounts.filter(({ status }) => status === 'active').length,
      bankIds: [...accounts.entries()].flatMap(([index, { kind }]) =>
        kind === 'bank' ? [accountIdOf(company, index)] : [],
      ),
      changedIds: [...accounts.entries()].flatMap(([index, account]) =>
        isChanged(account) ? [accountIdOf(company, index)] : [],
      ),
      child: { id: accountIdOf(company, child), parentId: accountIdOf(company, parent), name },
      withoutAName: accounts.filter(({ hole }) => hole === 'name').length,
    },
    journals: {
      posted: fingerprints(posted),
      drafts: journals.filter(({ status }) => status === 'draft').length,
      inMarch: fingerprints(
        posted.filter(({ date, hole }) => date.startsWith('2026-03') && hole !== 'date'),
      ),
      changed: fingerprints(posted.filter(isChanged)),
      deleted: journals.filter((journal) => journal.status === 'deleted' && isChanged(journal))
        .length,
      taxed: posted.filter(({ lines }) => lines.some(({ tax }) => tax)).length,
      withoutAnAccount: posted.flatMap(({ lines }) => lines).filter(({ hole }) => hole).length,
    },
    since,
  };
};

export const expectations = () => ({
  xero: expectationsOf('platform_a', 'cedar-interiors'),
  quickbooks: expectationsOf('platform_b', 'cypress-clinics'),
});
export type Expectations = ReturnType<typeof expectations>;
