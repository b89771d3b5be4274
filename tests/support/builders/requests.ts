// The bodies of requests that make a user, a tenant that keeps its own books, and an entry in it.

export const ada = {
  email: 'ada@example.com',
  password: 'correct horse',
  first_name: 'Ada',
  last_name: 'Lovelace',
};

export const manualTenant = {
  platform: 'manual',
  cash_flow_method: 'indirect',
  company_name: 'Analytical Engines',
  currency: 'EUR',
};

/** 1000.00 EUR at the rate that the ECB published for 2026-03-23: 1 EUR = 1.1596 USD. */
export const dollarEntry = {
  date: '2026-03-23',
  memo: 'March consulting',
  transactionCurrency: 'USD',
  reportingCurrency: 'EUR',
  entries: [
    { account: '1010', debit: '1159.60', credit: '', description: 'Received' },
    { account: '4010', debit: '', credit: '1159.60', description: 'Consulting' },
  ],
};

/** Tokens as a request has them. */
export const tokenFields = (tokens: { accessToken: string; refreshToken: string }) => ({
  access_token: tokens.accessToken,
  refresh_token: tokens.refreshToken,
});

/** An entry in the currency of the books. */
export const euroEntry = (changes: object = {}) => ({
  date: '2026-03-23',
  memo: 'March consulting',
  transactionCurrency: 'EUR',
  reportingCurrency: 'EUR',
  entries: [
    { account: '1010', debit: '1.00' },
    { account: '4010', credit: '1.00' },
  ],
  ...changes,
});

/** Balanced lines; `count` is at least two. */
export const linesOf = (count: number, description = '') => [
  { account: '1010', debit: `${count - 1}.00`, description },
  ...Array.from({ length: count - 1 }, () => ({ account: '4010', credit: '1.00', description })),
];
