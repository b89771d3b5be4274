// The parts that the example reports of the reference share.

export const exampleBooks = {
  tenant_domain_url: 'analytical-engines-k7m2xq',
  company_name: 'Analytical Engines',
  made_at: '2026-03-24T12:00:00.000Z',
  currency: 'EUR',
  coverage: 'all_entries',
  covered_from: null,
  covered_to: null,
  checked_at: null,
  digest: '5f0c7c2f6a1d3e9b8c4a7d2e1f0b9a8c7d6e5f4a3b2c1d0e9f8a7b6c5d4e3f2a',
  entries_digest: '8a7b6c5d4e3f2a1b0c9d8e7f6a5b4c3d2e1f0a9b8c7d6e5f4a3b2c1d0e9f8a7b',
};

export const exampleAmounts = (
  total: string,
  ...rows: [account: string, name: string, amount: string][]
) => ({
  accounts: rows.map(([account, account_name, amount]) => ({ account, account_name, amount })),
  total,
});
