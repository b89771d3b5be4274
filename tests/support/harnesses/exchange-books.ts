// Books with balances in other currencies, and the calls that revalue them.

import { openTenantCalls } from './calls.ts';

/** On 2026-03-20 a euro is 1.1555 dollars or 0.86438 pounds, on 2026-03-23 1.1596 or 0.86420. */
export const dates = { first: '2026-03-20', last: '2026-03-23', today: '2026-03-24' };

export type Lines = [account: string, debit: string, credit?: string][];

export const openExchangeBooks = async () => {
  const calls = await openTenantCalls();
  const { call, ledger } = calls;
  let companies = 0;

  /** A new tenant with books in euro. */
  const openBooks = async () => {
    companies += 1;
    const { prefix: domain_url } = await ledger.createTenant(`Exchange ${companies}`);
    const net = ({ debit, credit }: Record<string, string>) =>
      debit === '0.00' && credit !== '0.00' ? `-${credit}` : debit;
    return {
      domain_url,
      post: (
        currency: string,
        lines: Lines,
        { date = dates.first, ...fields }: Record<string, string> = {},
      ) =>
        call('createEntry', {
          domain_url,
          date,
          memo: 'An entry',
          transactionCurrency: currency,
          reportingCurrency: 'EUR',
          entries: lines.map(([account, debit, credit]) => ({ account, debit, credit })),
          ...fields,
        }),
      report: (as_of = dates.last) => call('getRevaluation', { domain_url, as_of }),
      revalue: (fields: object = {}) =>
        call('postRevaluation', { domain_url, as_of: dates.last, ...fields }),
      /** The balance of an account in the books, then in each other currency. */
      balances: async (account: string, as_of: string) => {
        const query = { domain_url, account, as_of, by_currency: 'true' };
        const { rows } = await call('getTrialBalance', query);
        const [{ closing, currencies }] = rows;
        const ofCurrencies = currencies.map(
          (it: { closing: Record<string, string> }) => it.closing,
        );
        return [closing, ...ofCurrencies].map(net);
      },
    };
  };

  return { ...calls, openBooks };
};
